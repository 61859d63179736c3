import { RATE_SCALE, rateDifference, scaledRate } from '../../kernel/money.js';
import { floorDivide, HOURS_PER_YEAR } from '../../markets/vaults/yield-index.js';
import type { Decision, Candidate, Micro } from './decision.js';
import type { RoutingConstants } from './routing-constants.js';

/** Gain of a move over a horizon, at today's rates. Micro-units, rounded down. */
export interface MoveEstimate {
  horizonDays: number;
  /** `A * delta * H / 365`, less what the funds would have earned while in transit. */
  gain: bigint;
  /** Net present value: gain less cost. */
  npv: bigint;
}

export interface MoveTerms {
  amount: bigint;
  /** Additional APY, a fraction; rounded to 1e-12. */
  delta: number;
  currentRate: number;
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

type Kink = Pick<RoutingConstants, 'kink'>;

/**
 * APY (a fraction) that an amount of micro-units would get in a vault that it enters: the expected risk-adjusted APY after dilution, less what the
 * service's funds there lose by it. Null: insufficient history.
 */
export const rateFor = (candidate: Candidate, amount: bigint, constants: Kink): number | null =>
  diluted(candidate.riskAdjustedApy, candidate, amount, constants);

/** Rate for cash: the same, but with the last observed APY for a vault with insufficient history. @returns APY, a fraction; null: no observation */
export const firstRateFor = (candidate: Candidate, amount: bigint, constants: Kink): number | null =>
  rateFor(candidate, amount, constants) ?? diluted(candidate.apy, candidate, amount, constants);

/**
 * Rate at which an amount that enters a vault, or leaves it if negative, changes the service's earnings there: its own rate, less what the service's
 * other funds lose by dilution.
 */
export function diluted(
  rate: number | null,
  candidate: Candidate,
  amount: bigint,
  { kink }: Kink,
): number | null {
  if (rate === null || candidate.dilution === 'none' || rate <= 0) return rate;
  const moved = Number(amount);
  // Adding 0 turns -0, which JSON does not have, into 0.
  return (rate * effectiveAmount(moved, candidate, kink)) / moved + 0;
}

/** Last results of `effectiveAmount`, for funds that enter and for funds that leave: about ten rates of a candidate are computed in a row. */
const newest: (DilutedGain | undefined)[] = [];
interface DilutedGain {
  candidate: Candidate;
  moved: number;
  kink: number;
  at: number;
}

/** Amount which, at the undiluted rate, would change the service's earnings as much as the moved one does. */
function effectiveAmount(moved: number, candidate: Candidate, kink: number): number {
  const way = moved < 0 ? 1 : 0;
  const cached = newest[way];
  if (cached?.candidate === candidate && cached.moved === moved && cached.kink === kink) return cached.at;
  const planned = Number(candidate.inflow);
  const before = dilutionFactor(candidate, planned, kink);
  const after = dilutionFactor(candidate, planned + moved, kink);
  const holdings = Math.max(0, Number(candidate.ours));
  const at = after * (holdings + moved) - before * holdings;
  newest[way] = { candidate, moved, kink, at };
  return at;
}

/** Part of a vault's deposits that remains at least, whatever the service takes out. */
const MIN_REMAINDER = 0.1;

/**
 * Part of a vault's rate that remains after an inflow which its last reading does not include: `S / (S + A)`, since borrowers pay no more interest
 * for more deposits. Above the kink, where the rate follows the liquidity: `L / (L + A)`. Amounts in any one unit.
 */
export function dilutionFactor(
  { assets, liquidity }: { assets: number | Micro | null; liquidity: number | Micro | null },
  inflow: number,
  kink: number,
): number {
  const all = assets === null ? null : Number(assets);
  const free = liquidity === null ? null : Number(liquidity);
  const isTight = all !== null && free !== null && all > 0 && 1 - free / all > kink;
  const base = isTight ? free : (all ?? free);
  return base === null || base <= 0 ? 1 : base / Math.max(base * MIN_REMAINDER, base + inflow);
}

/**
 * Promise of a move in micro-units: the smallest of three forecasts of its gain, less its cost. The forecasts are by the newest observations of the
 * two vaults, by their means of 6 hours, so that a spike of an hour moves nothing, and the gain that chose the move. The first two have no haircut,
 * because an outcome has none. A null vault is cash; the promise is null if a forecast is unknown.
 */
export function promiseInto(
  to: Candidate | null,
  from: Candidate | null,
  cost: Micro,
  amount: bigint,
  { gain, horizonDays }: { gain: bigint | null; horizonDays: number },
  constants: Pick<RoutingConstants, 'horizonDays' | 'kink'>,
): bigint | null {
  const names =
    horizonDays === constants.horizonDays
      ? (['promisedApy', 'promisedShortApy'] as const)
      : (['promisedLastingApy', 'promisedShortLastingApy'] as const);
  const forecasts = names.map((name) => {
    const rate = to ? diluted(to[name], to, amount, constants) : 0;
    const leaving = {
      rate: from ? diluted(from[name], from, -amount, constants) : 0,
      exitDelayHours: from?.exitDelayHours,
    };
    return estimateInto({ cost: '0' }, rate, leaving, amount, horizonDays)?.gain ?? null;
  });
  const knownForecasts = forecasts.filter((forecast) => forecast !== null);
  if (knownForecasts.length < forecasts.length) return null;
  const smallest = [...knownForecasts, ...(gain === null ? [] : [gain])].reduce((a, b) => (b < a ? b : a));
  return smallest - BigInt(cost);
}

/** Promise of a decision's move. @returns micro-units; null if a forecast is unknown */
export function promiseOf({ inputs, fromVaultId, toVaultId, expectedUplift }: Decision): bigint | null {
  const candidate = (id: string | null): Candidate | null =>
    inputs.candidates.find(({ vaultId }) => vaultId === id) ?? null;
  const { cost, horizonDays, amount } = expectedUplift;
  const gain = amount === null ? null : BigInt(amount);
  const [to, from] = [candidate(toVaultId), candidate(fromVaultId)];
  return promiseInto(to, from, cost, BigInt(inputs.amount), { gain, horizonDays }, inputs.constants);
}

export interface ForgoneRates {
  rate: number | null;
  /** Risk-adjusted long-run average APY and mean APY of 72 hours; null or absent: unknown, or cash. */
  lastingRate?: number | null | undefined;
  steadyRate?: number | null | undefined;
  /** Absent: cash, which leaves at once. */
  exitDelayHours?: number | undefined;
}

/** What an amount earns where it is: the rates that the service would lose with it. @param current null: cash, or a deposit */
export const forgoneRates = (
  current: Candidate | null,
  isCash: boolean,
  amount: bigint,
  constants: Kink,
): ForgoneRates =>
  current === null
    ? { rate: isCash ? 0 : null }
    : {
        rate: diluted(current.riskAdjustedApy, current, -amount, constants),
        lastingRate: diluted(current.lastingApy, current, -amount, constants),
        steadyRate: diluted(current.steadyApy ?? null, current, -amount, constants),
        exitDelayHours: current.exitDelayHours,
      };

/**
 * Gain of a move at the rate that an amount would get in another vault.
 * @param rate fraction; null: unknown
 * @returns null when one of the rates is unknown
 */
export function estimateInto(
  { cost }: Pick<Candidate, 'cost'>,
  rate: number | null,
  { rate: currentRate, exitDelayHours = 0 }: ForgoneRates,
  amount: bigint,
  horizonDays: number,
): MoveEstimate | null {
  const delta = deltaOver(rate, currentRate);
  if (delta === null || currentRate === null) return null;
  const delayHours = exitDelayHours;
  return estimateMove({ amount, delta, currentRate, cost: BigInt(cost), horizonDays, delayHours });
}

/** Gain of cash that moves into a vault, over the horizon of cash. @returns null when its rate is unknown */
export const estimateOfCash = (
  candidate: Candidate,
  amount: bigint,
  constants: Kink & Pick<RoutingConstants, 'cashHorizonDays'>,
): MoveEstimate | null =>
  estimateInto(
    candidate,
    firstRateFor(candidate, amount, constants),
    { rate: 0 },
    amount,
    constants.cashHorizonDays,
  );

type Horizons = Pick<RoutingConstants, 'horizonDays' | 'lastingHorizonDays' | 'returnHours' | 'kink'>;

/**
 * Gain of a move: over the horizon, or by its lasting part over the longer horizon, whichever is larger. The lasting part is the smallest of three
 * differences, of expected APYs, of long-run averages and of means of 72 hours, if all are above 0: it remains after yields have reverted to their
 * means. A vault that these funds left within the window of `return` has none.
 * @param rate APY that the amount would get in the other vault, a fraction; null: unknown
 * @returns null when one of the rates is unknown
 */
export function bestEstimateInto(
  candidate: Candidate,
  rate: number | null,
  leaving: ForgoneRates,
  amount: bigint,
  constants: Horizons,
): MoveEstimate | null {
  const { horizonDays, lastingHorizonDays, returnHours } = constants;
  const estimate = estimateInto(candidate, rate, leaving, amount, horizonDays);
  // A vault that the funds left so recently had no lasting advantage.
  if (candidate.hoursSinceLeft !== null && candidate.hoursSinceLeft < returnHours) return estimate;
  const delta = deltaOver(rate, leaving.rate);
  const differenceOver = (apy: number | null, current: number | null = null): number | null =>
    deltaOver(diluted(apy, candidate, amount, constants), current);
  const lasting = differenceOver(candidate.lastingApy, leaving.lastingRate);
  const { steadyApy } = candidate;
  const steady = steadyApy === undefined ? lasting : differenceOver(steadyApy, leaving.steadyRate);
  if (estimate === null || delta === null || lasting === null || steady === null) return estimate;
  const smaller = Math.min(delta, lasting, steady);
  if (smaller <= 0) return estimate;
  const lastingEstimate = estimateInto(
    candidate,
    leaving.rate! + smaller,
    leaving,
    amount,
    lastingHorizonDays,
  )!;
  return lastingEstimate.npv > estimate.npv ? lastingEstimate : estimate;
}

/** @returns null when one of the two is unknown */
export const deltaOver = (rate: number | null, current: number | null): number | null =>
  rate === null || current === null ? null : rateDifference(rate, current);
