import { Injectable } from '@nestjs/common';
import { ArrayContains, IsNull, Not } from 'typeorm';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, invalid, notFound } from '../../kernel/domain-error.js';
import { isId, newId } from '../../kernel/identifier.js';
import {
  columnsOf,
  integer,
  moment,
  nothing,
  recordOf,
  type RowOf,
  text,
} from '../../kernel/store/column.js';
import { newestFirst, type Page, type PageRequest } from '../../kernel/store/page.js';
import { statement } from '../../kernel/store/statement.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { AuditLog } from '../audit/audit-log.js';
import { Partner } from '../partners/partner.entity.js';
import { ApiKey, validAt } from './api-key.entity.js';
import { environmentOf, digestOf, newKeySecret, prefixOf } from './authenticator.js';
import { PARTNER_KEY_SCOPES, type Scope } from './scope.js';

export interface NewKey {
  label: string;
  /** Default: `read` only. Non-empty, unique. */
  scopes?: Scope[];
  partnerId?: string;
  /** In the future; default: never. */
  expiresAt?: Date | null;
}

/** New key with its full secret, which exists in memory only, and only once. */
export interface CreatedKey {
  key: ApiKey;
  secret: string;
}

const { secretHash: _secretHash, ...LISTED } = recordOf(ApiKey);
export type ListedKey = RowOf<typeof LISTED>;

/** $1/$2 keyset position (time, id), $3 rows. */
const LIST = statement(
  'access.list',
  { values: [moment(), text(), integer()], row: LISTED },
  `SELECT ${columnsOf(LISTED)} FROM api_keys WHERE (created_at, id) < ($1, $2) ORDER BY created_at DESC, id DESC LIMIT $3::int`,
);

