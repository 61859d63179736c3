import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { DomainError } from '../domain-error.js';
import * as queries from './storage-limit.queries.js';
import { Store } from './store.js';

/**
 * Kinds of a partner's stored data. `records`: end-users, campaigns, keys. `traffic`: events, deliveries, idempotency claims, which expire. `book`:
 * positions, ledger, decisions, audit log, hours of an account's market.
 */
export type StoredKind = 'records' | 'traffic' | 'book';
export type StoredBytes = Record<StoredKind, number>;

const KINDS = ['records', 'traffic', 'book'] as const satisfies readonly StoredKind[];
const MIB = 1024 * 1024;
const PARTNERS_A_COUNT = 50;

const WHAT_IT_IS: Record<StoredKind, { what: string; relief: string }> = {
  records: {
    what: 'End-users, campaigns and keys of this partner',
    relief: 'Delete end-users that never had a position, or ask the operator for a higher limit.',
  },
  traffic: {
    what: 'Events, deliveries and answers kept for Idempotency-Keys of this partner',
    relief:
      'Stored responses expire after a day, deliveries as newer ones come, the oldest events within a minute. Try again later, or ask the operator for a higher limit.',
  },
  book: {
    what: "Positions with their ledger and decisions, the audit log, and hours of an account's market",
    relief:
      'In the sandbox, POST /simulation/reset frees space; elsewhere ask the operator for a higher limit.',
  },
};

/**
 * Limit on the bytes that a partner stores. A job counts them by partner every few seconds, and each process keeps in memory which partners are over a
 * limit, so that the check of a write costs no statement. Between counts a partner can overshoot its limit by what its rate limit lets it write. An
 * advance stores far more than its rate-limit cost suggests, so it is counted in its own transaction.
 */
@Injectable()
export class StorageLimit {
  private full = new Map<string, readonly StoredKind[]>();
  /** Partners that have written here since the last `refresh`. */
  private readonly wrote = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
  ) {}

  /**
   * To be called before any write for a partner, which is counted after its commit.
   * @param kinds what may be refused
   * @throws DomainError `quota_exceeded`
   */
  requireRoom(partnerId: string, kinds: readonly StoredKind[]): void {
    this.refuse(this.full.get(partnerId) ?? [], kinds);
    this.store.afterCommit(() => this.wrote.add(partnerId));
  }

  /** Counts the partner in the current transaction, with its writes. @throws DomainError `quota_exceeded` */
  async requireCountedRoom(partnerId: string, kinds: readonly StoredKind[]): Promise<void> {
    this.refuse(this.beyond(await this.count(partnerId)), kinds);
  }

  async count(partnerId: string): Promise<StoredBytes> {
    const [{ partnerId: _, ...stored }] = (await this.store.query(queries.COUNT_ONE, [partnerId])) as [
      StoredBytes & { partnerId: string },
    ];
    return stored;
  }

  /** Counts the partners that wrote, on any process. Several processes may do it at once: they share the work. */
  async countDue(): Promise<void> {
    for (let after = ''; ;) {
      const page = [after, PARTNERS_A_COUNT, ...this.bounds] as const;
      const counted = await this.store.transaction(async () => {
        await this.store.query(queries.BY_INDEX, []);
        return this.store.query(queries.COUNT_DUE, page);
      });
      if (counted.length === 0) return;
      after = counted.map(({ partnerId }) => partnerId).reduce((id, other) => (id > other ? id : other));
    }
  }

  /** Publishes which partners wrote here, and reads which are over a limit. Call it every few seconds on each process. */
  async refresh(): Promise<void> {
    const wrote = [...this.wrote];
    this.wrote.clear();
    try {
      if (wrote.length > 0) await this.store.query(queries.NOTE, [wrote]);
    } catch (error) {
      for (const partnerId of wrote) this.wrote.add(partnerId);
      throw error;
    }
    const fullPartners = await this.store.query(queries.FIND_FULL, this.bounds);
    this.full = new Map(fullPartners.map(({ partnerId, ...stored }) => [partnerId, this.beyond(stored)]));
  }

  boundOf(kind: StoredKind): number {
    return this.settings.constants.storage[`${kind}MibPerPartner`] * MIB;
  }

  private get bounds(): [string, string, string] {
    return KINDS.map((kind) => String(this.boundOf(kind))) as [string, string, string];
  }

  private beyond(stored: StoredBytes): readonly StoredKind[] {
    return KINDS.filter((kind) => stored[kind] > this.boundOf(kind));
  }

  private refuse(beyond: readonly StoredKind[], kinds: readonly StoredKind[]): void {
    const full = kinds.find((kind) => beyond.includes(kind));
    if (full === undefined) return;
    const { what, relief } = WHAT_IT_IS[full];
    throw new DomainError(
      'quota_exceeded',
      `${what} exceed their limit of ${this.boundOf(full) / MIB} MiB of storage. Nothing was stored. ${relief} Freed space counts within 30 seconds.`,
    );
  }
}
