import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ActiveOrDisabled, Metadata } from './partner.entity.js';

/** Period in which a partner's deposits earn more points. Kept when disabled. */
@Entity('campaigns')
export class Campaign {
  @PrimaryColumn('text') id: string;
  @Column('text') partnerId: string;
  @Column('text') name: string;
  @Column('text') status: ActiveOrDisabled;
  @Column('text', { nullable: true }) asset: string | null;
  /** Hundredths: 150 is a multiplier of 1.5. */
  @Column('int') multiplierHundredths: number;
  @Column('timestamptz') startsAt: Date;
  @Column('timestamptz', { nullable: true }) endsAt: Date | null;
  @Column('jsonb') metadata: Metadata;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}
