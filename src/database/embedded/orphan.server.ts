import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServerError, errorCode, OWN_SERVER } from './embedded-server.error.js';
import { contentOf } from './folder.lock.js';
import { runsWithArgument } from './process.identity.js';

/** @returns the port of the server that runs on the cluster; undefined before it takes connections. */
export async function readyPort(data: string): Promise<number | undefined> {
  const lines = ((await contentOf(join(data, 'postmaster.pid'))) ?? '').split('\n');
  // A file that a crash left behind says the same.
  if (lines[7]?.trim() !== 'ready' || !runsWithArgument(Number(lines[0]), data)) return undefined;
  return Number(lines[3]);
}

/** Stops the server that runs on the cluster, if any, and neutralises a pid file that names an unrelated process. */
export async function clearServer(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const text = (await contentOf(pidFile)) ?? '';
  const pid = Number.parseInt(text, 10);
  if (!(pid > 1)) return;
  // Fast shutdown, then immediate shutdown, then SIGKILL. A step ends as soon as the process has.
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 2_000],
  ];
  for (const [signal, patience] of steps) {
    const deadline = Date.now() + patience;
    if (!runsWithArgument(pid, data)) break;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) !== 'EPERM') continue;
      throw new EmbeddedServerError(
        `A PostgreSQL server of another account (process ${pid}) runs on ${data}: stop it, or ${OWN_SERVER}.`,
      );
    }
    while (runsWithArgument(pid, data) && Date.now() < deadline) await sleep(15);
  }
  if (processExists(pid) && !runsWithArgument(pid, data)) {
    // PostgreSQL would take a zombie, or an unrelated process with that pid, for a server on this folder. The file is kept with an unused pid,
    // because its last lines name the shared memory by which PostgreSQL recognises left-over children.
    await writeFile(pidFile, text.replace(/^\d+/, '2147483646'));
  }
}

function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
