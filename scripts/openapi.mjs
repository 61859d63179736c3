// Writes what follows from the routes: the OpenAPI document of each contract (docs/openapi), and the types of its clients (test/clients) and of the SDK
// (sdk/src/generated). With --check, writes nothing and fails when a file is not what it would write.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import * as prettier from 'prettier';

const HEAD = '// Generated from the OpenAPI document of this contract by `npm run openapi`. Do not edit.\n\n';
const CODES_HEAD = '// Generated from the OpenAPI documents by `npm run openapi`. Do not edit.\n\n';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const check = process.argv.includes('--check');
const stale = [];
const codes = new Set();

const build = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
if (build.status !== 0) process.exit(1);
const { openApiDocument } = await import('../dist/cli/openapi.js');

for (const contract of ['partner', 'sandbox']) {
  const document = await openApiDocument(contract);
  await write(`docs/openapi/${contract}.json`, JSON.stringify(document, null, 2));
  const types = await clientTypes(document);
  await write(`test/clients/${contract}.ts`, types);
  await write(`sdk/src/generated/${contract}.ts`, types);
  for (const code of errorCodes(document)) codes.add(code);
}
await write('sdk/src/generated/error-codes.ts', codeTypes([...codes].sort()));
if (stale.length > 0) {
  process.stderr.write(`Run npm run openapi: ${stale.join(', ')} would change.\n`);
  process.exit(1);
}

/** A field with a default may be left out of a request: the generator would have it required. */
async function clientTypes(document) {
  return HEAD + astToString(await openapiTS(structuredClone(document), { defaultNonNullable: false }));
}

/** An operation documents each of its errors as an example, by itself or in an answer that it shares. */
function errorCodes({ paths, components }) {
  const own = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ responses = {} }) => Object.values(responses)),
  );
  return [...own, ...Object.values(components.responses)]
    .flatMap(({ content = {} }) => Object.values(content['application/json']?.examples ?? {}))
    .flatMap(({ value }) => value.error?.code ?? []);
}

function codeTypes(names) {
  const choices = names.map((name) => `\n  | '${name}'`).join('');
  return `${CODES_HEAD}/** \`error.code\` of both contracts. */\nexport type ErrorCode =${choices};\n`;
}

async function write(path, draft) {
  const file = join(root, path);
  const text = await prettier.format(draft, { ...(await prettier.resolveConfig(file)), filepath: file });
  if (!check) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) stale.push(path);
}
