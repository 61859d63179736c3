import { Injectable } from '@nestjs/common';
import type { Constants } from '../../../config/constants.js';
import { DomainSettings } from '../../../config/domain-settings.js';
import { AlertEvents } from '../../outbound/alerts/alert-events.service.js';
import { DomainError } from '../../kernel/domain-error.js';
import { formatAmount, percentInWords, RATE_SCALE, scaledRate } from '../../kernel/money.js';
import { OperatorLog } from '../../kernel/operator-log.js';
import type { MoveOrder } from '../allocation/move-order.js';
import { Store } from '../../kernel/store/store.js';
import { DAY_MS } from '../../kernel/clock.js';
import * as queries from './report.queries.js';
import type { Alert } from '../../outbound/alerts/alert.js';
import { sum } from './step-part.js';

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
 * Bounds on what an executor may report. A single report has a bound of its own; here the deviations of one key in an asset are summed over 24 hours,
 * shortfalls and gains alike, because many small ones take as much as a large one.
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
   * Admits a report in its transaction, whose positions and revenue are locked, and alerts administrators to a large deviation or a gain that waits.
   * @param values of its positions, by id, and whether they leave a vault
   * @param at of the report
   * @returns the value that bounds the deviations of this report or, where it leaves a vault, of all reports of the key
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
    const reports = [[...values.keys()], [...values.values()], keyId, since, isRedeemed] as const;
    const [bound] = await this.store.query(queries.FIND_BOUND_VALUE, reports);
    const { value } = bound!;
    const size = cost + gain + waits;
    if (size === 0n) return value;
    const reported = expected - cost + gain + waits;
    if (waits > 0n && order.review !== null)
      throw new DomainError(
        'amount_out_of_bounds',
        `A gain of ${formatAmount(order.review.gain)} ${order.asset} was already reported for this move (${order.review.status}). Nothing was changed: report the arrived amount without the gain: ${formatAmount(expected)} ${order.asset} by the books.`,
      );
    await this.requireRoom(order, { expected, reported, size, value }, isRedeemed, keyId, since);
    if (waits === 0n && !isBeyond(size, expected, this.settings.constants.alerts.reportDeviation))
      return value;
    const deviation = { order, keyId, expected, reported, waits };
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
    { id, asset, amount, cost }: { id: string; asset: string; amount: bigint; cost: bigint },
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
    const subject = { id, asset, redeemed: null, expectedCost: 0n, review: null, isWithdrawal: true };
    return this.admit(
      subject,
      { expected: amount, cost, gain: 0n, waits: 0n },
      { values, isRedeemed: true },
      keyId,
      at,
    );
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

  /**
   * A move may deviate by its expected cost, an arrival also by a fraction. Beyond that, a key's reports may deviate by the same fraction of what
   * left vaults.
   */
  private async requireRoom(
    { id, asset, redeemed, expectedCost }: ReportSubject,
    { expected, reported, size, value }: Record<'expected' | 'reported' | 'size' | 'value', bigint>,
    isRedeemed: boolean,
    keyId: string,
    since: Date,
  ): Promise<void> {
    const { maxDailyDeviation } = this.settings.constants.routing;
    const fractionOf = (amount: bigint): bigint => (amount * scaledRate(maxDailyDeviation)) / RATE_SCALE;
    const allowance = (redeemed === null ? expectedCost : 0n) + (isRedeemed ? 0n : fractionOf(value));
    await this.store.query(queries.LOCK_DEVIATIONS, [keyId, asset]);
    const [sums] = await this.store.query(queries.SUM_DEVIATIONS, [
      ...([keyId, asset, since, id] as const),
      ...([isRedeemed ? value : 0n, size, allowance, String(maxDailyDeviation)] as const),
    ]);
    const { moved, deviated, allowed } = sums!;
    const maximum = fractionOf(moved) + allowed;
    if (deviated <= maximum) return;
    throw new DomainError(
      'amount_out_of_bounds',
      `${formatAmount(reported)} ${asset} was reported, but the books expect ${formatAmount(expected)}. The reports of this key may deviate by ${formatAmount(maximum)} ${asset} within 24 hours and have deviated by ${formatAmount(deviated - size)}. Nothing was changed: compare the amount with the transfer. If it is right, the operator raises routing.max_daily_deviation, or reports it with a key that did not allocate these deposits.`,
    );
  }
}

/** What a report is about: an order, or a withdrawal. */
type ReportSubject = Pick<MoveOrder, 'id' | 'asset' | 'redeemed' | 'expectedCost' | 'review'> & {
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
}

function deviationAlert(deviation: Deviation, at: Date): Alert {
  const { order, keyId, expected, reported, waits } = deviation;
  const unit = ` ${order.asset}`;
  const size = percentInWords(Math.abs(deviationRate(deviation)));
  const review = waits === 0n ? '' : ` ${formatAmount(waits)}${unit} await review.`;
  return moveAlert(
    order,
    `The key ${keyId} reported ${formatAmount(reported)}${unit} for the ${order.isWithdrawal ? 'withdrawal' : 'move'} ${order.id}, where the books expect ${formatAmount(expected)}${unit}: ${size} ${reported < expected ? 'less' : 'more'}.${review}`,
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
