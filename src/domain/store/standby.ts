import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '../../config/settings.js';
import { orNull, text } from './column.js';
import { RecentWrites } from './recent-writes.js';
import { statement } from './statement.js';
import { Store } from './store.js';
import { Tenancy } from './tenancy.js';

/** Pause after a standby's failure, so that not every report waits for it. */
const REST_MS = 10_000;
/** Interval before a lagging standby is checked again. */
const LOOK_AGAIN_MS = 50;
/** Limit on marks that the standby has not reached; beyond it, every other one is dropped. */
const MARKS = 100;

/** WAL position of the primary in bytes; null when `DATABASE_URL` is no primary. */
const WRITTEN = statement(
  'standby.written',
  { values: [], row: { lsn: orNull(text()) } },
  `SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text END AS lsn`,
);

/**
 * WAL position that the standby has applied; null when it is none, for example after promotion. The schema shows whose tables reports would read
 * there.
 */
const REPLAYED = statement(
  'standby.replayed',
  { values: [], row: { lsn: orNull(text()), schema: orNull(text()) } },
  `SELECT current_schema()::text AS schema, CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text END AS lsn`,
);

/** WAL position of the primary at a moment: everything committed before is included. */
interface Mark {
  at: number;
  lsn: bigint;
}

/**
 * Streaming standby and its lag, measured when a report asks: WAL position of the primary against the position applied by the standby. The age of the
 * last transaction would not tell an idle primary from a disconnected standby. Times are `performance.now()`.
 */
@Injectable()
export class Standby {
  /** Marks not reached yet, oldest first. */
  private marks: Mark[] = [];
  /** Everything committed before this moment is applied on the standby. */
  private reached = -Infinity;
  private lookedAt = -Infinity;
  private looking: Promise<void> | null = null;
  private restsUntil = -Infinity;

  constructor(
    private readonly store: Store,
    private readonly tenancy: Tenancy,
    private readonly writes: RecentWrites,
    private readonly settings: Settings,
    /** null: no standby is configured. */
    @Inject(Pool) readonly pool: Pool | null,
  ) {}

  /** Whether the standby has everything older than the allowed lag, and everything that this process committed for the asking partner. */
  async mayServe(): Promise<boolean> {
    if (!this.pool || performance.now() < this.restsUntil) return false;
    const { replicaLagMs } = this.settings.constants.database;
    const needed = Math.max(performance.now() - replicaLagMs, this.writes.lastOf(this.tenancy.tenant));
    if (this.reached >= needed) return true;
    if (performance.now() - this.lookedAt > LOOK_AGAIN_MS) await this.look();
    return this.reached >= needed;
  }

  /** Pauses a standby that does not answer, or no longer is one. */
  rest(): void {
    this.restsUntil = performance.now() + REST_MS;
  }

  /** Upper bound of the lag in seconds; infinite when nothing is known. */
  async lagSeconds(): Promise<number> {
    if (performance.now() >= this.restsUntil) await this.look();
    const hasAll = this.marks.length === 0 && performance.now() >= this.restsUntil;
    return hasAll ? 0 : (performance.now() - this.reached) / 1000;
  }

  private look(): Promise<void> {
    // Not charged to a tenant's share of connections; concurrent callers share one comparison.
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
