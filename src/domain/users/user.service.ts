import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { type Detail, DomainError, notFound } from '../domain-error.js';
import { isId, newId } from '../identifier.js';
import type { Metadata } from '../partners/partner.entity.js';
import { slotOf } from '../store/slot.js';
import { statement } from '../store/statement.js';
import { StorageQuota } from '../store/storage-quota.js';
import { Store } from '../store/store.js';
import type { User } from './user.entity.js';
import { checksummedWallet } from './wallet.js';

export interface NewUser {
  /** 1..255 characters. */
  externalId: string;
  /** Default: the external id. */
  label?: string;
  email?: string | null;
  wallets?: string[];
  metadata?: Metadata;
}

export type UserWithWallets = User & { wallets: string[] };

/** One round trip for the user and its wallets. Conflicts are told apart afterwards, when there is one: rare, and inside the same transaction. */
const INSERT_USER = statement(
  'users.insert',
  `WITH added AS (
     INSERT INTO users (id, partner_id, external_id, label, email, metadata, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'active', $7, $7)
     ON CONFLICT (external_id) DO NOTHING
     RETURNING id
   ), held AS (
     INSERT INTO wallets (address, user_id, position)
     SELECT address, added.id, place - 1 FROM added, unnest($8::text[]) WITH ORDINALITY AS given(address, place)
     ORDER BY address
     ON CONFLICT (address) DO NOTHING
     RETURNING address
   ), counted AS (
     INSERT INTO book_users AS b (partner_id, slot, users) SELECT $2, $9, 1 FROM added
     ON CONFLICT (partner_id, slot) DO UPDATE SET users = b.users + 1
   )
   SELECT (SELECT count(*) FROM added)::int AS users, (SELECT count(*) FROM held)::int AS wallets`,
);

const FIND_OWN_USER = statement('users.find_own', `SELECT id FROM users WHERE id = $1 AND partner_id = $2`);

@Injectable()
export class UserService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly quota: StorageQuota,
  ) {}

  /**
   * Makes sure that an end-user is the partner's.
   *
   * @param from where to look; default: in the transaction that is open
   * @throws DomainError `not_found`
   */
  async check(partnerId: string, userId: string, from: Pick<Store, 'query'> = this.store): Promise<void> {
    const [user] = isId('user', userId) ? await from.query(FIND_OWN_USER, [userId, partnerId]) : [];
    if (!user) throw notFound('user');
  }

  /**
   * Creates an end-user of the partner. Never an upsert: of two requests with one `externalId`, also by two partners at once, one fails.
   *
   * @throws DomainError `external_id_taken`, `wallet_taken`, `validation_failed` (wallets), `quota_exceeded`
   */
  async create(partnerId: string, input: NewUser): Promise<UserWithWallets> {
    const wallets = checkedWallets(input.wallets ?? []);
    const now = this.clock.now();
    const user: UserWithWallets = {
      id: newId('user', now),
      partnerId,
      externalId: input.externalId,
      label: input.label ?? input.externalId,
      email: input.email ?? null,
      metadata: input.metadata ?? {},
      wallets,
      status: 'active',
      createdAt: now,
      updatedAt: now,
    };
    return this.store.transaction(async () => {
      const [added] = await this.store.query<{ users: number; wallets: number }>(INSERT_USER, [
        user.id,
        partnerId,
        user.externalId,
        user.label,
        user.email,
        user.metadata,
        now,
        wallets,
        slotOf(user.id),
      ]);
      if (added?.users !== 1) {
        throw new DomainError(
          'external_id_taken',
          'A user with this external_id exists already. It is unique over all partners: prefix it with a name of yours.',
        );
      }
      if (added.wallets !== wallets.length) {
        throw new DomainError('wallet_taken', 'One of the wallets belongs to another user already.');
      }
      await this.quota.requireRoom(partnerId, ['records']);
      return user;
    });
  }
}

function checkedWallets(given: readonly string[]): string[] {
  const details: Detail[] = [];
  const wallets = given.map((address, index) => {
    const wallet = checksummedWallet(address);
    const field = `wallets.${index}`;
    if (wallet === null) {
      details.push({
        field,
        message: 'must be 0x and 40 hexadecimal digits; mixed case must carry a valid EIP-55 checksum',
      });
    }
    return wallet ?? '';
  });
  wallets.forEach((wallet, index) => {
    if (wallet !== '' && wallets.indexOf(wallet) !== index) {
      details.push({ field: `wallets.${index}`, message: 'is named twice' });
    }
  });
  if (details.length > 0) {
    throw new DomainError('validation_failed', 'The request is not valid; see details.', details);
  }
  return wallets;
}
