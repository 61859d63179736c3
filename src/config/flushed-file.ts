import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Errors of file systems that cannot flush a folder. */
const NO_FLUSH = /^(EINVAL|ENOTSUP|EISDIR|EPERM|EACCES)$/;

/**
 * Creates a file for its owner only, atomically and durably, also across a power failure. It is published by a hard link, so that of two concurrent
 * processes both find the same content.
 * @throws Error `EEXIST` when it exists already
 */
export function writeFlushedOnce(path: string, text: string): void {
  publish(path, text, linkSync);
}

/** Replaces a file by a flushed one: a reader finds either the old content or the new one. */
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

/** A file's name is stored in its folder: without flushing that too, the file may be lost. */
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
