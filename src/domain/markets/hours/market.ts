import type { Constants } from '../../../config/constants.js';
import { regimeHours } from '../signals/regime.js';
import { outlookOf, type Signal, signalHours, signalOf, smoothApy } from '../signals/signal.js';
import {
  DAY_HOURS,
  type LastHours,
  type Losses,
  lossesOf,
  NOTHING_RECENT,
  type RecentStatistics,
  recentOf,
  WEEK_HOURS,
} from '../vaults/recent.js';
import { addHours, hoursUpTo } from '../../kernel/clock.js';
import { isIdle, type Vault } from '../../kernel/catalogue/catalogue.js';
import { initialState, type Snapshot, type VaultState } from '../vaults/vault-state.js';
import {
  type AssetYield,
  AssetYields,
  MarketSeries,
  type RegimeOfAsset,
  type SeriesMemory,
  type YieldCrossing,
  type YieldPoint,
} from './market-series.js';

/** Settings by which the hours of a market are evaluated. */
export interface MarketRules {
  vaults: readonly Vault[];
  constants: Pick<Constants, 'assets' | 'signals' | 'regime' | 'yieldThresholds'> & {
    routing: Pick<Constants['routing'], 'maxIndexLoss' | 'maxAssetsLoss'>;
  };
}

/** A month: vaults that lost assets looked better than others for weeks before they lost value. */
const QUARANTINE_HOURS = 720;

/** Hours of history that a market needs for its signals and regimes. */
export const hoursNeeded = ({ signals, regime }: Pick<Constants, 'signals' | 'regime'>): number =>
  Math.max(signalHours(signals), regimeHours(regime));

export interface VaultHistory extends LastHours {
  /** Hour of its very first snapshot; null: it has none. */
  firstHour: Date | null;
}

/** State of a market at an hour: everything that its next hours depend on. Keys missing from a map are new. */
export interface MarketMemory extends SeriesMemory {
  hour: Date;
  states: ReadonlyMap<string, VaultState>;
  /** The last value of each belongs to `hour`; all have APYs of `hoursNeeded` hours. */
  histories: ReadonlyMap<string, VaultHistory>;
  yields: ReadonlyMap<string, AssetYield>;
}

type Outlook = Pick<Signal, 'expectedApy' | 'riskAdjustedApy'>;

/** Outlook of a vault, for routing. */
export interface VaultOutlook extends Outlook, RecentStatistics {
  vault: Vault;
  state: VaultState;
}

export const NO_OUTLOOK = { expectedApy: null, riskAdjustedApy: null, ...NOTHING_RECENT };

/** Transition of a vault to the next hour. */
export type NextHour = (
  vault: Vault,
  before: VaultState,
  hour: Date,
) => { state: VaultState; snapshot: Snapshot };

/** Snapshot with the signal of its hour. */
export interface RatedSnapshot extends Snapshot {
  /** APY, a fraction; null with short history. */
  riskAdjustedApy: number | null;
}

interface Track {
  vault: Vault;
  state: VaultState;
  firstHour: Date | null;
  apys: (number | null)[];
  levels: LastHours['levels'][number][];
  assets: (number | null)[];
  /** Outlook and losses at the newest added hour; null before the first. */
  outlook: Outlook | null;
  losses: Losses | null;
}

/**
 * A market: what is known of its vaults at an hour, and how the next hour is added, in memory and in O(vaults). Regimes, points of the market series
 * and crossings depend on every hour in order; signals only look back, so only those of the last hour are computed.
 */
export class Market {
  readonly snapshots: RatedSnapshot[] = [];
  private readonly tracks: Track[];
  private readonly yields: AssetYields;
  private readonly series: MarketSeries;
  private readonly length: number;
  private reached: Date;

  constructor(
    private readonly rules: MarketRules,
    memory: MarketMemory,
  ) {
    this.length = hoursNeeded(rules.constants);
    this.reached = memory.hour;
    this.yields = new AssetYields(rules, memory);
    this.series = new MarketSeries(rules.constants, this.length, memory);
    this.tracks = rules.vaults.map((vault) => {
      const { firstHour, apys, levels, assets } = memory.histories.get(vault.id) ?? this.nothing();
      const state = memory.states.get(vault.id) ?? initialState(vault.id);
      // Its index would begin again at 1.
      if (firstHour !== null && !memory.states.has(vault.id))
        throw new Error(`${vault.id} has hours since ${firstHour.toISOString()}, and no state.`);
      return {
        vault,
        state,
        firstHour,
        apys: [...apys],
        levels: [...levels],
        assets: [...assets],
        outlook: null,
        losses: null,
      };
    });
  }

