import type { Clock } from '../clock.js';

/** Keys that are remembered: some seven megabytes when there are so many. */
const MOST = 100_000;
const REFRESH_MS = 1_000;
/** How much further back is looked each time: for keys of a process whose clock is behind, and those that were committed late. */
const OVERLAP_MS = 600_000;
/** Bytes of a digest that are remembered. */
const HINT_BYTES = 12;

/** @param since when they were created; null: at any time @returns beginnings of digests of active keys, one behind the other, the one used last first */
export type LoadHints = (since: Date | null, most: number, bytes: number) => Promise<Buffer>;

/**
 * Beginnings of the digests of keys that were active lately: a hint whose attempt to authenticate is worth a question, and never an answer to it. A key
 * that is remembered and revoked meanwhile is refused by the database like any other.
 *
 * What authenticated here is remembered at once. The others, such as those of before a restart or made by another process, are loaded when they are
 * first missed, and what is new at most once a second from there on: one statement each.
 */
export class KnownKeys {
  /** The one used last at the end. */
  private readonly hints = new Set<string>();
  private loadedUpTo: Date | null = null;
  private mayLoadAt = -Infinity;
  private loading: Promise<void> | null = null;

  /** @param now milliseconds of a clock that nobody sets */
  constructor(
    private readonly load: LoadHints,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly most = MOST,
    private readonly now: () => number = () => performance.now(),
  ) {}

  has(digest: Buffer): boolean {
    return this.hints.has(hintOf(digest));
  }

  /** It authenticated: of too many, the one that did so longest ago is forgotten. */
  remember(digest: Buffer): void {
    this.add(hintOf(digest));
  }

  /** It was refused. */
  forget(digest: Buffer): void {
    this.hints.delete(hintOf(digest));
  }

  /** Asks for what is missing, unless that was done within the last second. @returns whether the key is known then */
  async lookFor(digest: Buffer): Promise<boolean> {
    if (!this.loading && this.now() >= this.mayLoadAt) {
      this.mayLoadAt = this.now() + REFRESH_MS;
      this.loading = this.refresh().finally(() => (this.loading = null));
    }
    await this.loading;
    return this.has(digest);
  }

  private async refresh(): Promise<void> {
    const startedAt = this.clock.now().getTime();
    const loaded = await this.load(this.loadedUpTo, this.most, HINT_BYTES);
    for (let end = loaded.length; end > 0; end -= HINT_BYTES)
      this.add(loaded.toString('base64', end - HINT_BYTES, end));
    this.loadedUpTo = new Date(startedAt - OVERLAP_MS);
  }

  private add(hint: string): void {
    this.hints.delete(hint);
    this.hints.add(hint);
    if (this.hints.size > this.most) this.hints.delete(this.hints.values().next().value!);
  }
}

const hintOf = (digest: Buffer): string => digest.toString('base64', 0, HINT_BYTES);
