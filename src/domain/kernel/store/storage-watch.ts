import { statfs } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { double, orNull, text } from './column.js';
import { statement } from './statement.js';
import { type DatabaseState, Store } from './store.js';

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

export interface StorageSight {
  databaseBytes: number;
  /** Free bytes on the disk of the embedded database; null when the database is external. */
  freeBytes: number | null;
}

/** Watch on free storage. When the disk is nearly full, writes are refused while there is still room for what must continue. */
@Injectable()
export class StorageWatch {
  /** State of the database as of the last measurement. */
  database: DatabaseState = 'writable';
  isNearlyFull = false;

  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /** Measures with two queries, and the free disk space of an embedded database. To be called every few seconds. */
  async look(): Promise<StorageSight> {
    this.database = await this.store.state(PATIENCE_MS);
    const [row] = await this.store.query(LOOK, []);
    const sight = { databaseBytes: row!.bytes, freeBytes: await this.freeBytes(row!.folder) };
    this.isNearlyFull = this.check(sight);
    return sight;
  }

  private check({ databaseBytes, freeBytes }: StorageSight): boolean {
    const { maxBytes } = this.settings.database;
    const leastFree = this.settings.constants.storage.leastFreeMib * MIB;
    const most = this.isNearlyFull ? RESUMES_BELOW : 1;
    const least = this.isNearlyFull ? RESUMES_ABOVE : 1;
    return (
      (maxBytes !== null && databaseBytes >= maxBytes * most) ||
      (freeBytes !== null && freeBytes < leastFree * least)
    );
  }

  /** The data folder identifies the embedded server even when its address was configured. */
  private async freeBytes(folder: string | null): Promise<number | null> {
    const own = join(this.settings.dataDir, 'postgres');
    if (!folder?.startsWith(own + sep)) return null;
    const { bavail, bsize } = await statfs(own);
    return bavail * bsize;
  }
}
