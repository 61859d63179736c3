import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Metadata } from '../partners/partner.entity.js';

export const USER_STATUSES = ['active', 'blocked'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

@Entity('users')
export class User {
  @PrimaryColumn('text') id: string;
  @Column('text') partnerId: string;
  @Column('text') externalScope: string;
  @Column('text') externalId: string;
  @Column('text') label: string;
  @Column('text', { nullable: true }) email: string | null;
  @Column('jsonb') metadata: Metadata;
  @Column('text') status: UserStatus;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

/** Wallet address of a user, unique within the partner. */
@Entity('wallets')
export class Wallet {
  @PrimaryColumn('text') partnerId: string;
  /** EIP-55 checksummed. */
  @PrimaryColumn('text') address: string;
  @Column('text') userId: string;
  /** Position in the partner's list, from 0. */
  @Column('int') position: number;
}
