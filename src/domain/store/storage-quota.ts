import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { DomainError } from '../domain-error.js';
import { double, nothing, text } from './column.js';
import { statement } from './statement.js';
import { Store } from './store.js';

/**
 * What a partner has stored, by how it goes again. `records`: end-users, campaigns, keys. `traffic`: events, deliveries, claims with their answers,
 * which time removes. `book`: positions, ledger, decisions, hours of an own market.
 */
export type StoredKind = 'records' | 'traffic' | 'book';
/** In bytes. */
export type StoredBytes = Record<StoredKind, number>;

const MIB = 1024 * 1024;
/** More than all writes together that one partner may have under way: up to some hundred, of some 30 KB at most. */
const UNDER_WAY = 8 * MIB;

/** As the database counts it: what others have under way is not seen, what this transaction wrote is. */
const READ = statement(
  'storage.read',
  {
    values: [text()],
    row: { records: double(), traffic: double(), book: double() } satisfies Record<StoredKind, unknown>,
  },
  `SELECT coalesce(sum(records), 0)::float8 AS records, coalesce(sum(traffic), 0)::float8 AS traffic, coalesce(sum(book), 0)::float8 AS book
     FROM stored_bytes WHERE partner_id = $1`,
);

/** Until commit, no other write of the partner is judged that comes near a bound. */
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

/** How much of the disk one partner may take. The database counts, row by row; here it is judged. */
@Injectable()
export class StorageQuota {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /**
   * Makes sure that what a transaction wrote for a partner still fits: to be called last in it, so that it is undone where it does not. One statement;
   * near a bound, where writes under way at once could pass it together, they are judged one after another.
   *
   * @throws DomainError `quota_exceeded`
   */
  async requireRoom(partnerId: string, kinds: readonly StoredKind[]): Promise<void> {
    const stored = await this.read(partnerId);
    this.refuseBeyond(stored, kinds);
    if (kinds.every((kind) => stored[kind] + UNDER_WAY <= this.boundOf(kind))) return;
    await this.store.query(JUDGE_ALONE, [partnerId]);
    this.refuseBeyond(await this.read(partnerId), kinds);
  }

  /** Before work that is judged again at its end: a look, which takes no lock. @throws DomainError `quota_exceeded` */
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
    return this.settings.constants.storage[`${kind}_mib_per_partner`] * MIB;
  }
}
