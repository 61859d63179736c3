import { type Regime, REGIMES, UNKNOWN_REASONS, type UnknownReason } from '../../domain/analytics/regime.js';
import type { Recommendation } from '../../domain/analytics/signal.js';
import type { RankedSignal, RegimeFigures, RegimeReport } from '../../domain/reporting/insight.service.js';
import { RISK_TIERS } from '../../domain/vaults/vault.js';
import { AssetField } from '../../http/fields.js';
import { PageQuery } from '../../http/paging.js';
import { Shown } from '../../http/shown.js';
import { shownRate } from './rate.js';

const RECOMMENDATIONS: readonly Recommendation[] = ['increase', 'hold', 'reduce'];
const HISTORY = 'null while there is too little history.';

export class SignalsQuery extends PageQuery {
  @AssetField({ description: 'Only vaults of this asset, ranked among themselves.', optional: true })
  asset?: string;
}

export class SignalDto {
  @Shown.kind('signal') object: 'signal';
  @Shown.integer('Place among all that were asked for, from 1: the best risk-adjusted yield first.', 1)
  rank: number;
  @Shown.text('Vault that it is about.', 'vlt_aave_v3_usdc') vault_id: string;
  @Shown.text('Name of the vault.', 'Aave v3 USDC') name: string;
  @Shown.asset('Asset that the vault takes.') asset: string;
  @Shown.choice(RISK_TIERS, 'How much its yield is discounted for risk: least in `low`.', 'low')
  risk_tier: string;
  @Shown.number(
    'Newest observed yield a year within the last week, as a fraction: 0.0523 is 5.23 %. null where there is none, never 0.',
    0.0523,
    { nullable: true },
  )
  apy: number | null;
  @Shown.number(
    'Mean of the observed yields of the last week, as a fraction; null where there is none.',
    0.0518,
    {
      nullable: true,
    },
  )
  mean_apy: number | null;
  @Shown.number(
    `Sample standard deviation of the yield a year over the last week, as a fraction. ${HISTORY}`,
    0.0021,
    { nullable: true },
  )
  volatility: number | null;
  @Shown.number(
    `Change of the yield a year, a day, as a fraction: 0.001 is 0.10 percentage points a day. The Theil-Sen slope over the medians of the last seven complete UTC days. ${HISTORY}`,
    0.0003,
    { nullable: true },
  )
  trend: number | null;
  @Shown.number(
    `Yield a year in 24 hours, as a fraction, were half a day of the trend to go on; never below 0. It is naive: trends of yields fade, and it knows nothing but the past week. ${HISTORY}`,
    0.05245,
    { nullable: true },
  )
  forecast_apy: number | null;
  @Shown.number(
    `Mean yield less a discount by risk tier and for volatility, as a fraction a year; may be below 0. ${HISTORY}`,
    0.0482,
    { nullable: true },
  )
  risk_adjusted_apy: number | null;
  @Shown.choice(
    RECOMMENDATIONS,
    '`increase`: the best of its asset that takes deposits. `reduce`: that one is better by a percentage point or more. `hold`: neither, or too little history.',
    'increase',
  )
  recommendation: Recommendation;
  @Shown.flag(
    'True while there are too few hourly snapshots: volatility, trend, forecast and risk-adjusted yield are null then.',
    false,
  )
  insufficient_history: boolean;
  @Shown.integer('Hourly snapshots of the last week.', 168) observations: number;
  @Shown.time('The hour that it is of.') as_of: string;
}

export const signalView = (signal: RankedSignal): SignalDto => ({
  object: 'signal',
  rank: signal.rank,
  vault_id: signal.vaultId,
  name: signal.name,
  asset: signal.asset,
  risk_tier: signal.riskTier,
  apy: shownRate(signal.apy),
  mean_apy: shownRate(signal.meanApy),
  volatility: shownRate(signal.volatility),
  trend: shownRate(signal.trend),
  forecast_apy: shownRate(signal.forecastApy),
  risk_adjusted_apy: shownRate(signal.riskAdjustedApy),
  recommendation: signal.recommendation,
  insufficient_history: signal.insufficientHistory,
  observations: signal.observations,
  as_of: signal.asOf.toISOString(),
});

/** Of the operation, in both contracts. */
export const REGIME_DESCRIPTION =
  'How yields behave now: over all assets, and asset by asset. A new regime holds once two hours in a row agree on it. With too little history it is ' +
  '`unknown`: never guessed; `reason` says why.';

export class RegimeQuery {
  @AssetField({ description: 'Only this asset.', optional: true }) asset?: string;
}

const MEANING =
  '`volatile`: the last day changed far more than the last week. `rising`, `falling`: a significant trend. `stable`: none of these. ' +
  '`unknown`: too little history, or the newest is too old; never guessed.';

const REASON =
  'Why the regime is `unknown`; null where it is known. `short_history`: too little was observed. `silent_feed`: an outage, nothing was observed of one of the vaults for more than three hours.';
const TREND =
  'Change of that yield, a day, as a fraction: 0.001 is 0.10 percentage points a day. null while there is too little history.';
const VOLATILITY =
  'Sample standard deviation of that yield over the last week, as a fraction; null while there is too little history.';

export class AssetRegime {
  @Shown.asset('Asset whose yields it is about.') asset: string;
  @Shown.choice(REGIMES, MEANING, 'stable') regime: Regime;
  @Shown.choice(UNKNOWN_REASONS, REASON, null, { nullable: true }) reason: UnknownReason | null;
  @Shown.number(
    'Yield a year of its vaults, weighted by their TVL, as a fraction; null where it is not known or too old.',
    0.0523,
    { nullable: true },
  )
  apy: number | null;
  @Shown.number(TREND, 0.0003, { nullable: true }) trend: number | null;
  @Shown.number(VOLATILITY, 0.0021, { nullable: true }) volatility: number | null;
  @Shown.integer('Hours of the last week of which it is known.', 168) observations: number;
}

export class RegimeDto {
  @Shown.choice(REGIMES, `Of all assets together, or of the one that was asked for. ${MEANING}`, 'stable')
  regime: Regime;
  @Shown.choice(UNKNOWN_REASONS, REASON, null, { nullable: true }) reason: UnknownReason | null;
  @Shown.time('The hour that it is of.') as_of: string;
  @Shown.number(
    'Yield a year of the vaults of all assets together, or of the one that was asked for, weighted by their TVL, as a fraction; null where it is not known or too old.',
    0.0523,
    { nullable: true },
  )
  apy: number | null;
  @Shown.number(TREND, 0.0003, { nullable: true }) trend: number | null;
  @Shown.number(VOLATILITY, 0.0021, { nullable: true }) volatility: number | null;
  @Shown.records(() => AssetRegime, 'Asset by asset.') assets: AssetRegime[];
}

const figuresView = ({ regime, reason, apy, trend, volatility }: RegimeFigures) => ({
  regime,
  reason,
  apy: shownRate(apy),
  trend: shownRate(trend),
  volatility: shownRate(volatility),
});

export const regimeView = ({ asOf, assets, ...whole }: RegimeReport): RegimeDto => ({
  ...figuresView(whole),
  as_of: asOf.toISOString(),
  assets: assets.map(({ asset, observations, ...figures }) => ({
    asset,
    ...figuresView(figures),
    observations,
  })),
});
