import { ID_BODY } from '../../domain/kernel/identifier.js';
import type { DomainStatuses } from '../contract.js';
import { errorResponses, type SharedAnswers } from './error-responses.js';
import {
  type DocumentValues,
  exampleOf,
  fillDeployment,
  MARKS,
  modernise,
  refTo,
  schemaName,
  type Schema,
  type Schemas,
} from './schema.js';
import { OPERATION_EXTENSION, type OperationExtension } from './operation.js';

interface Parameter {
  [key: string]: unknown;
  in: string;
  name: string;
  required?: boolean;
  schema?: Schema;
  example?: unknown;
}

/** Operation as Swagger generates it from a route. */
export type OperationDraft = Record<string, unknown> & {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
};

interface Surroundings {
  method: string;
  path: string;
  /** Schemas before `modernise`. */
  schemas: Schemas;
  /** Names of the contract for classes. */
  schemaNames: Readonly<Record<string, string>>;
  /** Bodies of successes by name, which refer to names of the contract. */
  envelopes: Schemas;
  statuses: DomainStatuses;
  shared: SharedAnswers;
  deployment: DocumentValues;
}

/** Adds what follows from an operation's declaration: examples, headers, security, and every answer. */
export function finishOperation(operation: OperationDraft, around: Surroundings): void {
  const { method, path, schemas, statuses, shared, deployment } = around;
  const { access, success, once, spans, errors, liveErrors } = operation[
    OPERATION_EXTENSION
  ] as OperationExtension;
  delete operation[OPERATION_EXTENSION];
  const parameters = (operation.parameters ?? []) as Parameter[];
  parameters.forEach((parameter) => finishParameter(parameter, deployment));
  operation.parameters = [
    ...inUrlOrder(parameters, path),
    ...(once ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  if (operation.requestBody) finishBody(operation.requestBody, schemas, once);
  operation['responses'] = {
    [String(success.status ?? 200)]: successResponse(success, spans, headersOf(operation, once), around),
    ...errorResponses(
      {
        readsBody: method !== 'get' && method !== 'delete',
        hasId: parameters.some(({ schema }) => schema !== undefined && namesARecord(schema)),
        isList: success.object === 'list',
        once,
        partnerOnly: access.partner ?? false,
        own: deployment.environment === 'live' ? [...errors, ...liveErrors] : errors,
      },
      statuses,
      shared,
    ),
  };
  if (access.code) operation['security'] = [{ bearer: [] }, {}];
  operation['x-required-scopes'] = access.scopes;
  if (access.partner) operation['x-partner-key-required'] = true;
}

function finishParameter(parameter: Parameter, deployment: DocumentValues): void {
  if (!parameter.schema) return;
  // Swagger puts the marks of a query field beside its schema and not into it.
  for (const mark of Object.values(MARKS).filter((name) => name in parameter)) {
    parameter.schema[mark] = parameter[mark];
    delete parameter[mark];
  }
  fillDeployment(parameter.schema, deployment);
  // Only required parameters get an example: pages that try requests fill it in, and an optional filter would be set unasked.
  if (parameter.required) parameter.example = parameter.schema.example;
  else delete parameter.required;
  modernise(parameter.schema);
}

/** Whether a parameter is a record's id: in the path, or as a filter. */
const namesARecord = ({ pattern }: Schema): boolean =>
  typeof pattern === 'string' && pattern.endsWith(`_${ID_BODY}$`);

/** Path parameters first, in the order of the path. */
function inUrlOrder(parameters: Parameter[], path: string): Parameter[] {
  const place = ({ in: location, name }: Parameter): number =>
    location === 'path' ? path.indexOf(`{${name}}`) : path.length;
  return parameters.sort((a, b) => place(a) - place(b));
}

/** The schema refuses unknown fields, as validation does. A body is optional when all its fields are, except that a PATCH needs at least one. */
function finishBody(body: NonNullable<OperationDraft['requestBody']>, schemas: Schemas, once: boolean): void {
  for (const content of Object.values(body.content)) {
    content.example = exampleOf(content.schema, schemas);
    const schema = schemas[content.schema.$ref!.split('/').pop()!]!;
    schema.additionalProperties = false;
    body.required = !once || (schema.required ?? []).length > 0;
  }
}

const headersOf = ({ deprecated }: OperationDraft, once: boolean): string[] => [
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  ...(once ? ['Idempotency-Replayed'] : []),
  ...(deprecated ? ['Deprecation', 'Link', 'Sunset'] : []),
];

function successResponse(
  { status, object, data, listed, lines, file, description }: OperationExtension['success'],
  spans: boolean,
  headers: readonly string[],
  { schemas, schemaNames, envelopes }: Surroundings,
): object {
  const described = {
    description,
    headers: Object.fromEntries(
      headers.map((header) => [header, { $ref: `#/components/headers/${header}` }]),
    ),
  };
  if (file) return { ...described, content: { [file]: { schema: { type: 'string', format: 'binary' } } } };
  const isList = object === 'list';
  const name = schemaName(data, schemaNames);
  const single = (item: Schema): Schema => envelope(object, item, spans ? refTo('SpanMeta') : undefined);
  const shared = (as: string, schema: Schema): Schema => {
    envelopes[as] = schema;
    return refTo(as);
  };
  const offered = [
    ...(isList ? [] : [shared(`${name}Answer`, single(refTo(name)))]),
    ...(isList || listed
      ? [shared(`${name}List`, envelope('list', { type: 'array', items: refTo(name) }, refTo('ListMeta')))]
      : []),
  ];
  const schema = offered.length === 1 ? offered[0] : { oneOf: offered };
  return {
    ...described,
    content: {
      'application/json': { schema, ...(status === 201 && shownOnce(single(refTo(data)), schemas)) },
      ...((isList || lines !== undefined) && { 'text/csv': { schema: refTo('Csv') } }),
    },
  };
}

const envelope = (object: string, data: Schema, meta?: Schema): Schema => ({
  type: 'object',
  required: meta ? ['object', 'data', 'meta'] : ['object', 'data'],
  properties: { object: { type: 'string', enum: [object] }, data, ...(meta && { meta }) },
});

/** The example of an answer that shows a secret; every other one is composed of its schema's. */
function shownOnce(schema: Schema, schemas: Schemas): { example?: unknown } {
  const [once, later] = [true, false].map((isOnce) => exampleOf(schema, schemas, isOnce));
  return JSON.stringify(once) === JSON.stringify(later) ? {} : { example: once };
}
