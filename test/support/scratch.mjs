import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The tmpfs of Linux. A container may have a small one. */
const MEMORY = '/dev/shm';
/** Several times the space that a run needs. */
const ROOM_BYTES = 6 * 1024 ** 3;
const NAME = /^vaultline-test-(\d+)-/;

/**
 * A new folder for the databases of a run, in memory where there is room, since each test file's database is some 600 files that are created and
 * removed. Folders of runs that were killed are removed.
 */
export function scratchFolder() {
  const parent = hasRoom() ? MEMORY : tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid && !isAlive(pid)) remove(join(parent, name));
  }
  const folder = mkdtempSync(join(parent, `vaultline-test-${process.pid}-`));
  // PostgreSQL may run as another account, which must be able to traverse the folder.
  chmodSync(folder, 0o711);
  return folder;
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The folder belongs to another user.
  }
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
