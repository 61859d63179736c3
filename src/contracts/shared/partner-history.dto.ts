import { toUnits } from '../../domain/kernel/money.js';
import type { Closings, DailyClosing } from '../../domain/reporting/closing.service.js';
import { addHours } from '../../domain/kernel/clock.js';
import { MAX_POINTS } from '../../domain/reporting/yield-history.service.js';
import { AssetField } from '../../http/request/fields.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { SpanAnswer } from '../../http/answer/envelope.js';
import { QueryTimeField } from '../../http/request/query-fields.js';

export class PartnerHistoryQuery {
  @AssetField({ description: 'Only this asset.', optional: true }) asset?: string;

  @QueryTimeField({
    description: `Any moment of the first day; default: 365 days before \`to\`. Without \`to\`, an answer ends after ${MAX_POINTS} points, and \`meta.next_from\` is the next \`from\`.`,
    edge: 'start',
    example: '2026-01-01T00:00:00.000Z',
  })
  from?: string;

  @QueryTimeField({
    description: `Any moment of the last day; default: now. A span of more than ${MAX_POINTS} points is refused.`,
    edge: 'end',
    example: '2026-01-31T00:00:00.000Z',
  })
  to?: string;
}

/** Amounts under the two passive baselines, each in whole asset units. */
export class BaselineAmounts {
  @Shown.amount("For the asset's lending vault.", 1.5) lending: number;
  @Shown.amount("For each position's first vault.", 0.5) hold: number;
}

export class BaselineValues {
  @Shown.amount("Value of the same deposits in the asset's lending vault.", 1009.2)
  lending_value: number;
  @Shown.amount("Value of the same deposits in each position's first vault.", 1010.2)
  hold_value: number;
}

export class PartnerClosing {
  @Shown.time('Beginning of the UTC day that closed.') at: string;
  @Shown.time(
    "Moment of the figures: the day's end, before any entry of the next day. Reports with this `as_of` have the same figures.",
  )
  as_of: string;
  @Shown.asset('Asset of the row.') asset: string;
  @Shown.amount('Value of all positions.', 1012.5)
  net_tvl: number;
  @Shown.amount('Deposits so far.', 1000) deposits: number;
  @Shown.amount('Withdrawals so far.', 0) withdrawals: number;
  @Shown.amount('Yield so far, net of costs.', 12.5) yield: number;
  @Shown.amount('Costs of moves between vaults so far.', 0.2) costs: number;
  @Shown.amount("The partner's share of the performance fee so far.", 0.49)
  revenue: number;
  @Shown.amount('Points earned so far with deposits of the asset, to 0.000001.', 562.5) points: number;
  @Shown.record(() => BaselineValues, 'The value of the two passive baselines.') baselines: BaselineValues;
  @Shown.record(() => BaselineAmounts, 'Uplift settled by withdrawals.')
  settled_uplift: BaselineAmounts;
  @Shown.record(
    () => BaselineAmounts,
    'Uplift net of costs: net TVL less the baseline, plus settled uplift. Add `costs` for the uplift before costs.',
  )
  uplift: BaselineAmounts;
}

export class PartnerHistory {
  @ShownOrNull.asset('The requested asset; null: all.') asset: string | null;
  @Shown.records(
    () => PartnerClosing,
    'A row per day and asset, oldest first. A day without funds has no row, nor has a day whose end the deployment missed.',
  )
  points: PartnerClosing[];
}

export const partnerHistoryView = (
  asset: string | null,
  { days, nextFrom }: Closings,
): SpanAnswer<PartnerHistory> => new SpanAnswer({ asset, points: days.map(closingView) }, nextFrom);

const closingView = viewOf(PartnerClosing, (record: DailyClosing) => ({
  at: record.day.toISOString(),
  as_of: addHours(record.day, 24).toISOString(),
  revenue: toUnits(record.partnerRevenue),
  baselines: { lending_value: toUnits(record.lendingValue), hold_value: toUnits(record.holdValue) },
  settled_uplift: { lending: toUnits(record.settledLending), hold: toUnits(record.settledHold) },
  uplift: {
    lending: toUnits(record.netTvl - record.lendingValue + record.settledLending),
    hold: toUnits(record.netTvl - record.holdValue + record.settledHold),
  },
}));
