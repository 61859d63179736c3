import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory. A container may have been given little of it. */
const MEMORY = '/dev/shm';
/** Several times what a run has been seen to need. */
const ROOM_BYTES = 6 * 1024 ** 3;
const NAME = /^vaultline-test-(\d+)-/;

/**
 * A new folder for the databases of a run: in memory where there is room, since each test file's database is some 600 files that are made and
 * removed. What runs left there that were killed is removed.
 */
export function scratchFolder() {
  const parent = hasRoom() ? MEMORY : tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid && !isAlive(pid)) remove(join(parent, name));
  }
  const folder = mkdtempSync(join(parent, `vaultline-test-${process.pid}-`));
  // The account that PostgreSQL runs as, where that is another, is to get through to its own.
  chmodSync(folder, 0o711);
  return folder;
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Somebody else's.
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
