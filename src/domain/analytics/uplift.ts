import { RATE_SCALE, scaledRate } from '../rate.js';
import { floorDivide } from '../vaults/yield-index.js';

/** What a book came to, and what capital it was of. Amounts are micro-units. */
export interface Realized {
  routedValue: bigint;
  baselineValue: bigint;
  /** Uplift that withdrawals took with them, signed. */
  settledUplift: bigint;
  /** Of moves; the baselines have none. */
  costs: bigint;
  capital: Capital;
}

/** Principal over time: what was in, for how long. */
export interface Capital {
  /** Net principal of open positions, micro-units. */
  principal: bigint;
  /** Changes of the principal times milliseconds since 1970, summed. */
  moment: bigint;
  /** Of the first deposit; null: there was none. */
  firstAt: Date | null;
}

/** What routing has brought so far. */
export interface RealizedUplift {
  /** `V(routed) - V(baseline) + settled`, net of costs; micro-units, signed. */
  uplift: bigint;
  /** `uplift + costs`: what it would be were moves free. */
  grossUplift: bigint;
  /** Of the time-weighted capital, as a fraction; null where there is none. */
  upliftPct: number | null;
}

/** @param now of the market */
export function realizedUplift(
  { routedValue, baselineValue, settledUplift, costs, capital }: Realized,
  now: Date,
): RealizedUplift {
  const uplift = routedValue - baselineValue + settledUplift;
  const average = averageCapital(capital, now);
  return {
    uplift,
    grossUplift: uplift + costs,
    upliftPct: average === null ? null : Number(uplift) / average,
  };
}

/** Unit-days over the days since the first deposit. @returns micro-units; null where nothing was in for any time */
function averageCapital({ principal, moment, firstAt }: Capital, now: Date): number | null {
  if (firstAt === null || now <= firstAt) return null;
  const unitTime = principal * BigInt(now.getTime()) - moment;
  return unitTime > 0n ? Number(unitTime) / (now.getTime() - firstAt.getTime()) : null;
}

/** Days that a projection looks ahead. */
export const PROJECTION_DAYS = 365;

/**
 * The routed value at its own blended expected APY against the same value at the baseline's: `value * (routed - baseline)`.
 *
 * @param value routed, micro-units
 * @param routedApy fraction a year; null: history is insufficient
 * @param baselineApy fraction a year; null: history is insufficient
 * @returns micro-units after `PROJECTION_DAYS`, rounded down, signed; null where either rate is not known
 */
export function projectedUplift(
  value: bigint,
  routedApy: number | null,
  baselineApy: number | null,
): bigint | null {
  if (routedApy === null || baselineApy === null) return null;
  return floorDivide(value * scaledRate(routedApy - baselineApy), RATE_SCALE);
}
