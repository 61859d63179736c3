import type { Observation } from '../vaults/feed.js';
import { addHours, hoursBetween } from '../../kernel/clock.js';
import { RISK_TIERS, type Vault } from '../../kernel/catalogue/catalogue.js';
import type { SimulatedPlace } from '../vaults/vault-state.js';
import { HOURS_PER_YEAR } from '../vaults/yield-index.js';
import { type Draw, draw } from './draw.js';
import {
  exponential,
  LN_2,
  logarithm,
  SIMULATION_CONSTANTS,
  type SimulationConstants,
  supplyApy,
} from './simulation-constants.js';

const MICRO = 10n ** 6n;

/** Scenarios of what vaults yield and hold. */
export const YIELD_SCENARIOS = [
  'calm',
  'rising',
  'falling',
  'volatile',
  'outage',
  'loss',
  'run',
  'failing',
] as const;
/** Scenarios of how moves go, which change no yield. */
export const MOVE_SCENARIOS = ['stalled', 'queue', 'full'] as const;
export const SCENARIOS = [...YIELD_SCENARIOS, ...MOVE_SCENARIOS] as const;

export interface Scenario {
  name: (typeof SCENARIOS)[number];
  from: Date;
}

export type SimulatedVault = Pick<Vault, 'id' | 'asset' | 'riskTier' | 'lendingBaseline'>;

export interface SimulatedOrigin {
  seed: string;
  /** First UTC hour of the market: random draws are indexed by the hours since then, so that a seed gives the same market at any time. */
  begunAt: Date;
  vaults: readonly SimulatedVault[];
}

/**
 * Simulated vault paths, determined by a seed: three Ornstein-Uhlenbeck processes of different speed, whose sum is logit utilisation, in exact hourly
 * steps; spikes; and one such process on the logarithm of assets. A kinked curve of utilisation gives the APY, rounded to 1e-10. Paths are identical
 * on every machine: only `+ - * /`, square roots and SHA-512 are used, which IEEE 754 and FIPS 180 define exactly.
 */
export class SimulatedMarket {
  private readonly speeds: Record<'x' | 'week' | 'level' | 'size', Speed>;
  /** Vaults hit by the scenarios `loss`, `run` and `failing`: the first one of the highest tier of each asset. */
  private readonly struck: ReadonlySet<string>;

  constructor(
    private readonly origin: SimulatedOrigin,
    private readonly constants: SimulationConstants = SIMULATION_CONSTANTS,
  ) {
    const part = constants.deviation * Math.sqrt(1 / 3);
    this.speeds = {
      x: speedOf(constants.halfLifeHours, part),
      week: speedOf(constants.weekHalfLifeHours, part),
      level: speedOf(constants.levelHalfLifeHours, part),
      size: speedOf(constants.sizeHalfLifeHours, constants.sizeDeviation),
    };
    this.struck = riskiest(origin.vaults);
  }

  begin(vault: SimulatedVault, hour: Date): SimulatedPlace {
    const { x, week, level, size } = this.speeds;
    const [z0, z1, z2, z3] = this.drawOf(vault, hour).normal;
    return {
      x: this.mean(vault) + x.deviation * z0,
      week: week.deviation * z1,
      level: level.deviation * z2,
      size: size.deviation * z3,
      spike: 0,
    };
  }

  /**
   * State an hour later, at `hour`. Each process: `m + (x - m) a + q z`, m only of the fast one. `size`: the same around 0; in `run` and `failing`,
   * only the outflow. After `rising` or `falling` the mean is the original one at once, and `x` reverts to it gradually.
   */
  next(
    vault: SimulatedVault,
    hour: Date,
    state: SimulatedPlace,
    scenario: Scenario | null = null,
  ): SimulatedPlace {
    const { x, week, level } = this.speeds;
    const { normal, uniform } = this.drawOf(vault, hour);
    const before = this.mean(vault) + this.drift(scenario, addHours(hour, -1));
    const now = this.mean(vault) + this.drift(scenario, hour);
    const noise = this.noiseOf(scenario, hour);
    const jumps = scenario?.name === 'volatile' && isWithin(scenario, hour, 1);
    return {
      x: now + (state.x - before) * x.pull + x.noise * noise * normal[0] + (jumps ? this.constants.jump : 0),
      week: state.week * week.pull + week.noise * noise * normal[1],
      level: state.level * level.pull + level.noise * noise * normal[2],
      size: this.sizeAfter(vault, hour, state.size, normal[3], scenario),
      spike: this.spikeAfter(vault, state.spike, uniform, isCalm(scenario, hour)),
    };
  }

