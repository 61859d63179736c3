import { RATE_SCALE, rateDifference, scaledRate } from '../rate.js';
import { toUnits } from '../positions/amount.js';
import { floorDivide } from '../vaults/yield-index.js';

/** Micro-units as decimal digits, so that a decision is the same before and after it was JSON. */
export type Micro = string;

export interface RoutingConstants {
  /** Fraction a year. */
  minimumDelta: number;
  maximumBreakevenDays: number;
  /** Whole asset units, over the horizon and after the cost. */
  minimumNetGain: number;
  minimumHoursInVault: number;
  /** Hours after leaving a vault in which going back takes `returnDelta`, a fraction a year. */
  returnHours: number;
  returnDelta: number;
  /** Times the amount. */
  minimumTvlMultiple: number;
  /** Fraction of the target's TVL that may be this service's own, the amount included. */
  maximumShare: number;
  /** Hours since the last observation. */
  maximumGapHours: number;
  horizonDays: number;
}

/** A vault of the asset, as it was when the decision was made. */
export interface Candidate {
  vaultId: string;
  active: boolean;
  lendingBaseline: boolean;
  /** Fraction a year; null: nothing observed. */
  apy: number | null;
  /** Fraction a year; null: history is insufficient. Nothing is decided by it. Absent from decisions that were stored before it was kept. */
  expectedApy?: number | null;
  /** Fraction a year; null: history is insufficient. */
  riskAdjustedApy: number | null;
  /** null: the feed does not say. */
  tvl: Micro | null;
  /** Most that this service may hold in it; null: no bound. */
  capacity: Micro | null;
  /** What this service holds in it, before the decision: all partners together. */
  held: Micro;
  /** How much of it is of the partner whose funds are judged. Nothing is decided by it. Absent from decisions that were stored before it was kept. */
  own?: Micro;
  /** Of moving funds into it. */
  switchingCost: Micro;
  /** null: never observed. */
  hoursSinceObserved: number | null;
  /** Since these funds were last moved out of it; null: never. */
  hoursSinceLeft: number | null;
}

export type GateName =
  | 'active'
  | 'fresh'
  | 'history'
  | 'capacity'
  | 'tvl'
  | 'share'
  | 'delta'
  | 'breakeven'
  | 'net_gain'
  | 'time_in_vault'
  | 'return';

/** One condition of a decision. */
export interface Gate {
  gate: GateName;
  /**
   * delta, return: fraction a year. breakeven: days. net_gain, capacity: whole asset units. fresh, time_in_vault: hours. tvl: times the
   * amount. share: fraction. active, history: 1 or 0. null: not known, or never.
   */
  value: number | null;
  /** In the unit of the value; null: no bound applies. */
  threshold: number | null;
  passed: boolean;
}

/** What a move brings. Estimates at today's rates. */
export interface MoveEstimate {
  /** Micro-units, rounded down: `A * delta / 365`. */
  gainPerDay: bigint;
  /** `cost / (A * delta / 365)`, rounded up at 1e-6; null: never. */
  breakevenDays: number | null;
  /** Micro-units, rounded down: `A * delta * H / 365 - cost`. */
  expectedUplift: bigint;
}

const DAYS_OF_YEAR = 365n;

/**
 * @param amount micro-units
 * @param delta fraction a year, taken to 1e-12
 * @param cost micro-units
 */
export function estimateMove(amount: bigint, delta: number, cost: bigint, horizonDays: number): MoveEstimate {
  const yearly = amount * scaledRate(delta);
  const perYear = DAYS_OF_YEAR * RATE_SCALE;
  return {
    gainPerDay: floorDivide(yearly, perYear),
    breakevenDays:
      yearly > 0n ? Number(-floorDivide(-cost * perYear * 1_000_000n, yearly)) / 1_000_000 : null,
    expectedUplift: floorDivide(yearly * BigInt(horizonDays), perYear) - cost,
  };
}

/** What a deposit asks of a vault. @param amount micro-units, above 0 */
export function depositGates(candidate: Candidate, amount: bigint, constants: RoutingConstants): Gate[] {
  return [
    flag('active', candidate.active),
    fresh(candidate, constants),
    flag('history', candidate.riskAdjustedApy !== null),
    capacity(candidate, amount),
  ];
}

/** What a move asks of its target, whatever there is to gain. @param amount micro-units, above 0 */
export function targetGates(candidate: Candidate, amount: bigint, constants: RoutingConstants): Gate[] {
  const tvl = candidate.tvl === null ? null : BigInt(candidate.tvl);
  const multiple = tvl === null ? null : ratio(tvl, amount);
  const share = tvl === null ? null : ratio(BigInt(candidate.held) + amount, tvl + amount);
  return [
    flag('active', candidate.active),
    fresh(candidate, constants),
    capacity(candidate, amount),
    atLeast('tvl', multiple, constants.minimumTvlMultiple),
    atMost('share', share, constants.maximumShare),
  ];
}

/**
 * What a move asks of its gain and of what went before.
 *
 * @param delta fraction a year; null: one of the two risk-adjusted APYs is not known, so nothing is gained
 * @param hoursInVault hours that the funds have been where they are
 */
export function gainGates(
  candidate: Candidate,
  amount: bigint,
  delta: number | null,
  hoursInVault: number,
  constants: RoutingConstants,
): Gate[] {
  const move =
    delta === null
      ? null
      : estimateMove(amount, delta, BigInt(candidate.switchingCost), constants.horizonDays);
  const { hoursSinceLeft } = candidate;
  const returns = hoursSinceLeft !== null && hoursSinceLeft < constants.returnHours;
  return [
    atLeast('delta', delta, constants.minimumDelta),
    atMost('breakeven', move && move.breakevenDays, constants.maximumBreakevenDays),
    atLeast('net_gain', move && toUnits(move.expectedUplift), constants.minimumNetGain),
    atLeast('time_in_vault', hoursInVault, constants.minimumHoursInVault),
    returns
      ? atLeast('return', delta, constants.returnDelta)
      : { gate: 'return', value: delta, threshold: null, passed: true },
  ];
}

/** What the candidate would bring over where the funds are now, in risk-adjusted APY. @returns null where one is not known */
export function deltaOver(candidate: Candidate, current: Candidate): number | null {
  if (candidate.riskAdjustedApy === null || current.riskAdjustedApy === null) return null;
  return rateDifference(candidate.riskAdjustedApy, current.riskAdjustedApy);
}

const flag = (gate: GateName, value: boolean): Gate => atLeast(gate, Number(value), 1);

const fresh = ({ hoursSinceObserved }: Candidate, { maximumGapHours }: RoutingConstants): Gate =>
  atMost('fresh', hoursSinceObserved, maximumGapHours);

/** Judged in micro-units: whole units are for reading. */
function capacity({ held, capacity: bound }: Candidate, amount: bigint): Gate {
  const after = BigInt(held) + amount;
  return {
    gate: 'capacity',
    value: toUnits(after),
    threshold: bound === null ? null : toUnits(BigInt(bound)),
    passed: bound === null || after <= BigInt(bound),
  };
}

const atLeast = (gate: GateName, value: number | null, threshold: number): Gate => ({
  gate,
  value,
  threshold,
  passed: value !== null && value >= threshold,
});

const atMost = (gate: GateName, value: number | null, threshold: number): Gate => ({
  gate,
  value,
  threshold,
  passed: value !== null && value <= threshold,
});

/** Of micro-units; null where there is nothing to divide by. */
function ratio(part: bigint, whole: bigint): number | null {
  return whole > 0n ? Number(part) / Number(whole) : null;
}
