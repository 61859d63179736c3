import { hash } from 'node:crypto';
import type { Observation } from '../vaults/feed.js';
import { addHours, hoursBetween } from '../vaults/hour.js';
import { RISK_TIERS, type Vault } from '../vaults/vault.js';
import type { SimulatedPlace } from '../vaults/vault-state.js';
import { exponential, LN_2, logarithm } from './exact-functions.js';
import { SIMULATION_CONSTANTS, type SimulationConstants, supplyApy } from './simulation-constants.js';

/** Micro-units a unit. */
const MICRO = 10n ** 6n;

export const SCENARIOS = ['calm', 'rising', 'falling', 'volatile', 'outage', 'loss', 'run'] as const;

/** Bends a market from an hour on. */
export interface Scenario {
  name: (typeof SCENARIOS)[number];
  /** The first UTC hour that it bends. */
  from: Date;
}

export type SimulatedVault = Pick<Vault, 'id' | 'asset' | 'riskTier' | 'lendingBaseline'>;

/** A vault at an hour. */
export interface SimulatedHour {
  hour: Date;
  place: SimulatedPlace;
  /** null: the feed is silent. */
  observation: Observation | null;
}

/** Which market a path is of. */
export interface SimulatedOrigin {
  seed: string;
  /** The market's first UTC hour: chance is drawn by the hours since, so that the same seed makes the same market at any time. */
  begunAt: Date;
  /** All of its vaults. */
  vaults: readonly SimulatedVault[];
}

/**
 * Vault paths that follow from a seed: an Ornstein-Uhlenbeck process on logit utilisation in exact hourly steps, with jumps, under a
 * kinked rate curve, and another one on the logarithm of TVL. The curve gives an APY.
 *
 * Same seed, same path, bit by bit on every machine: only `+ - * /`, square roots and SHA-256 are used, which IEEE 754 and FIPS 180
 * fix to the last bit. `Math.exp`, `log`, `cos` and `**` are not so fixed, and `x` feeds back, so they are not used; what stands in
 * for them is below. The APY is rounded to 1e-10 besides.
 */
export class SimulatedMarket {
  private readonly pull: number;
  private readonly noise: number;
  private readonly tvlPull: number;
  private readonly tvlNoise: number;
  /** Of each asset the vault that `loss` and `run` fall upon: the first one of the highest tier. */
  private readonly struck: ReadonlySet<string>;

  constructor(
    private readonly origin: SimulatedOrigin,
    private readonly constants: SimulationConstants = SIMULATION_CONSTANTS,
  ) {
    this.pull = exponential(-LN_2 / constants.halfLifeHours);
    this.noise = constants.deviation * Math.sqrt(1 - this.pull * this.pull);
    this.tvlPull = exponential(-LN_2 / constants.tvlHalfLifeHours);
    this.tvlNoise = constants.tvlDeviation * Math.sqrt(1 - this.tvlPull * this.tvlPull);
    this.struck = riskiest(origin.vaults);
  }

  /** A vault at its first hour: drawn from what the processes settle to. */
  begin(vault: SimulatedVault, hour: Date): SimulatedPlace {
    const { deviation, tvlDeviation } = this.constants;
    const { z, other } = this.draw(vault, hour);
    return { x: this.mean(vault) + deviation * z, size: tvlDeviation * other };
  }

  /**
   * An hour on. `x`: `m + (x - m) a + q z`, and now and then a jump. `size`: the same around 0; while a run takes it, that alone.
   *
   * @param hour the UTC hour that is reached
   * @param place of the same vault an hour before: all that is stored of a path
   * @param scenario as of `hour`; the hour before need not have had the same. After `rising` or `falling` the mean is the old one
   *   at once, and `x` returns to it in its own time
   */
  next(
    vault: SimulatedVault,
    hour: Date,
    { x, size }: SimulatedPlace,
    scenario: Scenario | null = null,
  ): SimulatedPlace {
    const { jump, jumpChance, runLeaves, runHours } = this.constants;
    const { z, other, uniform } = this.draw(vault, hour);
    const before = this.mean(vault) + this.drift(scenario, addHours(hour, -1));
    const now = this.mean(vault) + this.drift(scenario, hour);
    const calm = scenario?.name === 'calm' && isWithin(scenario, hour, Infinity);
    const jumps =
      (uniform < jumpChance && !calm) || (scenario?.name === 'volatile' && isWithin(scenario, hour, 1));
    const runs = scenario?.name === 'run' && this.struck.has(vault.id) && isWithin(scenario, hour, runHours);
    return {
      x: now + (x - before) * this.pull + this.noise * this.noiseOf(scenario, hour) * z + (jumps ? jump : 0),
      size: runs ? size + logarithm(runLeaves) / runHours : size * this.tvlPull + this.tvlNoise * other,
    };
  }

