// Builds the console where its build is older than its sources, and copies it into the server's, from where it is served: into dist/console/, or
// `node scripts/console.mjs FOLDER`. Without its sources there is nothing to do.
//
// It is made aside and renamed into place, as the server's is: two builds at once never copy half of it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSOLE_SOURCES, newest } from './sources.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, 'console');
const built = join(sources, 'dist');
const target = join(resolve(process.argv[2] ?? join(root, 'dist')), 'console');
const stamp = join(built, '.built');

if (existsSync(join(sources, 'index.html'))) {
  const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
  if (newest(root, CONSOLE_SOURCES) > builtAt) build();
  rmSync(target, { recursive: true, force: true });
  cpSync(built, target, { recursive: true, filter: (path) => basename(path) !== '.built' });
}

function build() {
  const startedAt = new Date();
  const draft = `${built}.${process.pid}`;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = ['build', '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'];
  const { status } = spawnSync(process.execPath, [vite, ...options], { cwd: sources, stdio: 'inherit' });
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
  writeFileSync(join(draft, '.built'), '');
  // What was saved while it was built is not in it: the build counts from when it began.
  utimesSync(join(draft, '.built'), startedAt, startedAt);
  const old = `${draft}.old`;
  if (existsSync(built)) renameSync(built, old);
  renameSync(draft, built);
  rmSync(old, { recursive: true, force: true });
}
