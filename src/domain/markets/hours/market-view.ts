import type { RowFrom } from '../../kernel/store/statement.js';
import { hourOf } from '../../kernel/clock.js';
import { isIdle, type Vault } from '../../kernel/catalogue/catalogue.js';
import { idleState, initialState, type VaultState } from '../vaults/vault-state.js';
import { advanceOf, type MarketOrigin, vaultStateAt } from './market-plan.js';
import type { NextHour, Market } from './market.js';
import { median } from '../signals/statistics.js';
import { NOTHING_RECENT, type Recent } from '../vaults/recent.js';
import type { LOOK } from './look.queries.js';
import type { StateRow } from './market.queries.js';
import { valueOf } from '../vaults/yield-index.js';

export interface MarketVault extends Recent {
  vault: Vault;
  state: VaultState;
  /** Last observed APY, a fraction, where the newest observation has none: a share price needs a day of prices for one. */
  earlierApy?: number | null | undefined;
  /** Fractions; null: insufficient history. */
  expectedApy: number | null;
  riskAdjustedApy: number | null;
  /** Micro-units that the service holds there for all partners, as of the read. */
  held: bigint;
  /** The reading partner's part of it; 0 without a particular partner. */
  own: bigint;
}

/** View of a market at its newest hour. */
export interface MarketView {
  marketId: string;
  hour: Date | null;
  /** Time of the read by the market's clock; never before its newest hour, even if this process's clock is behind. */
  now: Date;
  /** The whole catalogue and the cash vault of each asset, by id. */
  vaults: ReadonlyMap<string, MarketVault>;
  /** Transition of its vaults from their newest hour until the next tick. */
  advance: NextHour;
}

/** Row of `LOOK`: one for each vault, or a single one without vault. */
export type LookRow = RowFrom<typeof LOOK>;

const UNKNOWN: MarketOrigin = { seed: null, begunHour: null, scenario: null, scenarioFrom: null };

export interface KnownVault
  extends Recent, Pick<MarketVault, 'state' | 'earlierApy' | 'expectedApy' | 'riskAdjustedApy'> {
  /** 18 decimals, over all partners. */
  shares: bigint;
  /** Of the reading partner. */
  ownShares: bigint;
}

/** @param catalogue returned in full: a vault without row has not reached an hour yet @param at time of the read */
export function toMarketView(
  marketId: string,
  rows: readonly LookRow[],
  catalogue: readonly Vault[],
  at: Date,
): MarketView {
  const hour = rows[0]?.tickedHour ?? null;
  const advance = advanceOf(marketId, rows[0] ?? UNKNOWN, hour ?? hourOf(at), catalogue);
  const known = rows.flatMap((row): [string, KnownVault][] =>
    row.vaultId === null ? [] : [[row.vaultId, { ...row, state: toState(row) }]],
  );
  return viewOf({ marketId, hour, advance }, new Map(known), catalogue, at);
}

/** The same for a market in memory. @param known by vault id */
export function viewOf(
  { marketId, hour, advance }: Pick<MarketView, 'marketId' | 'hour' | 'advance'>,
  known: ReadonlyMap<string, KnownVault>,
  catalogue: readonly Vault[],
  at: Date,
): MarketView {
  const now = hour !== null && hour > at ? hour : at;
  const view = (vault: Vault): MarketVault => {
    const found = known.get(vault.id);
    if (!found)
      return {
        vault,
        state: isIdle(vault) && hour !== null ? idleState(vault.id, hour) : initialState(vault.id),
        expectedApy: null,
        riskAdjustedApy: null,
        ...NOTHING_RECENT,
        held: 0n,
        own: 0n,
      };
    const { shares, ownShares, ...outlook } = found;
    const { state } = outlook;
    const { index } = hour === null ? state : vaultStateAt(vault, state, hour, now, advance);
    return {
      ...outlook,
      vault: withGas(vault, state.baseFees),
      held: valueOf(shares, index),
      own: valueOf(ownShares, index),
    };
  };
  return { marketId, hour, now, vaults: new Map(catalogue.map((vault) => [vault.id, view(vault)])), advance };
}

