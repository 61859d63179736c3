import { VAULTS, type VaultName } from './golden.history.js';
import { yieldAt } from './golden.market.js';

/** Fractions of a year, by risk. */
const HAIRCUT = { low: 0.05, medium: 0.15 };
/** Hours: half-lives of the two averages, and of the way back from the one to the other; the horizon; a week. */
const [RECENT, LONG, RETURN, HORIZON, WEEK] = [6, 720, 72, 480, 168];

/** Fractions a year. */
export interface SheetSignal {
  expected: number;
  riskAdjusted: number;
}

/**
 * What is expected of a vault at a full hour, from all that was observed since hour 0: an average as one sum, in which an observation of k hours ago weighs
 * `2^(-k/half-life)` times as much as that of now, and the first one all that is left.
 */
export function signalAt(vault: VaultName, hour: number): SheetSignal {
  const observed = Array.from({ length: hour + 1 }, (_, index) => yieldAt(vault, index) / 100);
  const average = (halfLife: number): number => {
    const part = (ago: number): number => 2 ** (-ago / halfLife);
    return observed.reduce(
      (sum, apy, index) => sum + apy * (index === 0 ? part(hour) : part(hour - index) * (1 - part(1))),
      0,
    );
  };
  // The mean over the horizon of what decays to nothing by half in 72 hours.
  const share = (RETURN / Math.LN2 / HORIZON) * (1 - 2 ** (-HORIZON / RETURN));
  const expected = (1 - share) * average(LONG) + share * average(RECENT);
  const week = observed.slice(-WEEK);
  const mean = week.reduce((sum, apy) => sum + apy, 0) / week.length;
  const squares = week.filter((apy) => apy < mean).reduce((sum, apy) => sum + (mean - apy) ** 2, 0);
  const downside = Math.sqrt(squares / (week.length - 1));
  return { expected, riskAdjusted: expected * (1 - HAIRCUT[VAULTS[vault].riskTier]) - 0.1 * downside };
}
