import type { OpenAPIObject } from '@nestjs/swagger';
import { Application } from '../application.js';
import { DEPLOYMENTS } from '../config/deployments.js';
import type { Contract } from '../config/environment.js';
import { loadSettings } from '../config/settings.js';
import { type Scope, SCOPES } from '../domain/tenants/access/scope.js';

/** Placeholder key: settings would otherwise generate one and write it to disk. */
const NO_SECRETS_KEY = Buffer.alloc(32).toString('base64');

/**
 * OpenAPI document of a contract, the same on every machine, because the environment is not read. A running deployment serves it under
 * `/openapi.json`, with other `servers`.
 */
export function openApiDocument(contract: Contract): Promise<OpenAPIObject> {
  const settings = loadSettings({ CONTRACT: contract, SECRETS_KEY: NO_SECRETS_KEY });
  // The address under which `npm start` serves the contract, so that requests can be tried from the document.
  const { port } = DEPLOYMENTS[contract].start;
  return Application.describe(settings, `http://127.0.0.1:${port}/${settings.apiRoot}`);
}

interface AdmittingOperation {
  'x-required-scopes': readonly Scope[];
}

type Documents = Readonly<Record<string, OpenAPIObject>>;

/** Markdown list of the operations of all contracts, by the scopes that each admits. */
export function accessList(documents: Documents): string {
  const rows = Object.entries(documents).flatMap(([contract, { paths }]) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, AdmittingOperation>).map(([method, operation]) => {
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
      return { ...same[0]!, group: `${same[0]!.scopes}${contracts}` };
    },
  );
  const inOrder = <T>(of: T[], name: (one: T) => string): T[] =>
    of.toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
  const groups = Map.groupBy(
    inOrder(operations, ({ place }) => place),
    ({ group }) => group,
  );
  return inOrder([...groups], ([group]) => group)
    .map(([group, members]) => `- ${group}: ${members.map(({ operation }) => `\`${operation}\``).join(', ')}`)
    .join('\n');
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  example?: unknown;
  schema?: { examples?: unknown[]; default?: unknown; enum?: unknown[] };
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
}

/** Postman collection (v2.1) of a document: a folder for each tag, a request for each operation, with the document's examples. */
export function postmanCollection({ info, servers = [], tags = [], paths }: OpenAPIObject) {
  const requests = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      tag: operation.tags[0],
      request: requestOf(method.toUpperCase(), path, operation),
    })),
  );
  const folders = tags.map(({ name, description = '' }) => ({
    name,
    description,
    item: requests.filter(({ tag }) => tag === name).map(({ request }) => request),
  }));
  return {
    info: { name: info.title, description: info.description ?? '', schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: servers[0]?.url ?? '' },
      { key: 'apiKey', value: '' },
    ],
    // The tag of sent events has no requests.
    item: folders.filter(({ item }) => item.length > 0),
  };
}

function requestOf(method: string, path: string, operation: Operation) {
  const { summary, description, requestBody } = operation;
  const parameters = (operation.parameters ?? []).filter((one): one is Parameter => 'name' in one);
  const variables = (where: Parameter['in'], disabled?: true) =>
    parameters
      .filter((one) => one.in === where)
      .map((one) => ({
        key: one.name,
        value: valueOf(one),
        ...(one.description && { description: one.description }),
        ...(disabled && { disabled }),
      }));
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(.+)\}$/, ':$1'));
  const body = requestBody?.content['application/json'].example;
  return {
    name: summary,
    request: {
      method,
      description,
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...(method === 'POST' ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}`,
        host: ['{{baseUrl}}'],
        path: segments,
        // Filters are included but disabled.
        query: variables('query', true),
        variable: variables('path'),
      },
      ...(body !== undefined && {
        body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
      }),
    },
    response: [],
  };
}

function valueOf({ example, schema = {} }: Parameter): string {
  const value = example ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0] ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
