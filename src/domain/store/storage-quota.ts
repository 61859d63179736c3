import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../config/domain-settings.js';
import { DomainError } from '../domain-error.js';
import { double, nothing, text } from './column.js';
import { statement } from './statement.js';
import { Store } from './store.js';

/**
 * Kinds of a partner's stored data. `records`: end-users, campaigns, keys. `traffic`: events, deliveries, idempotency claims, which expire. `book`:
 * positions, ledger, decisions, hours of an account's market.
 */
export type StoredKind = 'records' | 'traffic' | 'book';
/** In bytes. */
export type StoredBytes = Record<StoredKind, number>;

const MIB = 1024 * 1024;
/** Above the size of all concurrent writes of one partner: up to about a hundred, of at most 30 KB. */
const UNDER_WAY = 8 * MIB;

/** Counters as this transaction sees them: with its own writes, without those of concurrent ones. */
const READ = statement(
  'storage.read',
  {
    values: [text()],
    row: { records: double(), traffic: double(), book: double() } satisfies Record<StoredKind, unknown>,
  },
  `SELECT coalesce(sum(records), 0)::float8 AS records, coalesce(sum(traffic), 0)::float8 AS traffic, coalesce(sum(book), 0)::float8 AS book
     FROM stored_bytes WHERE partner_id = $1`,
);

/** Lock that serialises a partner's writes near the limit until commit. */
const JUDGE_ALONE = statement(
  'storage.judge_alone',
  { values: [text()], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended('storage of ' || current_schema() || '.' || $1, 0))`,
);

const WHAT_IT_IS: Record<StoredKind, { what: string; relief: string }> = {
  records: {
    what: 'End-users, campaigns and keys of this partner',
    relief: 'Delete end-users that never had a position, or ask the operator for a higher bound.',
  },
  traffic: {
    what: 'Events, deliveries and answers kept for Idempotency-Keys of this partner',
    relief:
      'Answers are forgotten after a day, deliveries as newer ones come, the oldest events within a minute. Try again later, or ask the operator for a higher bound.',
  },
  book: {
    what: "Positions with their ledger and decisions, and hours of an account's market,",
    relief:
      'In the sandbox, POST /simulation/reset makes room; elsewhere ask the operator for a higher bound.',
  },
};

/** Storage quota of a partner. Triggers in the database count row by row; the limit is enforced here. */
@Injectable()
export class StorageQuota {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
  ) {}

  /**
   * Checks that a partner's data is within its quota. Call it last in a transaction, so that the failure rolls the writes back. One statement; near
   * the limit, where concurrent writes could exceed it together, they are serialised.
   * @throws DomainError `quota_exceeded`
   */
  async requireRoom(partnerId: string, kinds: readonly StoredKind[]): Promise<void> {
    const stored = await this.read(partnerId);
    this.refuseBeyond(stored, kinds);
    if (kinds.every((kind) => stored[kind] + UNDER_WAY <= this.boundOf(kind))) return;
    await this.store.query(JUDGE_ALONE, [partnerId]);
    this.refuseBeyond(await this.read(partnerId), kinds);
  }

  /**
   * Early check before expensive work that is checked again at its end; it takes no lock.
   * @throws DomainError `quota_exceeded`
   */
  async refuseWhenFull(partnerId: string, kinds: readonly StoredKind[]): Promise<void> {
    this.refuseBeyond(await this.read(partnerId), kinds);
  }

  async read(partnerId: string): Promise<StoredBytes> {
    const [stored] = await this.store.query(READ, [partnerId]);
    return stored!;
  }

  private refuseBeyond(stored: StoredBytes, kinds: readonly StoredKind[]): void {
    const full = kinds.find((kind) => stored[kind] > this.boundOf(kind));
    if (full === undefined) return;
    const { what, relief } = WHAT_IT_IS[full];
    throw new DomainError(
      'quota_exceeded',
      `${what} may take ${this.boundOf(full) / MIB} MiB of storage, and this would not fit. Nothing was stored. ${relief}`,
    );
  }

  private boundOf(kind: StoredKind): number {
    return this.settings.constants.storage[`${kind}MibPerPartner`] * MIB;
  }
}
