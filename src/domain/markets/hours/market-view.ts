import type { RowFrom } from '../../kernel/store/statement.js';
import { addHours, hourOf } from '../../kernel/clock.js';
import { isIdle, type Vault } from '../../kernel/catalogue/catalogue.js';
import type { RowOf } from '../../kernel/store/column.js';
import { scenarioOf, termsUnder } from '../simulation/move-scenarios.js';
import { type Scenario, SimulatedMarket } from '../simulation/simulated-market.js';
import type { Observation } from '../vaults/feed.js';
import {
  idleObservation,
  idleState,
  initialState,
  nextHour,
  type VaultState,
} from '../vaults/vault-state.js';
import { type NextHour, NO_OUTLOOK } from './market.js';
import { median } from '../signals/statistics.js';
import type { RecentStatistics } from '../vaults/recent.js';
import type { LOOK } from './look.queries.js';
import type { ORIGIN, StateRow } from './market.queries.js';
import { indexWithin, valueOf } from '../vaults/yield-index.js';

/** The shared market, which follows the deployment's feeds on wall time. */
export const BASE_MARKET = 'base';

/** Assignment of partners to markets: all to the shared one, or each to its own, so that no partner's actions change another's figures. */
export class MarketPlan {
  /** @param hasOwnTimes whether each partner has a market with its own clock, up to years ahead of wall time */
  constructor(readonly hasOwnTimes: boolean) {}

  /** @param partnerId null: no particular partner */
  marketOf(partnerId: string | null): string {
    return (this.hasOwnTimes ? partnerId : null) ?? BASE_MARKET;
  }

  /** Partner that has the market to itself; null: it is shared. */
  ownerOf(marketId: string): string | null {
    return this.hasOwnTimes && marketId !== BASE_MARKET ? marketId : null;
  }
}

export interface MarketVault extends RecentStatistics {
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
  /** null: none. */
  scenario: Scenario | null;
}

type MarketOrigin = RowOf<typeof ORIGIN>;

/** Row of `LOOK`: one for each vault, or a single one without vault. */
export type LookRow = RowFrom<typeof LOOK>;

const UNKNOWN: MarketOrigin = { seed: null, begunHour: null, scenario: null, scenarioFrom: null };

export interface KnownVault
  extends RecentStatistics, Pick<MarketVault, 'state' | 'earlierApy' | 'expectedApy' | 'riskAdjustedApy'> {
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
  const origin = rows[0] ?? UNKNOWN;
  const advance = advanceOf(marketId, origin, hour ?? hourOf(at), catalogue);
  const vaults = rows.flatMap((row): [string, KnownVault][] =>
    row.vaultId === null ? [] : [[row.vaultId, { ...row, state: toState(row) }]],
  );
  return viewOf({ marketId, hour, advance, scenario: scenarioOf(origin) }, new Map(vaults), catalogue, at);
}

/** View of a market in memory. @param knownVaults by vault id */
export function viewOf(
  market: Pick<MarketView, 'marketId' | 'hour' | 'advance' | 'scenario'>,
  knownVaults: ReadonlyMap<string, KnownVault>,
  catalogue: readonly Vault[],
  at: Date,
): MarketView {
  const { hour, advance, scenario } = market;
  const now = hour !== null && hour > at ? hour : at;
  const view = (listed: Vault): MarketVault => {
    const vault = termsUnder(scenario, hourOf(now), listed);
    const knownVault = knownVaults.get(vault.id);
    if (!knownVault)
      return {
        vault,
        state: isIdle(vault) && hour !== null ? idleState(vault.id, hour) : initialState(vault.id),
        ...NO_OUTLOOK,
        held: 0n,
        own: 0n,
      };
    const { shares, ownShares, ...outlook } = knownVault;
    const { state } = outlook;
    const { index } = hour === null ? state : vaultStateAt(vault, state, hour, now, advance);
    return {
      ...outlook,
      vault: withGas(vault, state.baseFees),
      held: valueOf(shares, index),
      own: valueOf(ownShares, index),
    };
  };
  return { ...market, now, vaults: new Map(catalogue.map((vault) => [vault.id, view(vault)])) };
}

const WEI_PER_TOKEN = 1e18;

/** The vault with costs by the median base fee of a day (wei for a unit of gas), where the catalogue has its gas and the fee is known. */
export function withGas(vault: Vault, baseFees: readonly number[]): Vault {
  const { gas } = vault;
  if (gas === null || baseFees.length === 0) return vault;
  const fee = median(baseFees)!;
  const cost = (units: number): bigint =>
    BigInt(Math.ceil((units * fee * Number(gas.tokenPrice)) / WEI_PER_TOKEN));
  return { ...vault, entryCost: cost(gas.entry), exitCost: cost(gas.exit) };
}

/** Observations of feeds, by vault id, and the hour that they count for. */
export interface VaultSighting {
  hour: Date;
  observations: ReadonlyMap<string, Observation>;
}

/** The market's first hour. @param from hour that it has reached, or begins after */
export const beginningOf = ({ begunHour }: MarketOrigin, from: Date): Date => begunHour ?? addHours(from, 1);

/**
 * Transition of a market's vaults to the next hour. A simulated vault is observed at every hour; a real one only in the hour in which its feed was
 * read.
 * @param from hour that the market has reached, or begins after
 * @param sighting absent: no observations of real vaults
 */
export function advanceOf(
  marketId: string,
  origin: MarketOrigin,
  from: Date,
  vaults: readonly Vault[],
  sighting?: VaultSighting,
): NextHour {
  const { seed } = origin;
  const scenario = scenarioOf(origin);
  // Created when a simulated hour is missing: most reads of a market find none.
  let market: SimulatedMarket | undefined;
  const simulated = (): SimulatedMarket =>
    (market ??= new SimulatedMarket({
      seed: seed ?? marketId,
      begunAt: beginningOf(origin, from),
      vaults: vaults.filter((vault) => !isIdle(vault)),
    }));
  return (vault, before, hour) => {
    const { kind } = vault.feed;
    // Cash needs no feed.
    if (kind === 'idle') return nextHour(before, hour, idleObservation(hour), kind);
    if (kind !== 'simulated') {
      const observation =
        sighting?.hour.getTime() === hour.getTime() ? sighting.observations.get(vault.id) : undefined;
      return nextHour(before, hour, observation, kind);
    }
    const simulation = simulated();
    const state =
      before.simulated === null
        ? simulation.begin(vault, hour)
        : simulation.next(vault, hour, before.simulated, scenario);
    const observation = simulation.observe(vault, hour, state, scenario);
    return nextHour({ ...before, simulated: state }, hour, observation ?? undefined, kind);
  };
}

/** Limit on hours projected beyond the newest tick. A fed vault stops accruing long before; a simulated market further behind is being caught up. */
const MAX_HOURS_AHEAD = 168;

/**
 * State of a vault at a moment: its index then, and its last observation. Hours without tick are projected exactly as a tick without observation
 * would add them, so the result does not depend on when they are added.
 * @param state as of `hour`
 * @param moment one before `hour` counts as its beginning
 */
export function vaultStateAt(
  vault: Vault,
  state: VaultState,
  hour: Date,
  moment: Date,
  advance: NextHour,
): VaultState {
  const last = Math.min(hourOf(moment).getTime(), addHours(hour, MAX_HOURS_AHEAD).getTime());
  let [reached, within] = [hour, state];
  while (reached.getTime() < last) {
    reached = addHours(reached, 1);
    within = advance(vault, within, reached).state;
  }
  const { index, factor } = within;
  return { ...within, index: indexWithin(index, factor, moment.getTime() - reached.getTime()) };
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
