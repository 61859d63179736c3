import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where a build of the console is, the first that there is: beside the server's own build, or beside its sources, while a watcher builds the server alone. */
const FOLDERS = ['../../dist/console', '../../console/dist'];

/** The folder of the console's build; null: none was made. */
export const consoleBuild = (): string | null =>
  FOLDERS.map((path) => fileURLToPath(new URL(path, import.meta.url))).find((folder) =>
    existsSync(join(folder, 'index.html')),
  ) ?? null;
