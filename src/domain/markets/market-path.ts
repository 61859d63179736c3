import { smoothApy } from '../analytics/expected-apy.js';
import {
  FIRST_REGIME,
  isSettled,
  nextRegime,
  readRegime,
  type RegimeConstants,
  regimeHours,
  type RegimeReading,
  type RegimeState,
} from '../analytics/regime.js';
import { outlookOf, type Signal, type SignalConstants, signalHours, signalOf } from '../analytics/signal.js';
import { DAY_HOURS, type DayChange, dayChange, type Level } from '../vaults/day-change.js';
import { addHours, hoursUpTo } from '../vaults/hour.js';
import { isIdle, type Vault } from '../vaults/vault.js';
import type { Snapshot, VaultState } from '../vaults/vault-state.js';
import { INDEX_SCALE } from '../vaults/yield-index.js';
import { ALL_ASSETS, MarketSeries, type SeriesHistory } from './market-series.js';
import { type AssetYield, type YieldCrossing, YieldPath, type YieldPoint } from './yield-path.js';

/** What the paths of a market follow from, beside their feeds. */
export interface MarketRules {
  assets: readonly string[];
  /** The catalogue. */
  vaults: readonly Vault[];
  signals: SignalConstants;
  regime: RegimeConstants;
  thresholds: { levels: readonly number[]; rearm: number };
}

/** Hours that a path looks back on: as many as its signals and regimes need. */
export const hoursNeeded = ({ signals, regime }: MarketRules): number =>
  Math.max(signalHours(signals), regimeHours(regime));

/** A vault's last hours, one value each; null where nothing was observed. */
export interface VaultHistory {
  /** The hour of its first snapshot of all; null: it has none. */
  firstHour: Date | null;
  /** Fractions. */
  apys: readonly (number | null)[];
  /** Of its last day, oldest first. */
  levels: readonly Level[];
}

/** A market as of an hour: all that its next hours follow from. What is missing in a map is new. */
export interface MarketMemory {
  hour: Date;
  states: ReadonlyMap<string, VaultState>;
  /** The last value of each is that of `hour`; all have `hoursNeeded` values. */
  histories: ReadonlyMap<string, VaultHistory>;
  /** By asset; as long as the histories. */
  series: ReadonlyMap<string, SeriesHistory>;
  /** By asset, and of `ALL_ASSETS`. */
  regimes: ReadonlyMap<string, RegimeState>;
  yields: ReadonlyMap<string, AssetYield>;
}

/** An asset's regime at an hour: what is shown, and what that hour alone read. */
export interface RegimeOfAsset {
  asset: string;
  state: RegimeState;
  reading: RegimeReading;
}

export interface VaultSignal {
  vaultId: string;
  signal: Signal;
  /** What it lost within a day. */
  lost: DayChange;
}

type Outlook = Pick<Signal, 'expectedApy' | 'riskAdjustedApy'>;

/** Of a vault: what routing judges by. */
export interface VaultOutlook extends Outlook {
  vault: Vault;
  state: VaultState;
  lost: DayChange;
}

const NO_OUTLOOK = { expectedApy: null, riskAdjustedApy: null, lost: { index: null, tvl: null } };

/** How one vault comes from its state to the next hour's. */
export type Advance = (
  vault: Vault,
  before: VaultState,
  hour: Date,
) => { state: VaultState; snapshot: Snapshot };

/** A vault's hour, with what its signal of that hour was. */
export interface JudgedSnapshot extends Snapshot {
  /** Fraction a year; null while history is short. */
  riskAdjustedApy: number | null;
}

/** A vault before its first hour. */
export const unborn = (vaultId: string): VaultState => ({
  vaultId,
  index: INDEX_SCALE,
  factor: 0n,
  lastApy: null,
  lastTvl: null,
  observedHour: null,
  smoothed: null,
  simulated: null,
  price: null,
});

/** A vault on its way. */
interface Track {
  vault: Vault;
  state: VaultState;
  firstHour: Date | null;
  apys: (number | null)[];
  levels: Level[];
  /** As of the newest hour that was added; null before the first. */
  outlook: Outlook | null;
}

/**
 * A market hour by hour, in memory: O(vaults) an hour. Regimes, points of the market series and crossings follow from each hour in order; signals
 * only look back, so that those of the last hour are enough.
 */
export class MarketPath {
  readonly snapshots: JudgedSnapshot[] = [];
  private readonly tracks: Track[];
  private regimeOf: ReadonlyMap<string, RegimeState>;
  private readings: ReadonlyMap<string, RegimeReading> = new Map();
  /** Hours that were added since regimes were read. */
  private unread = 0;
  private readonly yields: YieldPath;
  private readonly series: MarketSeries;
  private readonly length: number;
  private reached: Date;

