import { ID_BODY } from '../../domain/identifier.js';
import type { DomainStatuses } from '../answer/error.filter.js';
import { errorResponses } from './error-responses.js';
import { exampleOf } from './example.js';
import { OPERATION_EXTENSION, type OperationExtension } from './operation.js';
import {
  type Deployment,
  fillDeployment,
  MARKS,
  modernise,
  refTo,
  type Schema,
  type Schemas,
} from './schema.js';

interface Parameter {
  [key: string]: unknown;
  in: string;
  name: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

/** An operation as the routes tell it. */
export type OperationDraft = Record<string, unknown> & {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
};

interface Surroundings {
  method: string;
  path: string;
  /** Not modernised yet. */
  schemas: Schemas;
  statuses: DomainStatuses;
  deployment: Deployment;
}

/** Adds what follows from an operation's declaration: examples, headers, security, and every answer it can give. */
export function finishOperation(operation: OperationDraft, around: Surroundings): void {
  const { method, path, schemas, statuses, deployment } = around;
  const { access, success, once, errors } = operation[OPERATION_EXTENSION] as OperationExtension;
  delete operation[OPERATION_EXTENSION];
  const parameters = (operation.parameters ?? []) as Parameter[];
  parameters.forEach((parameter) => finishParameter(parameter, deployment));
  operation.parameters = [
    ...inUrlOrder(parameters, path),
    ...(once ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  if (operation.requestBody) finishBody(operation.requestBody, schemas, once);
  operation['responses'] = {
    [String(success.status ?? 200)]: successResponse(success, headersOf(operation, once), schemas),
    ...errorResponses(
      {
        readsBody: method !== 'get' && method !== 'delete',
        hasId: parameters.some(({ schema }) => schema !== undefined && namesARecord(schema)),
        isList: success.object === 'list',
        once,
        partnerOnly: access.partner ?? false,
        own: errors,
      },
      statuses,
    ),
  };
  operation['security'] = [{ bearer: [] }, ...(access.code ? [{}] : [])];
  operation['x-required-scopes'] = access.scopes;
  if (access.partner) operation['x-partner-key-required'] = true;
}

function finishParameter(parameter: Parameter, deployment: Deployment): void {
  if (!parameter.schema) return;
  // Swagger leaves what marks a field of a query beside its schema.
  for (const mark of Object.values(MARKS).filter((name) => name in parameter)) {
    parameter.schema[mark] = parameter[mark];
    delete parameter[mark];
  }
  fillDeployment(parameter.schema, deployment);
  // Only what must be given: pages for trying requests fill a parameter's example in, and a filter would be set unasked.
  if (parameter.required) parameter.example = parameter.schema.example;
  modernise(parameter.schema);
}

/** Whether it is an id: of the record that the operation is about, or that it is narrowed to. */
const namesARecord = ({ pattern }: Schema): boolean =>
  typeof pattern === 'string' && pattern.endsWith(`_${ID_BODY}$`);

/** Path parameters first, as they stand in the path. */
function inUrlOrder(parameters: Parameter[], path: string): Parameter[] {
  const place = ({ in: location, name }: Parameter): number =>
    location === 'path' ? path.indexOf(`{${name}}`) : path.length;
  return parameters.sort((a, b) => place(a) - place(b));
}

/** Unknown fields are refused, and so the schema says. A body may be left out where all its fields may, but for a change of nothing. */
function finishBody(body: NonNullable<OperationDraft['requestBody']>, schemas: Schemas, once: boolean): void {
  for (const content of Object.values(body.content)) {
    content.example = exampleOf(content.schema, schemas);
    const schema = schemas[content.schema.$ref!.split('/').pop()!]!;
    schema.additionalProperties = false;
    body.required = !once || (schema.required ?? []).length > 0;
  }
}

/** Names of the headers of a success. */
const headersOf = ({ deprecated }: OperationDraft, once: boolean): string[] => [
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  ...(once ? ['Idempotency-Replayed'] : []),
  ...(deprecated ? ['Deprecation', 'Link', 'Sunset'] : []),
];

function successResponse(
  { status, object, data, description }: OperationExtension['success'],
  headers: readonly string[],
  schemas: Schemas,
): object {
  const isList = object === 'list';
  const item = refTo(data);
  const schema: Schema = {
    type: 'object',
    required: isList ? ['object', 'data', 'meta'] : ['object', 'data'],
    properties: {
      object: { type: 'string', enum: [object], description: 'Kind of `data`.' },
      data: isList ? { type: 'array', items: item } : item,
      ...(isList && { meta: refTo('ListMeta') }),
    },
  };
  return {
    description,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: { 'application/json': { schema, example: exampleOf(schema, schemas, status === 201) } },
  };
}