  get hour(): Date {
    return this.reached;
  }

  get states(): VaultState[] {
    return this.tracks.map(({ state }) => state);
  }

  get regimes(): RegimeOfAsset[] {
    return this.series.regimes;
  }

  get points(): readonly YieldPoint[] {
    return this.yields.points;
  }

  get crossings(): readonly YieldCrossing[] {
    return this.yields.crossings;
  }

  get assetYields(): ReadonlyMap<string, AssetYield> {
    return this.yields.state;
  }

  step(advance: NextHour): void {
    const hour = addHours(this.reached, 1);
    this.reached = hour;
    const added = this.tracks.map((track) => {
      const { state, snapshot } = advance(track.vault, track.state, hour);
      track.state = this.smooth(state, snapshot);
      track.firstHour ??= hour;
      track.apys.push(snapshot.apy);
      track.levels.push(snapshot);
      if (track.levels.length > DAY_HOURS) track.levels.shift();
      track.assets.push(snapshot.assets === null ? null : Number(snapshot.assets));
      if (track.assets.length > WEEK_HOURS) track.assets.shift();
      track.outlook = isIdle(track.vault) ? null : outlookOf(...this.basisOf(track));
      const losses = lossesOf(track);
      track.losses = losses;
      track.state = this.quarantined(track, losses, hour);
      return { ...snapshot, riskAdjustedApy: track.outlook?.riskAdjustedApy ?? null };
    });
    this.snapshots.push(...added);
    const points = this.yields.step(hour, new Map(added.map((snapshot) => [snapshot.vaultId, snapshot])));
    this.series.add(hour, points);
  }

  dropStored(): void {
    this.snapshots.length = 0;
    this.yields.dropStored();
    for (const track of this.tracks) track.apys = track.apys.slice(-this.length);
  }

  /** Signals at the newest hour: the whole catalogue, inactive vaults too, without cash. */
  signals(): (Signal & RecentStatistics & { vaultId: string })[] {
    const evaluated = this.tracks.filter(({ vault }) => !isIdle(vault));
    return evaluated.map((track) => ({
      vaultId: track.vault.id,
      ...signalOf(...this.basisOf(track)),
      ...this.recent(track),
    }));
  }

  /** Outlooks for routing at the newest hour: the whole catalogue and cash. */
  outlooks(): VaultOutlook[] {
    return this.tracks.map((track) => {
      const { vault, state } = track;
      const known = isIdle(vault)
        ? NO_OUTLOOK
        : { ...(track.outlook ?? outlookOf(...this.basisOf(track))), ...this.recent(track) };
      return { vault, state, ...known };
    });
  }

  /** The state with a quarantine that restarts in each hour of distress. */
  private quarantined(
    { vault, state }: Track,
    { indexChange, assetsChange }: Losses,
    hour: Date,
  ): VaultState {
    const { maxIndexLoss, maxAssetsLoss } = this.rules.constants.routing;
    if (isIdle(vault)) return state;
    const reason =
      (indexChange ?? 0) <= -maxIndexLoss
        ? 'index'
        : (assetsChange ?? 0) <= -maxAssetsLoss
          ? 'outflow'
          : null;
    if (reason !== null) return { ...state, quarantine: { until: addHours(hour, QUARANTINE_HOURS), reason } };
    return state.quarantine && state.quarantine.until <= hour ? { ...state, quarantine: null } : state;
  }

  private recent(track: Track): RecentStatistics {
    const { asset } = track.vault;
    const lending = this.tracks.find(({ vault }) => vault.lendingBaseline && vault.asset === asset);
    return recentOf(track, lending?.apys ?? [], track.losses ?? lossesOf(track));
  }

  private basisOf({ vault, state, firstHour, apys }: Track): Parameters<typeof signalOf> {
    const series = { lastHour: this.reached, values: apys };
    return [series, hoursUpTo(this.reached, firstHour), vault, state.smoothed, this.rules.constants.signals];
  }

  private smooth(state: VaultState, { apy }: Snapshot): VaultState {
    const { signals } = this.rules.constants;
    return apy === null ? state : { ...state, smoothed: smoothApy(state.smoothed, apy, signals) };
  }

  private nothing(): VaultHistory {
    return { firstHour: null, apys: Array.from({ length: this.length }, () => null), levels: [], assets: [] };
  }
}
