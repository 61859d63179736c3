import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Settings } from '../../config/settings.js';
import type { DomainStatuses } from '../error.filter.js';
import { ALL_CODES, errorResponses } from './error-responses.js';
import { exampleOf, type Schema } from './example.js';
import { OPERATION_EXTENSION, type OperationExtension } from './operation.js';

/** What a contract says of itself in its document. */
export interface DocumentIntroduction {
  title: string;
  description: string;
  tags: readonly { name: string; description: string }[];
}

export const API_VERSION = '1.0.0';

type Operation = Record<string, unknown> & {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
};

/** The OpenAPI document of the contract that the app mounts. Needs no database: a previewed app will do. */
export function createDocument(
  app: INestApplication,
  settings: Settings,
  introduction: DocumentIntroduction,
  statuses: DomainStatuses,
): OpenAPIObject {
  const base = new DocumentBuilder()
    .setTitle(introduction.title)
    .setDescription(introduction.description)
    .setVersion(API_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(`${settings.publicUrl ?? `http://127.0.0.1:${settings.port}`}/${settings.apiRoot}`)
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      description: 'An API key: `Authorization: Bearer <API_KEY>`.',
    })
    .setOpenAPIVersion('3.1.0')
    .build();
  const document = SwaggerModule.createDocument(app, base, {
    operationIdFactory: (_controller, method) => method,
    autoTagControllers: false,
    ignoreGlobalPrefix: true,
  });
  document.tags = introduction.tags.map((tag) => ({ ...tag }));
  const schemas = (document.components!.schemas ??= {}) as Record<string, Schema>;
  fillAssets(schemas, settings.constants.assets);
  Object.values(schemas).forEach(nullableAsUnion);
  addSharedComponents(document);
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      finish(operation, method, path, schemas, statuses);
    }
  }
  return document;
}

function finish(
  operation: Operation,
  method: string,
  path: string,
  schemas: Record<string, Schema>,
  statuses: DomainStatuses,
): void {
  const { access, success, errors } = operation[OPERATION_EXTENSION] as OperationExtension;
  delete operation[OPERATION_EXTENSION];
  const isPost = method === 'post';
  const parameters = (operation.parameters ??= []);
  if (isPost) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' } as never);
  describeIds(parameters);
  for (const content of Object.values(operation.requestBody?.content ?? {})) {
    content.example = exampleOf(content.schema, schemas);
  }
  operation['security'] = [{ bearer: [] }];
  operation['x-required-scopes'] = access.scopes;
  operation['responses'] = {
    [String(success.status ?? 200)]: successResponse(success, isPost, schemas),
    ...errorResponses(
      {
        hasBody: operation.requestBody !== undefined,
        hasQuery: parameters.some((parameter) => parameter.in === 'query'),
        hasPath: path.includes('{'),
        isList: success.object === 'list',
        isPost,
        partnerOnly: access.partner ?? false,
        own: errors,
      },
      statuses,
    ),
  };
}

function successResponse(
  { object, data, description }: OperationExtension['success'],
  isPost: boolean,
  schemas: Record<string, Schema>,
): object {
  const isList = object === 'list';
  const item = { $ref: `#/components/schemas/${data}` };
  const schema: Schema = {
    type: 'object',
    required: isList ? ['object', 'data', 'meta'] : ['object', 'data'],
    properties: {
      object: { type: 'string', enum: [object], description: 'Kind of `data`.' },
      data: isList ? { type: 'array', items: item } : item,
      ...(isList && { meta: { $ref: '#/components/schemas/ListMeta' } }),
    },
  };
  return {
    description,
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(isPost && { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } }),
    },
    content: { 'application/json': { schema, example: exampleOf(schema, schemas) } },
  };
}

/** Path ids: what they look like, by the kind that the parameter's description names. */
function describeIds(parameters: { in: string; name: string }[]): void {
  for (const parameter of parameters as { in: string; schema?: Schema; example?: string }[]) {
    if (parameter.in === 'path') parameter.schema = { type: 'string', minLength: 1, maxLength: 64 };
  }
}

function fillAssets(schemas: Record<string, Schema>, assets: readonly string[]): void {
  for (const schema of Object.values(schemas)) {
    for (const property of Object.values(schema.properties ?? {})) {
      if (!property['x-asset']) continue;
      delete property['x-asset'];
      property.enum = [...assets];
      property.example ??= assets[0];
    }
  }
}

/** OpenAPI 3.1 has no `nullable`: null is one of the types, and one of the choices where there are any. */
function nullableAsUnion(schema: Schema): void {
  for (const property of Object.values(schema.properties ?? {})) {
    if (!property.nullable) continue;
    delete property.nullable;
    if (property.type) property.type = [property.type as string, 'null'];
    if (property.enum) property.enum = [...property.enum, null];
  }
}

function addSharedComponents(document: OpenAPIObject): void {
  const header = (description: string, example: string): object => ({
    description,
    schema: { type: 'string' },
    example,
  });
  Object.assign(document.components!.schemas!, {
    ListMeta: {
      type: 'object',
      required: ['has_more'],
      properties: {
        has_more: { type: 'boolean', description: 'Whether more rows follow.', example: false },
        next_cursor: {
          type: 'string',
          description: 'Send it as `cursor` for the next page. Absent on the last page.',
        },
      },
    },
    ErrorEnvelope: {
      type: 'object',
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          required: ['code', 'message', 'request_id'],
          properties: {
            code: { type: 'string', enum: ALL_CODES, description: 'Stable, for programs.' },
            message: { type: 'string', description: 'For people: what was wrong and what to do.' },
            request_id: { type: 'string', description: 'The same as the `X-Request-Id` header.' },
            details: {
              type: 'array',
              description: 'Which fields were wrong; absent where no field is to blame.',
              items: {
                type: 'object',
                required: ['field', 'message'],
                properties: {
                  field: { type: 'string', description: 'Dotted path.', example: 'wallets.0' },
                  message: { type: 'string' },
                },
              },
            },
          },
        },
      },
    },
  });
  Object.assign(document.components!, {
    headers: {
      'X-Request-Id': header(
        'Identifies this response; quote it when you ask us.',
        'req_01kaabcdefghjkmnpqrstvwxyz',
      ),
      'Idempotency-Replayed': header('`true` when this is the stored answer to an earlier request.', 'true'),
      'Retry-After': header('Seconds to wait before the next try.', '2'),
      'WWW-Authenticate': header('How to authenticate.', 'Bearer'),
    },
    parameters: {
      IdempotencyKey: {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 visible ASCII characters; a random UUID is a good one.',
        schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
        example: '0b0d5a5e-6a0d-4c52-9d0c-2f6f8c1c7a11',
      },
    },
  });
}
