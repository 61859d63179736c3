import type { BacktestCatalogue } from '../../config/backtest-catalogue.js';
import { idleVault } from '../../config/vault-catalogue.js';
import { addHours } from '../../domain/kernel/clock.js';
import { type RoutingRules, vaultRules } from '../../domain/routing/allocation/routing-constants.js';
import { clairvoyant, clairvoyantOf } from './clairvoyant.js';
import { allIn, following, type BacktestResult, measured, type Policy } from './growth.js';
import type { VaultReading } from './readings.js';
import {
  exposureFor,
  keptFor,
  limitsFor,
  record,
  type RecordedMarketData,
  roomFor,
} from './recorded-limits.js';
import { HISTORY_HOURS, RecordedMarket, type MarketRecording } from './recorded-market.js';
import { outcomesOf, route } from './router.js';

const DAY = 24;
const WEEK = 7 * DAY;
const MONTH = 30 * DAY;

export const STRATEGIES = [
  'router',
  'lending',
  'hold',
  'best30',
  'daily',
  'weekly',
  'monthly',
  'split',
  'clairvoyant',
  'clairvoyant_unlimited',
] as const;
export type Strategy = (typeof STRATEGIES)[number];

export interface Backtest {
  from: Date;
  to: Date;
  runs: { amount: number; strategies: Record<Strategy, BacktestResult> }[];
}

const MOST_PARTS = 8;
const UNITS_OF_A_PART = 1e6;

/** Positions that a holder would have: a treasury spreads what one vault seldom takes. */
const partsOf = (amount: number): number =>
  Math.min(MOST_PARTS, Math.max(1, Math.floor(amount / UNITS_OF_A_PART)));

export const rulesOf = ({ constants, bridgeCosts }: BacktestCatalogue): RoutingRules => ({
  ...vaultRules({ constants }),
  configVersion: 'backtest',
  bridgeCosts,
  isShared: false,
});

/**
 * What each strategy would have brought for amounts in whole units. The router decides hour by hour by the deployment's own code; all strategies pay
 * the same costs, get the same rates beside their own money, and, but for one of the clairvoyants, enter only what the router might enter.
 */
export async function backtest(
  catalogue: BacktestCatalogue,
  readings: ReadonlyMap<string, readonly VaultReading[]>,
  from: Date,
  hours: number,
  amounts: readonly number[],
): Promise<Backtest> {
  const { asset, constants, vaults } = catalogue;
  const rules = rulesOf(catalogue);
  const recording = { from, hours, vaults, idle: idleVault(asset), constants, readings };
  const recorded = record(recording, rules);
  const runs: Backtest['runs'] = [];
  for (const amount of amounts)
    runs.push({ amount, strategies: await strategiesOf(recording, recorded, rules, amount) });
  return { from, to: addHours(from, hours), runs };
}

async function strategiesOf(
  recording: MarketRecording,
  recorded: RecordedMarketData,
  rules: RoutingRules,
  amount: number,
): Promise<Record<Strategy, BacktestResult>> {
  const { growth, rates, places } = recorded;
  const parts = partsOf(amount);
  const market = new RecordedMarket(recording);
  const part = BigInt(Math.round((amount / parts) * 1e6));
  const routed = await route(
    market,
    Array.from({ length: parts }, () => part),
    rules,
  );
  const [first] = routed.first as [number];
  const placed = growth.factors.map(
    (_, index) => (amount / parts) * routed.first.filter((one) => one === index).length,
  );
  const entered = new Set(routed.steps.map(({ at, to }) => `${at} ${to}`));
  const limits = limitsFor(recorded, rules, amount);
  const keeps = keptFor(recorded, rules);
  const room = roomFor(recorded, rules, amount, parts);
  const isWithin = exposureFor(recorded, rules, parts);
  const cash = places.length - 1;

  /** The vault with the best mean rate beside the amount, over the hours up to one. */
  const best = (at: number, hours: number, current: number): number => {
    const mean = (vaultIndex: number): number => {
      const known = rates[vaultIndex]!.subarray(
        Math.max(0, HISTORY_HOURS + at + 1 - hours),
        HISTORY_HOURS + at + 1,
      );
      let [sum, count] = [0, 0];
      for (const rate of known) if (!Number.isNaN(rate)) [sum, count] = [sum + rate, count + 1];
      return count === 0
        ? -Infinity
        : (sum / count) * growth.remainingGain(vaultIndex, Math.max(at, 0), amount);
    };
    const open = rates.flatMap((_, index) =>
      index === current || limits(index, at) ? [{ place: index, rate: mean(index) }] : [],
    );
    return open.reduce((top, one) => (one.rate > top.rate ? one : top), { place: current, rate: -Infinity })
      .place;
  };
  const begin = (hours: number): number => best(0, hours, growth.lending);
  const holding = (vaultIndex: number): Policy => ({ first: allIn(growth, vaultIndex, amount), steps: [] });
  const switching = (hours: number): Policy =>
    following(growth, amount, begin(hours), (at, current) =>
      at % hours === 0 ? best(at, hours, current) : current,
    );
  const begins = new Set([first, growth.lending, begin(DAY), begin(WEEK), begin(MONTH)]);
  // A lending vault takes funds before its history is known, and cash those that leave a vault.
  const wasEntered = (vaultIndex: number, at: number): boolean =>
    entered.has(`${at} ${vaultIndex}`) || (at === 0 && begins.has(vaultIndex));

  const lending = holding(growth.lending);
  const policies: Record<Strategy, Policy> = {
    router: { first: placed, steps: routed.steps },
    lending,
    hold: { first: placed, steps: [] },
    best30: holding(begin(MONTH)),
    daily: switching(DAY),
    weekly: switching(WEEK),
    monthly: switching(MONTH),
    split: { first: splitOf(recorded, rules, amount), steps: [] },
    clairvoyant: clairvoyantOf(growth, amount, parts, (occupied) => ({
      mayEnter: (vaultIndex, at) =>
        (room(vaultIndex, at) > occupied[vaultIndex]![at]! && isWithin(vaultIndex, at, occupied)) ||
        wasEntered(vaultIndex, at),
      mayStay: (vaultIndex, at) =>
        vaultIndex === cash || (keeps(vaultIndex, at) && isWithin(vaultIndex, at, occupied)),
    })),
    clairvoyant_unlimited: clairvoyant(
      growth,
      amount,
      (vaultIndex, at) => vaultIndex !== cash || wasEntered(vaultIndex, at),
    ),
  };
  const ids = places.map(({ id }) => id);
  const measure = (name: Strategy): BacktestResult => {
    const outcome = name === 'router' ? outcomesOf(growth, routed) : null;
    return measured({ growth, ids, from: recording.from, amount, lending }, policies[name], outcome);
  };
  return Object.fromEntries(STRATEGIES.map((name) => [name, measure(name)])) as Record<
    Strategy,
    BacktestResult
  >;
}

/** Equal parts of an amount in all vaults that take one; all in the lending vault where none does. */
function splitOf(recorded: RecordedMarketData, rules: RoutingRules, amount: number): number[] {
  const { growth, rates } = recorded;
  const limits = limitsFor(recorded, rules, amount / rates.length);
  const open = rates.flatMap((_, index) => (limits(index, 0) ? [index] : []));
  const taken = open.length === 0 ? [growth.lending] : open;
  return growth.factors.map((_, index) => (taken.includes(index) ? amount / taken.length : 0));
}
