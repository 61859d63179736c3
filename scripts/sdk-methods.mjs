// Makes the client of a contract from its OpenAPI document: a method for each operation, named by its operationId.

/** @returns TypeScript source of an abstract class, `PartnerOperations` for `partner` */
export function sdkMethods(contract, document) {
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => method(verb, path, operation)),
  );
  const name = `${contract[0].toUpperCase()}${contract.slice(1)}Operations`;
  return `import { Client } from '../client.js';
import type { paths } from './${contract}.js';

export abstract class ${name} extends Client<paths> {
${methods
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([, source]) => source)
  .join('\n')}
}
`;
}

const method = (verb, path, { operationId, summary, deprecated, ...operation }) => [
  operationId,
  `  /** ${summary}.${deprecated ? ' @deprecated' : ''} */
  readonly ${operationId} = this.calls.${kindOf(verb, operation)}('${path}');
`,
];

/** Method of `Calls` that makes the client's one. */
function kindOf(verb, { parameters = [], requestBody, responses }) {
  const queries = parameters.filter(({ in: where }) => where === 'query').map(({ name }) => name);
  if (responses[200] && !('application/json' in responses[200].content)) return 'download';
  if (verb === 'get') return queries.includes('cursor') ? 'list' : queries.length > 0 ? 'find' : 'read';
  if (verb === 'post') return requestBody ? 'create' : 'act';
  return { put: 'replace', patch: 'change', delete: 'remove' }[verb];
}
