import type { BacktestCatalogue } from '../../../config/backtest-catalogue.js';
import { idleVault } from '../../../config/vault-catalogue.js';
import { addHours } from '../../kernel/clock.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';
import { moveCost, type RoutingRules, vaultRules } from '../allocation/routing-constants.js';
import { inputsOf } from '../allocation/candidates.js';
import type { DecisionInputs } from '../allocation/decision.js';
import type { Candidate } from '../allocation/candidate.js';
import { failed, keepGates, limitGates } from '../allocation/gates.js';
import { clairvoyant, clairvoyantOf, type MayEnter, type Occupied } from './clairvoyant.js';
import { allIn, following, type Growth, type Measured, measured, type Policy } from './growth.js';
import { type Depth, HISTORY_HOURS, leftOf, RecordedMarket, type Recording } from './recorded-market.js';
import type { Reading } from './readings.js';
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
  runs: { amount: number; strategies: Record<Strategy, Measured> }[];
}

const MOST_PARTS = 8;
const UNITS_OF_A_PART = 1e6;

/** Positions that a holder would have: a treasury spreads what one vault seldom takes. */
const partsOf = (amount: number): number =>
  Math.min(MOST_PARTS, Math.max(1, Math.floor(amount / UNITS_OF_A_PART)));

export const rulesOf = ({ constants, bridgeCosts }: BacktestCatalogue): RoutingRules => ({
  ...vaultRules({ constants }),
  ...{ configVersion: 'backtest', bridgeCosts, isShared: false },
});

/**
 * What each strategy would have brought for amounts in whole units. The router decides hour by hour by the deployment's own code; all strategies pay
 * the same costs, get the same rates beside their own money, and, but for one of the clairvoyants, enter only what the router might enter.
 */
export async function backtest(
  catalogue: BacktestCatalogue,
  readings: ReadonlyMap<string, readonly Reading[]>,
  from: Date,
  hours: number,
  amounts: readonly number[],
  parts?: number,
): Promise<Backtest> {
  const { asset, constants, vaults } = catalogue;
  const rules = rulesOf(catalogue);
  const recording = { from, hours, vaults, idle: idleVault(asset), constants, readings };
  const recorded = record(recording, rules);
  const runs: Backtest['runs'] = [];
  for (const amount of amounts) {
    const strategies = await strategiesOf(recording, recorded, rules, amount, parts ?? partsOf(amount));
    runs.push({ amount, strategies });
  }
  return { from, to: addHours(from, hours), runs };
}

/** A recorded market without own money. */
interface Recorded {
  growth: Growth;
  /** By place and hour, from the beginning of the history on: APY, a fraction; NaN: not known. */
  rates: readonly Float64Array[];
  /** By hour: what the limits are evaluated by. */
  inputs: readonly DecisionInputs[];
  places: readonly Vault[];
}

function record(recording: Recording, rules: RoutingRules): Recorded {
  const { hours, vaults, idle } = recording;
  const market = new RecordedMarket(recording);
  const places = [...vaults, idle];
  const indexes = places.map(() => new Float64Array(hours + 1));
  const rates = vaults.map(() => new Float64Array(HISTORY_HOURS + hours + 1).fill(NaN));
  const depths: Depth[][] = vaults.map(() => []);
  const inputs: DecisionInputs[] = [];
  for (let at = -HISTORY_HOURS; at <= hours; at++) {
    const now = market.at(at, () => 0n);
    for (const [place, { id }] of vaults.entries()) {
      const { lastApy, observedHour } = now.vaults.get(id)!.state;
      if (observedHour?.getTime() === now.hour.getTime() && lastApy !== null)
        rates[place]![at + HISTORY_HOURS] = lastApy;
    }
    if (at < 0) continue;
    for (const [place, { id }] of places.entries())
      indexes[place]![at] = Number(now.vaults.get(id)!.state.index);
    for (const [place, { id }] of vaults.entries()) depths[place]!.push(market.depthOf(id));
    const deposit = { asset: idle.asset, amount: 1n, vaultId: null, hoursInVault: 0 };
    inputs.push(inputsOf(now, deposit, now.hour, rules));
  }
  const costs = places.map((one) =>
    places.map((to) => (one === to ? 0 : Number(moveCost(one, to, rules.bridgeCosts)) / 1e6)),
  );
  const growth: Growth = {
    factors: indexes.map((own) => Float64Array.from({ length: hours }, (_, at) => own[at + 1]! / own[at]!)),
    costs,
    delays: places.map(({ exitDelayHours }) => exitDelayHours),
    hours,
    lending: vaults.findIndex(({ lendingBaseline }) => lendingBaseline),
    left: (place, at, amount) =>
      place === vaults.length ? 1 : leftOf(vaults[place]!, depths[place]![at]!, amount, rules.constants.kink),
  };
  return { growth, rates, inputs, places };
}

