// Lets node run the TypeScript of this project as it stands, the way the tests do: `node --import ./test/bench/typescript.mjs <file>.ts`.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import jest from '../../jest.config.mjs';

const [, options] = jest.transform['^.+\\.ts$'];
const RELATIVE = /^(\.{1,2}\/.*)\.js$/;

registerHooks({
  resolve: (specifier, context, next) =>
    context.parentURL?.endsWith('.ts') && RELATIVE.test(specifier)
      ? next(specifier.replace(RELATIVE, '$1.ts'), context)
      : next(specifier, context),
  load: (url, context, next) => {
    if (!url.endsWith('.ts')) return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      ...options,
      filename,
      sourceMaps: 'inline',
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
