import { DomainError } from '../domain-error.js';
import { type PlaceBounds, Places } from '../places.js';

/** Turns of what moves an account's time: so many accounts at once, one turn each; the others wait in line, a bounded one, for a bounded time. */
export class AccountTurns {
  private readonly accounts = new Set<string>();
  private readonly places: Places;

  constructor(bounds: Pick<PlaceBounds, 'places' | 'length' | 'waitMs'>) {
    this.places = new Places({ ...bounds, refusal: busy });
  }

  /**
   * @param gone aborted when nobody waits for the answer: the place in the line is free. What has begun goes on
   * @throws DomainError `advance_in_progress` where the account has a turn, or waits for one; `service_unavailable` where the line is full or too slow
   */
  async run<T>(account: string, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.accounts.has(account)) throw moving();
    this.accounts.add(account);
    try {
      // All accounts are one owner: they go in the order in which they came.
      return await this.places.run(work, '', { gone });
    } finally {
      this.accounts.delete(account);
    }
  }

  /** Accounts in the line. */
  get waiting(): number {
    return this.places.waitingOf();
  }
}

export const moving = (): DomainError =>
  new DomainError(
    'advance_in_progress',
    "The account's time is being moved by another request. Try again when that has answered.",
  );

export const busy = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'Too many accounts are being moved at this moment. Nothing was changed; try again in a moment.',
  );
