import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of file systems that cannot flush a folder. */
const NO_FLUSH = /^(EINVAL|ENOTSUP|EISDIR|EPERM|EACCES)$/;

/**
 * Writes a file for its owner alone that is there whole or not at all, after a power cut too. A hard link publishes it: of two processes at once,
 * both find the same.
 *
 * @throws Error `EEXIST` when there is one already
 */
export function writeFlushedOnce(path: string, text: string): void {
  publish(path, text, linkSync);
}

/** The same in place of what is there: a reader finds the one or the other. */
export function replaceFlushed(path: string, text: string): void {
  publish(path, text, renameSync);
}

function publish(path: string, text: string, name: (draft: string, path: string) => void): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const file = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    name(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  flushFolder(dirname(path));
}

/** The name of a file is its folder's: flushing the file alone may leave it nameless. */
function flushFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!NO_FLUSH.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
