import { DomainError } from '../domain-error.js';

export interface LineBounds {
  /** Accounts that wait for a turn. */
  length: number;
  /** How long each does. */
  waitMs: number;
}

interface Waiting {
  enter: () => void;
}

/** AccountTurns of what moves an account's time: so many accounts at once, one turn each; the others wait in line, a bounded one, for a bounded time. */
export class AccountTurns {
  private readonly accounts = new Set<string>();
  private readonly line: Waiting[] = [];

  constructor(
    private free: number,
    private readonly bounds: LineBounds,
  ) {}

  /**
   * @param gone aborted when nobody waits for the answer: the place in the line is free. What has begun goes on
   * @throws DomainError `advance_in_progress` where the account has a turn, or waits for one; `service_unavailable` where the line is full or too slow
   */
  async run<T>(account: string, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.accounts.has(account)) throw moving();
    gone.throwIfAborted();
    if (this.free === 0 && this.line.length >= this.bounds.length) throw busy();
    this.accounts.add(account);
    try {
      if (this.free > 0) this.free--;
      else await this.wait(gone);
      try {
        return await work();
      } finally {
        const next = this.line.shift();
        if (next) next.enter();
        else this.free++;
      }
    } finally {
      this.accounts.delete(account);
    }
  }

  /** Accounts in the line. */
  get waiting(): number {
    return this.line.length;
  }

  private wait(gone: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const place: Waiting = {
        enter: () => {
          stop();
          resolve();
        },
      };
      const leave = (reason: Error): void => {
        stop();
        this.line.splice(this.line.indexOf(place), 1);
        reject(reason);
      };
      const giveUp = (): void => leave(gone.reason as Error);
      const timer = setTimeout(() => leave(busy()), this.bounds.waitMs);
      const stop = (): void => {
        clearTimeout(timer);
        gone.removeEventListener('abort', giveUp);
      };
      gone.addEventListener('abort', giveUp);
      this.line.push(place);
    });
  }
}

export const moving = (): DomainError =>
  new DomainError(
    'advance_in_progress',
    "The account's time is being moved by another request. Try again when that has answered.",
  );

const busy = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'Too many accounts are being moved at this moment. Nothing was changed; try again in a moment.',
  );
