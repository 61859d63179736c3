import { blendedApy } from '../analytics/blended.js';
import { armed, type Crossing, crossThreshold, type Threshold } from '../analytics/threshold.js';
import { isIdle, type Vault } from '../vaults/vault.js';
import type { Snapshot } from '../vaults/vault-state.js';

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
  /** Fraction; null where none of the vaults was observed. */
  apy: number | null;
  /** Micro-units, of the vaults that it is made of; null where none of them says. */
  tvl: bigint | null;
  /** How many active vaults it is made of: those whose APY is known. */
  vaults: number;
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

/**
 * The market series: the yield of each asset over its active vaults, hour by hour, by the vaults' own TVL, and the thresholds that it crosses. Never by
 * what this service or a partner holds: a deposit moves it by nothing, so that it says nothing of anybody's.
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

  /** Forgets points and crossings: they are stored. */
  settle(): void {
    this.points.length = 0;
    this.crossings.length = 0;
  }

  /**
   * @param snapshots of the hour, by vault id: the whole catalogue
   * @returns the hour's points, one an asset
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

/** What a vault, or a series of vaults, yields at an hour. */
export type MarketPoint = Pick<YieldPoint, 'apy' | 'tvl' | 'vaults'>;

/**
 * The rule of the market series: `sum(w * apy) / sum(w)`, w = the TVL; where none is known, the number of vaults. What has no TVL has no part beside what has one.
 * Of points that were blended already it is the same as of their vaults.
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
