import { RATE_SCALE, rateDifference, scaledRate } from '../../kernel/rate.js';
import { floorDivide, HOURS_PER_YEAR } from '../../markets/vaults/yield-index.js';
import type { Decision } from './decision.js';
import type { Candidate, Micro, RoutingConstants } from './gates.js';

/** Gain of a move over a horizon, at today's rates. Micro-units, rounded down. */
export interface MoveEstimate {
  horizonDays: number;
  /** `A * delta * H / 365`, less what the funds would have earned while in transit. */
  gain: bigint;
  /** Net present value: gain less cost. */
  npv: bigint;
}

export interface MoveTerms {
  /** Micro-units. */
  amount: bigint;
  /** Additional APY, a fraction; rounded to 1e-12. */
  delta: number;
  /** Current APY, a fraction. */
  currentRate: number;
  /** Micro-units. */
  cost: bigint;
  horizonDays: number;
  /** Hours in transit, during which the funds earn nothing. */
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
 * Rate that an amount would get in a vault that it is not in yet: the expected risk-adjusted APY, diluted by `TVL / (TVL + A)` in a pool, since
 * borrowers pay no more interest for more deposits.
 * @param amount micro-units
 * @returns APY, a fraction; null: insufficient history
 */
export const rateFor = (candidate: Candidate, amount: bigint): number | null =>
  diluted(candidate.riskAdjustedApy, candidate, amount);

/**
 * Rate for cash: the same, but with the last observed APY for a vault with insufficient history.
 * @returns APY, a fraction; null: no observation
 */
export const firstRateFor = (candidate: Candidate, amount: bigint): number | null =>
  rateFor(candidate, amount) ?? diluted(candidate.apy, candidate, amount);

function diluted(rate: number | null, { dilution, tvl: known }: Candidate, amount: bigint): number | null {
  if (rate === null || dilution === 'none' || known === null) return rate;
  const tvl = BigInt(known);
  // Adding 0 turns -0, which JSON does not have, into 0.
  return tvl > 0n ? rate * (Number(tvl) / Number(tvl + amount)) + 0 : rate;
}

/**
 * Promise of a move: its net present value by the forecasts of the two vaults from their newest observations. It uses no risk-adjusted rates, because
 * these deduct a haircut, and none of the averages, because these lag so that a spike of an hour moves nothing; an outcome has neither.
 *
 * @param to null: cash
 * @param from null: cash
 * @param horizonDays days over which the move has to earn its gain
 * @returns micro-units; null where one of the forecasts is not known
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

/** Promise of a decision's move. @returns micro-units; null where one of the forecasts is not known */
export function promiseOf({ inputs, fromVaultId, toVaultId, expectedUplift }: Decision): bigint | null {
  const candidate = (id: string | null): Candidate | null =>
    inputs.candidates.find(({ vaultId }) => vaultId === id) ?? null;
  const { cost, horizonDays } = expectedUplift;
  const [to, from] = [candidate(toVaultId), candidate(fromVaultId)];
  return promiseInto(to, from, cost, BigInt(inputs.amount), horizonDays, inputs.constants);
}

/** Current place of the funds, for a move out of it. */
export interface Leaving {
  /** Current APY, a fraction; null: unknown. */
  rate: number | null;
  /** Risk-adjusted APY at its long average; null or absent: unknown, or cash. */
  lastingRate?: number | null | undefined;
  /** Absent: cash, which leaves at once. */
  exitDelayHours?: number | undefined;
}

/**
 * @param current null: cash, or a deposit
 * @param rate current APY of the funds, a fraction
 */
export const leavingOf = (current: Candidate | null, rate: number | null): Leaving => ({
  rate,
  lastingRate: current?.lastingApy,
  exitDelayHours: current?.exitDelayHours,
});

/**
 * Gain of a move at the rate that an amount would get in another vault.
 * @param rate fraction; null: unknown
 * @returns null when one of the rates is unknown
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
 * Gain of a move: over the horizon, or by its lasting part over the longer horizon, whichever is larger. The lasting part is the smaller of two
 * differences, of expected APYs and of long averages, both above 0: it remains after yields have reverted to their means. A vault that these funds
 * left within the window of `return` has none.
 * @param rate APY that the amount would get in the other vault, a fraction; null: unknown
 * @returns null when one of the rates is unknown
 */
export function bestEstimateInto(
  candidate: Candidate,
  rate: number | null,
  leaving: Leaving,
  amount: bigint,
  { horizonDays, lastingHorizonDays, returnHours }: Horizons,
): MoveEstimate | null {
  const estimate = estimateInto(candidate, rate, leaving, amount, horizonDays);
  // A vault left within the last week had no lasting advantage.
  if (candidate.hoursSinceLeft !== null && candidate.hoursSinceLeft < returnHours) return estimate;
  const delta = deltaOver(rate, leaving.rate);
  const lasting = deltaOver(diluted(candidate.lastingApy, candidate, amount), leaving.lastingRate ?? null);
  if (estimate === null || delta === null || lasting === null) return estimate;
  const smaller = Math.min(delta, lasting);
  if (smaller <= 0) return estimate;
  const inTheEnd = estimateInto(candidate, leaving.rate! + smaller, leaving, amount, lastingHorizonDays)!;
  return inTheEnd.npv > estimate.npv ? inTheEnd : estimate;
}

/** @returns null when one of the two is unknown */
export const deltaOver = (rate: number | null, current: number | null): number | null =>
  rate === null || current === null ? null : rateDifference(rate, current);
