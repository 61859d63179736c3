import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

interface ShownOptions {
  nullable?: boolean;
  optional?: boolean;
}

function shown(
  schema: ApiPropertyOptions,
  description: string,
  example: unknown,
  { nullable, optional }: ShownOptions = {},
): PropertyDecorator {
  return ApiProperty({
    ...schema,
    description,
    ...(example !== undefined && { example }),
    required: !optional,
    ...(nullable && { nullable }),
  } as ApiPropertyOptions);
}

/** Fields of answers, each with its description and an example of which the operations' examples are made. */
export const Shown = {
  text: (description: string, example: string | null, options?: ShownOptions) =>
    shown({ type: String }, description, example, options),
  id: (prefix: string, description: string, options?: ShownOptions) =>
    shown(
      { type: String, pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$` },
      description,
      `${prefix}_01kaabcdefghjkmnpqrstvwxyz`,
      options,
    ),
  time: (description: string, options?: ShownOptions & { example?: string | null }) =>
    shown(
      { type: String, format: 'date-time' },
      `${description} UTC, ISO 8601 with milliseconds.`,
      options?.example === undefined ? '2026-01-31T12:00:00.000Z' : options.example,
      options,
    ),
  flag: (description: string, example: boolean) => shown({ type: Boolean }, description, example),
  integer: (description: string, example: number | null, options?: ShownOptions) =>
    shown({ type: 'integer' }, description, example, options),
  number: (description: string, example: number, options?: ShownOptions) =>
    shown({ type: Number }, description, example, options),
  choice: (of: readonly string[], description: string, example: string | null, options?: ShownOptions) =>
    shown({ type: String, enum: [...of] }, description, example, options),
  choices: (of: readonly string[], description: string, example: readonly string[]) =>
    shown({ type: 'array', items: { type: 'string', enum: [...of] } }, description, example),
  texts: (description: string, example: readonly string[]) =>
    shown({ type: 'array', items: { type: 'string' } }, description, example),
  /** The constant `object` of a record. */
  kind: (object: string) => shown({ type: String, enum: [object] }, 'Kind of this record.', object),
  asset: (description: string, options?: ShownOptions) =>
    shown({ type: String, 'x-asset': true } as ApiPropertyOptions, description, undefined, options),
  metadata: (description: string) =>
    shown({ type: 'object', additionalProperties: { type: 'string' } }, description, { tier: 'gold' }),
  object: (description: string, example: object) =>
    shown({ type: 'object', additionalProperties: true }, description, example),
  record: (type: () => Type, description: string) => ApiProperty({ type, description }),
};
