import type { LockedMarket } from './market.store.js';
import type { MarketPath } from './market-path.js';

/** Bound of memory: markets whose path one process keeps, some 100 KB each. */
const MARKETS = 16;

/**
 * LRU cache of the paths of markets to which this process added hours. Reading a market's week back is most of what an hour costs; a kept path continues where it ended.
 * Invalidation: the stamp in the market's row, which is locked, shows that no other process has written hours since.
 */
export class RememberedPaths {
  /** Least recently used first. */
  private readonly paths = new Map<string, { stamp: string; path: MarketPath }>();

  /** Removes the path, which is about to change: it comes back only after a commit. @returns null where the database has to be read */
  take(marketId: string, { tickedHour, hoursStamp }: LockedMarket): MarketPath | null {
    const found = this.paths.get(marketId);
    this.paths.delete(marketId);
    if (!found || found.stamp !== hoursStamp) return null;
    return found.path.hour.getTime() === tickedHour?.getTime() ? found.path : null;
  }

  /** @param path of which every hour is stored, under this stamp */
  keep(marketId: string, stamp: string, path: MarketPath): void {
    this.paths.delete(marketId);
    this.paths.set(marketId, { stamp, path });
    const [oldest] = this.paths.keys();
    if (this.paths.size > MARKETS) this.paths.delete(oldest!);
  }
}