  constructor(
    private readonly rules: MarketRules,
    memory: MarketMemory,
  ) {
    this.length = hoursNeeded(rules);
    this.reached = memory.hour;
    this.regimeOf = new Map(memory.regimes);
    this.yields = new YieldPath(rules, memory);
    this.series = new MarketSeries(rules.assets, this.length, memory.series);
    this.tracks = rules.vaults.map((vault) => {
      const { firstHour, apys, levels } = memory.histories.get(vault.id) ?? this.nothing();
      const state = memory.states.get(vault.id) ?? unborn(vault.id);
      return { vault, state, firstHour, apys: [...apys], levels: [...levels], outlook: null };
    });
  }

  /** The newest hour. */
  get hour(): Date {
    return this.reached;
  }

  get states(): VaultState[] {
    return this.tracks.map(({ state }) => state);
  }

  /** Of each asset and of all, as of the newest hour; none before the first one. */
  get regimes(): RegimeOfAsset[] {
    this.readRegimes();
    return [...this.readings].map(([asset, reading]) => ({
      asset,
      state: this.regimeOf.get(asset) ?? FIRST_REGIME,
      reading,
    }));
  }

  /** Of every hour that was added. */
  get points(): readonly YieldPoint[] {
    return this.yields.points;
  }

  get crossings(): readonly YieldCrossing[] {
    return this.yields.crossings;
  }

  /** As of the newest hour. */
  get assetYields(): ReadonlyMap<string, AssetYield> {
    return this.yields.state;
  }

  /** Adds the hour after the newest one. */
  step(advance: Advance): void {
    const hour = addHours(this.reached, 1);
    this.reached = hour;
    const added = this.tracks.map((track) => {
      const { state, snapshot } = advance(track.vault, track.state, hour);
      track.state = this.smooth(state, snapshot);
      track.firstHour ??= hour;
      track.apys.push(snapshot.apy);
      track.levels.push(snapshot);
      if (track.levels.length > DAY_HOURS) track.levels.shift();
      track.outlook = isIdle(track.vault) ? null : outlookOf(...this.basisOf(track));
      return { ...snapshot, riskAdjustedApy: track.outlook?.riskAdjustedApy ?? null };
    });
    this.snapshots.push(...added);
    this.unread += 1;
    const points = this.yields.step(hour, new Map(added.map((snapshot) => [snapshot.vaultId, snapshot])));
    this.series.add(hour, points);
  }

  /** Forgets the hours that are stored, all but what the next ones follow from. */
  settle(): void {
    this.snapshots.length = 0;
    this.yields.settle();
  }

  /** As of the newest hour: the whole catalogue, inactive vaults too. Of cash there is nothing to say. */
  signals(): VaultSignal[] {
    const judged = this.tracks.filter(({ vault }) => !isIdle(vault));
    return judged.map((track) => ({
      vaultId: track.vault.id,
      lost: dayChange(track.levels),
      signal: signalOf(...this.basisOf(track)),
    }));
  }

  /** As of the newest hour, the whole catalogue and cash: what routing judges by. */
  outlooks(): VaultOutlook[] {
    return this.tracks.map((track) => {
      const { vault, state, levels } = track;
      const known = isIdle(vault)
        ? NO_OUTLOOK
        : { ...(track.outlook ?? outlookOf(...this.basisOf(track))), lost: dayChange(levels) };
      return { vault, state, ...known };
    });
  }

  private basisOf({ vault, state, firstHour, apys }: Track): Parameters<typeof signalOf> {
    const series = { lastHour: this.reached, values: apys };
    return [series, hoursUpTo(this.reached, firstHour), vault, state.smoothed, this.rules.signals];
  }

  private smooth(state: VaultState, { apy }: Snapshot): VaultState {
    return apy === null ? state : { ...state, smoothed: smoothApy(state.smoothed, apy, this.rules.signals) };
  }

  /**
   * Reads the hours that were added, newest first, as far back as the newest label hangs on them: a month of history costs a few readings of a week each, and
   * not one for every hour.
   */
  private readRegimes(): void {
    if (this.unread === 0) return;
    const { assets, regime } = this.rules;
    const [states, newest] = [new Map<string, RegimeState>(), new Map<string, RegimeReading>()];
    for (const asset of [...assets, ALL_ASSETS]) {
      const readings: RegimeReading[] = [];
      for (let hoursAgo = 0; hoursAgo < this.unread && !isSettled(readings, regime); hoursAgo++)
        readings.unshift(this.readRegime(asset, hoursAgo));
      newest.set(asset, readings.at(-1)!);
      const before = this.regimeOf.get(asset) ?? FIRST_REGIME;
      states.set(
        asset,
        readings.reduce((state, reading) => nextRegime(state, reading.regime, regime), before),
      );
    }
    [this.regimeOf, this.readings, this.unread] = [states, newest, 0];
  }

  private readRegime(asset: string, hoursAgo: number): RegimeReading {
    const { series, elapsedHours } = this.series.before(asset, addHours(this.reached, -hoursAgo), hoursAgo);
    return readRegime(series, elapsedHours, this.rules.regime, this.rules.signals);
  }

  private nothing(): VaultHistory {
    return { firstHour: null, apys: Array.from({ length: this.length }, () => null), levels: [] };
  }
}
