import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Resolution, SettlementReason, SettlementStatus } from './settlement.js';

@Entity('settlements')
export class SettlementRecord {
  @PrimaryColumn('text') id: string;
  @Column('text') partnerId: string;
  /** Of a split deposit, its first one. */
  @Column('text') positionId: string;
  /** Split deposit whose transfer it is. */
  @Column('text', { nullable: true }) depositId: string | null;
  @Column('text') asset: string;
  @Column('text', { nullable: true }) chain: string | null;
  /** null: voided, so that the hash may be reported again. */
  @Column('text', { nullable: true }) txHash: string | null;
  @Column('text', { nullable: true }) voidedTxHash: string | null;
  @Column('timestamptz') recordedAt: Date;
  @Column('text') status: SettlementStatus;
  @Column('text', { nullable: true }) reason: SettlementReason | null;
  @Column('bigint', { nullable: true }) block: string | null;
  @Column('numeric', { nullable: true }) foundAmount: string | null;
  @Column('timestamptz', { nullable: true }) checkedAt: Date | null;
  /** null: no further check. */
  @Column('timestamptz', { nullable: true }) dueAt: Date | null;
  @Column('text', { nullable: true }) resolution: Resolution | null;
  @Column('text', { nullable: true }) note: string | null;
  @Column('timestamptz', { nullable: true }) resolvedAt: Date | null;
}
