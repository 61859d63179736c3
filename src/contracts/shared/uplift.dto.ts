import type { RoundedRate } from '../../domain/kernel/money.js';
import type { UpliftFilter, UpliftOver } from '../../domain/reporting/uplift.service.js';
import { defined } from '../../http/defined.js';
import { AssetField } from '../../http/request/fields.js';
import { requestedMoment } from './as-of.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { IdFilterField, queryTime, QueryTimeField } from '../../http/request/query-fields.js';

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
  })
  from?: string;

  @QueryTimeField({
    description: 'Uplift up to this moment. Default: now.',
    edge: 'end',
    example: '2026-01-31',
  })
  to?: string;
}

export const upliftFilter = ({ asset, user_id, position_id, from, to }: UpliftQuery): UpliftFilter =>
  defined({
    asset,
    userId: user_id,
    positionId: position_id,
    from: from === undefined ? undefined : queryTime(from)!,
    to: requestedMoment(to),
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
  @ShownOrNull.rate(
    'Uplift as a fraction of the time-weighted capital (principal times days, over the days since the first deposit): 0.01 is 1 %. null without capital.',
    0.0037,
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
  @ShownOrNull.rate(
    'Expected annual yield of the vaults that hold the funds, weighted by value, as a fraction. null with too little history in any of them, or without funds.',
    0.0482,
  )
  routed_apy: RoundedRate | null;
  @ShownOrNull.rate(
    'Expected annual yield of the baseline, weighted by baseline value within an asset and by routed value across assets, as a fraction. null with too little history in any of its vaults, or without funds.',
    0.0431,
  )
  baseline_apy: RoundedRate | null;
  @ShownOrNull.amount(
    'Additional yield of the routed value over those days at `routed_apy` instead of `baseline_apy`; null where either is null.',
    5.16375,
  )
  uplift: number | null;
}

export class UpliftScope {
  @Shown.time('Moment of the figures: now, or `to`.') as_of: string;
  @ShownOrNull.time(
    'The requested `from`: settled uplift, costs and uplift are since then. null: all time.',
    { example: null },
  )
  from: string | null;
  @ShownOrNull.asset('The requested asset; null: all.') asset: string | null;
  @Shown.integer('Number of positions, including closed ones.', 2)
  positions: number;
}

export class UpliftAgainst {
  @Shown.record(() => UpliftRealized, 'Realised uplift so far.') realized: UpliftRealized;
  @Shown.record(() => UpliftProjected, "Uplift in a year at today's expected yields.")
  projected: UpliftProjected;
}

const projectedView = viewOf(UpliftProjected, (_: UpliftOver['projected']) => ({
  basis: 'current_rates' as const,
}));

export const upliftAgainst = viewOf(UpliftAgainst, ({ projected }: UpliftOver) => ({
  projected: projectedView(projected),
}));
