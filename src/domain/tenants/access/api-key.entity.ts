import { Column, Entity, type FindOptionsWhere, IsNull, MoreThan, Or, PrimaryColumn } from 'typeorm';
import type { Scope } from './scope.js';

/** API key. Only the SHA-256 of its secret and the first 12 characters are stored. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('text') id: string;
  @Column('text') label: string;
  @Column('text') prefix: string;
  @Column('bytea', { select: false }) secretHash: Buffer;
  @Column('text', { array: true }) scopes: Scope[];
  @Column('text', { nullable: true }) partnerId: string | null;
  @Column('timestamptz') createdAt: Date;
  /** Written in batches; precise to the minute. */
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
  @Column('timestamptz', { nullable: true }) revokedAt: Date | null;
  /** null: never expires. */
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  /** null: not suspended. */
  @Column('timestamptz', { nullable: true }) suspendedAt: Date | null;
}

export const validAt = (now: Date): FindOptionsWhere<ApiKey> => ({
  revokedAt: IsNull(),
  suspendedAt: IsNull(),
  expiresAt: Or(IsNull(), MoreThan(now)),
});

/** Session of a browser: another secret for a key, with some of its scopes. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('text') id: string;
  @Column('text') keyId: string;
  @Column('bytea') secretHash: Buffer;
  @Column('text', { array: true }) scopes: Scope[];
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
}

@Entity('sign_in_codes')
export class SignInCode {
  @PrimaryColumn('bytea') digest: Buffer;
  @Column('text') keyId: string;
  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { nullable: true }) usedAt: Date | null;
}
