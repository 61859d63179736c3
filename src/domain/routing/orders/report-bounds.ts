import { Injectable } from '@nestjs/common';
import type { Constants } from '../../../config/constants.js';
import { DomainSettings } from '../../../config/domain-settings.js';
import { AlertEvents } from '../../outbound/alerts/alert-events.service.js';
import { DomainError } from '../../kernel/domain-error.js';
import { formatAmount, percentInWords, RATE_SCALE, scaledRate, sum } from '../../kernel/money.js';
import { OperatorLog } from '../../kernel/operator-log.js';
import type { MoveOrder } from '../allocation/move-order.js';
import { Store } from '../../kernel/store/store.js';
import { DAY_MS, dayOf } from '../../kernel/clock.js';
import * as queries from './report.queries.js';
import type { Alert } from '../../outbound/alerts/alert.js';

export type Arrival = ReturnType<typeof arrivalOf>;

/**
 * Compares the arrived amount (micro-units; null: as expected) with the books: the difference is a cost or a gain. A gain above its bound waits for
 * review as a whole, outside the books.
 * @throws DomainError `amount_out_of_bounds`
 */
export function arrivalOf(
  reported: bigint | null,
  values: readonly bigint[],
  bounds: Pick<Constants['routing'], 'maxReportDeviation' | 'maxUnreviewedGain'>,
  asset: string,
) {
  const { maxReportDeviation, maxUnreviewedGain } = bounds;
  const expected = sum(values);
  const amount = reported ?? expected;
  const difference = amount - expected;
  const size = difference < 0n ? -difference : difference;
  const [cost, surplus] = difference < 0n ? [size, 0n] : [0n, size];
  // Each position keeps a micro-unit: what they cannot bear would vanish from the books.
  const bearable = sum(values.map((value) => (value > 0n ? value - 1n : 0n)));
  if (isBeyond(size, expected, maxReportDeviation) || cost > bearable)
    throw new DomainError(
      'amount_out_of_bounds',
      `${formatAmount(amount)} ${asset} was reported; the funds of this move are worth ${formatAmount(expected)}, and a report may differ by ${formatAmount((expected * scaledRate(maxReportDeviation)) / RATE_SCALE)}. Nothing was changed: report the amount of this move alone, or report the move as failed.`,
    );
  const [gain, waits] = isBeyond(surplus, expected, maxUnreviewedGain) ? [0n, surplus] : [surplus, 0n];
  return { expected, cost, gain, waits };
}

/** Whether a difference is more than a fraction of an amount; exact. */
const isBeyond = (size: bigint, amount: bigint, fraction: number): boolean =>
  size * RATE_SCALE > amount * scaledRate(fraction);

/**
 * Bounds on what an executor may report. A single report has a bound of its own; here the deviations of one key in an asset are summed, shortfalls and
 * booked gains alike, because many small ones take as much as a large one. What a chain confirms does not count.
 */
