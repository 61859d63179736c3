import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { keyPrefixOf } from '../../config/deployments.js';
import type { ContractDefinition, DocumentIntroduction } from '../contract.js';
import { fillPlaceholders } from '../answer/placeholders.js';
import { SHARED_HEADERS, SHARED_PARAMETERS, SHARED_SCHEMAS } from './components.js';
import type { SharedAnswers } from './error-responses.js';
import { markExtensions } from './extensions.js';
import { finishOperation, type OperationDraft } from './finish-operation.js';
import {
  type DocumentValues,
  exampleOf,
  fillDeployment,
  hasAmount,
  modernise,
  schemaName,
  type Schemas,
} from './schema.js';
import { RECEIVED, sentEvents } from './sent-events.js';
import { share } from './share.js';

const API_VERSION = '1.0.0';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * OpenAPI document of the app's contract. It needs no database: an app in preview mode is enough.
 * @param serverUrl the API root; a relative one is resolved against the document's own URL
 */
export function createDocument(
  app: INestApplication,
  contract: ContractDefinition,
  deployment: DocumentValues,
  serverUrl: string,
): OpenAPIObject {
  const { introduction, statuses, schemaNames } = contract;
  const document = SwaggerModule.createDocument(app, emptyDocument(introduction, serverUrl, deployment), {
    operationIdFactory: (_controller, method) => method,
    autoTagControllers: false,
    ignoreGlobalPrefix: true,
    extraModels: contract.events.map(({ data }) => data),
  });
  document.tags = introduction.tags.map((tag) => ({ ...tag }));
  const schemas = { ...document.components?.schemas, ...structuredClone(SHARED_SCHEMAS) } as Schemas;
  Object.values(schemas).forEach((schema) => fillDeployment(schema, deployment));
  document.paths = inOrder(document.paths);
  const envelopes: Schemas = {};
  const shared: SharedAnswers = { responses: {}, examples: {} };
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, OperationDraft>)) {
      finishOperation(operation, {
        method,
        path,
        schemas,
        schemaNames,
        envelopes,
        statuses,
        shared,
        deployment,
      });
    }
  }
  const webhooks = sentEvents(contract.events, schemas);
  for (const schema of Object.values(schemas))
    if (hasAmount(schema)) schema.example = exampleOf(schema, schemas);
  Object.values(schemas).forEach(modernise);
  const { openapi, info, servers, tags, paths, components } = document;
  delete info.contact;
  const whole = {
    openapi,
    info,
    servers,
    security: [{ bearer: [] }],
    tags,
    paths,
    webhooks,
    components: {
      securitySchemes: components!.securitySchemes,
      schemas,
      responses: { ...RECEIVED, ...shared.responses },
      examples: inOrder(shared.examples),
      parameters: SHARED_PARAMETERS,
      headers: SHARED_HEADERS,
    },
  };
  const named = finished(whole as unknown as OpenAPIObject, schemaNames, deployment);
  markExtensions(named, contract.listed);
  Object.assign(named.components!.schemas!, envelopes);
  return share(named);
}

const NOTHING_IS_REAL =
  '**Nothing is real here:** this deployment runs the live contract on simulated yields (`YIELDS=simulated`), to try it out.';

function emptyDocument(
  { title, description }: DocumentIntroduction,
  serverUrl: string,
  { simulatedYields, environment }: DocumentValues,
): Omit<OpenAPIObject, 'paths'> {
  return new DocumentBuilder()
    .setTitle(title)
    .setDescription(simulatedYields ? `${NOTHING_IS_REAL} ${description}` : description)
    .setVersion(API_VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(serverUrl)
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: `${keyPrefixOf(environment)}...`,
      description: 'An API key: `Authorization: Bearer <API_KEY>`.',
    })
    .setOpenAPIVersion('3.1.0')
    .build();
}

/** Paths sorted by name, methods in customary order, so that moving a class or a controller does not change the document. */
function inOrder<T extends object>(entries: Record<string, T>): Record<string, T> {
  const rank = (method: string): number => METHODS.indexOf(method);
  return Object.fromEntries(
    Object.entries(entries)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => {
        const isPath = name.startsWith('/');
        const parts = Object.entries(value).sort(([a], [b]) => (isPath ? rank(a) - rank(b) : 0));
        return [name, Object.fromEntries(parts) as T];
      }),
  );
}

/** Document with the contract's schema names and the deployment's values filled in. */
function finished(
  document: OpenAPIObject,
  names: Readonly<Record<string, string>>,
  deployment: DocumentValues,
): OpenAPIObject {
  const schemas = (document.components!.schemas ?? {}) as Schemas;
  const named: Schemas = {};
  for (const [className, schema] of Object.entries(schemas)) {
    const name = schemaName(className, names);
    if (name in named) throw new Error(`Two classes have the schema name ${name}: ${className} is one.`);
    named[name] = schema;
  }
  document.components!.schemas = inOrder(named);
  const text = JSON.stringify(document).replace(
    /"#\/components\/schemas\/(\w+)"/g,
    (_, name: string) => `"#/components/schemas/${schemaName(name, names)}"`,
  );
  return JSON.parse(fillPlaceholders(text, deployment)) as OpenAPIObject;
}
