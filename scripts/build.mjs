// Builds dist/ when it is older than what it is made of, as nest-cli.json says, but for the types: `npm run build` checks them, so that a start stays
// fast.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAside, builtAt, CONSOLE_SOURCES, newest } from './sources.mjs';

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

if (newest(root, sources) > builtAt(dist))
  buildAside(dist, (draft) => compile(draft) || run('bundle.mjs', draft) || run('console.mjs', draft));
