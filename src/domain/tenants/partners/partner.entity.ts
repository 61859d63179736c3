import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CustodyAccounts } from '../../../config/chains.js';

export const ACTIVE_OR_DISABLED = ['active', 'disabled'] as const;
export type ActiveOrDisabled = (typeof ACTIVE_OR_DISABLED)[number];

/** Free-form notes of the caller: at most 50 fields of any JSON, 4 KiB in all. */
export type Metadata = object;

/** Wallet, fintech or exchange that sends its end-users' deposits. In the sandbox: an account. */
@Entity('partners')
export class Partner {
  @PrimaryColumn('text') id: string;
  @Column('text') name: string;
  @Column('text') status: ActiveOrDisabled;
  @Column('text', { nullable: true }) contactEmail: string | null;
  /** Fee on yield, in basis points (0..10000). */
  @Column('int') performanceFeeBps: number;
  @Column('int') revenueShareBps: number;
  /** With separate custody, the accounts that hold its funds. */
  @Column('jsonb') custodyAccounts: CustodyAccounts;
  @Column('jsonb') metadata: Metadata;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
  @Column('timestamptz', { nullable: true }) disabledAt: Date | null;
}
