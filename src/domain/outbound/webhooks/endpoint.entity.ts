import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from './event-type.js';

@Entity('webhook_endpoints')
export class Endpoint {
  @PrimaryColumn('text') id: string;
  @Column('text') partnerId: string;
  @Column('text') url: string;
  @Column('text', { array: true }) events: EventType[];
  @Column('text', { nullable: true }) description: string | null;
  /** The signing secret, encrypted with the id as its context. */
  @Column('bytea') secretSealed: Buffer;
  /** Previous secret, sealed likewise, while sends are signed with both. */
  @Column('bytea', { nullable: true }) previousSealed: Buffer | null;
  /** Time from which the previous secret signs nothing; it is erased soon after. */
  @Column('timestamptz', { nullable: true }) previousExpiresAt: Date | null;
  /** `whsec_****` and the secret's last four characters. */
  @Column('text') secretMasked: string;
  @Column('boolean') active: boolean;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

/** Health of an endpoint's receiver: a row of its own, because each outcome changes it. Every send with a known outcome counts, test sends included. */
@Entity('endpoint_health')
export class EndpointHealth {
  @PrimaryColumn('text') webhookId: string;
  @Column('timestamptz', { nullable: true }) lastSuccessAt: Date | null;
  @Column('timestamptz', { nullable: true }) failingSince: Date | null;
  @Column('int', { default: 0 }) consecutiveFailures: number;
}
