import { inlined } from '../../src/http/openapi/share.js';
import { resolved } from '../support/document.js';

export type Contract = 'partner' | 'sandbox';

/** The subset of JSON Schema that the documents use. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  propertyNames?: Schema;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  maxProperties?: number;
  examples?: unknown[];
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  schema: Schema;
}

/** An operation as the deployment's own document describes it. */
export interface Operation {
  /** `GET /keys/{id}` */
  name: string;
  operationId: string;
  method: string;
  /** The path below the API root, with `{names}`. */
  path: string;
  scopes: string[];
  partnerOnly: boolean;
  parameters: Parameter[];
  /** The schema of the body; null where the operation takes none. */
  body: Schema | null;
  successStatus: number;
  extension: boolean;
  /** True where a request without a key is taken, too. */
  isOpen: boolean;
}

export function operationsIn(served: any): Operation[] {
  const document = inlined(served);
  const at = (node: any): any => resolved(document, node);
  return Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path,
      scopes: operation['x-required-scopes'] ?? [],
      partnerOnly: operation['x-partner-key-required'] === true,
      parameters: operation.parameters.map(at),
      body: at(operation.requestBody?.content['application/json'].schema) ?? null,
      successStatus: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
      extension: operation['x-extension'] === true,
      isOpen: isOpen(operation.security ?? document.security),
    })),
  );
}

export const typesOf = ({ type }: Schema): string[] => (Array.isArray(type) ? type : [type ?? 'any']);
export const isNullable = (schema: Schema): boolean => typesOf(schema).includes('null');
/** The type besides null. */
export const typeOf = (schema: Schema): string => typesOf(schema).find((type) => type !== 'null')!;

/** Without a scheme, or with none as one of the choices. */
const isOpen = (security: object[] = []): boolean =>
  security.length === 0 || security.some((row) => Object.keys(row).length === 0);

export const isList = ({ method, parameters }: Operation): boolean =>
  method === 'GET' && parameters.some(({ in: where, name }) => where === 'query' && name === 'limit');

/** Well formed, and nobody has it: that of the examples is a record of `npm start`. */
export const ABSENT = '00000000000000000000000000';

/** The kind of id that a parameter takes, by its pattern: `usr`. null: it takes none. */
export const prefixOf = ({ schema }: Parameter): string | null =>
  /^\^([a-z]+)_/.exec(schema.pattern ?? '')?.[1] ?? null;

/** True where its path, and every parameter that it needs, is made of these ids, of a choice, or of nothing. */
export const isAskable = ({ parameters }: Operation, ids: Record<string, string>): boolean =>
  parameters
    .filter(
      (parameter) => parameter.in === 'path' || (parameter.in === 'query' && parameter.required === true),
    )
    .every(
      (parameter) =>
        parameter.in === 'path' &&
        (parameter.schema.enum !== undefined || (prefixOf(parameter) ?? '') in ids),
    );

/** The body that the document shows for it. undefined: it takes none. */
export const exampleOf = (document: any, { path, method }: Operation): object | undefined =>
  document.paths[path][method.toLowerCase()].requestBody?.content['application/json'].example;

/** The path with its parameters filled in: ids from `ids` by their prefix, or such that nobody has. */
export function filled({ path, parameters }: Operation, ids: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
    const choice = parameter?.schema.enum?.[0];
    if (typeof choice === 'string') return choice;
    const prefix = (parameter && prefixOf(parameter)) ?? 'id';
    return ids[prefix] ?? `${prefix}_${ABSENT}`;
  });
}

const SUMS = ['summary', 'users', 'deposits', 'withdrawals', 'tvl', 'yield', 'points', 'revenue'];
const ANALYSES = ['signals', 'regime', 'uplift', 'decisions'];
const SHARED = [
  ...['POST /keys', 'GET /keys', 'DELETE /keys/{id}'],
  ...['POST /partners', 'GET /partners', 'GET /partners/{id}', 'PATCH /partners/{id}'],
  ...['POST /partners/{id}/campaigns', 'GET /partners/{id}/campaigns'],
  ...['PATCH /partners/{id}/campaigns/{campaignId}', 'GET /partner/user/{id}/positions'],
  ...SUMS.map((report) => `GET /partner/${report}`),
  ...ANALYSES.map((analysis) => `GET /analytics/${analysis}`),
  ...['GET /yield/history/{asset}', 'GET /partner/yield/history/{asset}'],
  ...['POST /users', 'GET /users/{id}/ledger'],
  ...['POST /webhooks', 'GET /webhooks', 'GET /webhooks/events', 'DELETE /webhooks/{id}'],
  'POST /webhooks/{id}/test',
];

/** Every operation that the document of a contract lists. */
export const LISTED: Record<Contract, readonly string[]> = {
  partner: [...SHARED, 'GET /webhooks/deliveries', 'PATCH /webhooks/{id}'],
  sandbox: [...SHARED, 'GET /analytics/advisor'],
};

/** What one contract has and the other must not mount. */
export const ELSEWHERE: Record<Contract, readonly [method: string, path: string][]> = {
  partner: [
    ['GET', '/analytics/advisor'],
    ['GET', '/simulation/clock'],
    ['POST', '/simulation/clock/advance'],
    ['POST', '/simulation/market'],
    ['POST', '/simulation/events'],
    ['POST', '/simulation/reset'],
    ['DELETE', '/simulation/vaults/vlt_none/quarantine'],
  ],
  sandbox: [
    ['GET', '/webhooks/deliveries'],
    ['PATCH', `/webhooks/wh_${ABSENT}`],
    ['DELETE', '/vaults/vlt_none/quarantine'],
  ],
};

export const ASSETS: Record<Contract, readonly [string, string]> = {
  partner: ['USDC', 'USDT0'],
  sandbox: ['USDC', 'USDT'],
};
export const ENVIRONMENT: Record<Contract, 'live' | 'sandbox'> = { partner: 'live', sandbox: 'sandbox' };
