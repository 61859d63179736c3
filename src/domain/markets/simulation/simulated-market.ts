import { hash } from 'node:crypto';
import type { Observation } from '../vaults/feed.js';
import { addHours, hoursBetween } from '../../kernel/catalogue/hour.js';
import { RISK_TIERS, type Vault } from '../../kernel/catalogue/vault.js';
import type { SimulatedPlace } from '../vaults/vault-state.js';
import { exponential, LN_2, logarithm } from './exact-functions.js';
import { SIMULATION_CONSTANTS, type SimulationConstants, supplyApy } from './simulation-constants.js';

/** Micro-units in a unit. */
const MICRO = 10n ** 6n;

export const SCENARIOS = ['calm', 'rising', 'falling', 'volatile', 'outage', 'loss', 'run'] as const;

/** Scenario that changes a market from an hour on. */
export interface Scenario {
  name: (typeof SCENARIOS)[number];
  /** First affected UTC hour. */
  from: Date;
}

export type SimulatedVault = Pick<Vault, 'id' | 'asset' | 'riskTier' | 'lendingBaseline'>;

/** Simulated hour of a vault. */
export interface SimulatedHour {
  hour: Date;
  place: SimulatedPlace;
  /** null: the feed is down. */
  observation: Observation | null;
}

/** Identity of a simulated market. */
export interface SimulatedOrigin {
  seed: string;
  /** First UTC hour of the market: random draws are indexed by the hours since then, so that a seed gives the same market at any time. */
  begunAt: Date;
  /** All of its vaults. */
  vaults: readonly SimulatedVault[];
}

/**
 * Simulated vault paths, determined by a seed: an Ornstein-Uhlenbeck process on logit utilisation in exact hourly steps, with jumps, under a kinked
 * rate curve, and another one on the logarithm of TVL. The curve gives the APY. A path is identical bit by bit on every machine: it uses only `+ - *
 * /`, square roots and SHA-256, which IEEE 754 and FIPS 180 define exactly. `Math.exp`, `log`, `cos` and `**` may differ in the last bit, and `x`
 * feeds back, so they are replaced by functions of our own. The APY is also rounded to 1e-10.
 */
export class SimulatedMarket {
  private readonly pull: number;
  private readonly noise: number;
  private readonly tvlPull: number;
  private readonly tvlNoise: number;
  /** Vaults hit by the scenarios `loss` and `run`: the first one of the highest tier of each asset. */
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

  /** Initial state of a vault: drawn from the stationary distribution. */
  begin(vault: SimulatedVault, hour: Date): SimulatedPlace {
    const { deviation, tvlDeviation } = this.constants;
    const { z, other } = this.draw(vault, hour);
    return { x: this.mean(vault) + deviation * z, size: tvlDeviation * other };
  }

  /**
   * State an hour later. `x`: `m + (x - m) a + q z`, with occasional jumps. `size`: the same around 0; during `run`, only the outflow.
   * @param hour reached UTC hour
   * @param place state of the same vault an hour before: everything that is stored of a path
   * @param scenario as of `hour`; the previous hour may have had another. After `rising` or `falling` the mean is the original one at once, and `x`
   * reverts to it gradually
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

  /** Observation of the vault's feed at an hour; null during an outage. Amounts in whole units. */
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
    const utilisation = 1 / (1 + exponential(-x));
    const deposits = Number(curve.tvl / MICRO) * exponential(size);
    const assets = micro(deposits);
    return {
      apy: supplyApy(curve, utilisation),
      tvl: assets,
      assets,
      liquidity: micro(deposits * (1 - utilisation)),
      observedAt: hour,
      ...(loses && { lossPerMille: this.constants.lossPerMille }),
    };
  }

  /**
   * Consecutive hours, such as the 30 days of history of a new account: one hash for each hour and vault.
   * @param from first UTC hour
   * @param place state at the hour before `from`; null: the path begins at `from`
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

  /** Offset of the mean in logits; constant after the scenario's days. */
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
   * Random draws by hash of (seed, vault, hour since the market began): z and the other one are normal and independent, by Marsaglia's polar form of
   * Box-Muller (Marsaglia and Bray 1964), which needs no cosine; `uniform` is in [0, 1). A hash gives three tries; one in a hundred hashes is not
   * enough.
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

const micro = (units: number): bigint => BigInt(Math.round(units)) * MICRO;

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
