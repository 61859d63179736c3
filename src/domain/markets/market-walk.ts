import type { MarketPath } from './market-path.js';
import { type KnownVault, type MarketView, viewOf } from './market-view.js';

/** Of a market: what its hours follow from beside its path. */
type Walked = Pick<MarketView, 'marketId' | 'advance'>;

/**
 * A market that goes from hour to hour within one transaction. Its hours are in memory until they are kept: an hour in which nothing is to be done costs no
 * statement.
 */
export class MarketWalk {
  /** The newest view: what is watched and what is judged of an hour is the same. */
  private seen: { hour: Date; held: ReadonlyMap<string, bigint>; view: MarketView } | null = null;

  /** @param keep writes the hours since the last time: from there on statements find the market at its newest hour */
  constructor(
    private readonly market: Walked,
    private readonly path: MarketPath,
    readonly keep: () => Promise<void>,
  ) {}

  get hour(): Date {
    return this.path.hour;
  }

  /**
   * The market at the beginning of its newest hour, as a look at it would show it; nobody's own holdings.
   *
   * @param held shares by vault id, of all partners
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
