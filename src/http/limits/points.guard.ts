import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../config/settings.js';
import { Replicas } from '../../domain/kernel/deployment/replicas.js';
import { tenantOf } from '../access/caller.js';
import { rateLimited } from '../answer/http-error.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by `PointsGuard` on every route that is not public. */
    charge?: Charge;
  }
}

/** Charges the request for work that its bytes do not show. A retried transaction charges again, so the largest value counts. */
export type Charge = (points: number) => void;

/** Charges points beyond those of the request's bytes. */
export const ChargePoints = createParamDecorator((_: unknown, context: ExecutionContext): Charge => {
  return context.switchToHttp().getRequest<Request>().charge!;
});

const WINDOW_SECONDS = 60;
/** Bytes of a request's body and of its answer that cost one point. */
export const BYTES_A_POINT = 10_000;
/** Rows read from the database that cost one point. */
export const ROWS_A_POINT = 100;
/** Hours of market simulation that cost one point. */
export const HOURS_A_POINT = 10;
/** Extra points of a request that sends an event: it causes up to 50 requests to receivers. */
export const EVENT_POINTS = 5;

/**
 * Limit on a tenant's points a minute: a request costs one, and one more for every 10 kB of its body and its answer. A read costs one for every 100 rows
 * instead if that comes to more. The cost of a request shows only as it runs, so it is charged meanwhile and afterwards, even beyond the limit. Each
 * process grants its part of the deployment's limit, which is divided by the live processes that answer requests.
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
      const subject = request.caller.partnerId === null ? 'This key has' : 'The keys of this partner have';
      const why = `${subject} used up the ${points} points of a minute; a request costs one, and one more for every 10 kB of its body and its answer, or every 100 rows that it reads.`;
      throw rateLimited(why, Math.max(1, seconds), 'points');
    }
    const charge = (cost: number): void => void (cost > 0 && limiter.penalty(tenant, cost));
    let charged = 0;
    request.charge = (cost) => {
      charge(Math.floor(cost) - charged);
      charged = Math.max(charged, Math.floor(cost));
    };
    response.on('close', () => {
      const answered = Number(response.getHeader('content-length') ?? 0);
      const bytes = ((request.bodyBytes ?? 0) + answered) / BYTES_A_POINT;
      // A read was charged by its rows; its bytes count only where they cost more.
      if (isRead(request)) request.charge!(bytes);
      else charge(Math.floor(bytes));
    });
    return true;
  }

  private get pointsHere(): number {
    return Math.ceil(this.settings.rateLimitPerMinute / this.replicas.answering);
  }
}

/** Whether a request changes nothing: its work is reading rows. */
export const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';
