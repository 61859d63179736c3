import { MARKS, type Schema, type Schemas } from './schema.js';

/**
 * Example composed of the examples of a schema's parts, so that it always shows every field.
 * @param once for the answer that creates the record, in which secrets are shown in full
 */
export function exampleOf(schema: Schema, schemas: Schemas, once = false): unknown {
  if (once && schema[MARKS.onceExample] !== undefined) return schema[MARKS.onceExample];
  if (schema.example !== undefined) return schema.example;
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference) return exampleOf(schemas[reference.split('/').pop()!] ?? {}, schemas, once);
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([, property]) => !property[MARKS.leftOut])
        .map(([name, property]) => [name, exampleOf(property, schemas, once)] as const)
        .filter(([, value]) => value !== undefined),
    );
  }
  if (schema.items) {
    const item = exampleOf(schema.items, schemas, once);
    return item === undefined ? [] : [item];
  }
  return schema.enum?.[0] ?? schema.default;
}
