// Checks what `npm pack` would publish, and prints how large it is for a page: `npm run check -w sdk`, after a build.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { run as runChild } from '../../scripts/child.mjs';

/** Bytes of a page that uses all of it, minified and compressed, openapi-fetch included. */
const MOST_BYTES = 10_000;

/** Packing does not build anew. */
const PACKED_AS_BUILT = { ...process.env, npm_config_ignore_scripts: 'true' };

const sdk = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(dirname(sdk), 'node_modules', '.bin');
const run = async (program, ...options) => {
  const { status } = await runChild(join(bin, program), options, {
    what: program,
    seconds: 300,
    cwd: sdk,
    env: PACKED_AS_BUILT,
  });
  if (status !== 0) process.exit(status ?? 1);
};

await run('publint', '--strict', '--pack', 'false');
await run('attw', '--pack', '--profile', 'node16');

const { outputFiles } = await build({
  absWorkingDir: sdk,
  entryPoints: ['dist/index.js'],
  bundle: true,
  minify: true,
  write: false,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
});
const [{ contents }] = outputFiles;
const compressed = gzipSync(contents).length;
process.stdout.write(`In a page: ${contents.length} bytes, ${compressed} compressed.\n`);
if (compressed > MOST_BYTES) {
  process.stderr.write(`That is more than ${MOST_BYTES} compressed.\n`);
  process.exit(1);
}
