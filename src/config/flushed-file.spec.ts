import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { replaceFlushed, writeFlushedOnce } from './flushed-file.js';

describe('a file that is flushed to disk', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vaultline-flushed-'));
    path = join(folder, 'file');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is complete, readable by its owner alone, and leaves no temporary file', () => {
    writeFlushedOnce(path, 'once');
    expect(readFileSync(path, 'utf8')).toBe('once');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('is overwritten by replaceFlushed only', () => {
    writeFlushedOnce(path, 'once');
    expect(() => writeFlushedOnce(path, 'twice')).toThrow(/EEXIST/);
    expect(readFileSync(path, 'utf8')).toBe('once');
    replaceFlushed(path, 'twice');
    expect(readFileSync(path, 'utf8')).toBe('twice');
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
