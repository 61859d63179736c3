import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { VERSION } from '../../../config/version.js';
import { Cipher } from '../store/cipher.js';
import { double, integer, jsonb, listOf, text, time, uuid } from '../store/column.js';
import { type RowFrom, statement } from '../store/statement.js';
import { Store } from '../store/store.js';

/** Heartbeat of a process: $1 id, $2 name, $3 role, $4 version, $5 sends by outcome, $6 seconds since its start, $7 names of its secrets keys. */
const HEARTBEAT = statement(
  'deployment.heartbeat',
  { values: [uuid(), text(), text(), text(), jsonb<string>(), double(), listOf(text())], row: {} },
  `INSERT INTO replicas (id, name, role, version, sends, started_at, seen_at, secrets_keys)
   VALUES ($1, $2, $3, $4, $5, clock_timestamp() - $6 * interval '1 second', clock_timestamp(), $7)
   ON CONFLICT (id) DO UPDATE SET sends = excluded.sends, seen_at = excluded.seen_at, secrets_keys = excluded.secrets_keys`,
);

/** Removes processes whose heartbeats stopped. $1: seconds since the last one. Rows locked by another process are skipped. */
const FORGET_REPLICAS = statement(
  'deployment.forget_replicas',
  { values: [double()], row: {} },
  `DELETE FROM replicas WHERE id IN (
     SELECT id FROM replicas WHERE seen_at < clock_timestamp() - $1 * interval '1 second' FOR UPDATE SKIP LOCKED)`,
);

const LEAVE = statement(
  'deployment.leave',
  { values: [uuid()], row: {} },
  `DELETE FROM replicas WHERE id = $1`,
);

/** Live processes that answer requests, by a heartbeat within $1 seconds. */
const COUNT_ANSWERING = statement(
  'deployment.count_answering',
  { values: [double()], row: { count: integer() } },
  `SELECT count(*)::int AS count FROM replicas
    WHERE role <> 'worker' AND seen_at >= clock_timestamp() - $1 * interval '1 second'`,
);

/**
 * The newest $2 processes. A process silent for $1 seconds is left out once a process with the same name and role has started since (a supervisor
 * restart).
 */
const FIND_REPLICAS = statement(
  'deployment.find_replicas',
  {
    values: [double(), integer()],
    row: {
      name: text(),
      role: text(),
      version: text(),
      /** Number of sends by outcome, since its start. */
      sends: jsonb<Record<string, number>>(),
      startedAt: time(),
      seenAt: time(),
      silentSeconds: double(),
      /** Names of its keys (`Cipher.keyNames`); the first one is the key it encrypts with. */
      secretsKeys: listOf(text()),
    },
  },
  `SELECT name, role, version, sends, started_at AS "startedAt", seen_at AS "seenAt",
          greatest(0, extract(epoch FROM clock_timestamp() - seen_at))::float8 AS "silentSeconds",
          secrets_keys AS "secretsKeys"
     FROM replicas r
    WHERE seen_at >= clock_timestamp() - $1 * interval '1 second'
       OR NOT EXISTS (SELECT FROM replicas next WHERE next.name = r.name AND next.role = r.role AND next.started_at > r.seen_at)
    ORDER BY started_at DESC, id LIMIT $2::int`,
);

/** Three heartbeats, so that a lost one makes no process silent. */
const SILENT_SECONDS = 60;
/** A killed process that no other process replaces is forgotten after an hour. */
const RETENTION_SECONDS = 3_600;
/** Limit on listed processes; only a fault starts more within a minute. */
const MAX_LISTED = 100;
const NAME_LENGTH = 253;

export interface Replica extends RowFrom<typeof FIND_REPLICAS> {
  /** Whether it has missed three heartbeats: it hangs, was killed, or does not reach the database. */
  silent: boolean;
}

/** Processes of a deployment: the event loop of each writes a heartbeat every 20 seconds, dated by the database's clock. One that hangs writes none. */
@Injectable()
export class Replicas {
  /** Live processes that answer requests, this one included; as of the last heartbeat. */
  answering = 1;
  private readonly id = randomUUID();
  private hasBeaten = false;
  private hasLeft = false;

  constructor(
    private readonly store: Store,
    private readonly cipher: Cipher,
    private readonly settings: DomainSettings,
  ) {}

  /** Writes a heartbeat; to be called every 20 seconds. @param sends this process's sends by outcome, since its start */
  async heartbeat(sends: Record<string, number>): Promise<void> {
    if (this.hasLeft) return;
    this.hasBeaten = true;
    const name = hostname().slice(0, NAME_LENGTH);
    await this.store.query(HEARTBEAT, [
      this.id,
      name,
      this.settings.role,
      VERSION,
      JSON.stringify(sends),
      process.uptime(),
      this.cipher.keyNames,
    ]);
    await this.store.query(FORGET_REPLICAS, [RETENTION_SECONDS]);
    const [row] = await this.store.query(COUNT_ANSWERING, [SILENT_SECONDS]);
    this.answering = Math.max(1, row!.count);
  }

  /** Removes this process, at its shutdown. */
  async leave(): Promise<void> {
    this.hasLeft = true;
    if (!this.hasBeaten) return;
    await this.store.query(LEAVE, [this.id]);
  }

  /** Processes that have not shut down cleanly, the youngest first, without those that were replaced. */
  async list(): Promise<Replica[]> {
    const rows = await this.store.query(FIND_REPLICAS, [SILENT_SECONDS, MAX_LISTED]);
    return rows.map((row) => ({ ...row, silent: row.silentSeconds > SILENT_SECONDS }));
  }
}

/** The deployment as owner of its administrators' endpoints: a row among the partners that operations refuse, and to which no key is bound. */
export const DEPLOYMENT = 'deployment';
