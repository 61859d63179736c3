import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../config/domain-settings.js';
import { isSilent, type KnownRegime, type RegimeReason } from '../markets/signals/regime.js';
import { afterRisk, compareRanks, recommend, type Signal } from '../markets/signals/signal.js';
import { ALL_ASSETS } from '../markets/hours/market-series.js';
import { MarketService } from '../markets/hours/market.service.js';
import { type Page, type PageRequest, toPage } from '../kernel/store/page.js';
import { Store } from '../kernel/store/store.js';
import { Catalogue, isIdle } from '../kernel/catalogue/catalogue.js';
import { stillTakes } from '../routing/allocation/candidates.js';
import { vaultRules } from '../routing/allocation/routing-constants.js';
import { hourOf } from '../kernel/clock.js';
import type { RegimeRow } from './report.queries.js';
import * as queries from './report.queries.js';

export type RankedSignal = Awaited<ReturnType<InsightService['signals']>>[number];

/** Regime of a series of yields. */
export type SeriesRegime = (
  { regime: KnownRegime; reason: null } | { regime: 'unknown'; reason: RegimeReason }
) & {
  /** null when it is unknown or too old. */
  apy: number | null;
  trend: number | null;
  volatility: number | null;
  observations: number;
};

export type AssetRegime = SeriesRegime & { asset: string };

/** Regime of the series over all assets, or of the requested asset; and of each asset. */
export type RegimeReport = SeriesRegime & { asOf: Date; assets: AssetRegime[] };

const NO_REGIME: SeriesRegime = {
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
  expectedApy: null,
  riskAdjustedApy: null,
  insufficientHistory: true,
  observations: 0,
};

/** Micro-units that a vault must take to be recommended. */
const SMALLEST_AMOUNT = 1n;

/** Results of the hourly tick about a market; they are only ranked and rendered here. */
@Injectable()
export class InsightService {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly settings: DomainSettings,
    private readonly catalogue: Catalogue,
  ) {}

  /**
   * All vaults of a market, or of one of its assets, best first. Signals with insufficient history are null; rates are fractions. `eligible`: routing
   * would accept new funds for it. Current holdings are ignored, so as not to reveal other partners' positions. `silent`: its feed is down: it was
   * observed before, but not in the last hours.
   * @throws DomainError `validation_failed` (asset)
   */
  async signals(marketId: string, asset?: string) {
    this.catalogue.requestedAssets(asset);
    const [view, rows] = await Promise.all([
      this.market.look(marketId),
      this.store.query(queries.FIND_SIGNALS, [marketId]),
    ]);
    const stored = new Map(rows.map((row) => [row.vaultId, row]));
    const now = hourOf(view.now);
    const { signals, regime } = this.settings.constants;
    const rules = vaultRules(this.settings);
    const ranked = [...view.vaults.values()]
      .filter(({ vault }) => !isIdle(vault))
      .map((row) => {
        const { vault, state } = row;
        const { id: vaultId, name, asset: of, riskTier, active } = vault;
        const unknown = { ...NO_SIGNAL, vaultId, hour: view.hour ?? now };
        const { hour: asOf, ...signal } = stored.get(vaultId) ?? unknown;
        const { observedHour, lastTvl: tvl } = state;
        return {
          ...signal,
          name,
          asset: of,
          riskTier,
          asOf,
          tvl,
          currentRiskAdjustedApy: afterRisk(signal.apy, signal, signals.riskHaircut[riskTier]),
          eligible: stillTakes({ ...row, held: 0n, own: 0n }, SMALLEST_AMOUNT, now, rules),
          silent: active && observedHour !== null && isSilent(observedHour, now, regime),
        };
      })
      .toSorted(compareRanks);
    const recommendations = recommend(ranked, signals);
    return ranked
      .filter((row) => asset === undefined || row.asset === asset)
      .map(({ tvl: _, ...row }, index) => ({
        ...row,
        rank: index + 1,
        recommendation: recommendations.get(row.vaultId)!,
      }));
  }

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
   * Regimes by asset: `unknown` with insufficient history, or when the newest observation is too old.
   * @throws DomainError `validation_failed` (asset)
   */
  async regime(marketId: string, asset?: string): Promise<RegimeReport> {
    const assets = this.catalogue.requestedAssets(asset);
    const [rows, moment] = await Promise.all([
      this.store.query(queries.FIND_REGIMES, [marketId]),
      this.market.now(marketId),
    ]);
    const now = hourOf(moment);
    const stored = new Map(rows.map((row) => [row.asset, row]));
    const regimeOf = (name: string): SeriesRegime => this.toRegime(stored.get(name), now);
    return {
      ...regimeOf(asset ?? ALL_ASSETS),
      asOf: stored.get(ALL_ASSETS)?.hour ?? now,
      assets: assets.map((name) => ({ asset: name, ...regimeOf(name) })),
    };
  }

  /** As of now, which may be later than the hour of the row: snapshots age while no tick runs. */
  private toRegime(row: RegimeRow | undefined, now: Date): SeriesRegime {
    if (!row) return NO_REGIME;
    const { regime, apy, trend, volatility, observations } = row;
    const figures = { apy, trend, volatility, observations };
    if (isSilent(row.observedHour, now, this.settings.constants.regime))
      return { ...figures, regime: 'unknown', reason: 'silent_feed', apy: null };
    return regime === 'unknown'
      ? { ...figures, regime, reason: 'short_history' }
      : { ...figures, regime, reason: null };
  }
}
