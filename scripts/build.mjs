// Builds dist/ when it is older than what it is made of, as nest-cli.json says, but for the types: `npm run build` checks them, so that a start stays
// fast.
import { rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, TWICE } from './child.mjs';
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
async function compile(outDir) {
  const configuration = `${outDir}.json`;
  writeFileSync(
    configuration,
    JSON.stringify({ extends: './tsconfig.build.json', compilerOptions: { outDir } }),
  );
  try {
    const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
    const options = ['build', '--path', basename(configuration), '--no-type-check', '--silent'];
    const { status } = await run(process.execPath, [nest, ...options], {
      what: 'nest build',
      seconds: TWICE,
      cwd: root,
    });
    return status;
  } finally {
    rmSync(configuration);
  }
}

async function make(outDir) {
  const status = await compile(outDir);
  if (status !== 0) return status;
  for (const script of ['bundle.mjs', 'console.mjs']) {
    const path = join(root, 'scripts', script);
    // Longer than its own steps may take, where it has some.
    const { status } = await run(process.execPath, [path, outDir], {
      what: `scripts/${script}`,
      seconds: 900,
    });
    if (status !== 0) return status;
  }
  return 0;
}

if (newest(root, sources) > builtAt(dist)) await buildAside(dist, make);
