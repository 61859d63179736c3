import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { VERSION } from '../../../config/version.js';
import { Store } from '../store/store.js';
import * as queries from './replicas.queries.js';

/** Three heartbeats, so that a lost one makes no process silent. */
const SILENT_SECONDS = 60;
/** A process that was killed and that nothing takes the place of is forgotten after an hour. */
const KEPT_SECONDS = 3_600;
/** Limit on listed processes; more only start within a minute by a fault. */
const SHOWN = 100;
const NAME_LENGTH = 253;

/** Process of the deployment, as of its last heartbeat. */
export interface Replica {
  /** Name of its machine or container. */
  name: string;
  role: string;
  version: string;
  /** Number of sends by outcome, since its start. */
  sends: Record<string, number>;
  startedAt: Date;
  seenAt: Date;
  silentSeconds: number;
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
    private readonly settings: DomainSettings,
  ) {}

  /**
   * Writes a heartbeat; to be called every 20 seconds.
   * @param sends this process's sends by outcome, since its start
   */
  async beat(sends: Record<string, number>): Promise<void> {
    if (this.hasLeft) return;
    this.hasBeaten = true;
    const name = hostname().slice(0, NAME_LENGTH);
    await this.store.query(queries.BEAT, [
      this.id,
      name,
      this.settings.role,
      VERSION,
      JSON.stringify(sends),
      process.uptime(),
    ]);
    await this.store.query(queries.FORGET_REPLICAS, [KEPT_SECONDS]);
    const [row] = await this.store.query(queries.COUNT_ANSWERING, [SILENT_SECONDS]);
    this.answering = Math.max(1, row!.count);
  }

  /** Removes this process, which ends. */
  async leave(): Promise<void> {
    this.hasLeft = true;
    if (!this.hasBeaten) return;
    await this.store.query(queries.LEAVE, [this.id]);
  }

  /** Processes that have not ended in order, the youngest first. One in whose place another was started is not among them. */
  async seen(): Promise<Replica[]> {
    const rows = await this.store.query(queries.FIND_REPLICAS, [SILENT_SECONDS, SHOWN]);
    return rows.map((row) => ({ ...row, silent: row.silentSeconds > SILENT_SECONDS }));
  }
}
