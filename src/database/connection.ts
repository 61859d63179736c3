import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ConfigError } from '../config/config-error.js';
import { Settings } from '../config/settings.js';
import { LOGGER } from '../telemetry/logger.js';
import { migrate, NotMigratedError } from './migrate.js';
import { checkPooledRole } from './pooled-role.js';
import { SupersededSchemaError } from './superseded-schema.error.js';

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 2_000;

/** A data source's URL, once known: the setting's, or the embedded server's. */
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
  private isMigrated = false;

  constructor(
    private readonly settings: Settings,
    private readonly source: DataSource,
    @Inject(Pool) private readonly replica: Pool | null,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** True from the first successful connection and migration until `stop`. */
  get isReady(): boolean {
    return this.ready;
  }

  /** Where the database itself is, past any pooler; for the queue's own connections, which listen. Only once ready. */
  get url(): string {
    if (!this.address) throw new Error('The database is not connected yet.');
    return this.settings.database.directUrl ?? this.address.url;
  }

  /**
   * Starts connecting and returns the promise of being connected.
   *
   * @param patienceMs how long to wait for a database that is down; a server waits for ever, a command does not
   */
  start(patienceMs = Infinity): Promise<void> {
    this.connecting ??= this.connect(performance.now() + patienceMs);
    return this.connecting;
  }

  /** In place of finding and migrating it: another thread of this process has. */
  join(url: string): void {
    this.address = { url, release: async () => undefined };
    this.isMigrated = true;
  }

  /** Closes the pool, and the embedded server when nobody else holds it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.connecting?.catch(() => undefined);
    this.ready = false;
    if (this.source.isInitialized) await this.source.destroy();
    await this.replica?.end();
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
        if (!this.isMigrated) await migrate(this.settings, this.address.url, this.log, this.stopping.signal);
        if (!this.source.isInitialized) await this.source.initialize();
        if (this.settings.database.pooling === 'transaction')
          await checkPooledRole(this.source, this.settings);
        this.ready = true;
        return;
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        if (this.settings.database.url) requireFiles(error);
        if (isFinal(error) || performance.now() > deadline) throw error;
        if (error instanceof NotMigratedError) this.log.warn(error.message);
        else this.log.warn({ err: error }, 'database is not reachable yet; trying again');
        await sleep(wait, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }
}

/** @throws ConfigError when what failed was the reading of a file that the URL names, such as a certificate */
function requireFiles(error: unknown): void {
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  if (syscall !== 'open' || !/^(ENOENT|EACCES|EPERM|EISDIR|ENOTDIR)$/.test(code)) return;
  throw new ConfigError([
    `DATABASE_URL names the file ${JSON.stringify(path)}, which cannot be read (${code}); allowed for sslcert, sslkey and sslrootcert is the path of a file that can.`,
  ]);
}

/** What waiting cannot mend: a wrong password or name, a role that is not set up, a migration that fails. Connection trouble has a code of its own. */
function isFinal(error: unknown): boolean {
  if (error instanceof SupersededSchemaError || error instanceof ConfigError) return true;
  const { code, message } = error as Error & { code?: unknown };
  if (typeof code !== 'string')
    return !/terminat|timeout|closed|not queryable|already released/i.test(String(message));
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E');
  // 08 connection, 53 resources, 58 the server's own files, 57P server starting or stopping, 25006 it only reads yet, 55 and 40 what others hold.
  return isSqlState && !/^(08|53|58|57P|25006|55|40)/.test(code);
}

async function serverAddress(settings: Settings, log: Logger): Promise<ServerAddress> {
  if (settings.database.url) return { url: settings.database.url, release: async () => undefined };
  const { acquireEmbeddedServer } = await import('./embedded/embedded-server.js');
  const server = await acquireEmbeddedServer({ dataDir: settings.dataDir });
  // A new one would listen elsewhere. Whoever runs this starts it again, and the data are there.
  void server.lost.then(() => {
    log.fatal('the embedded PostgreSQL has stopped, so this stops too');
    process.kill(process.pid, 'SIGTERM');
  });
  return server;
}