  /** A spike ends in each hour with the same probability, and another one may begin in an hour without. */
  private spikeAfter(
    { riskTier }: SimulatedVault,
    spike: number,
    [chance, height]: readonly [number, number],
    calm: boolean,
  ): number {
    const { spikeEnds, spikeLeast, spikeMost, curves } = this.constants;
    if (spike > 0) return chance < spikeEnds ? 0 : spike;
    const begins = chance < curves[riskTier].spikesAYear / HOURS_PER_YEAR && !calm;
    // Most are low: a power of a uniform draw.
    return begins ? spikeLeast + (spikeMost - spikeLeast) * height * height * height * height : 0;
  }

  private sizeAfter(
    vault: SimulatedVault,
    hour: Date,
    size: number,
    normal: number,
    scenario: Scenario | null,
  ): number {
    const { runLeaves, runHours, failLeaves, failHours } = this.constants;
    const { pull, noise } = this.speeds.size;
    if (scenario && this.struck.has(vault.id)) {
      if (scenario.name === 'run' && isWithin(scenario, hour, runHours))
        return size + logarithm(runLeaves) / runHours;
      if (scenario.name === 'failing' && isWithin(scenario, hour, Infinity))
        return isWithin(scenario, hour, failHours) ? size + logarithm(failLeaves) / failHours : size;
    }
    return size * pull + noise * normal;
  }

  /** Observation of the vault's feed at an hour; null during an outage. Amounts in whole units. */
  observe(
    vault: SimulatedVault,
    hour: Date,
    state: SimulatedPlace,
    scenario: Scenario | null = null,
  ): Observation | null {
    const { curves, outageHours } = this.constants;
    const silent =
      vault.lendingBaseline && scenario?.name === 'outage' && isWithin(scenario, hour, outageHours);
    if (silent) return null;
    const curve = curves[vault.riskTier];
    const utilisation = this.utilisation(vault, hour, state, scenario);
    const deposits = Number(curve.assets / MICRO) * exponential(state.size);
    const assets = micro(deposits);
    const lossPerMille = this.lossOf(vault, hour, scenario);
    return {
      apy: supplyApy(curve, utilisation),
      rewardApy: 0,
      tvl: assets,
      assets,
      liquidity: micro(deposits * (1 - utilisation)),
      observedAt: hour,
      ...(lossPerMille !== null && { lossPerMille }),
    };
  }

  private utilisation(
    vault: SimulatedVault,
    hour: Date,
    { x, week, level, spike }: SimulatedPlace,
    scenario: Scenario | null,
  ): number {
    const { kink } = this.constants.curves[vault.riskTier];
    const lent = 1 / (1 + exponential(-(x + week + level)));
    const spiked = spike > 0 ? Math.max(lent, kink + spike * (1 - kink)) : lent;
    if (scenario?.name !== 'failing' || !this.struck.has(vault.id)) return spiked;
    const hours = Math.min(Math.max(hoursBetween(scenario.from, hour) + 1, 0), this.constants.failFullHours);
    return spiked + ((1 - spiked) * hours) / this.constants.failFullHours;
  }

  /** Per thousand of the index; null: none. */
  private lossOf(vault: SimulatedVault, hour: Date, scenario: Scenario | null): bigint | null {
    const { lossPerMille, failLossPerMille, failHours } = this.constants;
    if (!scenario || !this.struck.has(vault.id)) return null;
    const since = hoursBetween(scenario.from, hour);
    if (scenario.name === 'loss' && since === 0) return lossPerMille;
    return scenario.name === 'failing' && since === failHours ? failLossPerMille : null;
  }

  private drawOf({ id }: SimulatedVault, hour: Date): Draw {
    const { seed, begunAt } = this.origin;
    return draw(seed, id, hoursBetween(begunAt, hour));
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
    if (isCalm(scenario, hour)) return calmNoise;
    return scenario?.name === 'volatile' && isWithin(scenario, hour, volatileHours) ? volatileNoise : 1;
  }
}

/** Exact hourly step of an Ornstein-Uhlenbeck process: `x a + q z`. */
interface Speed {
  deviation: number;
  pull: number;
  noise: number;
}

function speedOf(halfLifeHours: number, deviation: number): Speed {
  const pull = exponential(-LN_2 / halfLifeHours);
  return { deviation, pull, noise: deviation * Math.sqrt(1 - pull * pull) };
}

const micro = (units: number): bigint => BigInt(Math.round(units)) * MICRO;

const isCalm = (scenario: Scenario | null, hour: Date): boolean =>
  scenario?.name === 'calm' && isWithin(scenario, hour, Infinity);

function riskiest(vaults: readonly SimulatedVault[]): Set<string> {
  const struck = new Map<string, SimulatedVault>();
  for (const vault of vaults) {
    const before = struck.get(vault.asset);
    if (!before || RISK_TIERS.indexOf(vault.riskTier) > RISK_TIERS.indexOf(before.riskTier))
      struck.set(vault.asset, vault);
  }
  return new Set([...struck.values()].map(({ id }) => id));
}

export function isWithin({ from }: Scenario, hour: Date, hours: number): boolean {
  const since = hoursBetween(from, hour);
  return since >= 0 && since < hours;
}
