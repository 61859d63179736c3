import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../domain-error.js';

/** Whose claim, of what. */
export interface ClaimName {
  scope: string;
  route: string;
  key: string;
}

export interface WaitingBounds {
  /** How long a duplicate waits, in all. */
  waitMs: number;
  /** Duplicates of one claim that wait. */
  perClaim: number;
  /** Duplicates of one caller that wait, over all its claims. */
  perCaller: number;
}

/** Pauses between two looks at a claim that another process has in hand. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 200;

/**
 * Claims that this process has in hand, and who waits for them: without a connection, a few only, and not beyond the time that a duplicate is given.
 * What another process has in hand is looked at again and again, by the same few.
 */
export class ClaimsInHand {
  /** Claim -> aborted when it is let go. */
  private readonly held = new Map<string, AbortController>();
  private readonly waiting = new Map<string, number>();

  constructor(private readonly bounds: WaitingBounds) {}

  isHeld(claim: ClaimName): boolean {
    return this.held.has(nameOf(claim));
  }

  /** @returns lets it go; null where somebody has it */
  take(claim: ClaimName): (() => void) | null {
    const name = nameOf(claim);
    if (this.held.has(name)) return null;
    const ended = new AbortController();
    this.held.set(name, ended);
    return () => {
      this.held.delete(name);
      ended.abort();
    };
  }

  /**
   * What one duplicate waits with, from look to look.
   *
   * @param gone aborted when nobody waits for the answer any more
   */
  patience(claim: ClaimName, gone: AbortSignal): () => Promise<void> {
    const until = performance.now() + this.bounds.waitMs;
    let pause = FIRST_PAUSE_MS;
    return async () => {
      const left = until - performance.now();
      if (left <= 0) throw inProgress();
      const leave = this.join(claim);
      try {
        const ended = this.held.get(nameOf(claim))?.signal;
        await this.pass(ended ? left : Math.min(left, pause), ended ? [gone, ended] : [gone]);
        gone.throwIfAborted();
      } finally {
        leave();
      }
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    };
  }

  /** How many wait at this moment. */
  get waiters(): number {
    return [...this.waiting].reduce((sum, [name, count]) => sum + (name.includes('\n') ? count : 0), 0);
  }

  private async pass(ms: number, signals: AbortSignal[]): Promise<void> {
    await sleep(ms, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined);
  }

  /** @throws DomainError `idempotency_in_progress` where as many wait as may */
  private join(claim: ClaimName): () => void {
    const [name, caller] = [nameOf(claim), claim.scope];
    const count = (whose: string): number => this.waiting.get(whose) ?? 0;
    if (count(name) >= this.bounds.perClaim || count(caller) >= this.bounds.perCaller) throw inProgress();
    for (const whose of [name, caller]) this.waiting.set(whose, count(whose) + 1);
    return () => {
      for (const whose of [name, caller]) {
        if (count(whose) > 1) this.waiting.set(whose, count(whose) - 1);
        else this.waiting.delete(whose);
      }
    };
  }
}

export const inProgress = (): DomainError =>
  new DomainError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still being processed. Try again in a moment.',
  );

/** No part holds a line break. */
const nameOf = ({ scope, route, key }: ClaimName): string => `${scope}\n${route}\n${key}`;
