import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { In, Not } from 'typeorm';
import { Clock } from '../../kernel/clock.js';
import { type Detail, DomainError, notFound } from '../../kernel/domain-error.js';
import { isId, newId, slotOf } from '../../kernel/identifier.js';
import { rowsText } from '../../kernel/store/column.js';
import { differs } from '../../kernel/store/changes.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { ExternalIds } from './external-ids.js';
import { User, Wallet } from './user.entity.js';
import * as queries from './user.queries.js';
import { checksummedAddress } from '../../../config/chains.js';

export type UserWithWallets = User & { wallets: string[] };

/** Fields that the partner sets, and may change. */
type UserFields = Omit<
  UserWithWallets,
  'id' | 'partnerId' | 'externalScope' | 'externalId' | 'status' | 'createdAt' | 'updatedAt'
>;
type NewUser = Pick<User, 'externalId'> & Partial<UserFields>;
/** `wallets` replaces the whole list. */
type UserChange = Partial<UserFields & Pick<User, 'status'>>;

export type Holder = RowFrom<typeof queries.FIND_HOLDERS>;

@Injectable()
export class UserService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly storageLimit: StorageLimit,
    private readonly externalIds: ExternalIds,
  ) {}

  /** Checks that an end-user belongs to the partner; null: to any. @throws DomainError `not_found` */
  async check(partnerId: string | null, userId: string): Promise<void> {
    const owner = { id: userId, ...(partnerId !== null && { partnerId }) };
    if (!isId('user', userId) || !(await this.store.repository(User).existsBy(owner))) throw notFound('user');
  }

  /** @throws DomainError `not_found` */
  async get(partnerId: string, id: string): Promise<UserWithWallets> {
    const user = isId('user', id) ? await this.store.repository(User).findOneBy({ id, partnerId }) : null;
    if (!user) throw notFound('user');
    return { ...user, wallets: await this.walletsOf(id) };
  }

  /** External ids by the users' ids. */
  async findExternalIds(ids: readonly string[]): Promise<Map<string, string>> {
    const users = await this.store
      .repository(User)
      .find({ select: { id: true, externalId: true }, where: { id: In([...new Set(ids)]) } });
    return new Map(users.map(({ id, externalId }) => [id, externalId]));
  }

  /** External ids by the users' ids, as they were at a moment of the database's clock, whatever was released since. */
  async findExternalIdsAt(
    ids: readonly string[],
    at: Date | '-infinity',
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.store.query(queries.FIND_EXTERNAL_IDS_AT, [[...new Set(ids)], at]);
    return new Map(rows.map(({ id, externalId }) => [id, externalId]));
  }

  /**
   * Ids of the partner's users that fit all filters, each of which at most one user fits.
   * @param wallet in any mixture of cases; an invalid address is nobody's
   */
  async findIds(
    partnerId: string,
    { externalId, wallet }: { externalId?: string | undefined; wallet?: string | undefined },
  ): Promise<string[]> {
    const address = wallet === undefined ? undefined : (checksummedAddress(wallet) ?? '');
    const [byExternalId, byWallet] = await Promise.all([
      externalId === undefined ? null : this.store.repository(User).findOneBy({ partnerId, externalId }),
      address === undefined ? null : this.store.repository(Wallet).findOneBy({ partnerId, address }),
    ]);
    const ids = [
      ...(externalId === undefined ? [] : [byExternalId?.id]),
      ...(address === undefined ? [] : [byWallet?.userId]),
    ];
    const [id] = ids;
    return id !== undefined && ids.every((other) => other === id) ? [id] : [];
  }

  /**
   * Never an upsert: of two requests with one `externalId` in a scope, one fails.
   * @throws DomainError `external_id_taken`, `wallet_taken`, `validation_failed` (wallets), `quota_exceeded`
   */
  async create(partnerId: string, input: NewUser): Promise<UserWithWallets> {
    const { wallets: givenWallets = [], ...fields } = input;
    const wallets = checkedWallets(givenWallets);
    const now = this.clock.now();
    const stored: User = {
      email: null,
      metadata: {},
      ...fields,
      id: newId('user', now),
      partnerId,
      externalScope: this.externalIds.scopeOf(partnerId),
      externalId: input.externalId,
      label: input.label ?? input.externalId,
      status: 'active',
      createdAt: now,
      updatedAt: now,
    };
    const user: UserWithWallets = { ...stored, wallets };
    return this.store.transaction(async () => {
      this.storageLimit.requireRoom(partnerId, ['records']);
      const [added] = await this.store.query(queries.INSERT_USER, [
        rowsText([stored]),
        partnerId,
        wallets,
        slotOf(user.id),
      ]);
      if (added?.users !== 1) throw await this.externalIdTaken(stored);
      if (added.wallets !== wallets.length) throw await this.walletTaken(user);
      return user;
    });
  }

  /** Once a block is answered, deposits of the user are refused; withdrawals are not. @throws DomainError `not_found`, and as `create` */
  async update(partnerId: string, id: string, change: UserChange): Promise<UserWithWallets> {
    if (!isId('user', id)) throw notFound('user');
    const { wallets: newWallets, ...fields } = change;
    const wallets = newWallets && checkedWallets(newWallets);
    return this.store.transaction(async () => {
      const users = this.store.repository(User);
      const user = await users.findOne({ where: { id, partnerId }, lock: { mode: 'for_no_key_update' } });
      if (!user) throw notFound('user');
      const current: UserWithWallets = { ...user, wallets: await this.walletsOf(id) };
      if (!differs(current, { ...fields, ...(wallets && { wallets }) })) return current;
      // No limit on the status, so that a user can always be blocked.
      const { status: _status, ...stored } = change;
      if (Object.keys(stored).length > 0) this.storageLimit.requireRoom(partnerId, ['records']);
      const changed: User = { ...user, ...fields, updatedAt: this.clock.now() };
      await users.update({ id }, changed);
      if (wallets) await this.replaceWallets(changed, wallets);
      return { ...changed, wallets: wallets ?? current.wallets };
    });
  }

  /** Deletes an end-user that never had a position, and frees its ids and wallets. @throws DomainError `not_found`, `user_has_positions` */
  async remove(partnerId: string, id: string): Promise<void> {
    if (!isId('user', id)) throw notFound('user');
    await this.store.transaction(async () => {
      // An exclusive lock waits for deposits of the user in progress, and blocks new ones until commit.
      const user = await this.store
        .repository(User)
        .findOne({ where: { id, partnerId }, lock: { mode: 'pessimistic_write' } });
      if (!user) throw notFound('user');
      // A separate statement, so that it sees a deposit that the lock waited for.
      const [usage] = await this.store.query(queries.HAS_POSITIONS, [id]);
      if (usage!.hasPositions)
        throw new DomainError(
          'user_has_positions',
          'The user has or had positions, whose records are retained. Block the user instead: PATCH /users/{id} with {"status": "blocked"}.',
        );
      await this.store.query(queries.DELETE_USER, [id, slotOf(id)]);
    });
  }

  /** @returns users of any partner with an external id, at most `most` */
  async holders(externalId: string, limit: number): Promise<Holder[]> {
    return this.store.query(queries.FIND_HOLDERS, [externalId, limit]);
  }

  /** Frees an external id: its user keeps everything else and gets a generated one that cannot be taken. @throws DomainError `not_found` */
  async release(partnerId: string, externalId: string): Promise<{ id: string; externalId: string }> {
    const renamed = `released:${randomUUID()}`;
    const user = await this.store.repository(User).findOneBy({ partnerId, externalId });
    if (!user) throw notFound('user');
    await this.store.query(queries.RELEASE_EXTERNAL_ID, [user.id, renamed, this.clock.now()]);
    return { id: user.id, externalId: renamed };
  }

  private async walletsOf(id: string): Promise<string[]> {
    const wallets = this.store.repository(Wallet);
    const previousWallets = await wallets.find({ where: { userId: id }, order: { position: 'ASC' } });
    return previousWallets.map(({ address }) => address);
  }

  /** Names the user that has the external id, unless it is another partner's. */
  private async externalIdTaken({ partnerId, externalId }: User): Promise<DomainError> {
    const holder = await this.store.repository(User).findOneBy({ partnerId, externalId });
    const details = holder
      ? [{ field: 'external_id', message: `belongs to your user ${holder.id}`, user_id: holder.id }]
      : [];
    return new DomainError('external_id_taken', this.externalIds.refusal, details);
  }

  private async walletTaken({
    id,
    partnerId,
    wallets,
  }: Pick<UserWithWallets, 'id' | 'partnerId' | 'wallets'>): Promise<DomainError> {
    const owned = await this.store
      .repository(Wallet)
      .findBy({ partnerId, address: In(wallets), userId: Not(id) });
    const details = owned.map(({ address, userId }) => ({
      field: `wallets[${wallets.indexOf(address)}]`,
      message: `belongs to your user ${userId}`,
      user_id: userId,
    }));
    return new DomainError(
      'wallet_taken',
      'One of the wallets belongs to another of your users already.',
      details,
    );
  }

  /** @throws DomainError `wallet_taken` */
  private async replaceWallets({ id, partnerId }: User, wallets: string[]): Promise<void> {
    await this.store.repository(Wallet).delete({ userId: id });
    const added = await this.store.query(queries.ADD_WALLETS, [partnerId, id, wallets]);
    if (added.length !== wallets.length) throw await this.walletTaken({ id, partnerId, wallets });
  }
}

function checkedWallets(addresses: readonly string[]): string[] {
  const wallets = addresses.map(checksummedAddress);
  const detailsOf = (isWrong: (wallet: string | null, index: number) => boolean, message: string): Detail[] =>
    wallets.flatMap((wallet, index) =>
      isWrong(wallet, index) ? [{ field: `wallets[${index}]`, message }] : [],
    );
  const details = [
    ...detailsOf(
      (wallet) => wallet === null,
      'must be 0x and 40 hexadecimal digits; mixed case must carry a valid EIP-55 checksum',
    ),
    ...detailsOf((wallet, index) => wallet !== null && wallets.indexOf(wallet) !== index, 'is named twice'),
  ];
  if (details.length > 0)
    throw new DomainError('validation_failed', 'The request is not valid; see details.', details);
  return wallets as string[];
}
