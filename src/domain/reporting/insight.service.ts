import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import type { Regime, UnknownReason } from '../analytics/regime.js';
import { byRank, type Recommendation, recommend, type Signal, signalConstants } from '../analytics/signal.js';
import { invalid } from '../domain-error.js';
import { ALL_ASSETS } from '../markets/market-path.js';
import { MarketService } from '../markets/market.service.js';
import { type Page, type PageRequest, toPage } from '../store/page.js';
import { Reader } from '../store/reader.js';
import type { MarketView } from '../markets/market-view.js';
import { hourOf, hoursBetween } from '../vaults/hour.js';
import type { RiskTier } from '../vaults/vault.js';
import { isSilent, isStale } from '../vaults/vault-state.js';
import * as queries from './report.queries.js';

/** A vault's signals, and its place among those that were asked for. Rates are fractions a year. */
export interface RankedSignal extends Signal {
  /** From 1. */
  rank: number;
  vaultId: string;
  name: string;
  asset: string;
  riskTier: RiskTier;
  recommendation: Recommendation;
  /** Takes deposits, and was seen within a day. */
  eligible: boolean;
  /** Takes deposits, was observed before, and not in the last hours: its feed is out. */
  silent: boolean;
  /** The hour that they are of. */
  asOf: Date;
}

/** How the yields of a series behave. */
export interface RegimeFigures {
  regime: Regime;
  /** null where the regime is known. */
  reason: UnknownReason | null;
  apy: number | null;
  /** A day. */
  trend: number | null;
  volatility: number | null;
}

export interface AssetRegime extends RegimeFigures {
  asset: string;
  observations: number;
}

/** Of the series over all assets; of the one that was asked for. */
export interface RegimeReport extends RegimeFigures {
  asOf: Date;
  assets: AssetRegime[];
}

type StoredRegime = Omit<AssetRegime, 'reason'> & { hour: Date };

/** Before the first hour. */
const UNKNOWN: Omit<AssetRegime, 'asset'> = {
  regime: 'unknown',
  reason: 'short_history',
  apy: null,
  trend: null,
  volatility: null,
  observations: 0,
};

const NO_SIGNAL: Signal = {
  apy: null,
  meanApy: null,
  volatility: null,
  trend: null,
  forecastApy: null,
  riskAdjustedApy: null,
  insufficientHistory: true,
  observations: 0,
};

/** What the hourly tick found out about a market. It is computed there, and only ranked and shown here. */
@Injectable()
export class InsightService {
  constructor(
    private readonly reader: Reader,
    private readonly market: MarketService,
    private readonly settings: Settings,
  ) {}

  /**
   * All vaults of a market, or of one of its assets, best first. What a vault has too little history for is null.
   *
   * @throws DomainError `validation_failed` (asset)
   */
  async signals(marketId: string, asset?: string): Promise<RankedSignal[]> {
    this.check(asset);
    const [view, rows] = await Promise.all([
      this.market.look(marketId, this.reader),
      this.reader.query<Signal & { vaultId: string; hour: Date }>(queries.FIND_SIGNALS, [marketId]),
    ]);
    const stored = new Map(rows.map(({ vaultId, hour, ...signal }) => [vaultId, { hour, signal }]));
    const now = hourOf(this.market.nowIn(view));
    const ranked = [...view.vaults.values()]
      .map(({ vault, state }) => {
        const { hour = view.hour ?? now, signal = NO_SIGNAL } = stored.get(vault.id) ?? {};
        return {
          vault,
          hour,
          signal,
          eligible: vault.active && !isStale(state, now),
          silent: vault.active && isSilent(state, now, this.maximumAge),
          tvl: state.lastTvl,
        };
      })
      .map((one) => ({
        ...one,
        vaultId: one.vault.id,
        asset: one.vault.asset,
        riskAdjustedApy: one.signal.riskAdjustedApy,
      }))
      .toSorted(byRank);
    const recommendations = recommend(ranked, signalConstants(this.settings.constants.signals));
    return ranked
      .filter(({ vault }) => asset === undefined || vault.asset === asset)
      .map(({ vault, hour, signal, eligible, silent }, index) => ({
        ...signal,
        rank: index + 1,
        vaultId: vault.id,
        name: vault.name,
        asset: vault.asset,
        riskTier: vault.riskTier,
        recommendation: recommendations.get(vault.id)!,
        eligible,
        silent,
        asOf: hour,
      }));
  }

  /** The same, a page at a time. */
  async signalPage(
    marketId: string,
    asset: string | undefined,
    page: PageRequest,
  ): Promise<Page<RankedSignal>> {
    const signals = await this.signals(marketId, asset);
    const start = page.after ? signals.findIndex(({ vaultId }) => vaultId === page.after!.id) + 1 : 0;
    const rows = signals.slice(start, start + page.limit + 1);
    return toPage(rows, page.limit, ({ asOf, vaultId }) => ({ at: asOf, id: vaultId }));
  }

  /**
   * How yields behave, over all assets and asset by asset: `unknown` where there is too little history, and at once where the newest is too old to say.
   *
   * @throws DomainError `validation_failed` (asset)
   */
  async regime(marketId: string, asset?: string): Promise<RegimeReport> {
    this.check(asset);
    const [rows, moment] = await Promise.all([
      this.reader.query<StoredRegime>(queries.FIND_REGIMES, [marketId]),
      this.market.now(marketId),
    ]);
    const now = hourOf(moment);
    const isOld = ({ apy, hour }: StoredRegime): boolean =>
      apy === null || hoursBetween(hour, now) > this.maximumAge;
    const isUnknown = (row: StoredRegime): boolean => row.regime === 'unknown' || isOld(row);
    // Which feeds are out is asked only where it explains something.
    const view = rows.some(isUnknown) ? await this.market.look(marketId, this.reader) : null;
    const stored = new Map(rows.map((row) => [row.asset, row]));
    const regimeOf = (name: string): AssetRegime => {
      const row = stored.get(name);
      if (!row) return { ...UNKNOWN, asset: name };
      const { hour: _hour, ...read } = row;
      if (!isUnknown(row)) return { ...read, reason: null };
      const silent = view !== null && this.isSilent(view, name, now);
      return {
        ...read,
        regime: 'unknown',
        reason: silent ? 'silent_feed' : 'short_history',
        apy: isOld(row) ? null : read.apy,
      };
    };
    const assets = asset === undefined ? this.settings.constants.assets : [asset];
    const { regime, reason, apy, trend, volatility } = regimeOf(asset ?? ALL_ASSETS);
    return {
      ...{ regime, reason, apy, trend, volatility },
      asOf: stored.get(ALL_ASSETS)?.hour ?? now,
      assets: assets.map(regimeOf),
    };
  }

  /** Hours without an observation after which a feed counts as silent. */
  private get maximumAge(): number {
    return this.settings.constants.regime.max_age_hours;
  }

  /** Whether a feed is out that the series of an asset, or of all, is made of. */
  private isSilent({ vaults }: MarketView, asset: string, now: Date): boolean {
    return [...vaults.values()].some(
      ({ vault, state }) =>
        vault.active &&
        (asset === ALL_ASSETS || vault.asset === asset) &&
        isSilent(state, now, this.maximumAge),
    );
  }

  private check(asset: string | undefined): void {
    const { assets } = this.settings.constants;
    if (asset !== undefined && !assets.includes(asset))
      throw invalid('asset', `must be one of ${assets.join(', ')}`);
  }
}
