import { blendedApy } from '../signals/blended.js';
import { armed, type Crossing, crossThreshold, type Threshold } from '../signals/threshold.js';
import { isIdle, type Vault } from '../../kernel/catalogue/vault.js';
import type { Snapshot } from '../vaults/vault-state.js';

/** Blended yield of an asset, as stored between hours. */
export interface AssetYield {
  /** Last known blended APY, a fraction; null: none yet. */
  apy: number | null;
  thresholds: readonly Threshold[];
}

/** Blended yield of an asset at an hour. */
export interface YieldPoint {
  asset: string;
  hour: Date;
  /** Fraction; null when none of the vaults was observed. */
  apy: number | null;
  /** Micro-units over the contributing vaults; null when none of them has a TVL. */
  tvl: bigint | null;
  /** Number of contributing active vaults: those with a known APY. */
  vaults: number;
}

/** Crossing of a threshold, with asset and hour. */
export interface YieldCrossing extends Crossing {
  asset: string;
  hour: Date;
}

interface YieldRules {
  assets: readonly string[];
  vaults: readonly Vault[];
  thresholds: { levels: readonly number[]; rearm: number };
}

/**
 * Market series: hourly yield of each asset over its active vaults, weighted by their own TVL, and the thresholds that it crosses. Holdings of this
 * service are not the weights, so deposits do not change it and it reveals nothing about any partner.
 */
export class YieldPath {
  readonly points: YieldPoint[] = [];
  readonly crossings: YieldCrossing[] = [];
  readonly state: Map<string, AssetYield>;

  constructor(
    private readonly rules: YieldRules,
    memory: { yields: ReadonlyMap<string, AssetYield> },
  ) {
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

  /** Drops points and crossings that are stored. */
  settle(): void {
    this.points.length = 0;
    this.crossings.length = 0;
  }

  /**
   * @param snapshots of the hour by vault id: the whole catalogue
   * @returns the hour's points, one for each asset
   */
  step(hour: Date, snapshots: ReadonlyMap<string, Snapshot>): YieldPoint[] {
    const added = [...this.state].map(([asset, before]) => {
      const vaults = this.rules.vaults.filter(
        (vault) => vault.asset === asset && vault.active && !isIdle(vault),
      );
      const seen = vaults.flatMap(({ id }) => snapshots.get(id) ?? []);
      const point = blend(seen.map(({ apy, tvl }) => ({ apy, tvl, vaults: 1 })));
      const { apy } = point;
      if (apy !== null) this.state.set(asset, { apy, thresholds: this.cross(asset, hour, before, apy) });
      return { asset, hour, ...point };
    });
    this.points.push(...added);
    return added;
  }

  private cross(asset: string, hour: Date, before: AssetYield, apy: number): Threshold[] {
    return before.thresholds.map((one) => {
      const { threshold, crossing } = crossThreshold(one, before.apy, apy, this.rules.thresholds.rearm);
      if (crossing) this.crossings.push({ ...crossing, asset, hour });
      return threshold;
    });
  }
}

/** Yield of a vault, or of a series of vaults, at an hour. */
export type MarketPoint = Pick<YieldPoint, 'apy' | 'tvl' | 'vaults'>;

/**
 * Rule of the market series: `sum(w * apy) / sum(w)`, w the TVL; without any known TVL, the number of vaults. A vault without TVL has no weight
 * beside one with it. Blending blended points gives the same as blending their vaults.
 */
export function blend(points: readonly MarketPoint[]): MarketPoint {
  const seen = points.filter(({ apy }) => apy !== null);
  const sized = seen.filter(({ tvl }) => tvl !== null && tvl > 0n);
  const parts = sized.length > 0 ? sized : seen;
  const weighted = parts.map(({ apy, tvl, vaults }) => ({
    apy,
    value: sized.length > 0 ? tvl! : BigInt(vaults),
  }));
  const tvls = parts.map(({ tvl }) => tvl).filter((tvl) => tvl !== null);
  return {
    apy: blendedApy(weighted),
    tvl: tvls.length === 0 ? null : tvls.reduce((sum, tvl) => sum + tvl, 0n),
    vaults: parts.reduce((sum, { vaults }) => sum + vaults, 0),
  };
}
