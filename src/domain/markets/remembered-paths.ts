import type { LockedMarket } from './market.store.js';
import type { MarketPath } from './market-path.js';

/** Markets of which one process remembers the hours: some 100 KB each. */
const MARKETS = 16;

/**
 * Paths of the markets to which this process added hours last. Reading a market's week back is most of what an hour costs; a path that was kept goes on where it ended.
 * The stamp in the market's row, which is locked, says that nobody else wrote hours since.
 */
export class RememberedPaths {
  /** The one that was used longest ago comes first. */
  private readonly paths = new Map<string, { stamp: string; path: MarketPath }>();

  /** Takes a path out, as it is about to change: what becomes of it is kept only if its transaction is. @returns null where the database has to be read */
  take(marketId: string, { tickedHour, hoursStamp }: LockedMarket): MarketPath | null {
    const found = this.paths.get(marketId);
    this.paths.delete(marketId);
    const isNewest = found?.stamp === hoursStamp && found?.path.hour.getTime() === tickedHour?.getTime();
    return isNewest ? found!.path : null;
  }

  /** @param path of which every hour is stored, under this stamp */
  keep(marketId: string, stamp: string, path: MarketPath): void {
    this.paths.delete(marketId);
    this.paths.set(marketId, { stamp, path });
    const [oldest] = this.paths.keys();
    if (this.paths.size > MARKETS) this.paths.delete(oldest!);
  }
}
