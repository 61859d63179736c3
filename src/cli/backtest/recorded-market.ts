import type { Constants } from '../../config/constants.js';
import { addHours, HOUR_MS } from '../../domain/kernel/clock.js';
import type { Vault } from '../../domain/kernel/catalogue/catalogue.js';
import { type NextHour, hoursNeeded, Market, type MarketRules } from '../../domain/markets/hours/market.js';
import type { MarketVault } from '../../domain/markets/hours/market-view.js';
import type { Observation } from '../../domain/markets/vaults/feed.js';
import { doubtOf, type DoubtRules } from '../../domain/markets/vaults/doubt.js';
import { idleState, nextHour } from '../../domain/markets/vaults/vault-state.js';
import { NOTHING_RECENT } from '../../domain/markets/vaults/recent.js';
import { yieldOver } from '../../domain/markets/vaults/share-price.js';
import { accrueIndex, MAX_STEP, valueOf } from '../../domain/markets/vaults/yield-index.js';
import type { RoutingVault, HourOfMarket } from '../../domain/routing/allocation/candidates.js';
import type { VaultReading } from './readings.js';
import { dilutionFactor } from '../../domain/routing/allocation/estimate.js';
import { routingConstants } from '../../domain/routing/allocation/routing-constants.js';

/** History before the first hour, for signals and means: 30 days. */
export const HISTORY_HOURS = 30 * 24;
/** A source with hourly readings may miss some. */
const MIN_VALID_HOURS = 3;
/** Number of recent readings whose distances give a source's step. */
const STEP_READINGS = 50;
/** Quantile of the distances that is the source's step: some sources write nothing while nothing changes. */
const STEP_QUANTILE = 0.9;
const DAY_HOURS = 24;
const NOTHING: Depth = { assets: null, liquidity: null };

export interface MarketRecording {
  from: Date;
  hours: number;
  vaults: readonly Vault[];
  idle: Vault;
  constants: Pick<Constants, 'signals' | 'regime' | 'routing' | 'chain'>;
  readings: ReadonlyMap<string, readonly VaultReading[]>;
}

interface Cursor {
  readings: readonly VaultReading[];
  /** Of the newest reading so far; -1 before the first one. */
  index: number;
  /** Hours between readings, as known so far. */
  step: number;
  /** Hours for which a reading is valid: twice the source's step. */
  validHours: number;
  /** Yield by the newest readings, a fraction; null: not known. */
  apy: number | null;
  /** Hourly growth of the price, which continues until the next reading. */
  growth: number;
  /** Price at the last hour as recorded, and as diluted by our deposits. */
  price: number | null;
  dilutedPrice: number;
}

/**
 * Market of recorded readings: each hour has the newest reading so far, with its rate diluted by our deposits. No hour depends on a later reading.
 */
export class RecordedMarket {
  readonly vaults: readonly Vault[];
  readonly idle: Vault;
  readonly hours: number;
  private readonly path: Market;
  private readonly cursors: ReadonlyMap<string, Cursor>;
  private readonly from: Date;
  private readonly doubt: DoubtRules;
  private readonly kink: number;
  private reached = -HISTORY_HOURS - 1;
  private shares: (vaultId: string) => bigint = () => 0n;

  constructor({ from, hours, vaults, idle, constants, readings }: MarketRecording) {
    [this.vaults, this.idle, this.hours, this.from] = [vaults, idle, hours, from];
    this.doubt = constants.chain;
    this.kink = routingConstants(constants).kink;
    const rules: MarketRules = {
      vaults,
      constants: { ...constants, assets: [idle.asset], yieldThresholds: { levels: [], rearm: 0 } },
    };
    const nothing = Array.from<null>({ length: hoursNeeded(constants) }).fill(null);
    this.path = new Market(rules, {
      hour: addHours(from, this.reached),
      states: new Map(),
      histories: new Map(),
      series: new Map([[idle.asset, { firstHour: null, points: nothing }]]),
      regimes: new Map(),
      yields: new Map(),
    });
    this.cursors = new Map(vaults.map(({ id }) => [id, newCursor(readings.get(id) ?? [])]));
  }

  /**
   * The market at an hour since the beginning: the newest hour so far, or a later one.
   * @param shares our shares in a vault; 18 decimals
   */
  at(at: number, shares: (vaultId: string) => bigint): HourOfMarket {
    while (this.reached < at) {
      this.shares = this.reached < 0 ? () => 0n : shares;
      this.path.step(this.advance);
      this.reached += 1;
      if (this.reached % DAY_HOURS === 0) this.path.dropStored();
    }
    const hour = addHours(this.from, at);
    const vaults = this.path
      .outlooks()
      .map(({ vault, ...outlook }): [string, RoutingVault & Pick<MarketVault, 'state'>] => {
        const reading = ageOf(this.cursors.get(vault.id)!, hour);
        return [vault.id, { vault, ...outlook, ...(reading && { reading }), held: 0n, own: 0n }];
      });
    const cash = { expectedApy: null, riskAdjustedApy: null, ...NOTHING_RECENT };
    const idle = { vault: this.idle, state: idleState(this.idle.id, hour), ...cash, held: 0n, own: 0n };
    return { hour, vaults: new Map([...vaults, [this.idle.id, idle]]) };
  }

