// Bundles the executor and what it depends on into dist/main.js: `node executor/scripts/build.mjs`, or with another folder than dist/.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const executor = dirname(dirname(fileURLToPath(import.meta.url)));
const outdir = resolve(process.argv[2] ?? join(executor, 'dist'));

await build({
  absWorkingDir: executor,
  entryPoints: { main: 'src/main.ts' },
  outdir,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  // From its sources, so that the SDK need not be built before.
  alias: { '@vaultline/sdk': join(dirname(executor), 'sdk/src/index.ts') },
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'linked',
  // Packages in CommonJS require Node's own modules.
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
