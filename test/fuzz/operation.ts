import { inlined } from '../../src/http/openapi/share.js';
import { resolved } from '../support/document.js';

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

/** An operation as the running server documents it. */
export interface Operation {
  operationId: string;
  method: string;
  /** The path below the API root, with `{names}`. */
  path: string;
  scopes: string[];
  partnerOnly: boolean;
  parameters: Parameter[];
  /** The schema of the body; null where the operation takes none. */
  body: Schema | null;
  bodyRequired: boolean;
  successStatus: number;
}

/** The operations of a document that a server returned. */
export function operationsOf(served: any): Operation[] {
  const document = inlined(served);
  const at = (node: any): any => resolved(document, node);
  return Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      method: method.toUpperCase(),
      path,
      scopes: operation['x-required-scopes'],
      partnerOnly: operation['x-partner-key-required'] === true,
      parameters: operation.parameters.map(at),
      body: at(operation.requestBody?.content['application/json'].schema) ?? null,
      bodyRequired: operation.requestBody?.required === true,
      successStatus: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
    })),
  );
}

export const typesOf = ({ type }: Schema): string[] => (Array.isArray(type) ? type : [type ?? 'any']);
export const isNullable = (schema: Schema): boolean => typesOf(schema).includes('null');
/** The type besides null. */
export const typeOf = (schema: Schema): string => typesOf(schema).find((type) => type !== 'null')!;
