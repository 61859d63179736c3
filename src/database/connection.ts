import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ConfigError } from '../config/config-error.js';
import { Settings } from '../config/settings.js';
import { LOGGER } from '../telemetry/logger.js';
import { migrate, NotMigratedError } from './migrate.js';
import { checkNamedStatements } from './pooler.js';
import { Connection } from './data-source.js';
import { isFinal, refusalOf } from './refusal.js';
import { requireFit, sessionOptions } from './session.js';

/**
 * Checks the paths to the database before anything is locked or written, because a pooler in transaction mode takes no settings at the start of a
 * connection. Throws ConfigError naming the setting that is wrong.
 */
export async function checkPaths(settings: Settings, url: string): Promise<void> {
  const {
    databasePooling: pooling,
    databaseDirectUrl: directUrl,
    databaseMigrationUrl: migrationUrl,
  } = settings;
  const isPooled = pooling !== 'session';
  const open: Connection[] = [];
  const check = async (name: keyof typeof REFUSALS, to: string): Promise<void> => {
    const takesOptions = name !== 'DATABASE_URL' || !isPooled;
    const client = newClient(settings, to, takesOptions);
    open.push(client);
    await connect(client, name, takesOptions ? settings.databaseSchema : null);
    // The settings of a pooler's role are checked once the schema exists.
    if (takesOptions) await requireFit(client, settings, false);
  };
  try {
    await check('DATABASE_URL', url);
    if (migrationUrl !== null) await check('DATABASE_MIGRATION_URL', migrationUrl);
    if (directUrl !== null) await check('DATABASE_DIRECT_URL', directUrl);
  } finally {
    await Promise.all(open.map((client) => client.end()));
  }
}

const REFUSALS = {
  DATABASE_URL:
    'DATABASE_POOLING is "session", but DATABASE_URL refuses session settings (options), as poolers in transaction mode do. Behind a pooler set DATABASE_POOLING=transaction, or transaction_named where it supports named statements, and set DATABASE_DIRECT_URL to the URL of the database itself.',
  DATABASE_DIRECT_URL:
    'DATABASE_DIRECT_URL refuses session settings (options), as poolers do; it must be the URL of the database itself, not of a pooler.',
  DATABASE_MIGRATION_URL:
    'DATABASE_MIGRATION_URL refuses session settings (options), as poolers do; it must be the URL of the database itself, not of a pooler.',
};

function newClient(settings: Settings, url: string, takesOptions: boolean): Connection {
  const { connectTimeoutMs, answerGraceMs } = settings.constants.database;
  return new Connection({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: connectTimeoutMs + answerGraceMs,
    ...(takesOptions && { options: sessionOptions(settings, true) }),
  });
}

/**
 * @param schema sent as a setting of the session; null: none is sent
 * @throws ConfigError when the server or its certificate is refused for good, or a pooler refuses or ignores the setting: PgBouncer with 08P01, which
 * otherwise stands for a broken connection.
 */
async function connect(
  client: Connection,
  name: keyof typeof REFUSALS,
  schema: string | null,
): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === '08P01' && /startup parameter/i.test(message)) throw new ConfigError([REFUSALS[name]]);
    throw refusalOf(name, error) ?? error;
  }
  if (schema === null) return;
  const { rows } = await client.query<{ path: string }>(`SELECT current_setting('search_path') AS path`);
  if (rows[0]!.path !== schema) throw new ConfigError([REFUSALS[name]]);
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 2_000;

export interface ServerAddress {
  url: string;
  release(): Promise<void>;
}

/** Connects to the database in the background, so that the server can start before the database does. */
@Injectable()
export class DatabaseConnection {
  private address: ServerAddress | null = null;
  private stopping = new AbortController();
  private connecting: Promise<void> | null = null;
  private ready = false;
  /** What an operator should know of the schema. */
  notes: readonly string[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly source: DataSource,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** True from the first successful connection and migration until `stop`. */
  get isReady(): boolean {
    return this.ready;
  }

  /** URL of the database itself, past any pooler, for the queue's own connections, which use LISTEN. Available once ready. */
  get url(): string {
    if (!this.address) throw new Error('The database is not connected yet.');
    return this.settings.databaseDirectUrl ?? this.address.url;
  }

  /**
   * Starts connecting and returns a promise of the connection.
   * @param patienceMs how long to wait for a database that is down; a server waits without limit, a command does not
   */
  start(patienceMs = Infinity): Promise<void> {
    this.connecting ??= this.connect(performance.now() + patienceMs);
    return this.connecting;
  }

  /** Closes the pool, and the embedded server when this process started it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.connecting?.catch(() => undefined);
    this.ready = false;
    if (this.source.isInitialized) await this.source.destroy();
    await this.address?.release();
  }

  private async connect(deadline: number): Promise<void> {
    for (
      let wait = FIRST_RETRY_MS;
      !this.stopping.signal.aborted;
      wait = Math.min(wait * 2, LONGEST_RETRY_MS)
    ) {
      try {
        this.address ??= await serverAddress(this.settings, this.log);
        this.source.setOptions({ url: this.address.url });
        if (this.settings.databaseUrl) await checkPaths(this.settings, this.address.url);
        this.notes = await migrate(this.settings, this.address.url, this.log, this.stopping.signal);
        for (const note of this.notes) this.log.warn(note);
        if (!this.source.isInitialized) await this.source.initialize();
        if (this.settings.databasePooling === 'transaction_named') await checkNamedStatements(this.source);
        this.ready = true;
        return;
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        if (isFinal(error)) throw error;
        if (performance.now() > deadline) throw this.unanswered(error);
        if (error instanceof NotMigratedError) this.log.warn(error.message);
        else this.log.warn({ err: error }, 'database is not reachable yet; trying again');
        await sleep(wait, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }

  /** For a command, which waits no longer: the settings that may name the wrong server. */
  private unanswered(error: unknown): unknown {
    const {
      databaseUrl: url,
      databaseDirectUrl: directUrl,
      databaseMigrationUrl: migrationUrl,
    } = this.settings;
    if (url === null || error instanceof NotMigratedError) return error;
    const names = [
      'DATABASE_URL',
      directUrl && 'DATABASE_DIRECT_URL',
      migrationUrl && 'DATABASE_MIGRATION_URL',
    ];
    // A name with several addresses fails with one error of several, which has no message.
    const { message, code } = error as NodeJS.ErrnoException;
    return new ConfigError([
      `${names.filter(Boolean).join(' or ')}: no database answers: ${message || code}.`,
    ]);
  }
}

async function serverAddress(settings: Settings, log: Logger): Promise<ServerAddress> {
  if (settings.databaseUrl) return { url: settings.databaseUrl, release: async () => undefined };
  const { acquireEmbeddedServer } = await import('./embedded/embedded-server.js');
  const server = await acquireEmbeddedServer({ dataDir: settings.dataDir });
  // A new server would have another port. The supervisor restarts this process, and the data are kept.
  void server.lost.then(() => {
    log.fatal('the embedded PostgreSQL has stopped; stopping');
    process.kill(process.pid, 'SIGTERM');
  });
  return server;
}
