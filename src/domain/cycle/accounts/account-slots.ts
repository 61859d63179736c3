import { DomainError } from '../../kernel/domain-error.js';
import { type SemaphoreBounds, FairSemaphore } from '../../kernel/fair-semaphore.js';

/**
 * Concurrency slots for work that moves an account's time: one for each account, a limited number of accounts at once. Others wait in a bounded
 * queue, for a bounded time.
 */
export class AccountSlots {
  private readonly accounts = new Set<string>();
  private readonly slots: FairSemaphore;

  constructor(bounds: Pick<SemaphoreBounds, 'slots' | 'length' | 'waitMs'>) {
    this.slots = new FairSemaphore({ ...bounds, refusal: busy });
  }

  /**
   * @param gone aborted when the caller has disconnected, which gives up its slot in the queue; work that has begun continues
   * @throws DomainError `advance_in_progress` when the account holds a slot or waits for one; `service_unavailable` when the queue is full or too
   * slow
   */
  async run<T>(account: string, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.accounts.has(account)) throw moving();
    this.accounts.add(account);
    try {
      // All accounts share one owner, so that they are served in the order of arrival.
      return await this.slots.run(work, '', { gone });
    } finally {
      this.accounts.delete(account);
    }
  }

  get waiting(): number {
    return this.slots.waitingOf();
  }
}

export const moving = (): DomainError =>
  new DomainError(
    'advance_in_progress',
    'Another request is advancing or resetting the account. Try again when it has been answered.',
  );

export const busy = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'Too many accounts are being advanced. Nothing was changed; try again later.',
  );
