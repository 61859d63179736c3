import { statfs } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { Settings } from '../../../config/settings.js';
import { double, orNull, text } from './column.js';
import { statement } from './statement.js';
import { isDiskFull, isOutage, isReadOnly, isSilence } from './outage.js';
import { Store } from './store.js';

const MIB = 1024 * 1024;
const PATIENCE_MS = 2_000;
/** Hysteresis: writes resume well below the limit at which they stop. */
const RESUMES_BELOW = 0.95;
const RESUMES_ABOVE = 1.5;

/** `folder` is null for a role that may not read the setting. */
const LOOK = statement(
  'storage.look',
  { values: [], row: { bytes: double(), folder: orNull(text()) } },
  `SELECT pg_database_size(current_database())::float8 AS bytes, (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS folder`,
);

/** Refused like any write where the database is read-only; it writes nothing, and takes no lock on a row. */
const PROBE = statement(
  'store.probe',
  { values: [], row: {} },
  'SELECT FROM replicas WHERE false FOR UPDATE',
);
/** A row of several pages, for which a file has to grow; an update may find room on a full disk. It is rolled back. */
const GROW = statement(
  'store.grow',
  { values: [], row: {} },
  `INSERT INTO replicas (id, name, role, version, sends, started_at, seen_at)
   SELECT gen_random_uuid(), '', '', '', jsonb_agg(gen_random_uuid()), clock_timestamp(), clock_timestamp() FROM generate_series(1, 1000)`,
);
/** State of the database: it takes writes, it refuses them all, or it does not answer. */
export type DatabaseState = 'writable' | 'read_only' | 'disk_full' | 'unreachable';

export interface StorageSight {
  databaseBytes: number;
  /** Free bytes on the disk of the embedded database; null when the database is external. */
  freeBytes: number | null;
}

/** Watch on free storage. When the disk is nearly full, writes are refused while there is still room for what must continue. */
@Injectable()
export class StorageWatch {
  isNearlyFull = false;

  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /** Measures with two queries, and the free disk space of an embedded database. To be called every few seconds. */
  async look(): Promise<StorageSight> {
    await this.state(PATIENCE_MS);
    const [row] = await this.store.query(LOOK, []);
    const sight = { databaseBytes: row!.bytes, freeBytes: await this.freeBytes(row!.folder) };
    this.isNearlyFull = this.check(sight);
    return sight;
  }

  /** State within about the given time. After a statement that failed for a full disk, a probe has to write before it is `writable` again. */
  async state(withinMs: number): Promise<DatabaseState> {
    // A connection that has not answered by then is discarded.
    const probe = { text: PROBE.text, query_timeout: withinMs } as QueryConfig;
    try {
      // A connection that broke while idle does not mean an outage.
      await this.store.queryPool(probe).catch((error: unknown) => {
        if (!isOutage(error) || isSilence(error) || isReadOnly(error)) throw error;
        return this.store.queryPool(probe);
      });
      if (this.store.isFull) await this.grow();
      this.store.isFull = false;
      return 'writable';
    } catch (error) {
      if (isReadOnly(error)) return 'read_only';
      return isDiskFull(error) ? 'disk_full' : 'unreachable';
    }
  }

  private async grow(): Promise<void> {
    const undo = new Error('rolled back');
    await this.store
      .transaction(async () => {
        await this.store.query(GROW, []);
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
  }

  private check({ databaseBytes, freeBytes }: StorageSight): boolean {
    const { databaseMaxBytes: maxBytes } = this.settings;
    const leastFree = this.settings.constants.storage.leastFreeMib * MIB;
    const threshold = this.isNearlyFull ? RESUMES_BELOW : 1;
    const least = this.isNearlyFull ? RESUMES_ABOVE : 1;
    return (
      (maxBytes !== null && databaseBytes >= maxBytes * threshold) ||
      (freeBytes !== null && freeBytes < leastFree * least)
    );
  }

  /** The data folder identifies the embedded server even when its address was configured. */
  private async freeBytes(folder: string | null): Promise<number | null> {
    const ownFolder = join(this.settings.dataDir, 'postgres');
    if (!folder?.startsWith(ownFolder + sep)) return null;
    const { bavail, bsize } = await statfs(ownFolder);
    return bavail * bsize;
  }
}
