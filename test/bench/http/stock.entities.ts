import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';

/** Entities of the deployment's tables, mapped as an application that only TypeORM writes to would map them. */
@Entity('api_keys')
export class StockKey {
  @PrimaryColumn('text') id: string;
  @Column('bytea', { name: 'secret_hash' }) secretHash: Buffer;
  @Column('text', { array: true }) scopes: string[];
  @Column('text', { name: 'partner_id', nullable: true }) partnerId: string | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt: Date | null;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt: Date | null;
}

@Entity('endpoint_health')
export class StockHealth {
  @PrimaryColumn('text', { name: 'webhook_id' }) webhookId: string;
  @Column('timestamptz', { name: 'last_success_at', nullable: true }) lastSuccessAt: Date | null;
  @Column('timestamptz', { name: 'failing_since', nullable: true }) failingSince: Date | null;
  @Column('int', { name: 'consecutive_failures' }) consecutiveFailures: number;
}

@Entity('webhook_endpoints')
export class StockEndpoint {
  @PrimaryColumn('text') id: string;
  @Column('text', { name: 'partner_id' }) partnerId: string;
  @Column('text') url: string;
  @Column('text', { array: true }) events: string[];
  @Column('text', { nullable: true }) description: string | null;
  @Column('text', { name: 'secret_masked' }) secretMasked: string;
  @Column('timestamptz', { name: 'previous_expires_at', nullable: true }) previousExpiresAt: Date | null;
  @Column('boolean') active: boolean;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @OneToOne(() => StockHealth)
  @JoinColumn({ name: 'id', referencedColumnName: 'webhookId' })
  health: StockHealth;
}

@Entity('users')
export class StockUser {
  @PrimaryColumn('text') id: string;
  @Column('text', { name: 'partner_id' }) partnerId: string;
  @Column('text', { name: 'external_scope' }) externalScope: string;
  @Column('text', { name: 'external_id' }) externalId: string;
  @Column('text') label: string;
  @Column('text', { nullable: true }) email: string | null;
  @Column('jsonb') metadata: object;
  @Column('text') status: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt: Date;
}

@Entity('idempotency_claims')
export class StockClaim {
  @PrimaryColumn('text') scope: string;
  @PrimaryColumn('text') route: string;
  @PrimaryColumn('text') key: string;
  @Column('text', { name: 'key_id' }) keyId: string;
  @Column('bytea') fingerprint: Buffer;
  @Column('bytea', { nullable: true }) answer: Buffer | null;
  @Column('timestamptz', { name: 'claimed_at' }) claimedAt: Date;
}

export const STOCK_ENTITIES = [StockKey, StockHealth, StockEndpoint, StockUser, StockClaim];
