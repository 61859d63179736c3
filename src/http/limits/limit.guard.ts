import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../config/settings.js';
import { Replicas } from '../../domain/kernel/deployment/replicas.js';
import { FairSemaphore } from '../../domain/kernel/fair-semaphore.js';
import { Authentication, tenantOf } from '../access/auth.guard.js';
import { CallerGone, rateLimited } from '../answer/http-error.js';
import { PAGE_ROWS } from '../request/query-fields.js';

const WINDOW_SECONDS = 60;
/** Bytes of a request's body and of its answer that cost one point. */
export const BYTES_A_POINT = 10_000;
/** Rows that a read takes of the database, and that cost one point. */
export const ROWS_A_POINT = 100;
/** Hours of market simulation that cost one point. */
export const HOURS_A_POINT = 10;
/** Extra points of a request that sends an event: it causes up to 50 requests to receivers. */
export const EVENT_POINTS = 5;

/**
 * Limit on a tenant's points a minute: a request costs one, and one more for every 10 kB of its body and its answer, or of a read for every 100 rows
 * that it takes, if that is more. What a request costs shows only as it runs, so it is charged meanwhile and afterwards, also beyond the limit. Each process grants its part of the deployment's limit, which is divided
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
      // A read was charged by its rows: its bytes count where they are more.
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

const RETRY_AFTER_SECONDS = 1;

/**
 * Limit on a tenant's concurrent requests; further ones wait in a bounded queue, without a connection to the database. A slot is held until both the
 * handler has ended and the connection is done with the answer: a caller that disconnects leaves work running, and one that does not read leaves an
 * answer in memory. Of large pages a tenant has one at a time: beside four at once, others waited eight times as long.
 */
@Injectable()
export class ConcurrencyLimit {
  private readonly slots: FairSemaphore | null;
  private readonly largePages: FairSemaphore;

  constructor(
    private readonly authentication: Authentication,
    { requestsAtOnce: share, constants }: Settings,
  ) {
    const { requestsWaiting: length, waitMs } = constants.access;
    const slots = (most: number, what: string): FairSemaphore => {
      const why = `${most} of your ${what} under way, and others wait. Send fewer at once.`;
      const refusal = (): Error => rateLimited(why, RETRY_AFTER_SECONDS, 'concurrency');
      return new FairSemaphore({ share: most, length, waitMs, refusal });
    };
    this.slots = share === 0 ? null : slots(share, 'requests are');
    this.largePages = slots(1, `pages of more than ${PAGE_ROWS.default} rows is`);
  }

  /**
   * Takes a slot, or waits for one.
   * @returns to be called once the handler has ended
   * @throws HttpError `rate_limited`, and those of authentication; CallerGone
   */
  async enter(request: Request, response: Response): Promise<() => void> {
    if (!request.caller || !this.slots) return () => undefined;
    requireCaller(response);
    const taken: (() => void)[] = [];
    let [open, waited] = [2, false];
    const end = (): void => void (--open === 0 && taken.forEach((leave) => leave()));
    for (const slots of isLarge(request) ? [this.largePages, this.slots] : [this.slots])
      waited = (await this.take(slots, request, response, taken)) || waited;
    if (response.closed) end();
    else response.on('close', end);
    if (waited) await this.checkAgain(request, response, end);
    return end;
  }

  /** Takes one slot more; those taken before are left when there is none. @returns whether it waited */
  private async take(
    slots: FairSemaphore,
    request: Request,
    response: Response,
    taken: (() => void)[],
  ): Promise<boolean> {
    const tenant = tenantOf(request);
    const free = slots.enterNow(tenant);
    try {
      taken.push(free ?? (await slots.enter(tenant, { signal: goneSignal(response) })).leave);
    } catch (error) {
      taken.forEach((leave) => leave());
      throw error;
    }
    return !free;
  }

  /** Of a request that waited: its caller may have left, or its key may have been revoked meanwhile. */
  private async checkAgain(request: Request, response: Response, end: () => void): Promise<void> {
    try {
      requireCaller(response);
      await this.authentication.repeat(request);
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** A page of more rows than by default. */
const isLarge = (request: Request): boolean =>
  request.url.includes('limit=') && Number(request.query['limit']) > PAGE_ROWS.default;

/** Created on demand: most requests never wait. */
const signals = new WeakMap<Response, AbortSignal>();

/** Signal that is aborted with `CallerGone` once the connection is done with the request: it was answered, or its caller disconnected. */
export function goneSignal(response: Response): AbortSignal {
  const known = signals.get(response);
  if (known) return known;
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(new CallerGone());
  if (response.closed) leave();
  else response.on('close', leave);
  signals.set(response, leaving.signal);
  return leaving.signal;
}

/** @throws CallerGone when the caller has disconnected: nothing is begun for it any more */
export function requireCaller(response: Response): void {
  if (response.closed) throw new CallerGone();
}
