import { statfs } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { double, orNull, text } from './column.js';
import { statement } from './statement.js';
import { Store } from './store.js';

const MIB = 1024 * 1024;
/** Hysteresis: writes begin again some way off the bound at which they stop, not at the next byte. */
const RESUMES_BELOW = 0.95;
const RESUMES_ABOVE = 1.5;

/** `folder` is null for an account that may not know it. */
const LOOK = statement(
  'storage.look',
  { values: [], row: { bytes: double(), folder: orNull(text()) } },
  `SELECT pg_database_size(current_database())::float8 AS bytes, (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS folder`,
);

/** What was seen last. */
export interface StorageSight {
  /** Of the database, in bytes. */
  databaseBytes: number;
  /** On the disk of the embedded database; null: the database is another one, or on another machine. */
  freeBytes: number | null;
}

/** Whether the disk is about to be full. Then nothing new is stored, while there is room left for what must go on. */
@Injectable()
export class StorageWatch {
  private full = false;

  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /** As of the last look. */
  get isNearlyFull(): boolean {
    return this.full;
  }

  /** One statement, and one look at the disk where the database is embedded. To be called every few seconds. */
  async look(): Promise<StorageSight> {
    const [row] = await this.store.query(LOOK, []);
    const sight = { databaseBytes: row!.bytes, freeBytes: await this.freeBytes(row!.folder) };
    this.full = this.judge(sight);
    return sight;
  }

  private judge({ databaseBytes, freeBytes }: StorageSight): boolean {
    const { maxBytes } = this.settings.database;
    const leastFree = this.settings.constants.storage.least_free_mib * MIB;
    const most = this.full ? RESUMES_BELOW : 1;
    const least = this.full ? RESUMES_ABOVE : 1;
    return (
      (maxBytes !== null && databaseBytes >= maxBytes * most) ||
      (freeBytes !== null && freeBytes < leastFree * least)
    );
  }

  /** The folder tells the embedded server also where its address came as a setting. */
  private async freeBytes(folder: string | null): Promise<number | null> {
    const own = join(this.settings.dataDir, 'postgres');
    if (!folder?.startsWith(own + sep)) return null;
    const { bavail, bsize } = await statfs(own);
    return bavail * bsize;
  }
}