async function strategiesOf(
  recording: Recording,
  recorded: Recorded,
  rules: RoutingRules,
  amount: number,
  parts: number,
): Promise<Record<Strategy, Measured>> {
  const { growth, rates, places } = recorded;
  const market = new RecordedMarket(recording);
  const part = BigInt(Math.round((amount / parts) * 1e6));
  const routed = await route(
    market,
    Array.from({ length: parts }, () => part),
    rules,
  );
  const [first] = routed.first as [number];
  const placed = growth.factors.map(
    (_, place) => (amount / parts) * routed.first.filter((one) => one === place).length,
  );
  const entered = new Set(routed.steps.map(({ at, to }) => `${at} ${to}`));
  const limits = limitsFor(recorded, rules, amount);
  const keeps = keptFor(recorded, rules);
  const room = roomFor(recorded, rules, amount, parts);
  const isWithin = exposureFor(recorded, rules, parts);
  const cash = places.length - 1;

  /** The vault with the best mean rate beside the amount, over the hours up to one. */
  const best = (at: number, hours: number, current: number): number => {
    const mean = (place: number): number => {
      const known = rates[place]!.subarray(
        Math.max(0, HISTORY_HOURS + at + 1 - hours),
        HISTORY_HOURS + at + 1,
      );
      let [sum, count] = [0, 0];
      for (const rate of known) if (!Number.isNaN(rate)) [sum, count] = [sum + rate, count + 1];
      return count === 0 ? -Infinity : (sum / count) * growth.left!(place, Math.max(at, 0), amount);
    };
    const open = rates.flatMap((_, place) =>
      place === current || limits(place, at) ? [{ place, rate: mean(place) }] : [],
    );
    return open.reduce((top, one) => (one.rate > top.rate ? one : top), { place: current, rate: -Infinity })
      .place;
  };
  const begin = (hours: number): number => best(0, hours, growth.lending);
  const holding = (place: number): Policy => ({ first: allIn(growth, place, amount), steps: [] });
  const switching = (hours: number): Policy =>
    following(growth, amount, begin(hours), (at, current) =>
      at % hours === 0 ? best(at, hours, current) : current,
    );
  const begins = new Set([first, growth.lending, begin(DAY), begin(WEEK), begin(MONTH)]);
  // A lending vault takes funds before its history is known, and cash those that leave a vault.
  const wasEntered = (place: number, at: number): boolean =>
    entered.has(`${at} ${place}`) || (at === 0 && begins.has(place));

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
      mayEnter: (place, at) =>
        (room(place, at) > occupied[place]![at]! && isWithin(place, at, occupied)) || wasEntered(place, at),
      mayStay: (place, at) => place === cash || (keeps(place, at) && isWithin(place, at, occupied)),
    })),
    clairvoyant_unlimited: clairvoyant(
      growth,
      amount,
      (place, at) => place !== cash || wasEntered(place, at),
    ),
  };
  const ids = places.map(({ id }) => id);
  const measure = (name: Strategy): Measured => {
    const outcome = name === 'router' ? outcomesOf(growth, routed) : null;
    return measured({ growth, ids, from: recording.from, amount, lending }, policies[name], outcome);
  };
  return Object.fromEntries(STRATEGIES.map((name) => [name, measure(name)])) as Record<Strategy, Measured>;
}

/** Whether a vault takes an amount as one position. */
function limitsFor(recorded: Recorded, rules: RoutingRules, amount: number): MayEnter {
  const room = roomFor(recorded, rules, amount, 1);
  const isWithin = exposureFor(recorded, rules, 1);
  const nothing = recorded.places.map(() => new Uint8Array(recorded.inputs.length));
  return (place, at) => room(place, at) > 0 && isWithin(place, at, nothing);
}

/** How many equal parts of an amount a vault takes, one after the other, by the gates of a deposit. */
function roomFor({ inputs }: Recorded, { constants }: RoutingRules, amount: number, parts: number) {
  const part = BigInt(Math.round((amount / parts) * 1e6));
  return remembered(inputs, (candidate) => {
    const isOpen = (others: number): boolean => {
      const held = part * BigInt(others);
      const plus = (one: string | null) => one && (BigInt(one) + held).toString();
      const [assets, liquidity] = [plus(candidate.assets), plus(candidate.liquidity)];
      const beside = { ...candidate, assets, liquidity, held: held.toString() };
      return failed(limitGates(beside, part, constants)).length === 0;
    };
    let taken = isOpen(parts - 1) ? parts : 0;
    while (taken < parts && isOpen(taken)) taken += 1;
    return taken;
  });
}

/** Whether limits on exposure leave room for one more of equal parts. A part may exceed its vault's limit where it is alone there. */
function exposureFor({ places }: Recorded, { constants }: RoutingRules, parts: number) {
  const { vault, tier } = constants.exposure;
  const tiers = places.map(({ riskTier }) => riskTier);
  return (place: number, at: number, occupied: Occupied): boolean => {
    const own = tiers[place]!;
    const others = occupied[place]![at]!;
    const ofTier = tiers.reduce((sum, one, index) => (one === own ? sum + occupied[index]![at]! : sum), 0);
    return (others === 0 || others + 1 <= vault[own] * parts) && ofTier + 1 <= tier[own] * parts;
  };
}

/** Whether funds may stay in a vault. */
function keptFor({ inputs }: Recorded, { constants }: RoutingRules): MayEnter {
  const kept = remembered(inputs, (candidate) =>
    Number(failed(keepGates(candidate, constants)).length === 0),
  );
  return (place, at) => kept(place, at) > 0;
}

/** A figure of a vault and an hour, computed once; 0 for cash. */
function remembered(
  inputs: readonly DecisionInputs[],
  evaluate: (candidate: Candidate) => number,
): (place: number, at: number) => number {
  const known = new Map<number, number>();
  return (place, at) => {
    const { candidates } = inputs[at]!;
    const candidate = candidates[place];
    if (!candidate) return 0;
    const key = at * candidates.length + place;
    const found = known.get(key) ?? evaluate(candidate);
    known.set(key, found);
    return found;
  };
}

/** Equal parts of an amount in all vaults that take one; all in the lending vault where none does. */
function splitOf(recorded: Recorded, rules: RoutingRules, amount: number): number[] {
  const { growth, rates } = recorded;
  const limits = limitsFor(recorded, rules, amount / rates.length);
  const open = rates.flatMap((_, place) => (limits(place, 0) ? [place] : []));
  const taken = open.length === 0 ? [growth.lending] : open;
  return growth.factors.map((_, place) => (taken.includes(place) ? amount / taken.length : 0));
}
