import { RATE_SCALE, scaledRate } from '../../kernel/money.js';
import { floorDivide } from '../vaults/yield-index.js';

export interface RealizedGain {
  routedValue: bigint;
  baselineValue: bigint;
  /** Uplift that was settled by withdrawals, signed. */
  settledUplift: bigint;
  /** Cost of moves; the baselines have none. */
  costs: bigint;
  capital: Capital;
}

/** Time-weighted capital. */
export interface Capital {
  /** Net principal of open positions, micro-units. */
  principal: bigint;
  /** Sum of each change of the principal times its time, in milliseconds since 1970. */
  moment: bigint;
  /** Time of the first deposit; null: there was none. */
  firstAt: Date | null;
}

export interface RealizedUplift {
  /** `V(routed) - V(baseline) + settled`, net of costs; micro-units, signed. */
  uplift: bigint;
  /** `uplift + costs`: the uplift if moves were free. */
  grossUplift: bigint;
  /** Uplift relative to the time-weighted capital, a fraction; null without capital. */
  upliftPct: number | null;
}

/** @param since the same at the beginning of the period; null: of all time */
export function realizedUplift(
  realized: RealizedGain,
  now: Date,
  since: (RealizedGain & { at: Date }) | null = null,
): RealizedUplift {
  const uplift = upliftOf(realized) - (since === null ? 0n : upliftOf(since));
  const average = averageCapital(realized.capital, now, since);
  return {
    uplift,
    grossUplift: uplift + realized.costs - (since?.costs ?? 0n),
    upliftPct: average === null ? null : Number(uplift) / average,
  };
}

const upliftOf = ({ routedValue, baselineValue, settledUplift }: RealizedGain): bigint =>
  routedValue - baselineValue + settledUplift;

/** Unit-days over the days since the first deposit or the beginning of the period; micro-units. Null when no capital was held for any time. */
function averageCapital(
  capital: Capital,
  now: Date,
  since: (Pick<RealizedGain, 'capital'> & { at: Date }) | null,
): number | null {
  const { firstAt } = capital;
  if (firstAt === null || now <= firstAt) return null;
  const begun = since === null ? firstAt.getTime() : Math.max(since.at.getTime(), firstAt.getTime());
  const unitTime = unitTimeOf(capital, now) - (since === null ? 0n : unitTimeOf(since.capital, since.at));
  return unitTime > 0n ? Number(unitTime) / (now.getTime() - begun) : null;
}

function unitTimeOf({ principal, moment }: Capital, at: Date): bigint {
  return principal * BigInt(at.getTime()) - moment;
}

export const PROJECTION_DAYS = 365;

/** Uplift after `PROJECTION_DAYS`, rounded down: `value * (routed - baseline)` by the blended expected APYs; null when either is unknown. */
export function projectedUplift(
  value: bigint,
  routedApy: number | null,
  baselineApy: number | null,
): bigint | null {
  if (routedApy === null || baselineApy === null) return null;
  return floorDivide(value * scaledRate(routedApy - baselineApy), RATE_SCALE);
}
