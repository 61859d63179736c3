import { Column, Entity, PrimaryColumn } from 'typeorm';
import { formatAmount } from '../../kernel/money.js';
import type { Alert } from '../../outbound/alerts/alert.js';
import { CONTRADICTED, type Resolution, type SettlementStatus } from '../settlements/settlement.js';

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

/** Chain status of the report on a step of an order, stored with the report. Whole numbers are text. */
@Entity('report_checks')
export class MoveCheck {
  @PrimaryColumn('text') orderId: string;
  @PrimaryColumn('text') step: CheckedStep;
  @Column('text') partnerId: string;
  /** Key that made the report. */
  @Column('text') keyId: string;
  @Column('text') asset: string;
  /** Vault that the funds left, or entered. */
  @Column('text') vaultId: string;
  @Column('text', { nullable: true }) chain: string | null;
  @Column('text') txHash: string;
  @Column('numeric') amount: string;
  @Column('timestamptz') recordedAt: Date;
  @Column('text') status: SettlementStatus;
  @Column('text', { nullable: true }) reason: CheckReason | null;
  @Column('bigint', { nullable: true }) block: string | null;
  /** This order's part of what the chain moved; null when it was not checked. */
  @Column('numeric', { nullable: true }) foundAmount: string | null;
  @Column('timestamptz', { nullable: true }) checkedAt: Date | null;
  /** null: no further check. */
  @Column('timestamptz', { nullable: true }) dueAt: Date | null;
  @Column('text', { nullable: true }) resolution: Resolution | null;
  @Column('text', { nullable: true }) note: string | null;
  @Column('timestamptz', { nullable: true }) resolvedAt: Date | null;
  /** Gain that was booked with the resolution; a cost is negative. */
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

/** A check before its status changes. Micro-units. */
type AlertedCheck = Pick<
  MoveCheck,
  'orderId' | 'step' | 'asset' | 'keyId' | 'status' | 'checkedAt' | 'recordedAt'
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

/** Alert about a changed status; null: none. A new contradiction begins a new alert. */
export function checkAlert(
  check: AlertedCheck,
  found: { status: SettlementStatus; reason: CheckReason | null; foundAmount: bigint | null },
  at: Date,
): Alert | null {
  const { status, reason, foundAmount } = found;
  if (CONTRADICTED.includes(status)) {
    const why = status === 'not_found' ? 'no block contains its transaction' : (WHY[reason!] ?? reason);
    const amount = foundAmount === null ? '' : `, ${formatAmount(foundAmount)} ${check.asset} of it`;
    const since = sinceOf({ ...check, status, checkedAt: at }, at);
    return alertFor(
      check,
      `contradicts the chain: ${why}${amount}. The key may report nothing more until it is resolved`,
      since,
      null,
    );
  }
  return CONTRADICTED.includes(check.status)
    ? alertFor(check, `no longer contradicts the chain: it is ${status}`, sinceOf(check, at), at)
    : null;
}

export const checkResolvedAlert = (check: AlertedCheck, resolution: Resolution, at: Date): Alert =>
  alertFor(check, `was resolved, by ${resolution}`, sinceOf(check, at), at);

/** `not_found` counts from the report, a mismatch from its detection. */
const sinceOf = ({ status, recordedAt, checkedAt }: AlertedCheck, at: Date): Date =>
  status === 'not_found' ? recordedAt : status === 'mismatch' && checkedAt !== null ? checkedAt : at;

const alertFor = (
  { orderId, step, asset, keyId, amount }: AlertedCheck,
  what: string,
  since: Date,
  until: Date | null,
): Alert => ({
  kind: 'report_contradicted',
  message: `The report of ${formatAmount(amount)} ${asset} ${step} for the move ${orderId}, by the key ${keyId}, ${what}.`,
  since,
  until,
  moveId: orderId,
});
