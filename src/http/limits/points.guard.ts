import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../config/settings.js';
import { Replicas } from '../../domain/kernel/deployment/replicas.js';
import { tenantOf } from '../access/auth.guard.js';
import { bytesRead } from '../request/json-body.js';
import { rateLimited } from './rate-limited.js';

const WINDOW_SECONDS = 60;
/** Bytes of a request's body and of its answer that cost one point. */
const BYTES_A_POINT = 10_000;
/** Hours of market simulation that cost one point. */
export const HOURS_A_POINT = 10;
/** Extra points of a request that sends an event: it causes up to 50 requests to receivers. */
export const EVENT_POINTS = 5;

/**
 * Limit on a tenant's points a minute: a request costs one, and one more for every 10 kB of its body and its answer. The cost of bytes is known only
 * when the request ends, so it is charged afterwards, also beyond the limit. Each process grants its part of the deployment's limit, which is divided
 * by the live processes that answer requests.
 */
@Injectable()
export class PointsGuard implements CanActivate {
  private readonly limiter: RateLimiterMemory | null;

  constructor(
    private readonly settings: Settings,
    private readonly replicas: Replicas,
  ) {
    const { rateLimitPerMinute: points } = settings;
    this.limiter = points === 0 ? null : new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
  }

  /** @throws HttpError `rate_limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const [request, response] = context.getArgs<[Request, Response]>();
    if (!request.caller) return true;
    const { limiter } = this;
    if (!limiter) {
      request.charge = () => undefined;
      return true;
    }
    const points = (limiter.points = this.pointsHere);
    const tenant = tenantOf(request);
    const state = await limiter.consume(tenant).catch((refusal: unknown) => refusal);
    if (!(state instanceof RateLimiterRes)) throw state;
    const seconds = Math.ceil(state.msBeforeNext / 1000);
    response.setHeader('RateLimit-Policy', `"default";q=${points};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"default";r=${state.remainingPoints};t=${seconds}`);
    if (state.consumedPoints > points) {
      const whose = request.caller.partnerId === null ? 'This key has' : 'The keys of this partner have';
      const why = `${whose} used up the ${points} points of a minute; a request costs one, and one more for every 10 kB of its body and its answer.`;
      throw rateLimited(why, Math.max(1, seconds), 'points');
    }
    const charge = (cost: number): void => void (cost > 0 && limiter.penalty(tenant, cost));
    let charged = 0;
    request.charge = (cost) => {
      charge(Math.floor(cost) - charged);
      charged = Math.max(charged, Math.floor(cost));
    };
    response.once('close', () => {
      const answered = Number(response.getHeader('content-length') ?? 0);
      charge(Math.floor((bytesRead(request) + answered) / BYTES_A_POINT));
    });
    return true;
  }

  private get pointsHere(): number {
    return Math.ceil(this.settings.rateLimitPerMinute / this.replicas.answering);
  }
}
