// Lets Node run the project's TypeScript without a build: `node --import ./test/runner/typescript.mjs <file>.ts`, and in the test workers.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

/** A query in the URL makes a separate module of the same file. */
const TYPESCRIPT = /\.ts(\?.*)?$/;
const RELATIVE = /^(\.{1,2}\/.*)\.js$/;
const JEST_GLOBALS = new URL('jest-globals.mjs', import.meta.url).href;

/** The options of the build's compiler. They are passed explicitly: swc itself would look for the file from the working directory. */
const SWC = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8'));
const OPTIONS = { ...SWC, swcrc: false, sourceMaps: 'inline' };

// Stack traces name lines of the TypeScript sources.
process.setSourceMapsEnabled(true);

registerHooks({
  resolve: (specifier, context, next) => {
    if (!TYPESCRIPT.test(context.parentURL ?? '')) return next(specifier, context);
    if (specifier === '@jest/globals') return { url: JEST_GLOBALS, format: 'module', shortCircuit: true };
    return next(specifier.replace(RELATIVE, '$1.ts'), context);
  },
  load: (url, context, next) => {
    if (!TYPESCRIPT.test(url)) return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
