import type { Recommendation } from '../../domain/markets/signals/signal.js';
import { type RoundedRate, roundRate } from '../../domain/kernel/money.js';
import type { RankedSignal } from '../../domain/reporting/insight.service.js';
import { RISK_TIERS } from '../../domain/kernel/catalogue/catalogue.js';
import { AssetField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';

const RECOMMENDATIONS: readonly Recommendation[] = ['increase', 'hold', 'reduce'];
const HISTORY = 'null with too little history.';

export class SignalsQuery extends PageQuery {
  @AssetField({ description: 'Only vaults of this asset, ranked among themselves.', optional: true })
  asset?: string;
}

export class SignalDto {
  @Shown.kind('signal') object: 'signal';
  @Shown.integer('Rank among the requested vaults, from 1, by `expected_risk_adjusted_apy`.', 1)
  rank: number;
  @Shown.text('The vault.', placeholder('vault')) vault_id: string;
  @Shown.text('Name of the vault.', placeholder('vaultName')) name: string;
  @Shown.asset('Asset that the vault takes.') asset: string;
  @Shown.choice(RISK_TIERS, 'Risk tier, by which its yield is discounted: least in `low`.', 'low')
  risk_tier: (typeof RISK_TIERS)[number];
  @ShownOrNull.rate(
    'Newest observed annual yield of the last week, as a fraction: 0.0523 is 5.23 %. null without one.',
    0.0523,
  )
  apy: RoundedRate | null;
  @ShownOrNull.rate('Mean of the observed yields of the last week, as a fraction; null without one.', 0.0518)
  mean_apy: RoundedRate | null;
  @ShownOrNull.rate(
    `Sample standard deviation of the annual yield over the last week, as a fraction. ${HISTORY}`,
    0.0021,
  )
  volatility: RoundedRate | null;
  @ShownOrNull.rate(
    `Daily change of the annual yield, as a fraction (0.001 is 0.10 percentage points): the Theil-Sen slope over the medians of the last seven complete UTC days. ${HISTORY}`,
    0.0003,
  )
  trend: RoundedRate | null;
  @ShownOrNull.rate(
    `Naive forecast of the annual yield in 24 hours, as a fraction: the yield plus half a day's trend, never below 0; routing does not use it. ${HISTORY}`,
    0.05245,
  )
  forecast_apy: RoundedRate | null;
  @ShownOrNull.rate(
    `Expected average annual yield over the next 10 days, as a fraction: that of the last hours, returning to the long average. ${HISTORY}`,
    0.0507,
  )
  expected_apy: RoundedRate | null;
  @ShownOrNull.rate(
    `\`apy\` discounted by risk tier and by the volatility below its mean, as a fraction: never above \`apy\`, and possibly below 0. ${HISTORY}`,
    0.0493,
  )
  risk_adjusted_apy: RoundedRate | null;
  @ShownOrNull.rate(
    `\`expected_apy\` with the same discounts, as a fraction: never above \`expected_apy\`, and possibly below 0. Ranks signals, and routes deposits and moves. ${HISTORY}`,
    0.0482,
  )
  expected_risk_adjusted_apy: RoundedRate | null;
  @Shown.choice(
    RECOMMENDATIONS,
    '`increase`: the best vault of its asset that would get funds now: open, recently read, with no large outflow and not in quarantine. `reduce`: that vault is better by a percentage point or more. `hold`: neither, or too little history.',
    'increase',
  )
  recommendation: Recommendation;
  @Shown.flag(
    'True exactly while `volatility` or `trend` is null, for lack of hourly snapshots or of whole days.',
    false,
  )
  insufficient_history: boolean;
  @Shown.integer('Hourly snapshots of the last week.', 168) observations: number;
  @Shown.time('Hour of the signal.') as_of: string;
}

export const signalView = viewOf(SignalDto, (signal: RankedSignal) => ({
  risk_adjusted_apy: roundRate(signal.currentRiskAdjustedApy),
  expected_risk_adjusted_apy: roundRate(signal.riskAdjustedApy),
}));
