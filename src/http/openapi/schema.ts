import type { DeploymentEnvironment } from '../../config/deployments.js';
import type { DocumentSettings } from '../answer/placeholders.js';

/** The subset of JSON Schema that our documents use, before and after it is finished. */
export interface Schema {
  [key: string]: unknown;
  type?: string | string[];
  $ref?: string;
  allOf?: Schema[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  example?: unknown;
  examples?: unknown[];
  default?: unknown;
}

export type Schemas = Record<string, Schema>;

export interface DocumentValues extends DocumentSettings {
  environment: DeploymentEnvironment;
  /** Whether yields of this deployment are simulated although its environment is called live. */
  simulatedYields: boolean;
}

/** Placeholders in schemas that are replaced when a document is generated. */
export const MARKS = {
  asset: 'x-asset',
  byEnvironment: 'x-by-environment',
  /** true: only the live contract has the field. */
  liveOnly: 'x-live-only',
  /** Example of the answer that creates the record, where it differs. */
  onceExample: 'x-once-example',
  /** true: optional, and not part of the example of the whole body. */
  leftOut: 'x-left-out',
  /** true: a rate, which has up to 12 decimals. */
  rate: 'x-rate',
  /** true: an amount, with an exact text beside it where a double does not hold it. */
  amount: 'x-amount',
  /** Name of the schema that the value has wherever it occurs: `UserId`. */
  kind: 'x-kind',
} as const;

/** Stays in the document: the operation, parameter or field is in neither contract document. */
export const EXTENSION_MARK = 'x-extension';

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Name of the schema of a class: the contract's, else the class's own without `Dto`. */
export const schemaName = (className: string, names: Readonly<Record<string, string>>): string =>
  names[className] ?? className.replace(/Dto$/, '');

/** `user_id`: `UserId`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9])([A-Za-z])/g, (_, letter: string) => letter.toUpperCase());

/** All nested schemas, starting with the schema itself. References are not followed. */
function* within(schema: Schema): Generator<Schema> {
  yield schema;
  const nested = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  for (const part of nested) yield* within(part);
}

export function fillDeployment(schema: Schema, { environment, constants }: DocumentValues): void {
  const { assets } = constants;
  for (const part of within(schema)) {
    if (part[MARKS.asset]) {
      part.enum = [...assets];
      part.example ??= assets[0];
    }
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      if (property[MARKS.liveOnly] && environment !== 'live') delete part.properties![name];
      delete property[MARKS.liveOnly];
    }
    Object.assign(part, (part[MARKS.byEnvironment] as Record<string, Schema> | undefined)?.[environment]);
    delete part[MARKS.asset];
    delete part[MARKS.byEnvironment];
  }
}

/** Converts Swagger's schema to JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function modernise(schema: Schema): void {
  for (const part of within(schema)) {
    if (part.properties) part.properties = withExactTexts(part.properties);
    // Swagger turns `nullable` into a union of types, but does not add null to the choices.
    if (part.type?.includes('null') && part.enum && !part.enum.includes(null)) part.enum.push(null);
    // A `$ref` may have a description beside it since 3.1, so a wrapping `allOf` is removed.
    if (part.allOf?.length === 1) Object.assign(part, part.allOf[0]);
    if (part.$ref) delete part.allOf;
    if (part.example !== undefined) part.examples = [part.example];
    if (part.examples && part.properties)
      for (const property of Object.values(part.properties)) delete property.example;
    delete part.example;
    delete part[MARKS.onceExample];
    delete part[MARKS.leftOut];
    delete part[MARKS.rate];
    delete part[MARKS.amount];
    // An overriding field inherits the keywords of the overridden one: numeric bounds are removed from a string.
    if (part.type === 'string') for (const keyword of ['minimum', 'maximum']) delete part[keyword];
  }
}

/** Whether an object has an amount of its own. Its example leaves out the exact texts, so that it is not composed of the parts' examples. */
export const hasAmount = ({ properties = {} }: Schema): boolean =>
  Object.values(properties).some((property) => property[MARKS.amount]);

const withExactTexts = (properties: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]): [string, Schema][] => {
      if (!property[MARKS.amount]) return [[name, property]];
      return [
        [name, property],
        [`${name}_exact`, refTo('ExactAmount')],
      ];
    }),
  );

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
