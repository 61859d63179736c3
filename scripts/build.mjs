// Builds dist/ when it is older than what it is made of, as nest-cli.json says, but for the types: `npm run build` checks them, so that a start stays
// fast. The build is made aside and renamed into place: two starts at once, or a start beside a running server, never see half of it.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSOLE_SOURCES, newest } from './sources.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const sources = [
  'src',
  'nest-cli.json',
  '.swcrc',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'scripts/bundle.mjs',
  'scripts/console.mjs',
  'scripts/sources.mjs',
  ...CONSOLE_SOURCES,
];

function build() {
  const startedAt = new Date();
  const draft = join(root, `dist.${process.pid}`);
  const status = compile(draft) || run('bundle.mjs', draft) || run('console.mjs', draft);
  if (status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
  writeFileSync(join(draft, '.built'), '');
  // What was saved while the compiler ran is not in it: the build counts from when it began.
  utimesSync(join(draft, '.built'), startedAt, startedAt);
  const old = `${draft}.old`;
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(draft, dist);
  rmSync(old, { recursive: true, force: true });
}

/** Nest's command takes the folder that it writes from the compiler's configuration. @returns its exit status */
function compile(outDir) {
  const configuration = `${outDir}.json`;
  writeFileSync(
    configuration,
    JSON.stringify({ extends: './tsconfig.build.json', compilerOptions: { outDir } }),
  );
  try {
    const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
    const options = ['build', '--path', basename(configuration), '--no-type-check', '--silent'];
    return spawnSync(process.execPath, [nest, ...options], { cwd: root, stdio: 'inherit' }).status;
  } finally {
    rmSync(configuration);
  }
}

const run = (script, outDir) =>
  spawnSync(process.execPath, [join(root, 'scripts', script), outDir], { stdio: 'inherit' }).status;

const stamp = join(dist, '.built');
const builtAt = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
if (newest(root, sources) > builtAt) build();
