import type { RiskTier } from '../../kernel/catalogue/vault.js';

/** Rate curve of a lending market by risk tier. Rates are fractions. */
export interface Curve {
  /** Utilisation at which the curve bends. */
  kink: number;
  /** APY for each unit of utilisation below the kink, and for each above it. */
  slopeBelow: number;
  slopeAbove: number;
  meanUtilisation: number;
  /** Micro-units. */
  tvl: bigint;
}

export interface SimulationConstants {
  /** The low tier's slopes are those of a large USDC lending market; the others are proportionally steeper. */
  curves: Record<RiskTier, Curve>;
  /** Half-life of mean reversion in hours. */
  halfLifeHours: number;
  /** Standard deviation of logit utilisation, without jumps. */
  deviation: number;
  /** Size of a jump in logits. */
  jump: number;
  /** Probability of a jump in an hour. */
  jumpChance: number;
  /** Factors of the hourly noise; `volatile` also begins with a jump, which takes rates to the steep part of the curve. */
  calmNoise: number;
  volatileNoise: number;
  volatileHours: number;
  /** Logits a day by which the mean moves in `rising` and `falling`, and the number of days. */
  driftPerDay: number;
  driftDays: number;
  outageHours: number;
  /** Mean reversion of TVL: half-life in hours, and standard deviation of its logarithm. */
  tvlHalfLifeHours: number;
  tvlDeviation: number;
  /** Loss in one hour, per thousand of the index. */
  lossPerMille: bigint;
  /** Share of the TVL that a run leaves, and its duration in hours. */
  runLeaves: number;
  runHours: number;
}

const MILLION = 10n ** 12n;

export const SIMULATION_CONSTANTS: SimulationConstants = {
  curves: {
    low: { kink: 0.8, slopeBelow: 0.0325, slopeAbove: 0.4, meanUtilisation: 0.78, tvl: 120n * MILLION },
    medium: { kink: 0.85, slopeBelow: 0.048, slopeAbove: 1.6, meanUtilisation: 0.8, tvl: 60n * MILLION },
    high: { kink: 0.9, slopeBelow: 0.059, slopeAbove: 2.9, meanUtilisation: 0.86, tvl: 20n * MILLION },
  },
  halfLifeHours: 72,
  deviation: 0.35,
  jump: 1,
  jumpChance: 1 / 720,
  calmNoise: 0.25,
  volatileNoise: 6,
  volatileHours: 24,
  driftPerDay: 0.4,
  driftDays: 8,
  outageHours: 30,
  tvlHalfLifeHours: 240,
  tvlDeviation: 0.1,
  lossPerMille: 50n,
  runLeaves: 0.3,
  runHours: 12,
};

/**
 * `slopeBelow * u` up to the kink, beyond it `slopeAbove` for each further unit.
 * @param utilisation 0..1
 * @returns APY, a fraction, rounded to 1e-10
 */
export function supplyApy({ kink, slopeBelow, slopeAbove }: Curve, utilisation: number): number {
  const rate = slopeBelow * Math.min(utilisation, kink) + slopeAbove * Math.max(utilisation - kink, 0);
  return Math.round(rate * 1e10) / 1e10;
}
