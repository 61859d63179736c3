import { blendedApy } from '../analytics/blended.js';
import { armed, type Crossing, crossThreshold, type Threshold } from '../analytics/threshold.js';
import type { Vault } from '../vaults/vault.js';
import type { Snapshot } from '../vaults/vault-state.js';
import { valueOf } from '../vaults/shares.js';

/** What is kept of an asset's blended yield between hours. */
export interface AssetYield {
  /** The last blended APY that was known, a fraction; null: none yet. */
  apy: number | null;
  thresholds: readonly Threshold[];
}

/** An asset's blended yield at an hour. */
export interface YieldPoint {
  asset: string;
  hour: Date;
  /** Fraction; null where a vault that counts had no observation. */
  apy: number | null;
  /** What it is weighted by, in micro-units; null where a vault's TVL is not known. */
  tvl: bigint | null;
}

/** A crossing of a threshold, and where and when it was. */
export interface YieldCrossing extends Crossing {
  asset: string;
  hour: Date;
}

interface YieldRules {
  assets: readonly string[];
  vaults: readonly Vault[];
  thresholds: { levels: readonly number[]; rearm: number };
}

/** The blended yield of each asset, hour by hour, and the thresholds that it crosses. */
export class YieldPath {
  readonly points: YieldPoint[] = [];
  readonly crossings: YieldCrossing[] = [];
  readonly state: Map<string, AssetYield>;
  /** What the service holds by vault, 18 decimals. */
  shares: ReadonlyMap<string, bigint>;

  constructor(
    private readonly rules: YieldRules,
    memory: { yields: ReadonlyMap<string, AssetYield>; shares: ReadonlyMap<string, bigint> },
  ) {
    this.shares = memory.shares;
    this.state = new Map(
      rules.assets.map((asset) => {
        const { apy, thresholds } = memory.yields.get(asset) ?? { apy: null, thresholds: [] };
        const known = (level: number) => thresholds.find((threshold) => threshold.level === level);
        return [
          asset,
          { apy, thresholds: rules.thresholds.levels.map((level) => known(level) ?? armed(level)) },
        ];
      }),
    );
  }

  /** Forgets points and crossings: they are stored. */
  settle(): void {
    this.points.length = 0;
    this.crossings.length = 0;
  }

  /** @param snapshots of the hour, by vault id: the whole catalogue */
  step(hour: Date, snapshots: ReadonlyMap<string, Snapshot>): void {
    for (const [asset, before] of this.state) {
      const vaults = this.rules.vaults.filter((vault) => vault.asset === asset && vault.active);
      const { apy, tvl } = this.blend(vaults, snapshots);
      this.points.push({ asset, hour, apy, tvl });
      if (apy !== null) this.state.set(asset, { apy, thresholds: this.cross(asset, hour, before, apy) });
    }
  }

  private cross(asset: string, hour: Date, before: AssetYield, apy: number): Threshold[] {
    return before.thresholds.map((one) => {
      const { threshold, crossing } = crossThreshold(one, before.apy, apy, this.rules.thresholds.rearm);
      if (crossing) this.crossings.push({ ...crossing, asset, hour });
      return threshold;
    });
  }

  /** Weighted by what the service holds, wherever it holds it; before any deposit by the TVL of the vaults that would take one. */
  private blend(
    vaults: readonly Vault[],
    snapshots: ReadonlyMap<string, Snapshot>,
  ): { apy: number | null; tvl: bigint | null } {
    const held = vaults.map(({ id }) => {
      const { apy = null, index = 0n } = snapshots.get(id) ?? {};
      return { apy, value: valueOf(this.shares.get(id) ?? 0n, index) };
    });
    const holding = held.reduce((sum, { value }) => sum + value, 0n);
    if (holding > 0n) return { apy: blendedApy(held), tvl: holding };
    const offered: { apy: number | null; value: bigint }[] = [];
    for (const { id } of vaults) {
      const { apy = null, tvl = null } = snapshots.get(id) ?? {};
      if (tvl === null) return { apy: null, tvl: null };
      offered.push({ apy, value: tvl });
    }
    return { apy: blendedApy(offered), tvl: offered.reduce((sum, { value }) => sum + value, 0n) };
  }
}
