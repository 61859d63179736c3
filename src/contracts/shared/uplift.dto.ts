import { toUnits } from '../../domain/positions/amount.js';
import type { Uplift, UpliftOver } from '../../domain/reporting/uplift.service.js';
import { type RoundedRate, roundRate } from '../../domain/rate.js';
import { AssetField, IdFilterField } from '../../http/fields.js';
import { Shown } from '../../http/shown.js';

const PAR = 'Over several assets, stablecoins are added at par.';

/** Of whose funds, beside the partner's own. */
export class UpliftQuery {
  @AssetField({ description: 'Only positions of this asset.', optional: true }) asset?: string;

  @IdFilterField({ description: 'Only positions of this end-user of yours.', kind: 'user' })
  user_id?: string;

  @IdFilterField({ description: 'Only this position of yours.', kind: 'position' })
  position_id?: string;
}

export class UpliftRealized {
  @Shown.number(`What the positions are worth as routed, in whole asset units. ${PAR}`, 1012.5)
  routed_value: number;
  @Shown.number(
    `What the same deposits and withdrawals, each at its own time, would have come to in the baseline, in whole asset units; below 0 where more was withdrawn than it had earned. ${PAR}`,
    1009.2,
  )
  baseline_value: number;
  @Shown.number('Routed value less baseline value, in whole asset units; below 0 where routing cost.', 3.3)
  uplift: number;
  @Shown.rate(
    'The uplift as a fraction of the baseline value: 0.01 is 1 %. null where that value is not above 0.',
    0.00327,
    { nullable: true },
  )
  uplift_pct: RoundedRate | null;
}

export class UpliftProjected {
  @Shown.integer('Days that the projection looks ahead.', 365) horizon_days: number;
  @Shown.rate(
    'Risk-adjusted yield a year of the vaults that hold the funds, weighted by value, as a fraction. null while any of them has too little history, or nothing is held.',
    0.0482,
    { nullable: true },
  )
  routed_apy: RoundedRate | null;
  @Shown.rate(
    'The same of the baseline, weighted by the baseline within an asset and by what is routed over the assets, as a fraction. null while any of its vaults has too little history, or nothing is held.',
    0.0431,
    { nullable: true },
  )
  baseline_apy: RoundedRate | null;
  @Shown.number(
    'What the routed value would earn over those days at the one rate more than at the other, in whole asset units, were neither to change; below 0 where less. null where one of the rates is.',
    5.16375,
    { nullable: true },
  )
  uplift: number | null;
}

/** What uplift is measured of. */
export class UpliftScope {
  @Shown.time('The moment that it is of.') as_of: string;
  @Shown.asset('The asset that was asked for; null: all.', { nullable: true }) asset: string | null;
  @Shown.integer(
    'How many positions it is of, closed ones included: what a baseline would have earned does not end with a withdrawal.',
    2,
  )
  positions: number;
}

/** Against one baseline. */
export class UpliftAgainst {
  @Shown.record(() => UpliftRealized, 'What routing has brought so far.') realized: UpliftRealized;
  @Shown.record(() => UpliftProjected, "What it would bring at today's risk-adjusted yields.")
  projected: UpliftProjected;
}

export const upliftScope = ({ asOf, asset, positions }: Uplift): UpliftScope => ({
  as_of: asOf.toISOString(),
  asset,
  positions,
});

export const upliftAgainst = ({ realized, projected }: UpliftOver): UpliftAgainst => ({
  realized: {
    routed_value: toUnits(realized.routedValue),
    baseline_value: toUnits(realized.baselineValue),
    uplift: toUnits(realized.uplift),
    uplift_pct: roundRate(realized.upliftPct),
  },
  projected: {
    horizon_days: projected.horizonDays,
    routed_apy: roundRate(projected.routedApy),
    baseline_apy: roundRate(projected.baselineApy),
    uplift: projected.uplift === null ? null : toUnits(projected.uplift),
  },
});
