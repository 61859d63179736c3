import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Settings } from '../../../config/settings.js';
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
  { values: [], row: { lsn: orNull(text()), database: text() } },
  `SELECT current_database()::text AS database, CASE WHEN NOT pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text END AS lsn`,
);

/**
 * WAL position that the standby has applied; null when it is none, for example after promotion. Database and schema show whose tables reports would
 * read there.
 */
const REPLAYED = statement(
  'standby.replayed',
  { values: [], row: { lsn: orNull(text()), database: text(), schema: orNull(text()) } },
  `SELECT current_database()::text AS database, current_schema()::text AS schema, CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text END AS lsn`,
);

/** The cluster, which a standby has in common with its primary: positions of two clusters cannot be compared. */
const SYSTEM = statement(
  'standby.system',
  { values: [], row: { id: text() } },
  'SELECT system_identifier::text AS id FROM pg_control_system()',
);
/** SQLSTATE of a role that may not do what it asks. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** WAL position of the primary at a moment: everything committed before is included. */
interface Mark {
  at: number;
  lsn: bigint;
}

/** Why no report is read from the standby. */
export interface StandbyTrouble {
  reason:
    | 'does not answer'
    | 'is not a standby'
    | 'is of another database'
    | 'has another schema'
    | 'follows another primary';
  /** Error of the standby, or of its connection. */
  err?: unknown;
  /** Name of the database or schema that was found instead; null: none. */
  found?: string | null;
}

/**
 * Streaming standby and its lag, measured when a report asks and every few seconds: WAL position of the primary against the position applied by the
 * standby. The age of the last transaction would not tell an idle primary from a disconnected standby. Times are `performance.now()`.
 */
@Injectable()
export class Standby {
  /** Called when the standby begins to answer (null), or not to, or for another reason. */
  onChange: (trouble: StandbyTrouble | null) => void = () => undefined;
  /** What `onChange` was last told: a reason with its error, or '' for a standby that answers; null: nothing yet. */
  private told: string | null = null;
  /** Marks not reached yet, oldest first. */
  private marks: Mark[] = [];
  /** Everything committed before this moment is applied on the standby. */
  private reached = -Infinity;
  private lookedAt = -Infinity;
  private looking: Promise<void> | null = null;
  private restsUntil = -Infinity;
  /** Whether the last comparison succeeded. */
  private isKnown = false;

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
    if (!this.pool || this.isResting) return false;
    const { replicaLagMs } = this.settings.constants.database;
    const needed = Math.max(performance.now() - replicaLagMs, this.writes.lastOf(this.tenancy.tenant));
    if (this.reached >= needed) return true;
    if (performance.now() - this.lookedAt > LOOK_AGAIN_MS) await this.look();
    return this.reached >= needed;
  }

  /** Pauses a standby that does not answer. @param err what it answered, or its connection */
  rest(err: unknown): void {
    this.pause({ reason: 'does not answer', err });
  }

  /** Measures the lag, unless the standby is paused; never throws. */
  async observe(): Promise<void> {
    if (this.pool && !this.isResting) await this.look();
  }

  /** Upper bound of the lag in seconds, by what is known; infinite when nothing is. */
  get lagSeconds(): number {
    const hasAll = this.isKnown && this.marks.length === 0;
    return hasAll ? 0 : (performance.now() - this.reached) / 1000;
  }

  private get isResting(): boolean {
    return performance.now() < this.restsUntil;
  }

  private look(): Promise<void> {
    // Concurrent callers share one comparison.
    this.looking ??= this.compare()
      // An error of the primary, which says nothing about the standby.
      .catch(() => this.pause())
      .finally(() => (this.looking = null));
    return this.looking;
  }

  private async compare(): Promise<void> {
    const at = performance.now();
    const [primary] = await this.store.query(WRITTEN, []);
    const { name, text } = REPLAYED;
    const standby = await this.pool!.query<{ lsn: string | null; database: string; schema: string | null }>({
      name,
      text,
    }).catch((error: unknown) => this.rest(error));
    if (!standby) return;
    const [{ lsn: written, database }, { lsn: replayed, ...found }] = [primary!, standby.rows[0]!];
    if (replayed === null) return this.pause({ reason: 'is not a standby' });
    if (this.told !== '' && !(await this.followsPrimary()))
      return this.pause({ reason: 'follows another primary' });
    if (found.database !== database)
      return this.pause({ reason: 'is of another database', found: found.database });
    // Behind a pooler the search path belongs to the role: another role would read nothing, or another deployment's tables.
    if (found.schema !== this.settings.database.schema)
      return this.pause({ reason: 'has another schema', found: found.schema });
    if (written === null) return this.pause();
    this.isKnown = true;
    this.tell(null);
    this.marks.push({ at, lsn: BigInt(written) });
    while (this.marks.length > 0 && this.marks[0]!.lsn <= BigInt(replayed))
      this.reached = this.marks.shift()!.at;
    if (this.marks.length > MARKS) this.marks = this.marks.filter((_, place) => place % 2 === 0);
    this.lookedAt = performance.now();
  }

  /** True, too, where the role may not ask: any role may by default. */
  private async followsPrimary(): Promise<boolean> {
    try {
      const { name, text } = SYSTEM;
      const [[primary], { rows }] = await Promise.all([
        this.store.query(SYSTEM, []),
        this.pool!.query<{ id: string }>({ name, text }),
      ]);
      return primary!.id === rows[0]!.id;
    } catch (error) {
      if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE) return true;
      throw error;
    }
  }

  /** @param trouble omitted: the standby is not the cause */
  private pause(trouble?: StandbyTrouble): void {
    this.restsUntil = performance.now() + REST_MS;
    this.isKnown = false;
    if (trouble) this.tell(trouble);
  }

  private tell(trouble: StandbyTrouble | null): void {
    const { code, message } = (trouble?.err ?? {}) as { code?: string; message?: string };
    const told = trouble ? [trouble.reason, trouble.found ?? code ?? message].join(' ') : '';
    if (told === this.told) return;
    this.told = told;
    this.onChange(trouble);
  }
}
