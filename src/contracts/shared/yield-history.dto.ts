import { toUnits } from '../../domain/books/positions/amount.js';
import {
  type HistoryQuery,
  type Interval,
  INTERVALS,
  MAX_POINTS,
  type YieldHistory,
} from '../../domain/reporting/yield-history.service.js';
import { type RoundedRate, roundRate } from '../../domain/kernel/rate.js';
import { ChoiceField, QueryTimeField } from '../../http/request/fields.js';
import { queryTime } from '../../http/request/field-rules.js';
import { Shown } from '../../http/answer/shown.js';
import { Spanned } from '../../http/answer/envelope.interceptor.js';

export class YieldHistoryQuery {
  @QueryTimeField({
    description:
      `The first moment that is asked for. Default: so that there are 30 days up to \`to\`. An answer has at most ${MAX_POINTS} points: without \`to\` it ends ` +
      'where they do, and `meta.next_from` is the `from` to go on with.',
    edge: 'start',
    example: '2026-01-01T00:00:00.000Z',
    extension: true,
  })
  from?: string;

  @QueryTimeField({
    description: `The last moment that is asked for. Default: now. A span of more than ${MAX_POINTS} points is refused.`,
    edge: 'end',
    example: '2026-01-31T00:00:00.000Z',
    extension: true,
  })
  to?: string;

  @ChoiceField({
    description:
      '`hour`: a point an hour. `day`: a point a UTC day, over those of its hours that are asked for.',
    of: INTERVALS,
    optional: true,
    default: 'hour',
    extension: true,
  })
  interval?: Interval;
}

/** Span of a valid query. Drops absent fields. */
export const spanAsked = ({ from, to }: { from?: string; to?: string }): { from?: Date; to?: Date } => ({
  ...(from && { from: queryTime(from)! }),
  ...(to && { to: queryTime(to, 'end')! }),
});
export const historyAsked = ({ interval, ...span }: YieldHistoryQuery): HistoryQuery => ({
  ...spanAsked(span),
  ...(interval && { interval }),
});

export class YieldPointDto {
  @Shown.time('Beginning of the hour or day.') at: string;
  @Shown.rate(
    "Blended yield a year over the active vaults of the asset, as a fraction: 0.0523 is 5.23 %. Weighted by the vaults' own TVL, whatever this service holds " +
      'there; the same weight for each where no TVL is known. A vault that was not observed has no part. Of a day: the mean of the hours that are known. ' +
      'null where none was observed: never guessed.',
    0.0523,
    { nullable: true },
  )
  apy: RoundedRate | null;
  @Shown.number(
    'What those vaults hold of everybody, in whole asset units; of a day, at the newest of its hours. null where that is not known.',
    812_345_678.12,
    { nullable: true },
  )
  tvl: number | null;
  @Shown.integer('How many vaults it is made of; of a day, at the newest of its hours.', 4) vaults: number;
}

export class YieldHistoryDto {
  @Shown.asset('Asset that the series is of.') asset: string;
  @Shown.choice(INTERVALS, 'What a point is of.', 'hour') interval: Interval;
  @Shown.records(() => YieldPointDto, 'Oldest first. An hour that nothing was recorded of has no point.')
  points: YieldPointDto[];
  @Shown.rate(
    'Blended yield a year at the newest hour that is recorded, whatever was asked for, as a fraction; null where it is not known.',
    0.0523,
    { nullable: true },
  )
  apy: RoundedRate | null;
  @Shown.rate('Mean of the points that are known, as a fraction a year; null where none is.', 0.0518, {
    nullable: true,
  })
  average_apy: RoundedRate | null;
}

export const yieldHistoryView = ({
  points,
  averageApy,
  nextFrom,
  ...history
}: YieldHistory): Spanned<YieldHistoryDto> =>
  new Spanned(
    {
      asset: history.asset,
      interval: history.interval,
      points: points.map(({ at, apy, tvl, vaults }) => ({
        at: at.toISOString(),
        apy: roundRate(apy),
        tvl: tvl === null ? null : toUnits(tvl),
        vaults,
      })),
      apy: roundRate(history.apy),
      average_apy: roundRate(averageApy),
    },
    nextFrom,
  );
