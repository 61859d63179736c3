import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

export interface PatientConfig extends ClientConfig {
  /** How long a statement may go without an answer; default: for ever. */
  answerTimeoutMillis?: number;
  /** Sends named statements without their names: between transactions another connection of the database may take this one's place. */
  unnamed?: boolean;
}

/** What the driver calls its connection. */
type Wire = EventEmitter<{ errorMessage: [{ code?: string; routine?: string }] }> & { stream: Socket };

/** What a server says of the connection rather than of the statement: it only reads, or a prepared statement is no longer what it was. */
const USELESS = /^(25006|26000)$/;
const GOODBYE_MS = 1_000;
/** Where PostgreSQL says so; its words for it depend on its language. */
const STALE_PLAN = 'RevalidateCachedQuery';

/**
 * A connection that is not waited for without end. The database has bounds of its own, and does not reach us with them once the network between
 * drops what is sent; so the connection is broken from here, and whoever waits on it hears of it. Emits `useless` when the server tells that it
 * will not do for others either.
 */
export class PatientClient extends Client {
  private readonly patienceMs: number;
  private readonly unnamed: boolean;
  private patience: NodeJS.Timeout | undefined;

  constructor(config: PatientConfig = {}) {
    super(config);
    this.patienceMs = config.answerTimeoutMillis ?? Infinity;
    this.unnamed = config.unnamed ?? false;
    // It says so to whoever waits for an answer on it; without a listener of its own it would end the process besides.
    this.on('error', () => clearTimeout(this.patience));
    this.on('end', () => clearTimeout(this.patience)).on('drain', () => clearTimeout(this.patience));
    this.wire.on('errorMessage', ({ code = '', routine }) => {
      if (!USELESS.test(code) && routine !== STALE_PLAN) return;
      (this as EventEmitter).emit('useless');
      // Whoever asked hears that first.
      setImmediate(() => this.break(`The database refuses this connection (${code}).`));
    });
  }

  // `never`: of all the forms that the driver's has, only that of a statement with a name is read here.
  override query(...given: never[]): never {
    clearTimeout(this.patience);
    if (this.patienceMs !== Infinity) {
      const silent = `The database did not answer within ${this.patienceMs} ms.`;
      this.patience = setTimeout(() => this.break(silent), this.patienceMs).unref();
    }
    const [asked, ...rest] = given;
    return super.query<never>(...([this.unnamed ? withoutName(asked) : asked, ...rest] as [never]));
  }

  /** Says goodbye, and does not wait for ever for it to be heard. */
  override end(...given: never[]): never {
    setTimeout(() => this.wire.stream.destroy(), GOODBYE_MS).unref();
    return super.end(...(given as [never])) as never;
  }

  /** Whether the database answers on it, within so long; broken if not. */
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

  private break(reason: string): void {
    this.wire.stream.destroy(Object.assign(new Error(reason), { code: 'ECONNABORTED' }));
  }
}

/** What a connection that rested is asked before it is used. */
export const STILL_THERE = 'SELECT 1 AS still_there';

/** Query objects with a `submit` of their own, such as cursors, are passed on unchanged. */
function withoutName(asked: unknown): unknown {
  if (typeof asked !== 'object' || asked === null || !('name' in asked) || 'submit' in asked) return asked;
  const { name: _name, ...unnamed } = asked;
  return unnamed;
}
