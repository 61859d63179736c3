import type { RoundedRate } from '../../domain/kernel/money.js';
import {
  type HistoryQuery,
  type Interval,
  INTERVALS,
  MAX_POINTS,
  type YieldHistory,
} from '../../domain/reporting/yield-history.service.js';
import { ChoiceField } from '../../http/request/fields.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { SpanAnswer } from '../../http/answer/envelope.js';
import { queryTime, QueryTimeField } from '../../http/request/query-fields.js';

export class YieldHistoryQuery {
  @QueryTimeField({
    description: `Start; default: 30 days before \`to\`. Without \`to\`, an answer ends after ${MAX_POINTS} points, and \`meta.next_from\` is the next \`from\`.`,
    edge: 'start',
    example: '2026-01-01T00:00:00.000Z',
  })
  from?: string;

  @QueryTimeField({
    description: `End; default: now. A span of more than ${MAX_POINTS} points is refused.`,
    edge: 'end',
    example: '2026-01-31T00:00:00.000Z',
  })
  to?: string;

  @ChoiceField({
    description: '`hour`: a point per hour. `day`: a point per UTC day, over its requested hours.',
    of: INTERVALS,
    optional: true,
    default: 'hour',
  })
  interval?: Interval;
}

/** Span of a valid query. Drops absent fields. */
export const requestedSpan = ({ from, to }: { from?: string; to?: string }): { from?: Date; to?: Date } => ({
  ...(from && { from: queryTime(from)! }),
  ...(to && { to: queryTime(to, 'end')! }),
});
export const requestedHistory = ({ interval, ...span }: YieldHistoryQuery): HistoryQuery => ({
  ...requestedSpan(span),
  ...(interval && { interval }),
});

export class YieldPointDto {
  @Shown.time('Beginning of the hour or day.') at: string;
  @ShownOrNull.rate(
    "Annual yield of the asset's observed active vaults, as a fraction, weighted by TVL (equally where none is known); for a day, the mean of the known hours. null where none was observed.",
    0.0523,
  )
  apy: RoundedRate | null;
  @ShownOrNull.amount(
    'Total assets of those vaults, in whole asset units; for a day, at its newest hour. null where unknown.',
    812_345_678.12,
  )
  tvl: number | null;
  @Shown.integer('Number of vaults included; for a day, at its newest hour.', 4) vaults: number;
}

export class YieldHistoryDto {
  @Shown.asset('Asset of the series.') asset: string;
  @Shown.choice(INTERVALS, 'Length of a point.', 'hour') interval: Interval;
  @Shown.records(() => YieldPointDto, 'Oldest first. An hour without a record has no point.')
  points: YieldPointDto[];
  @ShownOrNull.rate(
    'Blended annual yield at the newest recorded hour, whatever the requested span, as a fraction; null where unknown.',
    0.0523,
  )
  apy: RoundedRate | null;
  @ShownOrNull.rate('Mean of the known points, as an annual fraction; null without one.', 0.0518)
  average_apy: RoundedRate | null;
}

const seriesView = viewOf(YieldHistoryDto);

export const yieldHistoryView = (history: YieldHistory): SpanAnswer<YieldHistoryDto> =>
  new SpanAnswer(seriesView(history), history.nextFrom);
