import type { Candidate, DecisionInputs } from '../../domain/routing/allocation/decision.js';
import { inputsOf } from '../../domain/routing/allocation/candidates.js';
import { failedGates, stayGates, limitGates } from '../../domain/routing/allocation/gates.js';
import { moveCost, type RoutingRules } from '../../domain/routing/allocation/routing-constants.js';
import type { MayEnter, Occupancy } from './clairvoyant.js';
import type { Growth } from './growth.js';
import {
  type Depth,
  HISTORY_HOURS,
  remainingFraction,
  RecordedMarket,
  type MarketRecording,
} from './recorded-market.js';

export type RecordedMarketData = ReturnType<typeof recordMarket>;

/**
 * Data of a recorded market without our deposits; cash is the last of `allVaults`. `rates` by vault and hour, from the beginning of the history on:
 * APY, a fraction; NaN: unknown. `inputs` by hour, for the limits.
 */
export function recordMarket(recording: MarketRecording, rules: RoutingRules) {
  const { hours, vaults, idle } = recording;
  const market = new RecordedMarket(recording);
  const allVaults = [...vaults, idle];
  const indexes = allVaults.map(() => new Float64Array(hours + 1));
  const rates = vaults.map(() => new Float64Array(HISTORY_HOURS + hours + 1).fill(NaN));
  const depths: Depth[][] = vaults.map(() => []);
  const inputs: DecisionInputs[] = [];
  for (let at = -HISTORY_HOURS; at <= hours; at++) {
    const now = market.at(at, () => 0n);
    for (const [index, { id }] of vaults.entries()) {
      const { lastApy, observedHour } = now.vaults.get(id)!.state;
      if (observedHour?.getTime() === now.hour.getTime() && lastApy !== null)
        rates[index]![at + HISTORY_HOURS] = lastApy;
    }
    if (at < 0) continue;
    for (const [index, { id }] of allVaults.entries())
      indexes[index]![at] = Number(now.vaults.get(id)!.state.index);
    for (const [index, { id }] of vaults.entries()) depths[index]!.push(market.depthOf(id));
    const deposit = { asset: idle.asset, amount: 1n, vaultId: null, hoursInVault: 0 };
    inputs.push(inputsOf(now, deposit, now.hour, rules));
  }
  const costs = allVaults.map((from) =>
    allVaults.map((to) => (from === to ? 0 : Number(moveCost(from, to, rules.bridgeCosts)) / 1e6)),
  );
  const growth: Growth = {
    factors: indexes.map((series) =>
      Float64Array.from({ length: hours }, (_, at) => series[at + 1]! / series[at]!),
    ),
    costs,
    delays: allVaults.map(({ exitDelayHours }) => exitDelayHours),
    hours,
    lending: vaults.findIndex(({ lendingBaseline }) => lendingBaseline),
    remainingGain: (vaultIndex, at, amount) =>
      vaultIndex === vaults.length
        ? 1
        : remainingFraction(vaults[vaultIndex]!, depths[vaultIndex]![at]!, amount, rules.constants.kink),
  };
  return { growth, rates, inputs, allVaults };
}

/** Checks whether a vault takes an amount as one position. */
export function entryCheck(recorded: RecordedMarketData, rules: RoutingRules, amount: number): MayEnter {
  const room = roomCounter(recorded, rules, amount, 1);
  const isWithin = exposureCheck(recorded, rules, 1);
  const noPositions = recorded.allVaults.map(() => new Uint8Array(recorded.inputs.length));
  return (vaultIndex, at) => room(vaultIndex, at) > 0 && isWithin(vaultIndex, at, noPositions);
}

/** Counts the equal parts of an amount that a vault takes, one after another, by the gates of a deposit. */
export function roomCounter(
  { inputs }: RecordedMarketData,
  { constants }: RoutingRules,
  amount: number,
  parts: number,
) {
  const part = BigInt(Math.round((amount / parts) * 1e6));
  return memoized(inputs, (candidate) => {
    const isOpen = (others: number): boolean => {
      const othersAmount = part * BigInt(others);
      const addOthers = (amount: string | null) => amount && (BigInt(amount) + othersAmount).toString();
      const [assets, liquidity] = [addOthers(candidate.assets), addOthers(candidate.liquidity)];
      const diluted = { ...candidate, assets, liquidity, held: othersAmount.toString() };
      return failedGates(limitGates(diluted, part, constants)).length === 0;
    };
    let accepted = isOpen(parts - 1) ? parts : 0;
    while (accepted < parts && isOpen(accepted)) accepted += 1;
    return accepted;
  });
}

/** Checks whether exposure limits leave room for one more of equal parts. A part alone in its vault may exceed the vault's limit. */
export function exposureCheck({ allVaults }: RecordedMarketData, { constants }: RoutingRules, parts: number) {
  const { vault, tier } = constants.exposure;
  const tiers = allVaults.map(({ riskTier }) => riskTier);
  return (vaultIndex: number, at: number, occupied: Occupancy): boolean => {
    const vaultTier = tiers[vaultIndex]!;
    const others = occupied[vaultIndex]![at]!;
    const positionsInTier = tiers.reduce(
      (sum, candidateTier, index) => (candidateTier === vaultTier ? sum + occupied[index]![at]! : sum),
      0,
    );
    return (
      (others === 0 || others + 1 <= vault[vaultTier] * parts) &&
      positionsInTier + 1 <= tier[vaultTier] * parts
    );
  };
}

export function stayCheck({ inputs }: RecordedMarketData, { constants }: RoutingRules): MayEnter {
  const staying = memoized(inputs, (candidate) =>
    Number(failedGates(stayGates(candidate, constants)).length === 0),
  );
  return (vaultIndex, at) => staying(vaultIndex, at) > 0;
}

/** A figure of a vault and an hour, computed once; 0 for cash. */
function memoized(
  inputs: readonly DecisionInputs[],
  evaluate: (candidate: Candidate) => number,
): (vaultIndex: number, at: number) => number {
  const figures = new Map<number, number>();
  return (vaultIndex, at) => {
    const { candidates } = inputs[at]!;
    const candidate = candidates[vaultIndex];
    if (!candidate) return 0;
    const key = at * candidates.length + vaultIndex;
    const figure = figures.get(key) ?? evaluate(candidate);
    figures.set(key, figure);
    return figure;
  };
}
