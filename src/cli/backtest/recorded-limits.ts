import type { Candidate, DecisionInputs } from '../../domain/routing/allocation/decision.js';
import { inputsOf } from '../../domain/routing/allocation/candidates.js';
import { failedGates, stayGates, limitGates } from '../../domain/routing/allocation/gates.js';
import { moveCost, type RoutingRules } from '../../domain/routing/allocation/routing-constants.js';
import type { MayEnter, Occupancy } from './clairvoyant.js';
import type { Growth } from './growth.js';
import {
  type Depth,
  HISTORY_HOURS,
  leftOf,
  RecordedMarket,
  type MarketRecording,
} from './recorded-market.js';

export type RecordedMarketData = ReturnType<typeof record>;

/**
 * A recorded market without own money. `rates` by place and hour, from the beginning of the history on: APY, a fraction; NaN: not known. `inputs` by
 * hour: what the limits are evaluated by.
 */
export function record(recording: MarketRecording, rules: RoutingRules) {
  const { hours, vaults, idle } = recording;
  const market = new RecordedMarket(recording);
  const places = [...vaults, idle];
  const indexes = places.map(() => new Float64Array(hours + 1));
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
    for (const [index, { id }] of places.entries())
      indexes[index]![at] = Number(now.vaults.get(id)!.state.index);
    for (const [index, { id }] of vaults.entries()) depths[index]!.push(market.depthOf(id));
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
    remainingGain: (vaultIndex, at, amount) =>
      vaultIndex === vaults.length
        ? 1
        : leftOf(vaults[vaultIndex]!, depths[vaultIndex]![at]!, amount, rules.constants.kink),
  };
  return { growth, rates, inputs, places };
}

/** Whether a vault takes an amount as one position. */
export function limitsFor(recorded: RecordedMarketData, rules: RoutingRules, amount: number): MayEnter {
  const room = roomFor(recorded, rules, amount, 1);
  const isWithin = exposureFor(recorded, rules, 1);
  const nothing = recorded.places.map(() => new Uint8Array(recorded.inputs.length));
  return (vaultIndex, at) => room(vaultIndex, at) > 0 && isWithin(vaultIndex, at, nothing);
}

/** How many equal parts of an amount a vault takes, one after the other, by the gates of a deposit. */
export function roomFor(
  { inputs }: RecordedMarketData,
  { constants }: RoutingRules,
  amount: number,
  parts: number,
) {
  const part = BigInt(Math.round((amount / parts) * 1e6));
  return remembered(inputs, (candidate) => {
    const isOpen = (others: number): boolean => {
      const held = part * BigInt(others);
      const plus = (one: string | null) => one && (BigInt(one) + held).toString();
      const [assets, liquidity] = [plus(candidate.assets), plus(candidate.liquidity)];
      const beside = { ...candidate, assets, liquidity, held: held.toString() };
      return failedGates(limitGates(beside, part, constants)).length === 0;
    };
    let taken = isOpen(parts - 1) ? parts : 0;
    while (taken < parts && isOpen(taken)) taken += 1;
    return taken;
  });
}

/** Whether limits on exposure leave room for one more of equal parts. A part may exceed its vault's limit where it is alone there. */
export function exposureFor({ places }: RecordedMarketData, { constants }: RoutingRules, parts: number) {
  const { vault, tier } = constants.exposure;
  const tiers = places.map(({ riskTier }) => riskTier);
  return (vaultIndex: number, at: number, occupied: Occupancy): boolean => {
    const own = tiers[vaultIndex]!;
    const others = occupied[vaultIndex]![at]!;
    const ofTier = tiers.reduce((sum, tier, index) => (tier === own ? sum + occupied[index]![at]! : sum), 0);
    return (others === 0 || others + 1 <= vault[own] * parts) && ofTier + 1 <= tier[own] * parts;
  };
}

export function keptFor({ inputs }: RecordedMarketData, { constants }: RoutingRules): MayEnter {
  const kept = remembered(inputs, (candidate) =>
    Number(failedGates(stayGates(candidate, constants)).length === 0),
  );
  return (vaultIndex, at) => kept(vaultIndex, at) > 0;
}

/** A figure of a vault and an hour, computed once; 0 for cash. */
function remembered(
  inputs: readonly DecisionInputs[],
  evaluate: (candidate: Candidate) => number,
): (vaultIndex: number, at: number) => number {
  const known = new Map<number, number>();
  return (vaultIndex, at) => {
    const { candidates } = inputs[at]!;
    const candidate = candidates[vaultIndex];
    if (!candidate) return 0;
    const key = at * candidates.length + vaultIndex;
    const found = known.get(key) ?? evaluate(candidate);
    known.set(key, found);
    return found;
  };
}
