import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { BacktestCatalogue } from '../config/backtest-catalogue.js';
import { ConfigError } from '../config/config-error.js';
import { type Reading, readingsOf } from '../domain/routing/backtest/readings.js';

/**
 * Recorded readings of a catalogue's vaults, by vault id.
 * @param folder that the files of the catalogue are relative to
 * @throws ConfigError for a file that cannot be read
 */
export function readRecorded({ feeds }: BacktestCatalogue, folder: string): Map<string, Reading[]> {
  return new Map(
    Array.from(feeds, ([id, feed]) => [id, readingsOf(feed.file, textOf(folder, feed.file, id), feed)]),
  );
}

function textOf(folder: string, file: string, vaultId: string): string {
  const path = join(folder, file);
  try {
    const bytes = readFileSync(path);
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([
      `${path}, which ${vaultId} names, cannot be read (${code}); file is relative to the folder of --data.`,
    ]);
  }
}
