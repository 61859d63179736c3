/** What a unit becomes in each vault, hour by hour, and what a move between vaults costs. Places are those of the vaults; the last one is cash. */
export interface Growth {
  /** By place and hour: the growth factor from that hour to the next, without own money. */
  factors: readonly Float64Array[];
  /** Costs by source place and destination place, in whole units. */
  costs: readonly (readonly number[])[];
  /** Hours from leaving a place until the funds are elsewhere. */
  delays: readonly number[];
  hours: number;
  lending: number;
  /** Part of a gain that is left beside an amount of own money; absent: all of it. */
  left?: (place: number, at: number, amount: number) => number;
}

/** A move of a fraction of the funds in a place. */
export interface Step {
  /** Hours since the beginning, of leaving and of arriving. */
  at: number;
  arrives: number;
  from: number;
  to: number;
  fraction: number;
  cost: number;
}

/** A way to manage an amount: what is in each place at first, in whole units, and the moves. */
export interface Policy {
  first: readonly number[];
  steps: readonly Step[];
}

export const allIn = ({ factors }: Growth, place: number, amount: number): number[] =>
  factors.map((_, one) => (one === place ? amount : 0));

/** The value of funds in a place an hour later. */
export function grown({ factors, left }: Growth, place: number, at: number, value: number): number {
  const gain = factors[place]![at]! - 1;
  // A loss is shared by all deposits alike.
  if (!left || gain <= 0 || value <= 0) return value * (1 + gain);
  return value * (1 + gain * left(place, at, value));
}

export interface Replay {
  /** At each hour, the last one included. */
  values: Float64Array;
  value: number;
  costs: number;
  /** Hours with funds, by place; those in transit are cash. */
  held: number[];
}

export function replayed(growth: Growth, { first, steps }: Policy): Replay {
  const { hours } = growth;
  const places = [...first];
  const held = first.map(() => 0);
  const values = new Float64Array(hours + 1);
  let inTransit: { arrives: number; to: number; value: number }[] = [];
  let [next, costs] = [0, 0];
  for (let at = 0; at <= hours; at++) {
    for (const { to, value } of inTransit.filter(({ arrives }) => arrives === at)) places[to]! += value;
    inTransit = inTransit.filter(({ arrives }) => arrives > at);
    for (; next < steps.length && steps[next]!.at === at; next++) {
      const { from, to, fraction, cost, arrives } = steps[next]!;
      const moved = places[from]! * fraction;
      places[from]! -= moved;
      if (arrives > at) inTransit.push({ arrives, to, value: moved - cost });
      else places[to]! += moved - cost;
      costs += cost;
    }
    values[at] =
      places.reduce((sum, one) => sum + one, 0) + inTransit.reduce((sum, { value }) => sum + value, 0);
    if (at === hours) break;
    for (const [place, value] of places.entries()) {
      if (value > 0) held[place]! += 1;
      places[place] = grown(growth, place, at, value);
    }
    if (inTransit.length > 0) held[held.length - 1]! += 1;
  }
  return { values, value: values[hours]!, costs, held };
}

/**
 * A policy that holds everything in one place, chosen anew each hour from what was observed up to that hour.
 * @param choose asked when no funds are in transit
 */
export function following(
  growth: Growth,
  amount: number,
  first: number,
  choose: (at: number, current: number) => number,
): Policy {
  const { costs, delays, hours } = growth;
  const steps: Step[] = [];
  let [current, arrived] = [first, 0];
  for (let at = 1; at < hours; at++) {
    const to = at < arrived ? current : choose(at, current);
    if (to === current) continue;
    arrived = at + delays[current]!;
    steps.push({ at, arrives: arrived, from: current, to, fraction: 1, cost: costs[current]![to]! });
    current = to;
  }
  return { first: allIn(growth, first, amount), steps };
}
