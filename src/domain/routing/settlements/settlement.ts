import type { EntryType } from '../../books/positions/position.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ChainReceipt, ReceiptLook } from '../../markets/chain/chain-pass.js';
import type { Alert } from '../../outbound/alerts/alert.js';
import { DAY_MS } from '../../kernel/clock.js';
import { formatAmount } from '../../kernel/money.js';

/**
 * Result of checking a reported transfer on its chain. `unchecked` becomes `seen` in a block that may still be reorganised (and back), then
 * `confirmed` or `mismatch` once the block is final. A transaction that stays in no block for long is `not_found`, until a block has it.
 */
export const SETTLEMENT_STATUSES = ['unchecked', 'seen', 'confirmed', 'mismatch', 'not_found'] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

/** Statuses that contradict the report, and block further transfers of its position. */
export const CONTRADICTED: readonly SettlementStatus[] = ['mismatch', 'not_found'];

/** Fraction of its age after which a transaction in no block is checked again. */
const PART_OF_AGE = 4;

/** A final transfer is not checked again, one in a block soon, and the others ever more rarely, so that hashes that were never sent cost little. */
export function dueAfter(status: SettlementStatus, ageMs: number, now: Date, soonMs: number): Date | null {
  if (status === 'confirmed' || status === 'mismatch') return null;
  const later = Math.min(Math.floor(ageMs / PART_OF_AGE), DAY_MS);
  return new Date(now.getTime() + (status === 'seen' ? soonMs : Math.max(soonMs, later)));
}

/** What is known of a transaction without a look at its transfers. */
export interface TransactionFinding {
  status: SettlementStatus;
  reason: 'not_in_a_block' | 'transaction_failed' | null;
  block: bigint | null;
  /** Micro-units; null when it was not checked. */
  foundAmount: bigint | null;
}

/**
 * Compares the transfers of a transaction with what was reported. One that is not final is not compared, because a reorganisation may undo it.
 * @param ages of the report, and from when on a transaction in no block counts as not found
 * @returns null when the chain's providers disagree: nothing is known, and nothing changes
 */
export function findingOn<Finding>(
  look: ReceiptLook,
  { ageMs, notFoundMs }: { ageMs: number; notFoundMs: number },
  compare: (receipt: ChainReceipt) => Finding,
): Finding | TransactionFinding | null {
  if (look === 'disputed') return null;
  const unknown = { block: null, foundAmount: null };
  if (look === 'absent')
    return ageMs < notFoundMs
      ? { status: 'unchecked', reason: 'not_in_a_block', ...unknown }
      : { status: 'not_found', reason: null, ...unknown };
  const block = look.block.number;
  if (!look.finalized) return { status: 'seen', reason: null, block, foundAmount: null };
  return look.succeeded
    ? compare(look)
    : { status: 'mismatch', reason: 'transaction_failed', block, foundAmount: 0n };
}

/** Reasons for the status; given for unchecked ones and mismatches. */
export const SETTLEMENT_REASONS = [
  'chain_not_named',
  'token_unknown',
  'no_rpc_url',
  'not_checked_yet',
  'not_in_a_block',
  'no_wallet',
  'transaction_failed',
  'no_transfer',
  'wrong_wallet',
  'wrong_amount',
  'wrong_custody_amount',
] as const;
export type SettlementReason = (typeof SETTLEMENT_REASONS)[number];