  /** Depth of a vault by its newest reading. */
  depthOf(vaultId: string): Depth {
    const { readings, index } = this.cursors.get(vaultId)!;
    return readings[index] ?? NOTHING;
  }

  private readonly advance: NextHour = (vault, state, hour) => {
    const cursor = this.cursors.get(vault.id)!;
    advanceCursor(cursor, hour);
    const ownValue = valueOf(this.shares(vault.id), accrueIndex(state.index, state.factor));
    const observation = observationOf(vault, cursor, hour, Number(ownValue) / 1e6, this.kink);
    const doubted = observation !== undefined && doubtOf(observation, state, hour, this.doubt) !== null;
    return nextHour(state, hour, doubted ? { ...observation, doubted } : observation, vault.feed.kind);
  };
}

const newCursor = (readings: readonly VaultReading[]): Cursor => ({
  readings,
  index: -1,
  step: 1,
  validHours: MIN_VALID_HOURS,
  apy: null,
  growth: 0,
  price: null,
  dilutedPrice: 1,
});

/** Advances to the newest reading at an hour. */
function advanceCursor(cursor: Cursor, hour: Date): void {
  const { readings } = cursor;
  const before = cursor.index;
  while (cursor.index + 1 < readings.length && readings[cursor.index + 1]!.at <= hour) cursor.index += 1;
  if (cursor.index === before) return;
  const recent = readings.slice(Math.max(0, cursor.index - STEP_READINGS), cursor.index + 1);
  const steps = recent
    .slice(1)
    .map(({ at }, index) => (at.getTime() - recent[index]!.at.getTime()) / HOUR_MS);
  const step = steps.toSorted((a, b) => a - b)[Math.floor(steps.length * STEP_QUANTILE)] ?? 1;
  cursor.step = step;
  cursor.validHours = Math.max(MIN_VALID_HOURS, 2 * step);
  const newest = recent.at(-1)!;
  if (newest.price === null) {
    cursor.apy = newest.apy;
    return;
  }
  const points = recent.map(({ at, price }) => ({ at, value: price! }));
  cursor.apy = yieldOver(points, Math.max(DAY_HOURS, 2 * step), MAX_STEP);
  const last = recent.at(-2);
  // A price of 0 has no growth.
  const change = last?.price ? Number(newest.price) / Number(last.price) - 1 : 0;
  // A jump of the price is no yield.
  cursor.growth =
    Math.abs(change) > MAX_STEP * Math.max(1, steps.at(-1) ?? 1) ? 0 : change / (steps.at(-1) ?? 1);
}

/** Age of the newest reading; undefined without one. */
function ageOf({ readings, index, step }: Cursor, hour: Date): { hours: number; step: number } | undefined {
  const newest = readings[index];
  return newest && { hours: (hour.getTime() - newest.at.getTime()) / HOUR_MS, step };
}

const micro = (amount: number | null, ownAmount: number): bigint | null =>
  amount === null ? null : BigInt(Math.round((amount + ownAmount) * 1e6));

/** Observation of an hour, diluted by our deposits. @param ownAmount whole units of ours */
function observationOf(
  vault: Vault,
  cursor: Cursor,
  hour: Date,
  ownAmount: number,
  kink: number,
): Observation | undefined {
  const reading = cursor.readings[cursor.index];
  if (!reading) return undefined;
  const age = (hour.getTime() - reading.at.getTime()) / HOUR_MS;
  if (age > cursor.validHours) return undefined;
  const remaining = remainingFraction(vault, reading, ownAmount, kink);
  const size = sizeOf(reading);
  const observation: Observation = {
    // A loss is shared by all deposits alike.
    apy: cursor.apy === null || cursor.apy <= 0 ? cursor.apy : Math.expm1(Math.log1p(cursor.apy) * remaining),
    tvl: micro(size, ownAmount),
    assets: micro(reading.assets, ownAmount),
    liquidity: micro(reading.liquidity, ownAmount),
    observedAt: reading.at,
    ...(reading.lossPerMille !== undefined && age < 1 && { lossPerMille: reading.lossPerMille }),
  };
  if (reading.price === null) return observation;
  // Interpolated: otherwise daily prices would give a day's yield in one hour.
  const price = (Number(reading.price) / 1e18) * (1 + cursor.growth * age);
  const change = cursor.price === null || cursor.price <= 0 ? 0 : price / cursor.price - 1;
  cursor.dilutedPrice *= 1 + (change > 0 ? change * remaining : change);
  cursor.price = price;
  return {
    ...observation,
    price: {
      source: 'recorded',
      value: BigInt(Math.round(cursor.dilutedPrice * 1e15)),
      blockNumber: BigInt(cursor.index),
      blockHash: '',
      blockAt: hour,
    },
  };
}

/** Deposits of others in a vault, and their withdrawable part; whole units. null: not recorded. */
export interface Depth {
  assets: number | null;
  liquidity: number | null;
}

/** Deposits of a vault; at least its liquidity, where only that is known. */
const sizeOf = ({ assets, liquidity }: Depth): number | null => assets ?? liquidity;

/** Fraction of a recorded rate that remains after our deposits dilute it. @param ownAmount whole units of ours */
export const remainingFraction = (
  { dilution }: Pick<Vault, 'dilution'>,
  depth: Depth,
  ownAmount: number,
  kink: number,
): number => (dilution === 'none' || ownAmount <= 0 ? 1 : dilutionFactor(depth, ownAmount, kink));
