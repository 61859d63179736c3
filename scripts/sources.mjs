// What builds are made of, and how old it is.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Of the console; none of it is there before the console is. */
export const CONSOLE_SOURCES = [
  'console/index.html',
  'console/package.json',
  'console/public',
  'console/src',
  'console/tsconfig.json',
  'console/vite.config.ts',
];

/** When the youngest of the files and folders was changed, in milliseconds; what is not there has no age. */
export const newest = (root, paths) =>
  Math.max(
    0,
    ...paths.map((path) => join(root, path)).map((path) => (existsSync(path) ? youngest(path) : 0)),
  );

/** Folders count too: a deleted file leaves no other trace. */
function youngest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => youngest(join(path, name))));
}
