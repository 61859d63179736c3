import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** Folders of the console's build, in order: beside the server's own build, or beside its sources, for a watcher that builds the server only. */
const FOLDERS = ['../../dist/console', '../../console/dist'];

/** Folder of the console's build; null: it was not built. */
export const consoleBuild = (): string | null =>
  FOLDERS.map((path) => fileURLToPath(new URL(path, import.meta.url))).find((folder) =>
    existsSync(join(folder, 'index.html')),
  ) ?? null;
