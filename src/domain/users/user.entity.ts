import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Metadata } from '../partners/partner.entity.js';

export const USER_STATUSES = ['active', 'blocked'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** An end-user of one partner. */
@Entity('users')
export class User {
  @PrimaryColumn('text') id: string;
  @Column('text') partnerId: string;
  /** The partner's own identifier; unique over all partners. */
  @Column('text') externalId: string;
  @Column('text') label: string;
  @Column('text', { nullable: true }) email: string | null;
  @Column('jsonb') metadata: Metadata;
  @Column('text') status: UserStatus;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

/** A wallet address belongs to one user. */
@Entity('wallets')
export class Wallet {
  /** EIP-55 checksummed. */
  @PrimaryColumn('text') address: string;
  @Column('text') userId: string;
  /** Place in the order in which the partner named them, from 0. */
  @Column('int') position: number;
}
