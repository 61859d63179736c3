// Builds the console where its build is older than its sources, and copies it into the server's, from where it is served: into dist/console/, or
// `node scripts/console.mjs FOLDER`. Without its sources there is nothing to do.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, TWICE } from './child.mjs';
import { buildAside, builtAt, CONSOLE_SOURCES, newest, STAMP } from './sources.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, 'console');
const built = join(sources, 'dist');
const target = join(resolve(process.argv[2] ?? join(root, 'dist')), 'console');

if (existsSync(join(sources, 'index.html'))) {
  if (newest(root, CONSOLE_SOURCES) > builtAt(built)) await buildAside(built, bundle);
  rmSync(target, { recursive: true, force: true });
  cpSync(built, target, { recursive: true, filter: (path) => basename(path) !== STAMP });
}

/** @returns its exit status */
async function bundle(outDir) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = ['build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  const { status } = await run(process.execPath, [vite, ...options], {
    what: 'vite build',
    seconds: TWICE,
    cwd: sources,
  });
  return status;
}
