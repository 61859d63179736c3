// What builds are made of, how old it is, and how a build comes into its place.
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file in each build: its age is the build's. */
export const STAMP = '.built';

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

/** When a folder was built, in milliseconds; 0: it was not. */
export function builtAt(folder) {
  const stamp = join(folder, STAMP);
  return existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
}

/**
 * Builds a folder aside and renames it into place: two builds at once, or a reader beside one, never see half of it. Ends the process where it fails.
 *
 * @param make writes the folder that it is given, and resolves to its exit status; null: it was ended
 */
export async function buildAside(folder, make) {
  const startedAt = new Date();
  const draft = `${folder}.${process.pid}`;
  const status = await make(draft);
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
  const stamp = join(draft, STAMP);
  writeFileSync(stamp, '');
  // What was saved while it was built is not in it: the build counts from when it began.
  utimesSync(stamp, startedAt, startedAt);
  const old = `${draft}.old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(draft, folder);
  rmSync(old, { recursive: true, force: true });
}
