// Writes what follows from the routes: the OpenAPI document of each contract (docs/openapi), a Postman collection of it (docs/postman), the table of
// access (docs/security.md), and the types and methods of the SDK's clients (sdk/src/generated). With --check, writes nothing and fails when a file is
// not what it would write.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import * as prettier from 'prettier';
import { postmanCollection } from './postman.mjs';
import { sdkMethods } from './sdk-methods.mjs';

const HEAD = '// Generated from the OpenAPI document of this contract by `npm run openapi`. Do not edit.\n\n';

const BEGIN = '<!-- Generated from the OpenAPI documents by `npm run openapi`. -->';
const END = '<!-- End of what is generated. -->';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const check = process.argv.includes('--check');
const stale = [];

await import('./build.mjs');
const { openApiDocument } = await import('../dist/cli/openapi.js');
const { SCOPES } = await import('../dist/domain/tenants/access/scope.js');
const { inlined } = await import('../dist/http/openapi/share.js');

const documents = {};

for (const contract of ['partner', 'sandbox']) {
  const written = await openApiDocument(contract);
  await write(`docs/openapi/${contract}.json`, JSON.stringify(written));
  const document = (documents[contract] = inlined(written));
  await write(`docs/postman/${contract}.json`, JSON.stringify(postmanCollection(document)));
  await write(`sdk/src/generated/${contract}.ts`, await clientTypes(document));
  await write(`sdk/src/generated/${contract}.operations.ts`, HEAD + sdkMethods(contract, document));
}
await write('docs/security.md', withTable(readFileSync(join(root, 'docs/security.md'), 'utf8')));
if (stale.length > 0) {
  process.stderr.write(`Run npm run openapi: ${stale.join(', ')} would change.\n`);
  process.exit(1);
}

/** The page with the list of access between its marks. */
function withTable(page) {
  const [before, rest] = page.split(BEGIN);
  return `${before}${BEGIN}\n\n${accessList()}\n\n${END}${rest.split(END)[1]}`;
}

/** The operations of all contracts, by the scopes that each admits. */
function accessList() {
  const rows = Object.entries(documents).flatMap(([contract, { paths }]) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => {
        const admitted = SCOPES.filter((scope) => operation['x-required-scopes'].includes(scope));
        const scopes = admitted.map((scope) => `\`${scope}\``).join(', ');
        return { contract, scopes, operation: `${method.toUpperCase()} ${path}`, place: `${path} ${method}` };
      }),
    ),
  );
  const all = Object.keys(documents).length;
  const operations = [...Map.groupBy(rows, ({ place, scopes }) => `${place} ${scopes}`).values()].map(
    (same) => {
      const contracts =
        same.length === all ? '' : `, ${same.map(({ contract }) => contract).join(', ')} contract`;
      return { ...same[0], group: `${same[0].scopes}${contracts}` };
    },
  );
  const inOrder = (of, name) => of.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
  const groups = Map.groupBy(
    inOrder(operations, ({ place }) => place),
    ({ group }) => group,
  );
  return inOrder([...groups], ([group]) => group)
    .map(([group, members]) => `- ${group}: ${members.map(({ operation }) => `\`${operation}\``).join(', ')}`)
    .join('\n');
}

/** A field with a default may be left out of a request: the generator would have it required. */
async function clientTypes(document) {
  const json = structuredClone(document);
  // The clients read lists as JSON.
  for (const { get } of Object.values(json.paths)) delete get?.responses[200].content['text/csv'];
  return HEAD + astToString(await openapiTS(json, { defaultNonNullable: false }));
}

async function write(path, draft) {
  const file = join(root, path);
  if (check) {
    if (!existsSync(file) || essence(path, readFileSync(file, 'utf8')) !== essence(path, draft))
      stale.push(path);
    return;
  }
  const options = await prettier.resolveConfig(file);
  writeFileSync(file, await prettier.format(draft, { ...options, ...layoutOf(path), filepath: file }));
}

/** The documents are deep and long: a narrower indent and longer lines save a seventh of their bytes, and a diff still shows fields. */
function layoutOf(path) {
  return path.startsWith('docs/openapi/') ? { tabWidth: 1, printWidth: 150 } : {};
}

/** What formatting leaves as it is: to format megabytes costs more than to make them. */
function essence(path, text) {
  if (path.endsWith('.md')) return text.replace(/[\s-]/g, '');
  return path.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text.replace(/[\s'",;|()]/g, '');
}
