import type { BacktestCatalogue } from '../../config/backtest-catalogue.js';
import { idleVault } from '../../config/vault-catalogue.js';
import { addHours } from '../../domain/kernel/clock.js';
import { type RoutingRules, vaultRules } from '../../domain/routing/allocation/routing-constants.js';
import { optimalPosition, optimalPositions } from './clairvoyant.js';
import { initialAmounts, hourlyPolicy, type BacktestResult, measure, type Policy } from './growth.js';
import type { VaultReading } from './readings.js';
import {
  exposureCheck,
  stayCheck,
  entryCheck,
  recordMarket,
  type RecordedMarketData,
  roomCounter,
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

const MAX_PARTS = 8;
const UNITS_PER_PART = 1e6;

/** Positions into which an amount is split, because one vault seldom takes a large one. */
const partsOf = (amount: number): number =>
  Math.min(MAX_PARTS, Math.max(1, Math.floor(amount / UNITS_PER_PART)));

export const rulesOf = ({ constants, bridgeCosts }: BacktestCatalogue): RoutingRules => ({
  ...vaultRules({ constants }),
  configVersion: 'backtest',
  bridgeCosts,
  isShared: false,
});

/**
 * Result of each strategy for amounts in whole units. The router decides hour by hour with the deployment's code. All strategies pay the same costs,
 * dilute rates alike, and enter only vaults that the router could enter, except for `clairvoyant_unlimited`.
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
  const recorded = recordMarket(recording, rules);
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
  const { growth, rates, allVaults } = recorded;
  const parts = partsOf(amount);
  const market = new RecordedMarket(recording);
  const part = BigInt(Math.round((amount / parts) * 1e6));
  const routed = await route(
    market,
    Array.from({ length: parts }, () => part),
    rules,
  );
  const [first] = routed.first as [number];
  const initial = growth.factors.map(
    (_, index) => (amount / parts) * routed.first.filter((vaultIndex) => vaultIndex === index).length,
  );
  const routerEntries = new Set(routed.steps.map(({ at, to }) => `${at} ${to}`));
  const mayEnter = entryCheck(recorded, rules, amount);
  const mayStay = stayCheck(recorded, rules);
  const room = roomCounter(recorded, rules, amount, parts);
  const isWithin = exposureCheck(recorded, rules, parts);
  const cash = allVaults.length - 1;

  /** The vault with the best mean rate over the hours up to `at`, diluted by the amount. */
  const bestVault = (at: number, hours: number, current: number): number => {
    const mean = (vaultIndex: number): number => {
      const observed = rates[vaultIndex]!.subarray(
        Math.max(0, HISTORY_HOURS + at + 1 - hours),
        HISTORY_HOURS + at + 1,
      );
      let [sum, count] = [0, 0];
      for (const rate of observed) if (!Number.isNaN(rate)) [sum, count] = [sum + rate, count + 1];
      return count === 0
        ? -Infinity
        : (sum / count) * growth.remainingGain(vaultIndex, Math.max(at, 0), amount);
    };
    const open = rates.flatMap((_, index) =>
      index === current || mayEnter(index, at) ? [{ index, rate: mean(index) }] : [],
    );
    return open.reduce((best, candidate) => (candidate.rate > best.rate ? candidate : best), {
      index: current,
      rate: -Infinity,
    }).index;
  };
  const firstVault = (hours: number): number => bestVault(0, hours, growth.lending);
  const holdingPolicy = (vaultIndex: number): Policy => ({
    first: initialAmounts(growth, vaultIndex, amount),
    steps: [],
  });
  const switchingPolicy = (hours: number): Policy =>
    hourlyPolicy(growth, amount, firstVault(hours), (at, current) =>
      at % hours === 0 ? bestVault(at, hours, current) : current,
    );
  const firstVaults = new Set([first, growth.lending, firstVault(DAY), firstVault(WEEK), firstVault(MONTH)]);
  // The router may enter the lending vault before its history is known, and cash when it leaves a vault.
  const wasEntered = (vaultIndex: number, at: number): boolean =>
    routerEntries.has(`${at} ${vaultIndex}`) || (at === 0 && firstVaults.has(vaultIndex));

  const lending = holdingPolicy(growth.lending);
  const policies: Record<Strategy, Policy> = {
    router: { first: initial, steps: routed.steps },
    lending,
    hold: { first: initial, steps: [] },
    best30: holdingPolicy(firstVault(MONTH)),
    daily: switchingPolicy(DAY),
    weekly: switchingPolicy(WEEK),
    monthly: switchingPolicy(MONTH),
    split: { first: equalSplit(recorded, rules, amount), steps: [] },
    clairvoyant: optimalPositions(growth, amount, parts, (occupied) => ({
      mayEnter: (vaultIndex, at) =>
        (room(vaultIndex, at) > occupied[vaultIndex]![at]! && isWithin(vaultIndex, at, occupied)) ||
        wasEntered(vaultIndex, at),
      mayStay: (vaultIndex, at) =>
        vaultIndex === cash || (mayStay(vaultIndex, at) && isWithin(vaultIndex, at, occupied)),
    })),
    clairvoyant_unlimited: optimalPosition(
      growth,
      amount,
      (vaultIndex, at) => vaultIndex !== cash || wasEntered(vaultIndex, at),
    ),
  };
  const ids = allVaults.map(({ id }) => id);
  const resultOf = (name: Strategy): BacktestResult => {
    const outcome = name === 'router' ? outcomesOf(growth, routed) : null;
    return measure({ growth, ids, from: recording.from, amount, lending }, policies[name], outcome);
  };
  return Object.fromEntries(STRATEGIES.map((name) => [name, resultOf(name)])) as Record<
    Strategy,
    BacktestResult
  >;
}

/** Equal parts of an amount in all vaults that take one; everything in the lending vault where none does. */
function equalSplit(recorded: RecordedMarketData, rules: RoutingRules, amount: number): number[] {
  const { growth, rates } = recorded;
  const mayEnter = entryCheck(recorded, rules, amount / rates.length);
  const open = rates.flatMap((_, index) => (mayEnter(index, 0) ? [index] : []));
  const targets = open.length === 0 ? [growth.lending] : open;
  return growth.factors.map((_, index) => (targets.includes(index) ? amount / targets.length : 0));
}
