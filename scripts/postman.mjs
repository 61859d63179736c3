// Makes the Postman collection of a contract from its OpenAPI document.

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** A folder for each tag, a request for each operation, with the document's examples. */
export function postmanCollection({ info, servers = [], tags = [], paths }) {
  const requests = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
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
    item: folders,
  };
}

function requestOf(method, path, { summary, description, parameters = [], requestBody }) {
  const variables = (where, disabled) =>
    parameters
      .filter((parameter) => 'name' in parameter && parameter.in === where)
      .map((parameter) => ({
        key: parameter.name,
        value: valueOf(parameter),
        ...(parameter.description && { description: parameter.description }),
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

function valueOf({ example, schema = {} }) {
  const value = example ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0] ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
