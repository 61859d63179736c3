import type { MarketPath } from './market-path.js';
import { type KnownVault, type MarketView, viewOf } from './market-view.js';

/** Properties of a market that its hours depend on beside its path. */
type Walked = Pick<MarketView, 'marketId' | 'advance'>;

/**
 * Market that is run hour by hour within one transaction. Hours stay in memory until they are written, so an hour without work costs no statement.
 */
export class MarketWalk {
  /** Cached view of the newest hour, shared by alerts and routing. */
  private seen: { hour: Date; held: ReadonlyMap<string, bigint>; view: MarketView } | null = null;

  /** @param keep writes the hours since the last call, so that statements see the market's newest hour */
  constructor(
    private readonly market: Walked,
    private readonly path: MarketPath,
    readonly keep: () => Promise<void>,
  ) {}

  get hour(): Date {
    return this.path.hour;
  }

  /**
   * View of the market at the beginning of its newest hour, without own holdings.
   * @param held shares by vault id, over all partners
   */
  view(held: ReadonlyMap<string, bigint>): MarketView {
    const { hour } = this;
    if (this.seen?.held !== held || this.seen.hour.getTime() !== hour.getTime())
      this.seen = { hour, held, view: this.viewNow(held) };
    return this.seen.view;
  }

  private viewNow(held: ReadonlyMap<string, bigint>): MarketView {
    const outlooks = this.path.outlooks();
    const known = outlooks.map(
      ({ vault, state, expectedApy, riskAdjustedApy, lost }): [string, KnownVault] => [
        vault.id,
        {
          state,
          expectedApy,
          riskAdjustedApy,
          indexChange: lost.index,
          tvlChange: lost.tvl,
          shares: held.get(vault.id) ?? 0n,
          ownShares: 0n,
        },
      ],
    );
    const catalogue = outlooks.map(({ vault }) => vault);
    return viewOf({ ...this.market, hour: this.hour }, new Map(known), catalogue, this.hour);
  }
}
