import { randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServerError, errorCode, OWN_SERVER } from './embedded-server.error.js';
import { identityRuns, processIdentity } from './process.identity.js';

const PATIENCE_MS = 60_000;
const POLL_MS = 15;
/** Age from which a breaker file is stale: breaking a lock takes microseconds, so its process died. */
const BREAKER_LIFE_MS = 2_000;

/** Runs `work` under a lock of the folder, exclusive between processes and within this one. */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = join(folder, 'opening.lock');
  const mine = `${processIdentity(process.pid)}\n${randomUUID()}\n`;
  await take(lock, mine);
  try {
    return await work();
  } finally {
    if ((await contentOf(lock)) === mine) await rm(lock, { force: true });
  }
}

async function take(lock: string, mine: string): Promise<void> {
  // Written under another name and linked: an empty lock would look stale to a reader.
  const draft = `${lock}.${randomUUID()}`;
  const deadline = Date.now() + PATIENCE_MS;
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    for (;;) {
      try {
        await link(draft, lock);
        return;
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      const holder = await contentOf(lock);
      if (holder !== undefined && !identityRuns(holder.split('\n')[0])) await breakStale(lock, holder);
      else if (Date.now() > deadline) {
        throw new EmbeddedServerError(
          `Another process (${Number.parseInt(holder ?? '', 10)}) has been opening the embedded PostgreSQL of this ` +
            `folder for a minute: end it and delete ${lock}, or ${OWN_SERVER}.`,
        );
      } else await sleep(POLL_MS);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Removes the lock of a dead process. Two waiters may see the same stale lock; the breaker file keeps the slower one from removing a fresh lock that
 * the faster one has created meanwhile.
 */
async function breakStale(lock: string, stale: string): Promise<void> {
  const breaker = `${lock}.breaker`;
  try {
    await writeFile(breaker, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const age = await stat(breaker).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    );
    if (age > BREAKER_LIFE_MS) await rm(breaker, { force: true });
    else await sleep(POLL_MS);
    return;
  }
  try {
    if ((await contentOf(lock)) === stale) await unlink(lock);
  } finally {
    await rm(breaker, { force: true });
  }
}

/** @returns undefined when there is no such file */
export async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
