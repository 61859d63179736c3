import type { Constants } from '../../../config/constants.js';
import { double, integer, orNull, type RowOf, text, time, whole } from '../../kernel/store/column.js';
import { blendedApy } from '../signals/statistics.js';
import {
  FIRST_REGIME,
  isSettled,
  nextRegime,
  readRegime,
  type RegimeReading,
  type RegimeState,
} from '../signals/regime.js';
import type { HourlySeries } from '../signals/signal.js';
import { armed, type Crossing, crossThreshold, type Threshold } from '../signals/threshold.js';
import { addHours, hoursUpTo } from '../../kernel/clock.js';
import { isIdle, type Vault } from '../../kernel/catalogue/catalogue.js';
import type { Snapshot } from '../vaults/vault-state.js';

export interface AssetYield {
  /** Last known blended APY, a fraction; null: none yet. */
  apy: number | null;
  thresholds: readonly Threshold[];
}

/** Blended yield of an asset at an hour. */
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

export interface YieldCrossing extends Crossing {
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

/** Name of the series over all assets. */
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
}

/** An asset's regime at an hour: the published label, and the reading of that hour alone. */
export interface RegimeOfAsset {
  asset: string;
  state: RegimeState;
  reading: RegimeReading;
}

/** Recent hours of the market series, of each asset and of all together, and the regimes that are read from them. */
export class MarketSeries {
  private readonly tracks = new Map<string, Track>();
  private regimeOf: ReadonlyMap<string, RegimeState>;
  private readings: ReadonlyMap<string, RegimeReading> = new Map();
  /** Hours added since regimes were last read. */
  private unread = 0;
  private reached: Date;

  /** @param length hours of each history and of each reading */
  constructor(
    private readonly rules: Pick<Constants, 'assets' | 'signals' | 'regime'>,
    private readonly length: number,
    memory: {
      hour: Date;
      series: ReadonlyMap<string, SeriesHistory>;
      regimes: ReadonlyMap<string, RegimeState>;
    },
  ) {
    const { assets } = rules;
    this.reached = memory.hour;
    this.regimeOf = new Map(memory.regimes);
    const known = assets.map((asset) => memory.series.get(asset)).filter((history) => history !== undefined);
    for (const asset of assets) {
      const { firstHour = null, points } = memory.series.get(asset) ?? {};
      this.tracks.set(asset, { firstHour, values: this.hourly((hour) => points?.[hour]?.apy ?? null) });
    }
    const firstHours = known.map(({ firstHour }) => firstHour).filter((hour) => hour !== null);
    this.tracks.set(ALL_ASSETS, {
      firstHour: firstHours.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
      values: this.hourly((hour) => blend(known.flatMap(({ points }) => points[hour] ?? [])).apy),
    });
  }

  get regimes(): RegimeOfAsset[] {
    this.read();
    return [...this.readings].map(([asset, reading]) => ({
      asset,
      state: this.regimeOf.get(asset) ?? FIRST_REGIME,
      reading,
    }));
  }

  /** @param points points of the next hour, one for each asset */
  add(hour: Date, points: readonly YieldPoint[]): void {
    this.reached = hour;
    this.unread += 1;
    const apyOf = new Map(points.map(({ asset, apy }) => [asset, apy]));
    for (const asset of this.rules.assets) this.extend(asset, hour, apyOf.get(asset) ?? null);
    this.extend(ALL_ASSETS, hour, blend(points).apy);
  }

  trim(): void {
    this.read();
    for (const track of this.tracks.values()) track.values = track.values.slice(-this.length);
  }

  /** Reads the added hours backwards, as far as the newest label depends on them: a month of history costs a few readings instead of one an hour. */
  private read(): void {
    if (this.unread === 0) return;
    const { assets, regime } = this.rules;
    const [states, newest] = [new Map<string, RegimeState>(), new Map<string, RegimeReading>()];
    for (const asset of [...assets, ALL_ASSETS]) {
      const readings: RegimeReading[] = [];
      for (let hoursAgo = 0; hoursAgo < this.unread && !isSettled(readings, regime); hoursAgo++)
        readings.unshift(this.readAgo(asset, hoursAgo));
      newest.set(asset, readings.at(-1)!);
      const before = this.regimeOf.get(asset) ?? FIRST_REGIME;
      states.set(
        asset,
        readings.reduce((state, reading) => nextRegime(state, reading.regime, regime), before),
      );
    }
    [this.regimeOf, this.readings, this.unread] = [states, newest, 0];
  }

  /** Reading of an asset, or of all, as it was some hours ago. */
  private readAgo(asset: string, hoursAgo: number): RegimeReading {
    const { firstHour, values } = this.tracks.get(asset)!;
    const lastHour = addHours(this.reached, -hoursAgo);
    const end = values.length - hoursAgo;
    const series: HourlySeries = { lastHour, values: values.slice(Math.max(0, end - this.length), end) };
    return readRegime(series, hoursUpTo(lastHour, firstHour), this.rules.regime, this.rules.signals);
  }

  private extend(asset: string, hour: Date, apy: number | null): void {
    const track = this.tracks.get(asset)!;
    track.firstHour ??= hour;
    track.values.push(apy);
  }

  private hourly(at: (hour: number) => number | null): (number | null)[] {
    return Array.from({ length: this.length }, (_, hour) => at(hour));
  }
}
