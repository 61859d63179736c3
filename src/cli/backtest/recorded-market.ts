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

/** History before the first hour, from which signals and means are read: a month. */
export const HISTORY_HOURS = 30 * 24;
/** A source that is read each hour may miss some. */
const LEAST_VALID_HOURS = 3;
/** Readings whose distances say how often a source is read. */
const STEPS = 50;
/** Part of them that is no longer than the source's own step: where nothing happens, some sources write nothing. */
const USUAL = 0.9;
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
  /** -1 before the first one. */
  place: number;
  /** Hours between readings, as known so far. */
  step: number;
  /** Hours that a reading stands: twice the source's own step. */
  validHours: number;
  /** Yield by the newest readings, a fraction; null: not known. */
  apy: number | null;
  /** Growth of the price an hour, which goes on until the next reading. */
  growth: number;
  /** Price at the last hour as recorded, and as it would have been beside own money. */
  price: number | null;
  beside: number;
}

/**
 * Recorded readings as the server would have met them: at each hour the newest reading so far, its rate less what own money takes from it. Nothing of
 * an hour depends on a later reading.
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
    this.cursors = new Map(vaults.map(({ id }) => [id, begun(readings.get(id) ?? [])]));
  }

  /**
   * The market at an hour since the beginning. Each hour can be asked again until the next one is.
   * @param shares that are held in a vault; 18 decimals
   */
  at(at: number, shares: (vaultId: string) => bigint): HourOfMarket {
    while (this.reached < at) {
      this.shares = this.reached < 0 ? () => 0n : shares;
      this.path.step(this.advance);
      this.reached += 1;
      if (this.reached % DAY_HOURS === 0) this.path.dropStored();
    }
    const hour = addHours(this.from, at);
    const known = this.path
      .outlooks()
      .map(({ vault, ...outlook }): [string, RoutingVault & Pick<MarketVault, 'state'>] => {
        const reading = ageOf(this.cursors.get(vault.id)!, hour);
        return [vault.id, { vault, ...outlook, ...(reading && { reading }), held: 0n, own: 0n }];
      });
    const cash = { expectedApy: null, riskAdjustedApy: null, ...NOTHING_RECENT };
    const idle = { vault: this.idle, state: idleState(this.idle.id, hour), ...cash, held: 0n, own: 0n };
    return { hour, vaults: new Map([...known, [this.idle.id, idle]]) };
  }

  /** Deposits of others in a vault, by its newest reading. */
  depthOf(vaultId: string): Depth {
    const { readings, place } = this.cursors.get(vaultId)!;
    return readings[place] ?? NOTHING;
  }

  private readonly advance: NextHour = (vault, state, hour) => {
    const cursor = this.cursors.get(vault.id)!;
    move(cursor, hour);
    const own = valueOf(this.shares(vault.id), accrueIndex(state.index, state.factor));
    const seen = seenOf(vault, cursor, hour, Number(own) / 1e6, this.kink);
    const doubted = seen !== undefined && doubtOf(seen, state, hour, this.doubt) !== null;
    return nextHour(state, hour, doubted ? { ...seen, doubted } : seen, vault.feed.kind);
  };
}

const begun = (readings: readonly VaultReading[]): Cursor => ({
  readings,
  place: -1,
  step: 1,
  validHours: LEAST_VALID_HOURS,
  apy: null,
  growth: 0,
  price: null,
  beside: 1,
});

/** Goes on to the newest reading that is known at an hour. */
function move(cursor: Cursor, hour: Date): void {
  const { readings } = cursor;
  const before = cursor.place;
  while (cursor.place + 1 < readings.length && readings[cursor.place + 1]!.at <= hour) cursor.place += 1;
  if (cursor.place === before) return;
  const known = readings.slice(Math.max(0, cursor.place - STEPS), cursor.place + 1);
  const steps = known.slice(1).map(({ at }, index) => (at.getTime() - known[index]!.at.getTime()) / HOUR_MS);
  const step = steps.toSorted((a, b) => a - b)[Math.floor(steps.length * USUAL)] ?? 1;
  cursor.step = step;
  cursor.validHours = Math.max(LEAST_VALID_HOURS, 2 * step);
  const newest = known.at(-1)!;
  if (newest.price === null) {
    cursor.apy = newest.apy;
    return;
  }
  const points = known.map(({ at, price }) => ({ at, value: price! }));
  cursor.apy = yieldOver(points, Math.max(DAY_HOURS, 2 * step), MAX_STEP);
  const last = known.at(-2);
  // From a price of 0 nothing grows.
  const change = last?.price ? Number(newest.price) / Number(last.price) - 1 : 0;
  // A step is no yield.
  cursor.growth =
    Math.abs(change) > MAX_STEP * Math.max(1, steps.at(-1) ?? 1) ? 0 : change / (steps.at(-1) ?? 1);
}

/** Age of the newest reading; a source without any is evaluated by its observations. */
function ageOf({ readings, place, step }: Cursor, hour: Date): { hours: number; step: number } | undefined {
  const newest = readings[place];
  return newest && { hours: (hour.getTime() - newest.at.getTime()) / HOUR_MS, step };
}

const micro = (amount: number | null, own: number): bigint | null =>
  amount === null ? null : BigInt(Math.round((amount + own) * 1e6));

/** Observation of an hour beside own money. @param own whole units */
function seenOf(
  vault: Vault,
  cursor: Cursor,
  hour: Date,
  own: number,
  kink: number,
): Observation | undefined {
  const reading = cursor.readings[cursor.place];
  if (!reading) return undefined;
  const age = (hour.getTime() - reading.at.getTime()) / HOUR_MS;
  if (age > cursor.validHours) return undefined;
  const left = leftOf(vault, reading, own, kink);
  const size = sizeOf(reading);
  const observation: Observation = {
    // A loss is shared by all deposits alike.
    apy: cursor.apy === null || cursor.apy <= 0 ? cursor.apy : Math.expm1(Math.log1p(cursor.apy) * left),
    tvl: micro(size, own),
    assets: micro(reading.assets, own),
    liquidity: micro(reading.liquidity, own),
    observedAt: reading.at,
    ...(reading.lossPerMille !== undefined && age < 1 && { lossPerMille: reading.lossPerMille }),
  };
  if (reading.price === null) return observation;
  // Prices of a day would otherwise come in steps, of which each gives a day's yield in an hour.
  const price = (Number(reading.price) / 1e18) * (1 + cursor.growth * age);
  const change = cursor.price === null || cursor.price <= 0 ? 0 : price / cursor.price - 1;
  cursor.beside *= 1 + (change > 0 ? change * left : change);
  cursor.price = price;
  return {
    ...observation,
    price: {
      source: 'recorded',
      value: BigInt(Math.round(cursor.beside * 1e15)),
      blockNumber: BigInt(cursor.place),
      blockHash: '',
      blockAt: hour,
    },
  };
}

/** Deposits of others in a vault, and what can be withdrawn of them now; whole units. null: not recorded. */
export interface Depth {
  assets: number | null;
  liquidity: number | null;
}

/** Deposits of a vault; where only what can be withdrawn is known they are that at least. */
const sizeOf = ({ assets, liquidity }: Depth): number | null => assets ?? liquidity;

/** Part of a recorded rate that is left beside own money, which was not there when it was recorded. @param own whole units */
export const leftOf = (
  { dilution }: Pick<Vault, 'dilution'>,
  depth: Depth,
  own: number,
  kink: number,
): number => (dilution === 'none' || own <= 0 ? 1 : dilutionFactor(depth, own, kink));
