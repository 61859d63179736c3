import { RATE_SCALE, rateDifference, scaledRate } from '../rate.js';
import { floorDivide, HOURS_PER_YEAR } from '../vaults/yield-index.js';
import type { Decision } from './decision.js';
import type { Candidate, Micro, RoutingConstants } from './gates.js';

/** What a move brings over a horizon, at today's rates. Micro-units, rounded down. */
export interface MoveEstimate {
  horizonDays: number;
  /** `A * delta * H / 365`, less what the funds would have earned while they are on the way. */
  gain: bigint;
  /** Net present value: the gain less the cost. */
  npv: bigint;
}

export interface MoveTerms {
  /** Micro-units. */
  amount: bigint;
  /** What the funds would earn more, a year; taken to 1e-12. */
  delta: number;
  /** What they earn where they are, a year. */
  currentRate: number;
  /** Micro-units. */
  cost: bigint;
  horizonDays: number;
  /** Hours from leaving the current vault until the funds earn again. */
  delayHours: number;
}

export function estimateMove(terms: MoveTerms): MoveEstimate {
  const { amount, delta, currentRate, cost, horizonDays, delayHours } = terms;
  const rateHours =
    scaledRate(delta) * BigInt(horizonDays * 24) - scaledRate(currentRate) * BigInt(delayHours);
  const gain = floorDivide(amount * rateHours, BigInt(HOURS_PER_YEAR) * RATE_SCALE);
  return { horizonDays, gain, npv: gain - cost };
}

/**
 * The rate that an amount finds in a vault that it is not in yet: the risk-adjusted APY, and of a pool `TVL / (TVL + A)` of it, as borrowers pay
 * no more interest for more deposits.
 *
 * @param amount micro-units
 * @returns fraction a year; null: history is insufficient
 */
export const rateFor = (candidate: Candidate, amount: bigint): number | null =>
  diluted(candidate.riskAdjustedApy, candidate, amount);

/** What cash would earn: the same, and of a vault whose history is insufficient what was observed last. @returns fraction a year; null: nothing was */
export const firstRateFor = (candidate: Candidate, amount: bigint): number | null =>
  rateFor(candidate, amount) ?? diluted(candidate.apy, candidate, amount);

function diluted(rate: number | null, { dilution, tvl: known }: Candidate, amount: bigint): number | null {
  if (rate === null || dilution === 'none' || known === null) return rate;
  const tvl = BigInt(known);
  // Plus 0: never -0, which JSON does not know.
  return tvl > 0n ? rate * (Number(tvl) / Number(tvl + amount)) + 0 : rate;
}

/**
 * What a move promises: its net present value by what is expected of the two vaults from where they are now. A rate is less, as a risk counts against a
 * vault, and is made of averages, as an hour's spike is to move nothing; an outcome knows of neither.
 *
 * @param to null: cash
 * @param from null: cash
 * @param horizonDays over which the move is to bring its gain
 * @returns micro-units; null where a yield that is expected is not known
 */
export function promiseInto(
  to: Candidate | null,
  from: Candidate | null,
  cost: Micro,
  amount: bigint,
  horizonDays: number,
  constants: Pick<RoutingConstants, 'horizonDays'>,
): bigint | null {
  const promised = horizonDays === constants.horizonDays ? 'promisedApy' : 'promisedLastingApy';
  const rate = to ? diluted(to[promised], to, amount) : 0;
  const leaving = { rate: from ? from[promised] : 0, exitDelayHours: from?.exitDelayHours };
  return estimateInto({ cost }, rate, leaving, amount, horizonDays)?.npv ?? null;
}

/** What a move of a decision promises. @returns as above */
export function promiseOf({ inputs, fromVaultId, toVaultId, expectedUplift }: Decision): bigint | null {
  const candidate = (id: string | null): Candidate | null =>
    inputs.candidates.find(({ vaultId }) => vaultId === id) ?? null;
  const { cost, horizonDays } = expectedUplift;
  const [to, from] = [candidate(toVaultId), candidate(fromVaultId)];
  return promiseInto(to, from, cost, BigInt(inputs.amount), horizonDays, inputs.constants);
}

/** Where the funds are, as a move out of it finds it. */
export interface Leaving {
  /** What they earn there, fraction a year; null: not known. */
  rate: number | null;
  /** What its long average would leave of it; null or absent: not known, or cash. */
  lastingRate?: number | null | undefined;
  /** Absent: cash, which goes at once. */
  exitDelayHours?: number | undefined;
}

/** @param current null: cash, or a deposit @param rate what the funds earn there, fraction a year */
export const leavingOf = (current: Candidate | null, rate: number | null): Leaving => ({
  rate,
  lastingRate: current?.lastingApy,
  exitDelayHours: current?.exitDelayHours,
});

/**
 * What a move brings at the rate that an amount finds in another vault.
 *
 * @param rate fraction a year; null: not known
 * @returns null where one of the rates is not known
 */
export function estimateInto(
  { cost }: Pick<Candidate, 'cost'>,
  rate: number | null,
  { rate: currentRate, exitDelayHours = 0 }: Leaving,
  amount: bigint,
  horizonDays: number,
): MoveEstimate | null {
  const delta = deltaOver(rate, currentRate);
  if (delta === null || currentRate === null) return null;
  const delayHours = exitDelayHours;
  return estimateMove({ amount, delta, currentRate, cost: BigInt(cost), horizonDays, delayHours });
}

type Horizons = Pick<RoutingConstants, 'horizonDays' | 'lastingHorizonDays' | 'returnHours'>;

/**
 * What a move out of a vault brings: over the horizon, or by what lasts, whichever leaves more. What lasts is the smaller of two differences, that of what is expected and that
 * of the long averages, both above 0: it goes on when yields have returned to those, so that the longer horizon is its own. A vault that these funds left within the window of `return` has none.
 *
 * @param rate that the amount finds in the other vault, fraction a year; null: not known
 * @returns null where one of the rates is not known
 */
export function bestEstimateInto(
  candidate: Candidate,
  rate: number | null,
  leaving: Leaving,
  amount: bigint,
  { horizonDays, lastingHorizonDays, returnHours }: Horizons,
): MoveEstimate | null {
  const estimate = estimateInto(candidate, rate, leaving, amount, horizonDays);
  // What was left as little as a week ago did not last.
  if (candidate.hoursSinceLeft !== null && candidate.hoursSinceLeft < returnHours) return estimate;
  const delta = deltaOver(rate, leaving.rate);
  const lasting = deltaOver(diluted(candidate.lastingApy, candidate, amount), leaving.lastingRate ?? null);
  if (estimate === null || delta === null || lasting === null) return estimate;
  const smaller = Math.min(delta, lasting);
  if (smaller <= 0) return estimate;
  const inTheEnd = estimateInto(candidate, leaving.rate! + smaller, leaving, amount, lastingHorizonDays)!;
  return inTheEnd.npv > estimate.npv ? inTheEnd : estimate;
}

/** @returns null where one of the two is not known */
export const deltaOver = (rate: number | null, current: number | null): number | null =>
  rate === null || current === null ? null : rateDifference(rate, current);
