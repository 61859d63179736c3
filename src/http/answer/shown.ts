import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { RoundedRate } from '../../domain/kernel/money.js';
import { BY_ENVIRONMENT } from '../request/fields.js';
import { EXTENSION_MARK, MARKS } from '../openapi/schema.js';
import { exampleId } from '../../domain/kernel/demo-ids.js';
import { idPattern } from '../request/path.js';

interface ShownOptions<Nullable extends boolean = boolean, Optional extends boolean = boolean> {
  nullable?: Nullable;
  optional?: Optional;
  /** Schema overrides by environment. */
  byEnvironment?: Record<string, object>;
  /** No contract document lists the field, although one lists the record's other fields. */
  extension?: boolean;
}

/** Property decorator that only accepts a field of this type or a narrower one, so that an answer cannot have what its schema does not show. */
type Shows<T, Nullable extends boolean = false, Optional extends boolean = false> = <
  const Name extends string,
  Owner extends (Optional extends true
    ? { [Field in Name]?: OrNull<T, Nullable> }
    : { [Field in Name]: OrNull<T, Nullable> }),
>(
  owner: Owner,
  name: Name,
) => void;
type OrNull<T, Nullable extends boolean> = Nullable extends true ? T | null : T;

/** As `Date.toISOString` writes. */
const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function shown(
  schema: ApiPropertyOptions,
  description: string | undefined,
  example: unknown,
  { nullable, optional, byEnvironment, extension }: ShownOptions = {},
): PropertyDecorator {
  return ApiProperty({
    ...schema,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    required: !optional,
    ...(nullable && { nullable }),
    ...(byEnvironment && { [MARKS.byEnvironment]: byEnvironment }),
    ...(extension && { [EXTENSION_MARK]: true }),
  } as ApiPropertyOptions);
}

const plain =
  <T extends string | number>(type: ApiPropertyOptions['type'], marks: object = {}) =>
  <const N extends boolean = false, const O extends boolean = false>(
    description: string,
    example: T | null,
    options?: ShownOptions<N, O>,
  ): Shows<T, N, O> =>
    shown({ type, ...marks } as ApiPropertyOptions, description, example, options);

/** Fields of answers, each with its description and the example that operations' examples are composed of. */
export const Shown = {
  text: plain<string>(String),
  id: <const N extends boolean = false, const O extends boolean = false>(
    prefix: string,
    description?: string,
    options?: ShownOptions<N, O>,
  ): Shows<string, N, O> =>
    shown({ type: String, pattern: idPattern(prefix) }, description, exampleId(prefix), options),
  time: <const N extends boolean = false, const O extends boolean = false>(
    description?: string,
    options?: ShownOptions<N, O> & { example?: string | null },
  ): Shows<string, N, O> =>
    shown(
      { type: String, format: 'date-time', pattern: MILLISECONDS.source },
      description,
      options?.example === undefined ? '2026-01-31T12:00:00.000Z' : options.example,
      options,
    ),
  flag: (description: string, example: boolean): Shows<boolean> =>
    shown({ type: Boolean }, description, example),
  nullableFlag: (description: string, example: boolean | null): Shows<boolean, true> =>
    shown({ type: Boolean }, description, example, { nullable: true }),
  integer: plain<number>('integer'),
  number: plain<number>(Number),
  /** Amount in whole asset units: OpenAPI shows the text beside it that `jsonOf` adds where a double does not hold each micro-unit. */
  amount: plain<number>(Number, { [MARKS.amount]: true }),
  rate: <const N extends boolean = false, const O extends boolean = false>(
    description: string,
    example: number | null,
    options?: ShownOptions<N, O>,
  ): Shows<RoundedRate, N, O> =>
    shown({ type: Number, [MARKS.rate]: true } as ApiPropertyOptions, description, example, options),
  fractions: (
    description: string,
    example: Record<string, number>,
    options?: Pick<ShownOptions, 'extension'>,
  ): Shows<Readonly<Record<string, number>>> =>
    shown({ type: 'object', additionalProperties: { type: 'number' } }, description, example, options),
  choice: <T extends string, const N extends boolean = false, const O extends boolean = false>(
    of: readonly T[],
    description: string,
    example: NoInfer<T> | null,
    options?: ShownOptions<N, O>,
  ): Shows<T, N, O> => shown({ type: String, enum: [...of] }, description, example, options),
  choices: <T extends string, const N extends boolean = false, const O extends boolean = false>(
    of: readonly T[],
    description: string,
    example: readonly NoInfer<T>[],
    options?: ShownOptions<N, O>,
  ): Shows<readonly T[], N, O> =>
    shown({ type: 'array', items: { type: 'string', enum: [...of] } }, description, example, options),
  texts: <const N extends boolean = false, const O extends boolean = false>(
    description: string,
    example: readonly string[],
    options?: ShownOptions<N, O>,
  ): Shows<readonly string[], N, O> =>
    shown({ type: 'array', items: { type: 'string' } }, description, example, options),
  /** The constant `object` field of a record. */
  kind: <const T extends string>(object: T): Shows<T> =>
    shown({ type: String, enum: [object] }, undefined, object),
  /** Secret: masked, except in the answer that creates its record. `once` is its example there. */
  secret: (
    description: string,
    { masked, once }: SecretExample,
    byEnvironment?: Record<string, SecretExample>,
  ): Shows<string> =>
    shown({ type: String, [MARKS.onceExample]: once } as ApiPropertyOptions, description, masked, {
      ...(byEnvironment && {
        byEnvironment: Object.fromEntries(Object.entries(byEnvironment).map(secretPart)),
      }),
    }),
  environment: (description: string): Shows<string> =>
    shown({ type: String }, description, undefined, { byEnvironment: BY_ENVIRONMENT }),
  asset: <const N extends boolean = false, const O extends boolean = false>(
    description: string,
    options?: ShownOptions<N, O>,
  ): Shows<string, N, O> =>
    shown({ type: String, [MARKS.asset]: true } as ApiPropertyOptions, description, undefined, options),
  metadata: (description: string): Shows<object> => Shown.object(description, { tier: 'gold' }),
  object: (description: string, example: object): Shows<object> =>
    shown({ type: 'object', additionalProperties: true }, description, example),
  nullableObject: (description: string, example: object | null): Shows<object, true> =>
    shown({ type: 'object', additionalProperties: true }, description, example, { nullable: true }),
  /** Swagger names a lazy type by the name of its function. */
  record: <T, const N extends boolean = false>(
    of: () => Type<T>,
    description: string,
    { nullable, extension }: Pick<ShownOptions<N>, 'nullable' | 'extension'> = {},
  ): Shows<T, N> =>
    ApiProperty({
      type: () => of(),
      description,
      ...(nullable && { nullable, example: null }),
      ...(extension && { [EXTENSION_MARK]: true }),
    }),
  /** Record that may be absent. */
  optionalRecord: <T>(
    of: () => Type<T>,
    description: string,
    { extension }: Pick<ShownOptions, 'extension'> = {},
  ): Shows<T, false, true> =>
    ApiProperty({
      type: () => of(),
      description,
      required: false,
      ...(extension && { [EXTENSION_MARK]: true }),
    }),
  records: <T>(of: () => Type<T>, description: string): Shows<readonly T[]> =>
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
