import { allIn, grown, type Growth, type Policy, type Step } from './growth.js';

export type MayEnter = (vaultIndex: number, at: number) => boolean;

/** Positions in each place, by place and hour. */
export type Occupancy = readonly Uint8Array[];

const STAYED = -1;
/** Passes in which each part is placed anew beside the others. */
const PASSES = 2;

/**
 * The optimum of an amount in equal positions, each found beside the others: what it takes from them by dilution counts against it. With several it is
 * close to the most that could have been made.
 * @param limits whether one more position may enter a place, or stay, beside those that are there
 */
export function clairvoyantOf(
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
    policies[part] = clairvoyant(
      { ...growth, remainingGain: gainBesideOthers },
      amount / parts,
      mayEnter,
      mayStay,
    );
    occupy(occupied, policies[part], 1);
  }
  return together(policies);
}

/** Adds a position to the places that it is in, or removes it. */
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
function together(policies: readonly Policy[]): Policy {
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
 * The most that holding one vault at a time could have made at the same costs, by dynamic programming over the place of each hour. Entering the first
 * vault costs nothing; funds that may not stay leave when there is a place that they may enter.
 */
export function clairvoyant(
  growth: Growth,
  amount: number,
  mayEnter: MayEnter,
  mayStay: MayEnter = () => true,
): Policy {
  const { factors, costs, delays, hours } = growth;
  const places = factors.map((_, index) => index);
  // By hour and place: the value before moves of that hour, and after arrivals; and where those arrivals came from.
  const before = places.map(() => new Float64Array(hours + 1).fill(-Infinity));
  const after = places.map(() => new Float64Array(hours + 1).fill(-Infinity));
  const source = places.map(() => new Int16Array(hours + 1).fill(STAYED));
  for (let at = 0; at <= hours; at++) {
    for (const to of places) {
      before[to]![at] =
        at > 0 ? grown(growth, to, at - 1, after[to]![at - 1]!) : mayEnter(to, 0) ? amount : -Infinity;
    }
    for (const to of places) {
      let top = before[to]![at]!;
      for (const from of places) {
        const leftAt = at - delays[from]!;
        if (from === to || leftAt < 1) continue;
        const value = before[from]![leftAt]! - costs[from]![to]!;
        if (value > top && mayEnter(to, leftAt)) {
          top = value;
          source[to]![at] = from;
        }
      }
      after[to]![at] = top;
    }
    const barred =
      at === hours
        ? []
        : places.filter((vaultIndex) => source[vaultIndex]![at] === STAYED && !mayStay(vaultIndex, at));
    if (places.some((vaultIndex) => !barred.includes(vaultIndex) && after[vaultIndex]![at]! > -Infinity))
      for (const vaultIndex of barred) after[vaultIndex]![at] = -Infinity;
  }
  const ends = places.map((vaultIndex) => after[vaultIndex]![hours]!);
  return traced(growth, amount, source, ends.indexOf(Math.max(...ends)));
}

function traced(growth: Growth, amount: number, source: readonly Int16Array[], end: number): Policy {
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
    // Its value before the moves of that hour is what stayed there in the hour before.
    [vaultIndex, at] = [from, leftAt - 1];
  }
  return { first: allIn(growth, vaultIndex, amount), steps };
}
