import { toUnits } from '../../domain/books/positions/amount.js';
import type { Uplift, UpliftFilter, UpliftOver } from '../../domain/reporting/uplift.service.js';
import { type RoundedRate, roundRate } from '../../domain/kernel/rate.js';
import { defined } from '../../http/defined.js';
import { AssetField, IdFilterField, QueryTimeField } from '../../http/request/fields.js';
import { queryTime } from '../../http/request/field-rules.js';
import { momentAsked } from './as-of.js';
import { Shown } from '../../http/answer/shown.js';

const PAR = 'Over several assets, stablecoins are added at par.';

/** Filter of uplift by asset, user or position. */
export class UpliftQuery {
  @AssetField({ description: 'Only positions of this asset.', optional: true }) asset?: string;

  @IdFilterField({ description: 'Only positions of this end-user of yours.', kind: 'user' })
  user_id?: string;

  @IdFilterField({ description: 'Only this position of yours.', kind: 'position' })
  position_id?: string;

  @QueryTimeField({
    description:
      'Only what was brought from this moment on: the end of a closed UTC day, or a moment since the last one. A date stands for its beginning. Default: all of it.',
    edge: 'start',
    example: '2026-01-01',
    extension: true,
  })
  from?: string;

  @QueryTimeField({
    description: 'Only what was brought before this moment. A date stands for its end. Default: now.',
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
  @Shown.number(`What the positions are worth as routed, in whole asset units. ${PAR}`, 1012.5)
  routed_value: number;
  @Shown.number(
    `What the same deposits, less the same fraction at each withdrawal, are worth in the baseline, in whole asset units. ${PAR}`,
    1009.2,
  )
  baseline_value: number;
  @Shown.number(
    'Uplift that withdrawals took with them, in whole asset units: what was paid out less what the same fraction of the baseline was worth then.',
    0.4,
  )
  settled_uplift: number;
  @Shown.number('What moves between vaults cost, in whole asset units; a baseline never moves.', 0.2)
  costs: number;
  @Shown.number('Uplift as it would be were moves free, in whole asset units: `uplift` and `costs`.', 3.9)
  gross_uplift: number;
  @Shown.number(
    'Routed value less baseline value, and settled uplift, in whole asset units: net of costs. Below 0 where routing cost. Of a closed position it stands still.',
    3.7,
  )
  uplift: number;
  @Shown.rate(
    'The uplift as a fraction of the time-weighted capital, which is principal times days over the days since the first deposit: 0.01 is 1 %. null where there is none.',
    0.0037,
    { nullable: true },
  )
  uplift_pct: RoundedRate | null;
}

export class UpliftProjected {
  @Shown.choice(
    ['current_rates'],
    'What it is made of: the yields that are expected today, were they to stay. It is no forecast.',
    'current_rates',
  )
  basis: 'current_rates';
  @Shown.integer('Days that the projection looks ahead.', 365) horizon_days: number;
  @Shown.rate(
    'Expected yield a year of the vaults that hold the funds, weighted by value, as a fraction. null while any of them has too little history, or nothing is held.',
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

/** Scope of an uplift report. */
export class UpliftScope {
  @Shown.time('The moment that it is of: now, or `to`.') as_of: string;
  @Shown.time(
    'The `from` that was asked for: settled uplift, costs and uplift are those since then. null: of all time.',
    {
      nullable: true,
      example: null,
      extension: true,
    },
  )
  from: string | null;
  @Shown.asset('The asset that was asked for; null: all.', { nullable: true }) asset: string | null;
  @Shown.integer(
    'How many positions it is of, closed ones included: what a withdrawal took with it is settled uplift.',
    2,
  )
  positions: number;
}

/** Uplift over one baseline. */
export class UpliftAgainst {
  @Shown.record(() => UpliftRealized, 'What routing has brought so far.') realized: UpliftRealized;
  @Shown.record(() => UpliftProjected, "What it would bring in a year if today's expected yields stayed.")
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
