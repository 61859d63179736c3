/** As much of a JSON schema as our documents use. */
export interface Schema {
  [key: string]: unknown;
  type?: string | string[];
  $ref?: string;
  allOf?: Schema[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  example?: unknown;
  default?: unknown;
  nullable?: boolean;
}

/** An example made of the examples of a schema's parts, so that an operation's example cannot lag behind its fields. */
export function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').pop()!] ?? {}, schemas);
  if (schema.allOf) return exampleOf(schema.allOf[0]!, schemas);
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties)
        .map(([name, property]) => [name, exampleOf(property, schemas)] as const)
        .filter(([, value]) => value !== undefined),
    );
  }
  if (schema.items) {
    const item = exampleOf(schema.items, schemas);
    return item === undefined ? [] : [item];
  }
  return schema.enum?.[0] ?? schema.default;
}
