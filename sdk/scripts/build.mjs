// Builds the package twice: as ES modules in dist/, and in dist/cjs/ for `require`.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../scripts/child.mjs';

const sdk = dirname(dirname(fileURLToPath(import.meta.url)));
const compiler = join(dirname(sdk), 'node_modules/typescript/bin/tsc');

rmSync(join(sdk, 'dist'), { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  const options = ['-p', join(sdk, project)];
  const { status } = await run(process.execPath, [compiler, ...options], { what: 'tsc', seconds: 300 });
  if (status !== 0) process.exit(status ?? 1);
}
// Without it Node takes the folder's files for ES modules, as the package says.
writeFileSync(join(sdk, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
