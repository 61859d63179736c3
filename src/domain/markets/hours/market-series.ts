import type { HourlySeries } from '../signals/signal.js';
import { hoursUpTo } from '../../kernel/catalogue/hour.js';
import { blend, type MarketPoint, type YieldPoint } from './yield-path.js';

/** Name of the series over all assets. */
export const ALL_ASSETS = '*';

/** Recent hours of an asset's market series. */
export interface SeriesHistory {
  /** Hour of its very first point; null: it has none. */
  firstHour: Date | null;
  /** One an hour, oldest first; null for an hour without point. */
  points: readonly (MarketPoint | null)[];
}

/** Series in progress. */
interface Track {
  firstHour: Date | null;
  /** APYs as fractions. */
  values: (number | null)[];
}

/** Recent hours of the market series from which regimes are read: of each asset, and of all together. */
export class MarketSeries {
  private readonly tracks = new Map<string, Track>();

  /** @param length hours of each history and of each reading */
  constructor(
    private readonly assets: readonly string[],
    private readonly length: number,
    histories: ReadonlyMap<string, SeriesHistory>,
  ) {
    const known = assets.map((asset) => histories.get(asset)).filter((history) => history !== undefined);
    for (const asset of assets) {
      const { firstHour = null, points } = histories.get(asset) ?? {};
      this.tracks.set(asset, { firstHour, values: this.hourly((hour) => points?.[hour]?.apy ?? null) });
    }
    const firstHours = known.map(({ firstHour }) => firstHour).filter((hour) => hour !== null);
    this.tracks.set(ALL_ASSETS, {
      firstHour: firstHours.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
      values: this.hourly((hour) => blend(known.flatMap(({ points }) => points[hour] ?? [])).apy),
    });
  }

  /** @param points points of the next hour, one for each asset */
  add(hour: Date, points: readonly YieldPoint[]): void {
    const apyOf = new Map(points.map(({ asset, apy }) => [asset, apy]));
    for (const asset of this.assets) this.extend(asset, hour, apyOf.get(asset) ?? null);
    this.extend(ALL_ASSETS, hour, blend(points).apy);
  }

  /** Forgets hours that no history needs any more. */
  settle(): void {
    for (const track of this.tracks.values()) track.values = track.values.slice(-this.length);
  }

  /**
   * Series of an asset, or of all, as it was at an hour, and its elapsed hours then.
   * @param hour hour that is `hoursAgo` before the newest one
   */
  before(asset: string, hour: Date, hoursAgo: number): { series: HourlySeries; elapsedHours: number } {
    const { firstHour, values } = this.tracks.get(asset)!;
    const end = values.length - hoursAgo;
    return {
      series: { lastHour: hour, values: values.slice(Math.max(0, end - this.length), end) },
      elapsedHours: hoursUpTo(hour, firstHour),
    };
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