  /** What the vault's feed says at an hour; null while an outage silences it. TVL to the whole unit. */
  observe(
    vault: SimulatedVault,
    hour: Date,
    { x, size }: SimulatedPlace,
    scenario: Scenario | null = null,
  ): Observation | null {
    const silent =
      vault.lendingBaseline &&
      scenario?.name === 'outage' &&
      isWithin(scenario, hour, this.constants.outageHours);
    if (silent) return null;
    const curve = this.constants.curves[vault.riskTier];
    const loses = scenario?.name === 'loss' && this.struck.has(vault.id) && isWithin(scenario, hour, 1);
    return {
      apy: supplyApy(curve, 1 / (1 + exponential(-x))),
      tvl: BigInt(Math.round(Number(curve.tvl / MICRO) * exponential(size))) * MICRO,
      observedAt: hour,
      ...(loses && { lossPerMille: this.constants.lossPerMille }),
    };
  }

  /**
   * Hours in a row, such as the 30 days behind a new account: one hash an hour and vault.
   *
   * @param from the first UTC hour
   * @param place at the hour before `from`; null: the path begins at `from`
   */
  path(
    vault: SimulatedVault,
    from: Date,
    hours: number,
    place: SimulatedPlace | null = null,
    scenario: Scenario | null = null,
  ): SimulatedHour[] {
    const path: SimulatedHour[] = [];
    for (let count = 0; count < hours; count++) {
      const hour = addHours(from, count);
      place = place === null ? this.begin(vault, hour) : this.next(vault, hour, place, scenario);
      path.push({ hour, place, observation: this.observe(vault, hour, place, scenario) });
    }
    return path;
  }

  private mean({ riskTier }: SimulatedVault): number {
    const { meanUtilisation } = this.constants.curves[riskTier];
    return logarithm(meanUtilisation / (1 - meanUtilisation));
  }

  /** Logits off the mean. Held where it is after its days. */
  private drift(scenario: Scenario | null, hour: Date): number {
    if (scenario?.name !== 'rising' && scenario?.name !== 'falling') return 0;
    const { driftPerDay, driftDays } = this.constants;
    const days = Math.min(Math.max(hoursBetween(scenario.from, hour) + 1, 0) / 24, driftDays);
    return (scenario.name === 'rising' ? driftPerDay : -driftPerDay) * days;
  }

  private noiseOf(scenario: Scenario | null, hour: Date): number {
    const { calmNoise, volatileNoise, volatileHours } = this.constants;
    if (scenario?.name === 'calm' && isWithin(scenario, hour, Infinity)) return calmNoise;
    return scenario?.name === 'volatile' && isWithin(scenario, hour, volatileHours) ? volatileNoise : 1;
  }

  /**
   * Chance by hash of (seed, vault, hour since the market began): z and the other one are normal and independent, by the polar form of Box and Muller
   * (Marsaglia and Bray 1964), which needs no cosine; `uniform` is from 0 to below 1. Three tries a hash; one hash in a hundred is not enough.
   */
  private draw(vault: SimulatedVault, hour: Date): { z: number; other: number; uniform: number } {
    const { seed, begunAt } = this.origin;
    for (let attempt = 0; ; attempt++) {
      const key = JSON.stringify([seed, vault.id, hoursBetween(begunAt, hour), attempt]);
      const digest = hash('sha256', key, 'buffer');
      const word = (index: number) => digest.readUInt32BE(index * 4) / 2 ** 32;
      for (const index of [1, 3, 5]) {
        const [left, right] = [2 * word(index) - 1, 2 * word(index + 1) - 1];
        const square = left * left + right * right;
        if (square <= 0 || square >= 1) continue;
        const scale = Math.sqrt((-2 * logarithm(square)) / square);
        return { z: left * scale, other: right * scale, uniform: word(0) };
      }
    }
  }
}

function riskiest(vaults: readonly SimulatedVault[]): Set<string> {
  const found = new Map<string, SimulatedVault>();
  for (const vault of vaults) {
    const before = found.get(vault.asset);
    if (!before || RISK_TIERS.indexOf(vault.riskTier) > RISK_TIERS.indexOf(before.riskTier))
      found.set(vault.asset, vault);
  }
  return new Set([...found.values()].map(({ id }) => id));
}

function isWithin({ from }: Scenario, hour: Date, hours: number): boolean {
  const since = hoursBetween(from, hour);
  return since >= 0 && since < hours;
}