@Injectable()
export class ReportBounds {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly alerts: AlertEvents,
    private readonly operatorLog: OperatorLog,
  ) {}

  /**
   * Admits a report in its transaction, whose positions and revenue are locked, and alerts administrators to a large deviation, to a gain that waits,
   * and to deviations that together are more than half of a bound.
   * @param values of its positions, by id, and whether they leave a vault
   * @param at of the report
   * @returns the value that leaves vaults, by which deviations of the key are bounded
   * @throws DomainError `amount_out_of_bounds`
   */
  async admit(
    order: ReportSubject,
    { expected, cost, gain, waits }: Arrival,
    { values, isRedeemed }: { values: ReadonlyMap<string, bigint>; isRedeemed: boolean },
    keyId: string,
    at: Date,
  ): Promise<bigint> {
    const since = new Date(at.getTime() - DAY_MS);
    const left = [[...values.keys()], [...values.values()], keyId, since] as const;
    const value = isRedeemed ? (await this.store.query(queries.FIND_BOUND_VALUE, left))[0]!.value : 0n;
    const size = cost + gain + waits;
    if (size === 0n) return value;
    const reported = expected - cost + gain + waits;
    if (waits > 0n && order.review !== null)
      throw new DomainError(
        'amount_out_of_bounds',
        `A gain of ${formatAmount(order.review.gain)} ${order.asset} was already reported for this move (${order.review.status}). Nothing was changed: report the arrived amount without the gain: ${formatAmount(expected)} ${order.asset} by the books.`,
      );
    const sums = await this.deviations(order, { value, size: cost + gain, keyId, since, at });
    requireRoom(order, { expected, reported }, sums);
    const deviation = { order, keyId, expected, reported, waits, exhausted: exhaustedOf(sums) };
    const isLarge = isBeyond(size, expected, this.settings.constants.alerts.reportDeviation);
    if (waits === 0n && !isLarge && deviation.exhausted === null) return value;
    await this.alerts.notifyAdministrators([deviationAlert(deviation, at)], at);
    this.store.afterCommit(() => this.record(deviation));
    return value;
  }

  /**
   * Admits the report of a payment that its positions in vaults pay, in its transaction: it may fall short as far as any report, and counts with the
   * other reports of its key.
   * @param paid amount that leaves the positions, and what was not paid out of it, micro-units
   * @param leaving positions in vaults, and what leaves them
   * @returns the value that bounds the deviations of its key
   * @throws DomainError `amount_out_of_bounds`
   */
  async admitPayment(
    {
      id,
      partnerId,
      asset,
      amount,
      cost,
    }: Pick<ReportSubject, 'id' | 'partnerId' | 'asset'> & { amount: bigint; cost: bigint },
    leaving: readonly { position: { id: string }; amount: bigint }[],
    keyId: string,
    at: Date,
  ): Promise<bigint> {
    const values = new Map(leaving.map(({ position, amount: value }) => [position.id, value]));
    const redeemed = sum([...values.values()]);
    if (isBeyond(cost, redeemed, this.settings.constants.routing.maxReportDeviation))
      throw new DomainError(
        'amount_out_of_bounds',
        `The payment falls short by ${formatAmount(cost)} ${asset}; it may by ${formatAmount((redeemed * scaledRate(this.settings.constants.routing.maxReportDeviation)) / RATE_SCALE)}, a part of the ${formatAmount(redeemed)} that leaves vaults. Nothing was changed: compare the amount with the transfer.`,
      );
    const subject = { id, partnerId, asset, expectedCost: 0n, review: null, isWithdrawal: true };
    return this.admit(
      subject,
      { expected: amount, cost, gain: 0n, waits: 0n },
      { values, isRedeemed: true },
      keyId,
      at,
    );
  }

  /** What the key's reports deviate by, this one included, and what they may: of a day over its moves, of a month over the partner's funds. */
  private async deviations(
    { id, partnerId, asset, expectedCost }: ReportSubject,
    report: { value: bigint; size: bigint; keyId: string; since: Date; at: Date },
  ): Promise<Deviations> {
    const { maxDailyDeviation, maxMonthlyDeviation, maxUnreviewedGain } = this.settings.constants.routing;
    const { value, size, keyId, since, at } = report;
    await this.store.query(queries.LOCK_DEVIATIONS, [keyId, asset]);
    const [sums] = await this.store.query(queries.SUM_DEVIATIONS, [
      ...([keyId, asset, since, id, partnerId, value, size, expectedCost] as const),
      ...([new Date(at.getTime() - MONTH_DAYS * DAY_MS), String(maxUnreviewedGain)] as const),
    ]);
    const { moved, ofDay, ofMonth, inAll, added } = sums!;
    const day = { deviated: ofDay, maximum: part(moved, maxDailyDeviation), added };
    if (added === 0n) return { day, month: null };
    const from = new Date(dayOf(at).getTime() - MONTH_DAYS * DAY_MS);
    const [held] = await this.store.query(queries.FIND_FUNDS, [partnerId, asset, from, keyId]);
    return {
      day,
      month: { deviated: ofMonth, maximum: part(held!.funds, maxMonthlyDeviation), added, inAll },
    };
  }

  private record(deviation: Deviation): void {
    const { order, keyId } = deviation;
    this.operatorLog.countDeviation();
    this.operatorLog.warn(
      {
        [order.isWithdrawal ? 'withdrawal' : 'move']: order.id,
        key_id: keyId,
        deviation: deviationRate(deviation),
      },
      'a report deviates from the books',
    );
  }
}

/** Days over which deviations are compared with a partner's funds. */
const MONTH_DAYS = 30;

const part = (amount: bigint, fraction: number): bigint => (amount * scaledRate(fraction)) / RATE_SCALE;

/** Sum of deviations, what this report adds to it, and its bound. Micro-units. */
interface BoundSum {
  deviated: bigint;
  maximum: bigint;
  added: bigint;
}

/** `month` null: the report stays within the expected cost of its move. */
interface Deviations {
  day: BoundSum;
  /** `inAll`: with the deviations that a chain confirmed. They are not bounded, but a vault may have kept what was not paid out. */
  month: (BoundSum & { inAll: bigint }) | null;
}