export const RESOLUTIONS = ['accept', 'void'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

@Entity('settlements')
export class SettlementRecord {
  @PrimaryColumn('text') id: string;
  @Column('text') partnerId: string;
  /** Of a split deposit, or of a withdrawal by user, its first one. */
  @Column('text') positionId: string;
  /** Split deposit whose transfer it is; null: of the position alone. */
  @Column('text', { nullable: true }) depositId: string | null;
  /** Withdrawal whose payment it is, of all its parts; null: of the position alone. */
  @Column('text', { nullable: true }) withdrawalId: string | null;
  @Column('text') asset: string;
  @Column('text', { nullable: true }) chain: string | null;
  /** null: voided, so that the hash may be reported again. */
  @Column('text', { nullable: true }) txHash: string | null;
  @Column('text', { nullable: true }) voidedTxHash: string | null;
  @Column('timestamptz') recordedAt: Date;
  @Column('text') status: SettlementStatus;
  @Column('text', { nullable: true }) reason: SettlementReason | null;
  /** Block of the transaction; null when it is in none. */
  @Column('bigint', { nullable: true }) block: string | null;
  /** Amount moved according to the chain; null when it was not checked. */
  @Column('numeric', { nullable: true }) foundAmount: string | null;
  @Column('timestamptz', { nullable: true }) checkedAt: Date | null;
  /** null: no further check. */
  @Column('timestamptz', { nullable: true }) dueAt: Date | null;
  @Column('text', { nullable: true }) resolution: Resolution | null;
  @Column('text', { nullable: true }) note: string | null;
  @Column('timestamptz', { nullable: true }) resolvedAt: Date | null;
}

type ShownField = 'id' | 'status' | 'reason' | 'checkedAt' | 'resolution' | 'chain';

/** Settlement as responses show it with its transfer. */
export interface ShownSettlement extends Pick<SettlementRecord, ShownField> {
  block: number | null;
  txHash: string;
}

type ListedField =
  'partnerId' | 'positionId' | 'depositId' | 'withdrawalId' | 'asset' | 'note' | 'resolvedAt';

export interface Settlement extends ShownSettlement, Pick<SettlementRecord, ListedField> {
  userId: string;
  type: Extract<EntryType, 'deposit' | 'withdrawal'>;
  amount: bigint;
  foundAmount: bigint | null;
  reportedAt: Date;
}

/** The settlement before the change. */
type AlertedSettlement = Pick<
  Settlement,
  'id' | 'positionId' | 'type' | 'asset' | 'amount' | 'status' | 'checkedAt' | 'reportedAt'
>;

const WHY: Partial<Record<SettlementReason, string>> = {
  transaction_failed: 'its transaction failed',
  no_transfer: 'its transaction moves none of the asset',
  wrong_wallet: "its transaction moves nothing from or to the user's wallets",
  wrong_amount: 'its transaction moves another amount',
  wrong_custody_amount: 'the custody accounts move another amount in its transaction than was reported',
};

/** A report before its status changes. */
interface ReportState extends Pick<SettlementRecord, 'status' | 'checkedAt'> {
  reportedAt: Date;
}

/** What an alert says of a report, from when and until when. */
export interface ReportNews {
  what: string;
  since: Date;
  until: Date | null;
}

/** What to tell of a changed status; null: nothing. A new contradiction begins a new alert. */
export function changeNews(
  report: ReportState,
  { status, why }: { status: SettlementStatus; why: string | null },
  at: Date,
): ReportNews | null {
  if (CONTRADICTED.includes(status)) {
    const cause = status === 'not_found' ? 'no block contains its transaction' : why;
    const since = sinceOf({ ...report, status, checkedAt: at }, at);
    return { what: `contradicts the chain: ${cause}`, since, until: null };
  }
  return CONTRADICTED.includes(report.status)
    ? { what: `no longer contradicts the chain: it is ${status}`, since: sinceOf(report, at), until: at }
    : null;
}

export const resolutionNews = (report: ReportState, resolution: Resolution, at: Date): ReportNews => ({
  what: `was resolved, by ${resolution}`,
  since: sinceOf(report, at),
  until: at,
});

/** `not_found` counts from the report, a mismatch from its detection, after which it is not checked again. */
const sinceOf = ({ status, reportedAt, checkedAt }: ReportState, at: Date): Date =>
  status === 'not_found' ? reportedAt : status === 'mismatch' && checkedAt !== null ? checkedAt : at;

/** Alert about a changed status; null: none. */
export function changeAlert(
  settlement: AlertedSettlement,
  { status, reason }: { status: SettlementStatus; reason: SettlementReason | null },
  at: Date,
): Alert | null {
  const news = changeNews(settlement, { status, why: WHY[reason!] ?? reason }, at);
  return news && alertFor(settlement, news);
}

export const resolutionAlert = (settlement: AlertedSettlement, resolution: Resolution, at: Date): Alert =>
  alertFor(settlement, resolutionNews(settlement, resolution, at));

const alertFor = (
  { id, positionId, type, asset, amount }: AlertedSettlement,
  { what, since, until }: ReportNews,
): Alert => ({
  kind: 'settlement_mismatch',
  message: `The ${type} of ${formatAmount(amount)} ${asset} of position ${positionId} ${what}. Its settlement is ${id}.`,
  since,
  until,
  settlementId: id,
});
