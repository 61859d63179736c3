import type { Constants } from '../../config/constants.js';
import type { DeploymentEnvironment } from '../../config/deployments.js';

/** As much of a JSON schema as our documents use, before and after it is finished. */
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

/** What differs between deployments in a schema that they share. */
export interface Deployment {
  environment: DeploymentEnvironment;
  constants: Constants;
  /** Whether what the document calls live is simulated here. */
  simulatedYields: boolean;
}

/** Marks of a schema that are replaced when a document is made, and appear in none. */
export const MARKS = {
  /** true: one of the deployment's assets. */
  asset: 'x-asset',
  /** A part of the schema by environment. */
  byEnvironment: 'x-by-environment',
  /** The example in the answer that creates the record, where it is another one. */
  onceExample: 'x-once-example',
} as const;

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Every schema within this one, itself first. References are not followed. */
export function* within(schema: Schema): Generator<Schema> {
  yield schema;
  const nested = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  for (const part of nested) yield* within(part);
}

/** Fills in what the deployment decides. */
export function fillDeployment(schema: Schema, { environment, constants }: Deployment): void {
  const { assets } = constants;
  for (const part of within(schema)) {
    if (part[MARKS.asset]) {
      part.enum = [...assets];
      part.example ??= assets[0];
    }
    Object.assign(part, (part[MARKS.byEnvironment] as Record<string, Schema> | undefined)?.[environment]);
    delete part[MARKS.asset];
    delete part[MARKS.byEnvironment];
  }
}

/** From what Swagger makes of the decorators to JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
export function modernise(schema: Schema): void {
  for (const part of within(schema)) {
    // Swagger turns `nullable` into a union of types itself, and forgets that null must be one of the choices then.
    if (part.type?.includes('null') && part.enum && !part.enum.includes(null)) part.enum.push(null);
    // A reference may have a description beside it now.
    if (part.allOf?.length === 1) Object.assign(part, part.allOf[0]);
    if (part.$ref) delete part.allOf;
    if (part.example !== undefined) part.examples = [part.example];
    delete part.example;
    delete part[MARKS.onceExample];
    // A field that overrides another one inherits its keywords: bounds of a number mean nothing to a text.
    if (part.type === 'string') for (const keyword of ['minimum', 'maximum']) delete part[keyword];
  }
}
