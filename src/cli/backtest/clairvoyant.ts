import { initialAmounts, grow, type Growth, type Policy, type Step } from './growth.js';

export type MayEnter = (vaultIndex: number, at: number) => boolean;

/** Number of positions by vault and hour. */
export type Occupancy = readonly Uint8Array[];

const STAYED = -1;
/** Passes in which each part is optimised again, given the others. */
const PASSES = 2;

/**
 * Near-optimal policy of an amount in equal positions. Each is optimised given the others, and pays for the dilution it causes them.
 * @param limits whether one more position may enter a vault, or stay in it, given its other positions
 */
export function optimalPositions(
  growth: Growth,
  amount: number,
  parts: number,
  limits: (occupied: Occupancy) => { mayEnter: MayEnter; mayStay: MayEnter },
): Policy {
  const { factors, hours, remainingGain } = growth;
  const occupied = factors.map(() => new Uint8Array(hours));
  const gainBesideOthers = (vaultIndex: number, at: number, value: number): number => {
    const others = occupied[vaultIndex]![at]!;
    const all = (count: number): number =>
      count === 0 ? 0 : count * remainingGain(vaultIndex, at, count * value);
    return all(others + 1) - all(others);
  };
  const policies: Policy[] = [];
  for (let turn = 0; turn < (parts === 1 ? 1 : PASSES * parts); turn++) {
    const part = turn % parts;
    if (policies[part]) occupy(occupied, policies[part], -1);
    const { mayEnter, mayStay } = limits(occupied);
    policies[part] = optimalPosition(
      { ...growth, remainingGain: gainBesideOthers },
      amount / parts,
      mayEnter,
      mayStay,
    );
    occupy(occupied, policies[part], 1);
  }
  return mergePolicies(policies);
}

/** Adds a position to the occupancy of its vaults, or removes it. */
function occupy(occupied: Occupancy, { first, steps }: Policy, by: number): void {
  let [vaultIndex, since] = [first.findIndex((value) => value > 0), 0];
  const stay = (until: number): void => {
    for (let at = since; at < until; at++) occupied[vaultIndex]![at]! += by;
  };
  for (const { at, arrives, to } of steps) {
    stay(at);
    [vaultIndex, since] = [to, arrives];
  }
  stay(occupied[vaultIndex]!.length);
}

/** Positions of equal size as one policy. */
function mergePolicies(policies: readonly Policy[]): Policy {
  const [{ first }] = policies as [Policy];
  const counts = first.map((_, index) => policies.filter((policy) => policy.first[index]! > 0).length);
  const flows = policies.flatMap(({ steps }) =>
    steps.flatMap((step) => [
      { at: step.at, step },
      ...(step.arrives > step.at ? [{ at: step.arrives, step: null, to: step.to }] : []),
    ]),
  );
  const steps: Step[] = [];
  for (const { step, ...arrival } of flows.toSorted((a, b) => a.at - b.at)) {
    if (step === null) {
      counts[arrival.to!]! += 1;
      continue;
    }
    steps.push({ ...step, fraction: 1 / counts[step.from]! });
    counts[step.from]! -= 1;
    if (step.arrives === step.at) counts[step.to]! += 1;
  }
  return {
    first: first.map((_, index) => policies.reduce((sum, policy) => sum + policy.first[index]!, 0)),
    steps,
  };
}

/**
 * Optimal policy that holds one vault at a time, at the same costs, by dynamic programming over the vault of each hour. Entering the first vault costs
 * nothing; funds that may not stay leave once there is a vault that they may enter.
 */
export function optimalPosition(
  growth: Growth,
  amount: number,
  mayEnter: MayEnter,
  mayStay: MayEnter = () => true,
): Policy {
  const { factors, costs, delays, hours } = growth;
  const vaultIndexes = factors.map((_, index) => index);
  // By vault and hour: the value before the hour's moves, and after its arrivals; and the source of the arrivals.
  const before = vaultIndexes.map(() => new Float64Array(hours + 1).fill(-Infinity));
  const after = vaultIndexes.map(() => new Float64Array(hours + 1).fill(-Infinity));
  const source = vaultIndexes.map(() => new Int16Array(hours + 1).fill(STAYED));
  for (let at = 0; at <= hours; at++) {
    for (const to of vaultIndexes) {
      before[to]![at] =
        at > 0 ? grow(growth, to, at - 1, after[to]![at - 1]!) : mayEnter(to, 0) ? amount : -Infinity;
    }
    for (const to of vaultIndexes) {
      let best = before[to]![at]!;
      for (const from of vaultIndexes) {
        const leftAt = at - delays[from]!;
        if (from === to || leftAt < 1) continue;
        const value = before[from]![leftAt]! - costs[from]![to]!;
        if (value > best && mayEnter(to, leftAt)) {
          best = value;
          source[to]![at] = from;
        }
      }
      after[to]![at] = best;
    }
    const barred =
      at === hours
        ? []
        : vaultIndexes.filter((vaultIndex) => source[vaultIndex]![at] === STAYED && !mayStay(vaultIndex, at));
    if (
      vaultIndexes.some((vaultIndex) => !barred.includes(vaultIndex) && after[vaultIndex]![at]! > -Infinity)
    )
      for (const vaultIndex of barred) after[vaultIndex]![at] = -Infinity;
  }
  const ends = vaultIndexes.map((vaultIndex) => after[vaultIndex]![hours]!);
  return tracePolicy(growth, amount, source, ends.indexOf(Math.max(...ends)));
}

function tracePolicy(growth: Growth, amount: number, source: readonly Int16Array[], end: number): Policy {
  const { costs, delays, hours } = growth;
  const steps: Step[] = [];
  let vaultIndex = end;
  for (let at = hours; at > 0;) {
    const from = source[vaultIndex]![at]!;
    if (from === STAYED) {
      at -= 1;
      continue;
    }
    const leftAt = at - delays[from]!;
    steps.unshift({
      at: leftAt,
      arrives: at,
      from,
      to: vaultIndex,
      fraction: 1,
      cost: costs[from]![vaultIndex]!,
    });
    // The value before that hour's moves was in the vault in the previous hour.
    [vaultIndex, at] = [from, leftAt - 1];
  }
  return { first: initialAmounts(growth, vaultIndex, amount), steps };
}
