import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import { Settings } from '../../config/settings.js';
import { FairSemaphore } from '../../domain/kernel/fair-semaphore.js';
import { Authentication } from '../access/authentication.js';
import { goneSignal, requireCaller, tenantOf } from '../access/caller.js';
import { rateLimited } from '../answer/http-error.js';
import { PAGE_ROWS } from '../request/query-fields.js';

const RETRY_AFTER_SECONDS = 1;

/**
 * Limit on a tenant's concurrent requests; further ones wait in a bounded queue, without a connection to the database. A slot is held until both the
 * handler has ended and the connection is done with the answer: a caller that disconnects leaves work running, and one that does not read leaves an
 * answer in memory. A tenant reads one large page at a time: with four at once, other requests waited eight times as long.
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
    const slots = (maximum: number, what: string): FairSemaphore => {
      const why = `${maximum} of your ${what} in progress, and others wait. Send fewer at once.`;
      const refusal = (): Error => rateLimited(why, RETRY_AFTER_SECONDS, 'concurrency');
      return new FairSemaphore({ share: maximum, length, waitMs, refusal });
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

  /** Takes one more slot; without one, leaves those taken before. @returns whether it waited */
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

  /** Checks a request that waited: its caller may have left, or its key may have been revoked meanwhile. */
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

/** Runs the rest of a request in a slot of its tenant: until it has one, its body is not read. */
@Injectable()
export class SlotInterceptor implements NestInterceptor {
  constructor(private readonly limit: ConcurrencyLimit) {}

  /** @throws HttpError `rate_limited`, and those of authentication; CallerGone */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const leave = await this.limit.enter(...context.getArgs<[Request, Response]>());
    return next.handle().pipe(finalize(leave));
  }
}
