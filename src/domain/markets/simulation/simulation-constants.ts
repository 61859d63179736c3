const MILLION = 10n ** 12n;

/** Rates are fractions, durations hours. */
export const SIMULATION_CONSTANTS = {
  /**
   * Rate curves of lending markets by risk tier, which bend at the kink of utilisation. The low tier's slopes are those of a large USDC lending market;
   * the others are proportionally steeper. `spikesAYear`: spikes of utilisation above the kink that begin.
   */
  curves: {
    low: {
      kink: 0.8,
      slopeBelow: 0.0325,
      slopeAbove: 0.4,
      meanUtilisation: 0.78,
      assets: 120n * MILLION,
      spikesAYear: 150,
    },
    medium: {
      kink: 0.85,
      slopeBelow: 0.048,
      slopeAbove: 1.6,
      meanUtilisation: 0.8,
      assets: 60n * MILLION,
      spikesAYear: 100,
    },
    high: {
      kink: 0.9,
      slopeBelow: 0.059,
      slopeAbove: 2.9,
      meanUtilisation: 0.86,
      assets: 20n * MILLION,
      spikesAYear: 60,
    },
  },
  /** Three parts of logit utilisation, each of a third of its variance: days, a week, and a level of months. */
  halfLifeHours: 72,
  weekHalfLifeHours: 168,
  levelHalfLifeHours: 1_440,
  /** Of logit utilisation, without spikes. */
  deviation: 0.5,
  /** Probability that a spike ends in an hour: half of them last 3 hours or less, nine of ten 8 or less. */
  spikeEnds: 0.25,
  /** Heights of spikes, as parts of the way from the kink to full utilisation. */
  spikeLeast: 0.02,
  spikeMost: 0.5,
  jump: 1,
  /** Factors of the hourly noise. */
  calmNoise: 0.25,
  volatileNoise: 6,
  volatileHours: 24,
  /** Logits a day by which the mean moves in `rising` and `falling`. */
  driftPerDay: 0.4,
  driftDays: 8,
  outageHours: 30,
  /** Mean reversion of the logarithm of assets. */
  sizeHalfLifeHours: 240,
  sizeDeviation: 0.1,
  lossPerMille: 50n,
  /** Share of the assets that a run leaves. */
  runLeaves: 0.3,
  runHours: 12,
  /** `failing`: share of the assets that leave no more, hours until the loss, and until all is lent out; the loss, per thousand of the index. */
  failLeaves: 0.15,
  failHours: 168,
  failFullHours: 120,
  failLossPerMille: 400n,
  /** Longer than until an order lapses. */
  stalledHours: 30,
  queueHours: 24,
};
export type SimulationConstants = typeof SIMULATION_CONSTANTS;
type Curve = SimulationConstants['curves']['low'];

/** APY of a utilisation of 0..1, rounded to 1e-10: `slopeBelow` for each unit up to the kink, `slopeAbove` beyond it. */
export function supplyApy({ kink, slopeBelow, slopeAbove }: Curve, utilisation: number): number {
  const rate = slopeBelow * Math.min(utilisation, kink) + slopeAbove * Math.max(utilisation - kink, 0);
  return Math.round(rate * 1e10) / 1e10;
}

/* Replacements of `Math.exp` and `Math.log`, whose last bit IEEE 754 does not fix: they use only `+ - * /`. */

export const LN_2 = 0.6931471805599453;

/** e^x to about 1e-15 of itself: x = k ln 2 + r, |r| <= 0.35, the Taylor series of r. */
export function exponential(x: number): number {
  const doublings = Math.round(x / LN_2);
  const remainder = x - doublings * LN_2;
  let sum = 1;
  for (let term = 16; term > 0; term--) sum = 1 + (sum * remainder) / term;
  for (let count = Math.abs(doublings); count > 0; count--) sum *= doublings > 0 ? 2 : 0.5;
  return sum;
}

/** ln x to about 1e-15, x above 0: x = 2^k m, m in 0.75..1.5, the series of 2 artanh((m - 1) / (m + 1)). */
export function logarithm(x: number): number {
  let doublings = 0;
  for (; x >= 1.5; x /= 2) doublings++;
  for (; x < 0.75; x *= 2) doublings--;
  const t = (x - 1) / (x + 1);
  let sum = 0;
  for (let power = 27; power > 0; power -= 2) sum = sum * t * t + 1 / power;
  return doublings * LN_2 + 2 * t * sum;
}
