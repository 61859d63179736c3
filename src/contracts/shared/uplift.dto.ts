import { type RoundedRate, roundRate, toUnits } from '../../domain/kernel/money.js';
import type { Uplift, UpliftFilter, UpliftOver } from '../../domain/reporting/uplift.service.js';
import { defined } from '../../http/defined.js';
import { AssetField, IdFilterField, QueryTimeField } from '../../http/request/fields.js';
import { queryTime } from '../../http/request/field-rules.js';
import { momentAsked } from './as-of.js';
import { Shown } from '../../http/answer/shown.js';

const PAR = 'Over several assets, stablecoins are added at par.';

export class UpliftQuery {
  @AssetField({ description: 'Only positions of this asset.', optional: true }) asset?: string;

  @IdFilterField({ description: 'Only positions of this end-user of yours.', kind: 'user' })
  user_id?: string;

  @IdFilterField({ description: 'Only this position of yours.', kind: 'position' })
  position_id?: string;

  @QueryTimeField({
    description:
      'Uplift from this moment on: the end of a closed UTC day, or any moment since the last one. Default: since the first deposit.',
    edge: 'start',
    example: '2026-01-01',
    extension: true,
  })
  from?: string;

  @QueryTimeField({
    description: 'Uplift up to this moment. Default: now.',
    edge: 'end',
    example: '2026-01-31',
    extension: true,
  })
  to?: string;
}

export const upliftAsked = ({ asset, user_id, position_id, from, to }: UpliftQuery): UpliftFilter =>
  defined({
    asset,
    userId: user_id,
    positionId: position_id,
    from: from === undefined ? undefined : queryTime(from)!,
    to: momentAsked(to),
  });

export class UpliftRealized {
  @Shown.amount(`Value of the positions as routed. ${PAR}`, 1012.5)
  routed_value: number;
  @Shown.amount(
    `Value in the baseline of the same deposits, reduced by the same fraction at each withdrawal. ${PAR}`,
    1009.2,
  )
  baseline_value: number;
  @Shown.amount(
    'Uplift settled by withdrawals: the amount paid out less the value of the same fraction of the baseline.',
    0.4,
  )
  settled_uplift: number;
  @Shown.amount('Costs of moves between vaults; a baseline never moves.', 0.2)
  costs: number;
  @Shown.amount('Uplift before costs: `uplift` + `costs`.', 3.9)
  gross_uplift: number;
  @Shown.amount(
    'Routed value less baseline value, plus settled uplift, net of costs; negative where routing lost. Constant for a closed position.',
    3.7,
  )
  uplift: number;
  @Shown.rate(
    'Uplift as a fraction of the time-weighted capital (principal times days, over the days since the first deposit): 0.01 is 1 %. null without capital.',
    0.0037,
    { nullable: true },
  )
  uplift_pct: RoundedRate | null;
}

export class UpliftProjected {
  @Shown.choice(
    ['current_rates'],
    "Basis of the projection: today's expected yields, unchanged. It is no forecast.",
    'current_rates',
  )
  basis: 'current_rates';
  @Shown.integer('Days that the projection looks ahead.', 365) horizon_days: number;
  @Shown.rate(
    'Expected annual yield of the vaults that hold the funds, weighted by value, as a fraction. null with too little history in any of them, or without funds.',
    0.0482,
    { nullable: true },
  )
  routed_apy: RoundedRate | null;
  @Shown.rate(
    'Expected annual yield of the baseline, weighted by baseline value within an asset and by routed value across assets, as a fraction. null with too little history in any of its vaults, or without funds.',
    0.0431,
    { nullable: true },
  )
  baseline_apy: RoundedRate | null;
  @Shown.amount(
    'Additional yield of the routed value over those days at the first rate compared with the second; null where either rate is null.',
    5.16375,
    { nullable: true },
  )
  uplift: number | null;
}

export class UpliftScope {
  @Shown.time('The moment that it is of: now, or `to`.') as_of: string;
  @Shown.time('The requested `from`: settled uplift, costs and uplift are since then. null: all time.', {
    nullable: true,
    example: null,
    extension: true,
  })
  from: string | null;
  @Shown.asset('The requested asset; null: all.', { nullable: true }) asset: string | null;
  @Shown.integer('Number of positions, including closed ones.', 2)
  positions: number;
}

export class UpliftAgainst {
  @Shown.record(() => UpliftRealized, 'What routing has brought so far.') realized: UpliftRealized;
  @Shown.record(() => UpliftProjected, "Uplift in a year at today's expected yields.")
  projected: UpliftProjected;
}

export const upliftScope = ({ asOf, from, asset, positions }: Uplift): UpliftScope => ({
  as_of: asOf.toISOString(),
  from: from?.toISOString() ?? null,
  asset,
  positions,
});

export const upliftAgainst = ({ realized, projected }: UpliftOver): UpliftAgainst => ({
  realized: {
    routed_value: toUnits(realized.routedValue),
    baseline_value: toUnits(realized.baselineValue),
    settled_uplift: toUnits(realized.settledUplift),
    costs: toUnits(realized.costs),
    gross_uplift: toUnits(realized.grossUplift),
    uplift: toUnits(realized.uplift),
    uplift_pct: roundRate(realized.upliftPct),
  },
  projected: {
    basis: 'current_rates',
    horizon_days: projected.horizonDays,
    routed_apy: roundRate(projected.routedApy),
    baseline_apy: roundRate(projected.baselineApy),
    uplift: projected.uplift === null ? null : toUnits(projected.uplift),
  },
});
