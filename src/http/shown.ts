import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { RATE_DECIMALS } from '../domain/rate.js';
import { BY_ENVIRONMENT } from './fields.js';
import { MARKS } from './openapi/schema.js';
import { idExample, idPattern } from './path.js';

interface ShownOptions {
  nullable?: boolean;
  optional?: boolean;
  /** Parts of the schema that an environment has otherwise. */
  byEnvironment?: Record<string, object>;
}

/** As `Date.toISOString` writes. */
const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function shown(
  schema: ApiPropertyOptions,
  description: string,
  example: unknown,
  { nullable, optional, byEnvironment }: ShownOptions = {},
): PropertyDecorator {
  return ApiProperty({
    ...schema,
    description,
    ...(example !== undefined && { example }),
    required: !optional,
    ...(nullable && { nullable }),
    ...(byEnvironment && { [MARKS.byEnvironment]: byEnvironment }),
  } as ApiPropertyOptions);
}

/** Fields of answers, each with its description and an example of which the operations' examples are made. */
export const Shown = {
  text: (description: string, example: string | null, options?: ShownOptions) =>
    shown({ type: String }, description, example, options),
  id: (prefix: string, description: string, options?: ShownOptions) =>
    shown({ type: String, pattern: idPattern(prefix) }, description, idExample(prefix), options),
  time: (description: string, options?: ShownOptions & { example?: string | null }) =>
    shown(
      { type: String, format: 'date-time', pattern: MILLISECONDS.source },
      `${description} UTC, ISO 8601 with milliseconds.`,
      options?.example === undefined ? '2026-01-31T12:00:00.000Z' : options.example,
      options,
    ),
  flag: (description: string, example: boolean) => shown({ type: Boolean }, description, example),
  integer: (description: string, example: number | null, options?: ShownOptions) =>
    shown({ type: 'integer' }, description, example, options),
  number: (description: string, example: number | null, options?: ShownOptions) =>
    shown({ type: Number }, description, example, options),
  /** A fraction; its field is a `RoundedRate`. */
  rate: (description: string, example: number | null, options?: ShownOptions) =>
    shown({ type: Number }, `${description} At most ${RATE_DECIMALS} decimals.`, example, options),
  choice: (of: readonly string[], description: string, example: string | null, options?: ShownOptions) =>
    shown({ type: String, enum: [...of] }, description, example, options),
  choices: (of: readonly string[], description: string, example: readonly string[]) =>
    shown({ type: 'array', items: { type: 'string', enum: [...of] } }, description, example),
  texts: (description: string, example: readonly string[]) =>
    shown({ type: 'array', items: { type: 'string' } }, description, example),
  /** The constant `object` of a record. */
  kind: (object: string) => shown({ type: String, enum: [object] }, 'Kind of this record.', object),
  /** A text that is masked but in the answer that creates its record. `once` is its example there. */
  secret: (
    description: string,
    { masked, once }: SecretExample,
    byEnvironment?: Record<string, SecretExample>,
  ) =>
    shown({ type: String, [MARKS.onceExample]: once } as ApiPropertyOptions, description, masked, {
      ...(byEnvironment && {
        byEnvironment: Object.fromEntries(Object.entries(byEnvironment).map(secretPart)),
      }),
    }),
  /** The environment that a deployment is. */
  environment: (description: string) =>
    shown({ type: String }, description, undefined, { byEnvironment: BY_ENVIRONMENT }),
  asset: (description: string, options?: ShownOptions) =>
    shown({ type: String, [MARKS.asset]: true } as ApiPropertyOptions, description, undefined, options),
  metadata: (description: string) =>
    shown({ type: 'object', additionalProperties: { type: 'string' } }, description, { tier: 'gold' }),
  object: (description: string, example: object) =>
    shown({ type: 'object', additionalProperties: true }, description, example),
  /** Swagger knows a lazy type by the name of its function. */
  record: (of: () => Type, description: string, { nullable }: Pick<ShownOptions, 'nullable'> = {}) =>
    ApiProperty({ type: () => of(), description, ...(nullable && { nullable, example: null }) }),
  records: (of: () => Type, description: string) =>
    ApiProperty({ type: () => of(), isArray: true, description }),
};

interface SecretExample {
  masked: string;
  once: string;
}

const secretPart = ([environment, { masked, once }]: [string, SecretExample]): [string, object] => [
  environment,
  { example: masked, [MARKS.onceExample]: once },
];
