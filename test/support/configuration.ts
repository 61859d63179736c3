import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ConfigError } from '../../src/config/config-error.js';

/** An empty folder, which the run removes at its end. */
export const emptyFolder = (): string =>
  mkdtempSync(join(process.env['VAULTLINE_TEST_SCRATCH'] ?? tmpdir(), 'config-'));

type Yaml = Record<string, any>;

/** A copy of `config/`, with a change of each file that is named: its new text, or an edit of its content. */
export function configFolder(files: Record<string, string | ((content: Yaml) => void)> = {}): string {
  const folder = emptyFolder();
  cpSync('config', folder, { recursive: true });
  for (const [file, change] of Object.entries(files)) {
    const path = join(folder, file);
    if (typeof change === 'string') writeFileSync(path, change);
    else {
      const content: Yaml = parse(readFileSync(path, 'utf8'));
      change(content);
      writeFileSync(path, stringify(content));
    }
  }
  return folder;
}

/** @returns an edit that sets the value of a path such as `http.body_limit_bytes`; undefined removes the key */
export const setting =
  (path: string, value: unknown) =>
  (content: Yaml): void => {
    const keys = path.split('.');
    const last = keys.pop()!;
    const section = keys.reduce((above, key) => above[key], content);
    if (value === undefined) delete section[last];
    else section[last] = value;
  };

/** The problems for which settings are refused; none if they are accepted. */
export function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
