// Lets Node run the project's TypeScript as it stands: `node --import ./test/runner/typescript.mjs <file>.ts`, and the test workers.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

/** A query makes another module of the same file. */
const TYPESCRIPT = /\.ts(\?.*)?$/;
const RELATIVE = /^(\.{1,2}\/.*)\.js$/;
const JEST_GLOBALS = new URL('jest-globals.mjs', import.meta.url).href;

/** What the build is compiled by. Given here: swc itself would look for it from the folder that a run begins in. */
const SWC = JSON.parse(readFileSync(new URL('../../.swcrc', import.meta.url), 'utf8'));
const OPTIONS = { ...SWC, swcrc: false, sourceMaps: 'inline' };

// Stacks name lines of the TypeScript.
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
