import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import { Settings } from '../../config/settings.js';
import { FairSemaphore } from '../../domain/kernel/fair-semaphore.js';
import { tenantOf } from '../access/auth.guard.js';
import { Authentication } from '../access/authentication.js';
import { goneSignal, requireCaller } from '../request/caller-gone.js';
import { rateLimited } from './rate-limited.js';

const RETRY_AFTER_SECONDS = 1;

/**
 * Limit on a tenant's concurrent requests; further ones wait in a bounded queue, without a connection to the database. A slot is held until both the
 * handler has ended and the connection is done with the answer: a caller that disconnects leaves work running, and one that does not read leaves an
 * answer in memory.
 */
@Injectable()
export class ConcurrencyInterceptor implements NestInterceptor {
  /** null: no limit. */
  private readonly slots: FairSemaphore | null;

  constructor(
    private readonly authentication: Authentication,
    { requestsAtOnce: share, constants }: Settings,
  ) {
    const { requestsWaiting: length, waitMs } = constants.access;
    const refusal = (): Error =>
      rateLimited(
        `${share} of your requests are under way, and others wait. Send fewer at once.`,
        RETRY_AFTER_SECONDS,
        'concurrency',
      );
    this.slots = share === 0 ? null : new FairSemaphore({ share, length, waitMs, refusal });
  }

  /** @throws HttpError `rate_limited`, and those of authentication; CallerGone */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const [request, response] = context.getArgs<[Request, Response]>();
    if (!request.caller || !this.slots) return next.handle();
    requireCaller(response);
    const tenant = tenantOf(request);
    const free = this.slots.enterNow(tenant);
    const leave = free ?? (await this.slots.enter(tenant, { gone: goneSignal(response) })).leave;
    let open = 2;
    const end = (): void => void (--open === 0 && leave());
    if (response.closed) end();
    else response.once('close', end);
    if (!free) await this.checkAgain(request, response, end);
    return next.handle().pipe(finalize(end));
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
