import type { EntryType } from '../../books/positions/position.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Result of checking a reported transfer on its chain. `unchecked` becomes `seen` in a block that may still be reorganised (and back), then
 * `confirmed` or `mismatch` once the block is final. A transaction that stays in no block for long is `not_found`, until a block has it.
 */
export const SETTLEMENT_STATUSES = ['unchecked', 'seen', 'confirmed', 'mismatch', 'not_found'] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

/** Statuses that contradict the report, and block further transfers of its position. */
export const CONTRADICTED: readonly SettlementStatus[] = ['mismatch', 'not_found'];

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
] as const;
export type SettlementReason = (typeof SETTLEMENT_REASONS)[number];

export const RESOLUTIONS = ['accept', 'void'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

@Entity('settlements')
export class SettlementRecord {
  @PrimaryColumn('text') id: string;
  @Column('text') partnerId: string;
  /** Of a split deposit, its first one. */
  @Column('text') positionId: string;
  /** Split deposit whose transfer it is; null: of the position alone. */
  @Column('text', { nullable: true }) depositId: string | null;
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

type Beside = 'id' | 'status' | 'reason' | 'checkedAt' | 'resolution' | 'chain';

/** Settlement as answers show it beside its transfer. */
export interface ShownSettlement extends Pick<SettlementRecord, Beside> {
  block: number | null;
  txHash: string;
}

type Whole = 'partnerId' | 'positionId' | 'depositId' | 'asset' | 'note' | 'resolvedAt';

export interface Settlement extends ShownSettlement, Pick<SettlementRecord, Whole> {
  userId: string;
  type: Extract<EntryType, 'deposit' | 'withdrawal'>;
  amount: bigint;
  foundAmount: bigint | null;
  reportedAt: Date;
}
