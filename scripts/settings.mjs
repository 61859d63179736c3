// Writes the reference of the settings, docs/settings.md, from their schema and the comments of config/*.yaml. With --check, writes nothing and fails
// when the file is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const path = join(root, 'docs', 'settings.md');

await import('./build.mjs');
const { constantRows, variableRows } = await import('../dist/config/reference.js');

/** A setting a line: name, value or default, what is allowed, meaning. */
const item = (name, value, allowed, meaning) => `- ${name}: ${value} (${allowed}). ${sentence(meaning)}`;

/** Of what is allowed, numbers are their range alone. */
const range = (allowed) => allowed.replace(/^an? (?:whole )?number (?:from|of)? ?/, '');

const variables = variableRows().map(([name, unset, allowed, meaning]) => [
  name,
  unset,
  range(allowed),
  meaning,
]);
const constants = constantRows(join(root, 'config'));

const draft = `# Settings

<!-- Generated from src/config and the comments of config/*.yaml by \`npm run settings\`. Do not edit. -->

${variables.length} variables of the environment and ${constants.length} keys of [config/](../config); [operations.md](operations.md#settings) says how they are read.

## Environment

Each has its name, its default, what is allowed, and its meaning. The variable with \`_FILE\` names a file that holds the secret instead.

${variables.map((row) => item(...row)).join('\n')}

## Constants

Each has its key, its value (both, where the contracts differ), what is allowed, and its meaning. Comments in the files explain the keys of vaults, bridges and tokens.

${constants.map(({ key, value, allowed, meaning }) => item(`\`${key}\``, value, range(allowed), meaning)).join('\n')}
`;

/** A comment as a sentence of its own. */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

const options = await prettier.resolveConfig(path);
const page = await prettier.format(draft, { ...options, filepath: path });
if (!process.argv.includes('--check')) writeFileSync(path, page);
else if (readFileSync(path, 'utf8') !== page) {
  process.stderr.write('Run npm run settings: docs/settings.md would change.\n');
  process.exit(1);
}
