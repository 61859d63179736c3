import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { databaseUrlIn } from '../config/read-environment.js';

export interface PatientConfig extends ClientConfig {
  /** File that holds the URL of each new connection; while it holds none, `connectionString` does. */
  urlFile?: string | null;
  /** Limit on the wait for an answer; default: none. */
  answerTimeoutMillis?: number;
  /** Sends named statements without their names, because a pooler may give each transaction another connection. */
  unnamed?: boolean;
}

/** The driver's low-level connection. */
type Wire = EventEmitter<{ errorMessage: [{ code?: string; routine?: string }] }> & { stream: Socket };

/** Errors about the connection rather than the statement: it is read-only, or a prepared statement is missing. */
const USELESS = /^(25006|26000)$/;
const GOODBYE_MS = 1_000;
/** PostgreSQL's routine for a stale plan; the message depends on its language. */
const STALE_PLAN = 'RevalidateCachedQuery';

/**
 * Client whose answers have a time limit. The database's own timeouts do not reach us when the network silently drops packets, so the connection is
 * broken from this side, and waiting callers get an error. Emits `useless` when the server's error shows that the connection will fail others too.
 */
export class PatientClient extends Client {
  private readonly patienceMs: number;
  private readonly unnamed: boolean;
  private patience: NodeJS.Timeout | undefined;
  private isCorked = false;

  constructor(config: PatientConfig = {}) {
    super(atPresent(config));
    this.patienceMs = config.answerTimeoutMillis ?? Infinity;
    this.unnamed = config.unnamed ?? false;
    // Waiting callers get the error; this listener only prevents that it ends the process.
    this.on('error', () => clearTimeout(this.patience));
    this.on('end', () => clearTimeout(this.patience)).on('drain', () => clearTimeout(this.patience));
    this.wire.on('errorMessage', ({ code = '', routine }) => {
      if (!USELESS.test(code) && routine !== STALE_PLAN) return;
      (this as EventEmitter).emit('useless');
      // The caller receives its error first.
      setImmediate(() => this.break(`The database refuses this connection (${code}).`));
    });
  }

  // `never`: of all the driver's overloads, only that of a named statement is inspected here.
  override query(...given: never[]): never {
    clearTimeout(this.patience);
    if (this.patienceMs !== Infinity) {
      const silent = `The database did not answer within ${this.patienceMs} ms.`;
      this.patience = setTimeout(() => this.break(silent), this.patienceMs).unref();
    }
    this.cork();
    const [asked, ...rest] = given;
    return super.query<never>(...([this.unnamed ? withoutName(asked) : asked, ...rest] as [never]));
  }

  /** Closes politely, with a time limit. */
  override end(...given: never[]): never {
    setTimeout(() => this.wire.stream.destroy(), GOODBYE_MS).unref();
    return super.end(...(given as [never])) as never;
  }

  /** Whether the database answers on it within a time; otherwise it is broken. */
  async answers(withinMs: number): Promise<boolean> {
    const bound = setTimeout(
      () => this.break(`The database did not answer within ${withinMs} ms.`),
      withinMs,
    );
    const answered = await (this as Client).query(STILL_THERE).then(
      () => true,
      () => false,
    );
    clearTimeout(bound);
    return answered;
  }

  private get wire(): Wire {
    return (this as unknown as { connection: Wire }).connection;
  }

  /** Statements of one turn of the event loop leave in one write (corking): a system call costs more than encoding most statements. */
  private cork(): void {
    if (this.isCorked) return;
    this.isCorked = true;
    const { stream } = this.wire;
    stream.cork();
    process.nextTick(() => {
      this.isCorked = false;
      stream.uncork();
    });
  }

  private break(reason: string): void {
    this.wire.stream.destroy(Object.assign(new Error(reason), { code: 'ECONNABORTED' }));
  }
}

/** A pool makes a client for each connection, so that the next one has a password that was changed meanwhile. */
function atPresent(config: PatientConfig): PatientConfig {
  const connectionString = config.urlFile ? databaseUrlIn(config.urlFile) : undefined;
  return connectionString === undefined ? config : { ...config, connectionString };
}

/** Probe of an idle connection before its use. */
export const STILL_THERE = 'SELECT 1 AS still_there';

/** Query objects with a `submit` of their own, such as cursors, are passed on unchanged. */
function withoutName(asked: unknown): unknown {
  if (typeof asked !== 'object' || asked === null || !('name' in asked) || 'submit' in asked) return asked;
  const { name: _name, ...unnamed } = asked;
  return unnamed;
}
