import { REGIME_REASONS, type RegimeReason } from '../../domain/markets/signals/regime.js';
import type { RoundedRate } from '../../domain/kernel/money.js';
import { AssetField } from '../../http/request/fields.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';

export class RegimeQuery {
  @AssetField({ description: 'Only this asset.', optional: true }) asset?: string;
}

export const REGIME_DESCRIPTION =
  'The regime of yields, for all assets together and for each. A regime changes once two consecutive hours agree.';

export const REGIME_MEANING =
  '`volatile`: the last day changed far more than the last week. `rising`, `falling`: a significant trend. `stable`: none of these.';

export const OVERALL = 'Over all assets, or of the requested one.';

/** Inputs of a regime. The contracts represent an unknown regime differently. */
export class RegimeFigures {
  @ShownOrNull.choice(
    REGIME_REASONS,
    'Why the regime is unknown; null where it is known. `silent_feed`: the newest observation is over three hours old. `short_history`: too few observations, or too few consecutive hours that agree.',
    null,
  )
  reason: RegimeReason | null;
  @ShownOrNull.rate(
    'Annual yield of the vaults, weighted by TVL, as a fraction; null where unknown or too old.',
    0.0523,
  )
  apy: RoundedRate | null;
  @ShownOrNull.rate(
    'Daily change of that yield, as a fraction: 0.001 is 0.10 percentage points a day. null with too little history.',
    0.0003,
  )
  trend: RoundedRate | null;
  @ShownOrNull.rate(
    'Sample standard deviation of that yield over the last week, as a fraction; null with too little history.',
    0.0021,
  )
  volatility: RoundedRate | null;
}

export class AssetRegimeFigures extends RegimeFigures {
  @Shown.asset('Asset of the yields.') asset: string;
  @Shown.integer('Hours of the last week with a known yield.', 168) observations: number;
}