/** @throws DomainError `amount_out_of_bounds` where the sum of deviations is beyond a bound */
function requireRoom(
  { asset }: ReportSubject,
  { expected, reported }: Record<'expected' | 'reported', bigint>,
  { day, month }: Deviations,
): void {
  if (day.added === 0n) return;
  const beyond = ({ deviated, maximum }: BoundSum): boolean => deviated > maximum;
  const found = beyond(day)
    ? { ...day, span: '24 hours', setting: 'routing.max_daily_deviation' }
    : month !== null && beyond(month)
      ? { ...month, span: '30 days', setting: 'routing.max_monthly_deviation' }
      : null;
  if (found === null) return;
  const { deviated, maximum, added, span, setting } = found;
  throw new DomainError(
    'amount_out_of_bounds',
    `${formatAmount(reported)} ${asset} was reported, but the books expect ${formatAmount(expected)}. Beyond expected costs, the reports of this key that no chain confirms may deviate by ${formatAmount(maximum)} ${asset} within ${span} and have deviated by ${formatAmount(deviated - added)}. Nothing was changed: compare the amount with the transfer. If it is right, the operator raises ${setting}, or reports it with a key that did not report these deposits.`,
  );
}

/** Which bound is used up by more than half, in words; null: none. */
function exhaustedOf({ day, month }: Deviations): string | null {
  if (day.added === 0n) return null;
  const isHalf = ({ deviated, maximum }: BoundSum): boolean => deviated * 2n > maximum;
  const said = ({ deviated, maximum }: BoundSum, span: string): string =>
    `${formatAmount(deviated)} of the ${formatAmount(maximum)} that its reports may deviate by within ${span}`;
  if (month !== null && isHalf(month)) return said(month, '30 days');
  if (isHalf(day)) return said(day, '24 hours');
  if (month === null || month.inAll * 2n <= month.maximum) return null;
  return `${said({ ...month, deviated: month.inAll }, '30 days')}, with what a chain confirmed: the vaults may have kept the rest`;
}

/** What a report is about: an order, or a withdrawal. */
type ReportSubject = Pick<MoveOrder, 'id' | 'partnerId' | 'asset' | 'expectedCost' | 'review'> & {
  isWithdrawal?: boolean;
};

/** Report whose amount is not what the books expect. Micro-units. */
interface Deviation {
  order: Pick<ReportSubject, 'id' | 'asset' | 'isWithdrawal'>;
  keyId: string;
  expected: bigint;
  reported: bigint;
  /** Part of it that waits for review. */
  waits: bigint;
  /** How far a bound is used up, beyond its half; null: it is not. */
  exhausted: string | null;
}

function deviationAlert(deviation: Deviation, at: Date): Alert {
  const { order, keyId, expected, reported, waits, exhausted } = deviation;
  const unit = ` ${order.asset}`;
  const size = percentInWords(Math.abs(deviationRate(deviation)));
  const review = waits === 0n ? '' : ` ${formatAmount(waits)}${unit} await review.`;
  const used = exhausted === null ? '' : ` Used up: ${exhausted}.`;
  return moveAlert(
    order,
    `The key ${keyId} reported ${formatAmount(reported)}${unit} for the ${order.isWithdrawal ? 'withdrawal' : 'move'} ${order.id}, where the books expect ${formatAmount(expected)}${unit}: ${size} ${reported < expected ? 'less' : 'more'}.${review}${used}`,
    at,
    null,
  );
}

export const reviewAlert = (
  order: Pick<MoveOrder, 'id' | 'asset'>,
  { gain, booked, since }: { gain: bigint; booked: bigint; since: Date },
  decision: 'approved' | 'rejected',
  at: Date,
): Alert =>
  moveAlert(
    order,
    `The reported gain of ${formatAmount(gain)} ${order.asset} on the move ${order.id} was ${decision}: ${formatAmount(booked)} ${order.asset} was booked.`,
    since,
    at,
  );

/** Deviation as a fraction of the expected amount, signed. */
const deviationRate = ({ expected, reported }: Deviation): number =>
  Number(reported - expected) / Number(expected);

const moveAlert = (
  { id, isWithdrawal = false }: Pick<ReportSubject, 'id' | 'isWithdrawal'>,
  message: string,
  since: Date,
  until: Date | null,
): Alert => ({
  kind: 'report_deviates',
  message,
  since,
  until,
  ...(isWithdrawal ? { withdrawalId: id } : { moveId: id }),
});