export type Held = ReadonlyMap<string, bigint>;

/** Hour of a market in which statements are posted and funds are evaluated and moved. */
export interface WorkedHour {
  marketId: string;
  /** Simulated hour, which dates all work in it; null: newest hour of a live market, whose work has the time at which it is done. */
  at: Date | null;
  /** True when no further hour is worked on in the same transaction. */
  isLast: boolean;
  view(held: Held): Promise<MarketView>;
  /** Writes the hours since the last call, so that statements see this one. */
  keep(): Promise<void>;
}

/** Hours of a market that advances in memory: an hour without work costs no statement. */
export class AdvancingHour implements WorkedHour {
  /** Cached view of the newest hour, shared by routing and alerts. */
  private seen: { hour: Date; held: Held; view: MarketView } | null = null;

  constructor(
    readonly marketId: string,
    private readonly market: Market,
    private readonly advance: NextHour,
    private readonly to: Date,
    readonly keep: () => Promise<void>,
  ) {}

  get at(): Date {
    return this.market.hour;
  }

  get isLast(): boolean {
    return this.market.hour >= this.to;
  }

  /** The view is at the beginning of the hour, without holdings of a particular partner. */
  view(held: Held): Promise<MarketView> {
    const { hour } = this.market;
    if (this.seen?.held !== held || this.seen.hour.getTime() !== hour.getTime())
      this.seen = { hour, held, view: this.viewNow(held) };
    return Promise.resolve(this.seen.view);
  }

  private viewNow(held: Held): MarketView {
    const { hour } = this.market;
    const outlooks = this.market.outlooks();
    const known = outlooks.map(({ vault, ...outlook }): [string, KnownVault] => [
      vault.id,
      { ...outlook, shares: held.get(vault.id) ?? 0n, ownShares: 0n },
    ]);
    const catalogue = outlooks.map(({ vault }) => vault);
    const { marketId, advance } = this;
    return viewOf({ marketId, hour, advance }, new Map(known), catalogue, hour);
  }
}

const WEI_PER_TOKEN = 1e18;

/** The vault with costs by the median base fee of a day (wei for a unit of gas), where the catalogue has its gas and the fee is known. */
export function withGas(vault: Vault, baseFees: readonly number[]): Vault {
  const fee = median(baseFees);
  const { gas } = vault;
  if (fee === null || gas === null) return vault;
  const cost = (units: number): bigint =>
    BigInt(Math.ceil((units * fee * Number(gas.tokenPrice)) / WEI_PER_TOKEN));
  return { ...vault, entryCost: cost(gas.entry), exitCost: cost(gas.exit) };
}

export const toState = (row: StateRow): VaultState => ({
  vaultId: row.vaultId,
  index: row.shareIndex,
  factor: row.factor,
  lastApy: row.lastApy,
  lastTvl: row.lastTvl,
  lastAssets: row.lastAssets,
  lastLiquidity: row.lastLiquidity,
  observedHour: row.observedHour,
  smoothed:
    row.recentApy === null || row.longApy === null ? null : { recent: row.recentApy, long: row.longApy },
  simulated: row.simulated,
  price:
    row.priceSource === null
      ? null
      : {
          source: row.priceSource,
          value: row.price!,
          target: row.priceTarget!,
          blockNumber: row.priceBlock!,
          blockAt: row.priceAt!,
          weekApy: row.weekApy,
          otherApy: row.otherApy,
        },
  baseFees: row.baseFees ?? [],
  doubtedSince: row.doubtedSince,
  quarantine:
    row.quarantinedUntil === null ? null : { until: row.quarantinedUntil, reason: row.quarantineReason! },
});
