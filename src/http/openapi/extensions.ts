import type { OpenAPIObject } from '@nestjs/swagger';
import { EXTENSION_MARK, type Schema, type Schemas } from './schema.js';

/** What the contract documents list beside operations: parameters by operation, and fields by schema. */
export interface ListedParts {
  /** Of every list. */
  page: readonly string[];
  /** Without those of paths, which a listed operation has all. */
  parameters: Readonly<Record<string, readonly string[]>>;
  fields: Readonly<Record<string, readonly string[]>>;
}

interface Parameter {
  [key: string]: unknown;
  in: string;
  name: string;
}

interface Operation {
  [EXTENSION_MARK]?: boolean;
  parameters: (Parameter | { $ref: string })[];
}

/** Marks every parameter and field that no contract document lists, in place. Operations have their marks already. */
export function markExtensions({ paths, components }: OpenAPIObject, listed: ListedParts): void {
  const { schemas, parameters: shared } = components as unknown as {
    schemas: Schemas;
    parameters: Record<string, Parameter>;
  };
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      const known = [...listed.page, ...(listed.parameters[`${method.toUpperCase()} ${path}`] ?? [])];
      operation.parameters = operation.parameters.map((given): Parameter => {
        const parameter = '$ref' in given ? shared[String(given.$ref).split('/').pop()!]! : given;
        const isListed =
          known.includes(parameter.name) || (parameter.in === 'path' && !operation[EXTENSION_MARK]);
        return isListed ? { ...parameter } : { ...parameter, [EXTENSION_MARK]: true };
      });
    }
  // Each place has its own now, marked or not.
  delete shared['IdempotencyKey'];
  for (const [name, schema] of Object.entries(schemas)) markFields(schema, listed.fields[name] ?? []);
}

/** Fields of a field that is not listed are not listed either. */
function markFields(schema: Schema, known: readonly string[]): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isListed = known.includes(name);
    if (!isListed) property[EXTENSION_MARK] = true;
    for (const part of [property, property.items ?? {}]) markFields(part, isListed ? known : []);
  }
}