const LOCK_BOOTSTRAP = statement(
  'access.lock_bootstrap',
  { values: [], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtext('vaultline.bootstrap_key'))`,
);

@Injectable()
export class KeyService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly storageLimit: StorageLimit,
    private readonly audit: AuditLog,
  ) {}

  /** @throws DomainError `validation_failed` (scopes, partner, end), `partner_disabled`, `quota_exceeded` */
  async create(input: NewKey): Promise<CreatedKey> {
    const scopes = input.scopes ?? ['read'];
    checkScopes(scopes, input.partnerId);
    const { expiresAt = null } = input;
    if (expiresAt !== null && expiresAt <= this.clock.wall())
      throw invalid('expires_at', 'must be in the future');
    return this.store.transaction(async () => {
      if (input.partnerId !== undefined) {
        await this.requireActivePartner(input.partnerId);
        this.storageLimit.requireRoom(input.partnerId, ['records']);
      }
      return this.insert(
        newKeySecret(this.settings.environment),
        input.label,
        scopes,
        input.partnerId ?? null,
        expiresAt,
      );
    });
  }

  /** Creates a key and revokes those with the same label and partner (or without partner). @throws DomainError as `create` */
  async replace(input: NewKey): Promise<CreatedKey> {
    return this.store.transaction(async () => {
      const created = await this.create(input);
      const { id, label } = created.key;
      const former = { id: Not(id), label, partnerId: input.partnerId ?? IsNull(), revokedAt: IsNull() };
      await this.store.repository(ApiKey).update(former, { revokedAt: this.clock.now() });
      return created;
    });
  }

  /**
   * Creates another key of the same scopes and partner. The old one stays valid for some seconds.
   * @throws DomainError `not_found` for a key that is not valid; `partner_disabled`, `quota_exceeded`
   */
  async rotate(id: string, previousExpiresInSeconds: number): Promise<CreatedKey> {
    return this.store.transaction(async () => {
      const now = this.clock.wall();
      const keys = this.store.repository(ApiKey);
      const where = { id, ...validAt(now) };
      const key = isId('apiKey', id) ? await keys.findOneBy(where) : null;
      // The partner is locked before its key, as by disabling the partner.
      if (key?.partnerId) await this.requireActivePartner(key.partnerId);
      // The lock serialises rotations of the key.
      const former = key && (await keys.findOne({ where, lock: { mode: 'for_no_key_update' } }));
      if (!former)
        throw new DomainError(
          'not_found',
          'No valid API key has this id; a revoked or expired key cannot be rotated. Create a new one.',
        );
      const { label, scopes, partnerId } = former;
      const created = await this.create({ label, scopes, ...(partnerId !== null && { partnerId }) });
      const ends = new Date(now.getTime() + previousExpiresInSeconds * 1000);
      // A rotation never postpones the end of a key.
      if (former.expiresAt === null || former.expiresAt > ends)
        await keys.update({ id }, { expiresAt: ends });
      return created;
    });
  }

  async list(page: PageRequest): Promise<Page<ListedKey>> {
    return newestFirst((...after) => this.store.query(LIST, after), page);
  }

  /** Revokes a key; a second call is no error. The key is refused on every replica once this resolves. @throws DomainError `not_found` */
  async revoke(id: string): Promise<void> {
    const keys = this.store.repository(ApiKey);
    const isKnown = isId('apiKey', id) && (await keys.existsBy({ id }));
    if (!isKnown) throw notFound('API key');
    await keys.update({ id, revokedAt: IsNull() }, { revokedAt: this.clock.now() });
  }

  /** Installs an administrator key where none is active. @returns `revoked` when this key was revoked, which it stays */
  async installBootstrapKey(secret: string): Promise<'installed' | 'needless' | 'revoked'> {
    if (environmentOf(secret) !== this.settings.environment) {
      throw new Error(`not a complete ${this.settings.environment} key`);
    }
    return this.store.transaction(async () => {
      await this.store.query(LOCK_BOOTSTRAP, []);
      const keys = this.store.repository(ApiKey);
      // A suspended one counts: the operator resumes it, and a key revoked since the backup is not installed in its place.
      const { suspendedAt: _, ...unexpired } = validAt(this.clock.wall());
      const administers = { scopes: ArrayContains(['keys:admin']), ...unexpired };
      if (await keys.existsBy(administers)) return 'needless';
      // A revoked bootstrap key stays revoked, also after a restart.
      if (await keys.existsBy({ secretHash: digestOf(secret) })) return 'revoked';
      const act = { actor: { kind: 'system' as const }, address: null, requestId: null, subjects: [] };
      await this.audit.record({ ...act, operation: 'install bootstrap key' }, () =>
        this.insert(secret, 'Bootstrap administrator', ['keys:admin', 'partner:admin'], null),
      );
      return 'installed';
    });
  }

  private async insert(
    secret: string,
    label: string,
    scopes: Scope[],
    partnerId: string | null,
    expiresAt: Date | null = null,
  ): Promise<CreatedKey> {
    const now = this.clock.now();
    const key: ApiKey = {
      id: newId('apiKey', now),
      label,
      prefix: prefixOf(secret),
      secretHash: digestOf(secret),
      scopes,
      partnerId,
      createdAt: now,
      lastUsedAt: null,
      revokedAt: null,
      expiresAt,
      suspendedAt: null,
    };
    await this.store.repository(ApiKey).insert(key);
    return { key, secret };
  }

  private async requireActivePartner(partnerId: string): Promise<void> {
    // A share lock until commit: the partner can be neither disabled nor removed meanwhile.
    const partner = isId('partner', partnerId)
      ? await this.store
          .repository(Partner)
          .findOne({ where: { id: partnerId }, lock: { mode: 'pessimistic_read' } })
      : null;
    if (!partner) throw invalid('partner_id', 'must be the id of an existing partner');
    if (partner.status !== 'active') {
      throw new DomainError(
        'partner_disabled',
        'The partner is disabled. Enable it before you issue a key for it.',
      );
    }
  }
}

function checkScopes(scopes: readonly Scope[], partnerId: string | undefined): void {
  if (partnerId === undefined && scopes.includes('partner:read')) {
    throw invalid('partner_id', 'is required for the scope partner:read');
  }
  const wrong = scopes.findIndex((scope) => !PARTNER_KEY_SCOPES.includes(scope));
  if (partnerId !== undefined && wrong >= 0) {
    throw invalid(
      `scopes[${wrong}]`,
      `a key bound to a partner may hold only ${PARTNER_KEY_SCOPES.join(' and ')}`,
    );
  }
}
