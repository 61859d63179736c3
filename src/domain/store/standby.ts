import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '../../config/settings.js';
import { orNull, text } from './column.js';
import { RecentWrites } from './recent-writes.js';
import { statement } from './statement.js';
import { Store } from './store.js';
import { Tenancy } from './tenancy.js';

/** How long a standby that failed is let alone, so that not every report waits for it. */
const REST_MS = 10_000;
/** A standby that was behind is not asked again sooner. */
const LOOK_AGAIN_MS = 50;
/** Marks that a standby has yet to reach; of more, every other one goes. */
const MARKS = 100;

/** Bytes of the log that the primary has written; null where `DATABASE_URL` is no primary. */
const WRITTEN = statement(
  'standby.written',
  { values: [], row: { lsn: orNull(text()) } },
  `SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text END AS lsn`,
);

/** And those that a standby has applied; null where it is none, as one that was promoted. The schema says whose tables a report would read there. */
const REPLAYED = statement(
  'standby.replayed',
  { values: [], row: { lsn: orNull(text()), schema: orNull(text()) } },
  `SELECT current_schema()::text AS schema, CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text END AS lsn`,
);

/** The primary's log stood there at that moment: all that was committed before is in it. */
interface Mark {
  at: number;
  lsn: bigint;
}

/**
 * A streaming standby, and how far behind it is. Looked at when a report asks for it: where the primary's log stands, and how much of it the standby has
 * applied. Unlike the age of the last transaction, that tells an idle primary from a standby which nothing reaches any more. Times are `performance.now()`.
 */
@Injectable()
export class Standby {
  /** Not reached yet, oldest first. */
  private marks: Mark[] = [];
  /** All that was committed before is applied there. */
  private reached = -Infinity;
  private lookedAt = -Infinity;
  private looking: Promise<void> | null = null;
  private restsUntil = -Infinity;

  constructor(
    private readonly store: Store,
    private readonly tenancy: Tenancy,
    private readonly writes: RecentWrites,
    private readonly settings: Settings,
    /** null: there is no standby. */
    @Inject(Pool) readonly pool: Pool | null,
  ) {}

  /** Whether it has all that is older than the bound, and all that this process committed of the partner that asks. */
  async mayServe(): Promise<boolean> {
    if (!this.pool || performance.now() < this.restsUntil) return false;
    const { replica_lag_ms } = this.settings.constants.database;
    const needed = Math.max(performance.now() - replica_lag_ms, this.writes.lastOf(this.tenancy.tenant));
    if (this.reached >= needed) return true;
    if (performance.now() - this.lookedAt > LOOK_AGAIN_MS) await this.look();
    return this.reached >= needed;
  }

  /** It does not answer, or does not do what a standby does. */
  rest(): void {
    this.restsUntil = performance.now() + REST_MS;
  }

  /** Seconds at most; infinite where nothing is known of it. */
  async lagSeconds(): Promise<number> {
    if (performance.now() >= this.restsUntil) await this.look();
    const hasAll = this.marks.length === 0 && performance.now() >= this.restsUntil;
    return hasAll ? 0 : (performance.now() - this.reached) / 1000;
  }

  private look(): Promise<void> {
    // Not charged to a partner's share of connections; concurrent callers wait for the same comparison.
    this.looking ??= this.tenancy
      .begin(() => this.compare())
      .catch(() => this.rest())
      .finally(() => (this.looking = null));
    return this.looking;
  }

  private async compare(): Promise<void> {
    const at = performance.now();
    const [primary] = await this.store.query(WRITTEN, []);
    const { name, text } = REPLAYED;
    const { rows } = await this.pool!.query<{ lsn: string | null; schema: string | null }>({ name, text });
    const [written, { lsn: replayed, schema }] = [primary!.lsn, rows[0]!];
    // Behind a pooler the search path belongs to the role: another role would read nothing, or another deployment's tables.
    if (written === null || replayed === null || schema !== this.settings.database.schema) return this.rest();
    this.marks.push({ at, lsn: BigInt(written) });
    while (this.marks.length > 0 && this.marks[0]!.lsn <= BigInt(replayed))
      this.reached = this.marks.shift()!.at;
    if (this.marks.length > MARKS) this.marks = this.marks.filter((_, place) => place % 2 === 0);
    this.lookedAt = performance.now();
  }
}
