// Compiles the contracts beside this file with solc, into the given JSON file. It is a process of its own, because the compiler keeps hundreds of
// megabytes.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import solc from 'solc';

const [, , folder, output] = process.argv;
const require = createRequire(import.meta.url);

const sources = Object.fromEntries(
  readdirSync(folder).map((name) => [name, { content: readFileSync(join(folder, name), 'utf8') }]),
);
const input = {
  language: 'Solidity',
  sources,
  settings: {
    optimizer: { enabled: true, runs: 200 },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
  },
};
const read = (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
const failures = errors.filter(({ severity }) => severity === 'error');
if (failures.length > 0) throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));

const compiled = Object.fromEntries(
  Object.keys(sources).map((file) => {
    const name = file.replace('.sol', '');
    const { abi, evm } = contracts[file][name];
    return [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}`, deployed: `0x${evm.deployedBytecode.object}` },
    ];
  }),
);
// Other workers may compile at the same time.
const draft = `${output}.${process.pid}`;
writeFileSync(draft, JSON.stringify(compiled));
renameSync(draft, output);
