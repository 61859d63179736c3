import type { Clock } from '../../kernel/clock.js';

/** Limit on remembered keys: some seven megabytes. */
const MOST = 100_000;
const REFRESH_MS = 1_000;
/** Overlap of consecutive loads: covers keys of a process whose clock is behind, and those that were committed late. */
const OVERLAP_MS = 600_000;
/** Length in bytes of a remembered digest prefix. */
const HINT_BYTES = 12;

/**
 * @param since creation time; null: any
 * @returns concatenated digest prefixes of active keys, the most recently used first
 */
export type LoadHints = (since: Date | null, most: number, bytes: number) => Promise<Buffer>;

/**
 * Digest prefixes of recently active keys: a hint that an authentication attempt may ask the database, never an answer. A key that was revoked
 * meanwhile is refused by the database like any other. Keys that authenticated here are remembered at once. Others (from before a restart, or created
 * by another process) are loaded at the first miss; after that, new ones are loaded at most once a second, in one statement.
 */
export class KnownKeys {
  /** In order of use, the most recent last. */
  private readonly hints = new Set<string>();
  private loadedUpTo: Date | null = null;
  private mayLoadAt = -Infinity;
  private loading: Promise<void> | null = null;

  /** @param now monotonic clock, in milliseconds */
  constructor(
    private readonly load: LoadHints,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly most = MOST,
    private readonly now: () => number = () => performance.now(),
  ) {}

  has(digest: Buffer): boolean {
    return this.hints.has(hintOf(digest));
  }

  /** Remembers a key that authenticated; beyond the limit, the least recently used one is evicted. */
  remember(digest: Buffer): void {
    this.add(hintOf(digest));
  }

  /** Forgets a key that was refused. */
  forget(digest: Buffer): void {
    this.hints.delete(hintOf(digest));
  }

  /**
   * Loads missing keys, unless that was done within the last second.
   * @returns whether the key is known now
   */
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
