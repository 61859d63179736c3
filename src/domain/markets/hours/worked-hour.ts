import type { MarketPath } from './market-path.js';
import { type KnownVault, type MarketView, viewOf } from './market-view.js';

/** Shares by vault id, over all partners. */
export type Held = ReadonlyMap<string, bigint>;

/** Hour of a market in which statements are posted and funds are judged and moved. */
export interface WorkedHour {
  marketId: string;
  /** Simulated hour, which dates all work in it; null: newest hour of a live market, whose work has the time at which it is done. */
  at: Date | null;
  /** True when no further hour is worked on in the same transaction. */
  isLast: boolean;
  /**
   * View of the market at this hour.
   * @param held current holdings; a live market reads them itself
   */
  view(held: Held): Promise<MarketView>;
  /** Writes the hours since the last call, so that statements see this one. */
  keep(): Promise<void>;
}

/** Hours of a market that advances in memory: an hour without work costs no statement. */
export class AdvancingHour implements WorkedHour {
  /** Cached view of the newest hour, shared by routing and alerts. */
  private seen: { hour: Date; held: Held; view: MarketView } | null = null;

  constructor(
    private readonly market: Pick<MarketView, 'marketId' | 'advance'>,
    private readonly path: MarketPath,
    private readonly to: Date,
    readonly keep: () => Promise<void>,
  ) {}

  get marketId(): string {
    return this.market.marketId;
  }

  get at(): Date {
    return this.path.hour;
  }

  get isLast(): boolean {
    return this.path.hour >= this.to;
  }

  /** The view is at the beginning of the hour, without holdings of a particular partner. */
  view(held: Held): Promise<MarketView> {
    const { hour } = this.path;
    if (this.seen?.held !== held || this.seen.hour.getTime() !== hour.getTime())
      this.seen = { hour, held, view: this.viewNow(held) };
    return Promise.resolve(this.seen.view);
  }

  private viewNow(held: Held): MarketView {
    const { hour } = this.path;
    const outlooks = this.path.outlooks();
    const known = outlooks.map(({ vault, lost, ...outlook }): [string, KnownVault] => [
      vault.id,
      {
        ...outlook,
        indexChange: lost.index,
        tvlChange: lost.tvl,
        shares: held.get(vault.id) ?? 0n,
        ownShares: 0n,
      },
    ]);
    const catalogue = outlooks.map(({ vault }) => vault);
    return viewOf({ ...this.market, hour }, new Map(known), catalogue, hour);
  }
}
