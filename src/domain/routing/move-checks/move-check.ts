import { Column, Entity, PrimaryColumn } from 'typeorm';
import { formatAmount, sum } from '../../kernel/money.js';
import type { Alert } from '../../outbound/alerts/alert.js';
import {
  changeNews,
  type ReportNews,
  type Resolution,
  resolutionNews,
  type SettlementStatus,
} from '../settlements/settlement.js';

/** Step of an order that is reported. A received deposit's `allocated` is its `settled`. */
export const CHECKED_STEPS = ['redeemed', 'settled'] as const;
export type CheckedStep = (typeof CHECKED_STEPS)[number];

/** Reasons for the status of a check; given for unchecked ones and mismatches. */
export const CHECK_REASONS = [
  'contract_unknown',
  'no_rpc_url',
  'no_custody_account',
  'not_checked_yet',
  'not_in_a_block',
  'transaction_failed',
  'no_transfer',
  'wrong_account',
  'no_vault_entry',
  'wrong_amount',
] as const;
export type CheckReason = (typeof CHECK_REASONS)[number];

/** Chain status of a transaction of the report on a step of an order, stored with the report. Whole numbers are text. */
@Entity('report_checks')
export class MoveCheck {
  @PrimaryColumn('text') orderId: string;
  @PrimaryColumn('text') step: CheckedStep;
  @PrimaryColumn('text') txHash: string;
  /** Of the transaction in its report, from 1. */
  @Column('smallint') place: number;
  @Column('text') partnerId: string;
  /** Key that made the report. */
  @Column('text') keyId: string;
  @Column('text') asset: string;
  /** Vault that the funds left, or entered. */
  @Column('text') vaultId: string;
  @Column('text', { nullable: true }) chain: string | null;
  @Column('numeric') amount: string;
  @Column('timestamptz') recordedAt: Date;
  @Column('text') status: SettlementStatus;
  @Column('text', { nullable: true }) reason: CheckReason | null;
  @Column('bigint', { nullable: true }) block: string | null;
  /** This order's part of what the transaction moved; null when it was not checked. */
  @Column('numeric', { nullable: true }) foundAmount: string | null;
  @Column('timestamptz', { nullable: true }) checkedAt: Date | null;
  /** null: no further check. */
  @Column('timestamptz', { nullable: true }) dueAt: Date | null;
  @Column('text', { nullable: true }) resolution: Resolution | null;
  @Column('text', { nullable: true }) note: string | null;
  @Column('timestamptz', { nullable: true }) resolvedAt: Date | null;
  /** Gain that was booked with the resolution of the report, over all its transactions; a cost is negative. */
  @Column('numeric', { nullable: true }) booked: string | null;
}

/** Check as a move shows it with its report. Micro-units. */
export interface ShownCheck extends Pick<
  MoveCheck,
  'status' | 'reason' | 'checkedAt' | 'resolution' | 'note' | 'resolvedAt'
> {
  block: number | null;
  foundAmount: bigint | null;
}

/** Transaction of a report that names several. Micro-units. */
export interface ShownTransaction extends Pick<MoveCheck, 'txHash' | 'chain'> {
  amount: bigint;
  check: ShownCheck;
}

/** What decides on a report of several transactions, from the first on. */
const DECISIVE: readonly SettlementStatus[] = ['mismatch', 'not_found', 'unchecked', 'seen', 'confirmed'];

/** Check of a report: that of the transaction which decides, with what all of them moved. It is confirmed where each of them is. */
export function checkOfReport(checks: readonly ShownCheck[]): ShownCheck {
  const [decisive] = checks.toSorted((a, b) => DECISIVE.indexOf(a.status) - DECISIVE.indexOf(b.status));
  const amounts = checks.flatMap(({ foundAmount }) => foundAmount ?? []);
  return { ...decisive!, foundAmount: amounts.length === checks.length ? sum(amounts) : null };
}

/** A check before its status changes. Micro-units. */
type AlertedCheck = Pick<
  MoveCheck,
  'orderId' | 'step' | 'txHash' | 'asset' | 'keyId' | 'status' | 'checkedAt' | 'recordedAt'
> & {
  amount: bigint;
};

const WHY: Partial<Record<CheckReason, string>> = {
  transaction_failed: 'its transaction failed',
  no_transfer: 'its transaction moves none of the asset',
  wrong_account: 'its transaction moves nothing from or to the custody accounts',
  no_vault_entry: "the vault's contract logged no such payment for the custody accounts",
  wrong_amount: 'its transaction moves another amount',
};

/** Alert about a changed status; null: none. */
export function checkAlert(
  check: AlertedCheck,
  { status, reason, foundAmount }: Pick<MoveCheck, 'status' | 'reason'> & { foundAmount: bigint | null },
  at: Date,
): Alert | null {
  const report = { ...check, reportedAt: check.recordedAt };
  const news = changeNews(report, { status, why: WHY[reason!] ?? reason }, at);
  if (news === null || news.until !== null) return news && alertFor(check, news);
  const amount = foundAmount === null ? '' : `, ${formatAmount(foundAmount)} ${check.asset} of it`;
  const what = `${news.what}${amount}. The key may report nothing more until it is resolved`;
  return alertFor(check, { ...news, what });
}

export const checkResolvedAlert = (check: AlertedCheck, resolution: Resolution, at: Date): Alert =>
  alertFor(check, resolutionNews({ ...check, reportedAt: check.recordedAt }, resolution, at));

const alertFor = (
  { orderId, step, txHash, asset, keyId, amount }: AlertedCheck,
  { what, since, until }: ReportNews,
): Alert => ({
  kind: 'report_contradicted',
  message: `The report of ${formatAmount(amount)} ${asset} ${step} by the transaction ${txHash} for the move ${orderId}, by the key ${keyId}, ${what}.`,
  since,
  until,
  moveId: orderId,
});
