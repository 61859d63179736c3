import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, type Settings } from '../../src/config/settings.js';
import { acquireEmbeddedServer } from '../../src/database/embedded/embedded-server.js';
import { isIdle } from '../../src/domain/kernel/catalogue/catalogue.js';

/** The number of vaults of a large catalogue. */
const VAULTS = 50;

/**
 * The partner contract's deployment, its catalogue filled up to 50 vaults; all are simulated, so that nothing is asked of the network.
 *
 * @param env settings beside the usual ones
 */
export function benchSettings(databaseUrl: string, env: Record<string, string> = {}): Settings {
  const settings = loadSettings({
    CONTRACT: 'partner',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '20',
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    ...env,
  });
  const { assets } = settings.constants;
  const cash = settings.vaults.filter(isIdle);
  const catalogue = settings.vaults.filter((vault) => !isIdle(vault));
  const simulated = catalogue.map((vault) => ({
    ...vault,
    capacity: null,
    feed: { kind: 'simulated' as const },
  }));
  for (let count = simulated.length; count < VAULTS; count++) {
    const asset = assets[count % assets.length]!;
    const id = `vlt_bench_${count}_${asset.toLowerCase()}`;
    simulated.push({ ...simulated[0]!, id, name: id, asset, lendingBaseline: false });
  }
  settings.vaults = [...simulated, ...cash];
  return settings;
}

/**
 * Runs the work on the database of `DATABASE_URL`, or without one on a new embedded server, whose folder is removed afterwards. The embedded server
 * flushes commits to disk, as in production: how long locks are held depends on it.
 */
export async function withDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const given = process.env['DATABASE_URL'];
  if (given) return work(given);
  const dataDir = mkdtempSync(join(tmpdir(), 'vaultline-bench-'));
  const server = await acquireEmbeddedServer({ dataDir });
  try {
    return await work(server.url);
  } finally {
    await server.release();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
