import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../domain-error.js';

/** Owner, route and key of a claim. */
export interface ClaimName {
  scope: string;
  route: string;
  key: string;
}

export interface WaitingBounds {
  /** Total time that a duplicate waits. */
  waitMs: number;
  /** Waiting duplicates of one claim. */
  perClaim: number;
  /** Waiting duplicates of one caller, over all its claims. */
  perCaller: number;
}

/** First pause between polls of a claim that another process holds; it grows. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 200;

/**
 * Claims held by this process, and the duplicates that wait for them: without a connection, a few only, and for a limited time. A claim held by
 * another process is polled by the same few.
 */
export class ClaimsInHand {
  /** Claims held here; each signal is aborted when its claim is released. */
  private readonly held = new Map<string, AbortController>();
  private readonly waiting = new Map<string, number>();

  constructor(private readonly bounds: WaitingBounds) {}

  isHeld(claim: ClaimName): boolean {
    return this.held.has(nameOf(claim));
  }

  /** @returns releases the claim; null when it is held already */
  take(claim: ClaimName): (() => void) | null {
    const name = nameOf(claim);
    if (this.held.has(name)) return null;
    const ended = new AbortController();
    this.held.set(name, ended);
    return () => {
      this.held.delete(name);
      // Without a reason, each claim would make a DOMException with its stack.
      ended.abort(null);
    };
  }

  /**
   * Wait of one duplicate between polls.
   * @param gone aborted when the caller has disconnected
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

  /** Number of waiting duplicates. */
  get waiters(): number {
    return [...this.waiting].reduce((sum, [name, count]) => sum + (name.includes('\n') ? count : 0), 0);
  }

  private async pass(ms: number, signals: AbortSignal[]): Promise<void> {
    await sleep(ms, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined);
  }

  /** @throws DomainError `idempotency_in_progress` when the limit of waiting duplicates is reached */
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

/** No part contains a line break, so it separates them. */
const nameOf = ({ scope, route, key }: ClaimName): string => `${scope}\n${route}\n${key}`;
