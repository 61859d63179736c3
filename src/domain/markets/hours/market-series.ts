import type { Constants } from '../../../config/constants.js';
import { double, integer, orNull, type RowOf, text, time, whole } from '../../kernel/store/column.js';
import { blendedApy } from '../signals/statistics.js';
import {
  FIRST_REGIME,
  nextRegime,
  readRegime,
  type RegimeReading,
  type RegimeState,
} from '../signals/regime.js';
import { armed, type YieldThresholdCrossing, crossThreshold, type Threshold } from '../signals/threshold.js';
import { hoursUpTo } from '../../kernel/clock.js';
import { isIdle, type Vault } from '../../kernel/catalogue/catalogue.js';
import type { Snapshot } from '../vaults/vault-state.js';

export interface AssetYield {
  /** Last known blended APY, a fraction; null: none yet. */
  apy: number | null;
  thresholds: readonly Threshold[];
}

export const POINT = {
  asset: text(),
  hour: time(),
  /** Fraction; null when none of the vaults was observed. */
  apy: orNull(double()),
  /** Micro-units over the contributing vaults; null when none of them has a TVL. */
  tvl: orNull(whole()),
  /** Number of contributing active vaults: those with a known APY. */
  vaults: integer(),
};
export type YieldPoint = RowOf<typeof POINT>;

export interface YieldCrossing extends YieldThresholdCrossing {
  asset: string;
  hour: Date;
}

interface YieldRules {
  vaults: readonly Vault[];
  constants: Pick<Constants, 'assets' | 'yieldThresholds'>;
}

/**
 * Market series: hourly yield of each asset over its active vaults, weighted by their own TVL, and the thresholds that it crosses. Holdings of this
 * service are not the weights, so deposits do not change it and it reveals nothing about any partner.
 */
export class AssetYields {
  readonly points: YieldPoint[] = [];
  readonly crossings: YieldCrossing[] = [];
  readonly state: Map<string, AssetYield>;

  constructor(
    private readonly rules: YieldRules,
    memory: { yields: ReadonlyMap<string, AssetYield> },
  ) {
    const { assets, yieldThresholds } = rules.constants;
    this.state = new Map(
      assets.map((asset) => {
        const { apy, thresholds } = memory.yields.get(asset) ?? { apy: null, thresholds: [] };
        const known = (level: number) => thresholds.find((threshold) => threshold.level === level);
        return [
          asset,
          { apy, thresholds: yieldThresholds.levels.map((level) => known(level) ?? armed(level)) },
        ];
      }),
    );
  }

  dropStored(): void {
    this.points.length = 0;
    this.crossings.length = 0;
  }

  /** @param snapshots of the hour by vault id: the whole catalogue @returns the hour's points, one for each asset */
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
    const { rearm } = this.rules.constants.yieldThresholds;
    return before.thresholds.map((one) => {
      const { threshold, crossing } = crossThreshold(one, before.apy, apy, rearm);
      if (crossing) this.crossings.push({ ...crossing, asset, hour });
      return threshold;
    });
  }
}

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

export const ALL_ASSETS = '*';

export interface SeriesHistory {
  /** Hour of its very first point; null: it has none. */
  firstHour: Date | null;
  /** One an hour, oldest first; null for an hour without point. */
  points: readonly (MarketPoint | null)[];
}

interface Track {
  firstHour: Date | null;
  values: (number | null)[];
  state: RegimeState;
  /** Of the newest added hour; null before the first. */
  reading: RegimeReading | null;
}

/** An asset's regime at an hour: the published label, and the reading of that hour alone. */
export interface RegimeOfAsset {
  asset: string;
  state: RegimeState;
  reading: RegimeReading;
}

/** By asset; keys missing from a map are new. The histories are of one length. */
export interface SeriesMemory {
  series: ReadonlyMap<string, SeriesHistory>;
  regimes: ReadonlyMap<string, RegimeState>;
}

/** Recent hours of the market series, of each asset and of all together, and the regimes that are read from them. */
export class MarketSeries {
  private readonly tracks = new Map<string, Track>();

  /** @param length hours of each history and of each reading */
  constructor(
    private readonly rules: Pick<Constants, 'assets' | 'signals' | 'regime'>,
    length: number,
    { series, regimes }: SeriesMemory,
  ) {
    const histories = rules.assets.map((asset) => series.get(asset) ?? { firstHour: null, points: [] });
    const hours = Array.from({ length }, (_, hour) => hour);
    const track = (asset: string, firstHour: Date | null, apyAt: (hour: number) => number | null): void => {
      const state = regimes.get(asset) ?? FIRST_REGIME;
      this.tracks.set(asset, { firstHour, values: hours.map(apyAt), state, reading: null });
    };
    rules.assets.forEach((asset, place) => {
      const { firstHour, points } = histories[place]!;
      track(asset, firstHour, (hour) => points[hour]?.apy ?? null);
    });
    const firstHours = histories.map(({ firstHour }) => firstHour).filter((hour) => hour !== null);
    const first = firstHours.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
    track(ALL_ASSETS, first, (hour) => blend(histories.flatMap(({ points }) => points[hour] ?? [])).apy);
  }

  get regimes(): RegimeOfAsset[] {
    return [...this.tracks].flatMap(([asset, { state, reading }]) =>
      reading === null ? [] : [{ asset, state, reading }],
    );
  }

  /** @param points points of the next hour, one for each asset */
  add(hour: Date, points: readonly YieldPoint[]): void {
    const apyOf = new Map(points.map(({ asset, apy }) => [asset, apy]));
    for (const asset of this.rules.assets) this.extend(asset, hour, apyOf.get(asset) ?? null);
    this.extend(ALL_ASSETS, hour, blend(points).apy);
  }

  private extend(asset: string, hour: Date, apy: number | null): void {
    const { regime, signals } = this.rules;
    const track = this.tracks.get(asset)!;
    track.firstHour ??= hour;
    track.values.push(apy);
    track.values.shift();
    const series = { lastHour: hour, values: track.values };
    track.reading = readRegime(series, hoursUpTo(hour, track.firstHour), regime, signals);
    track.state = nextRegime(track.state, track.reading.regime, regime);
  }
}
