import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { exampleId } from '../../domain/kernel/demo-ids.js';
import { KIND_BY_PREFIX } from '../../domain/kernel/identifier.js';
import type { RoundedRate } from '../../domain/kernel/money.js';
import { MARKS } from '../openapi/schema.js';
import { type AnswerField, declareField } from './answer-fields.js';
import { BY_ENVIRONMENT } from '../request/fields.js';
import { ASSET, idSchema } from '../request/path.js';

interface Marks {
  /** Schema overrides by environment. */
  byEnvironment?: Record<string, object>;
  /** Name of the schema of its values. */
  kind?: string;
}

interface ShownOptions<Optional extends boolean = boolean> extends Marks {
  optional?: Optional;
  /** Absent from examples and CSV. */
  leftOut?: true;
  /** Only the live contract has the field. */
  liveOnly?: true;
}

/** Property decorator that only accepts a field of this type or a narrower one, so that an answer has only what its schema shows. */
type ShownDecorator<T, Optional extends boolean = false> = <
  const Name extends string,
  Owner extends (Optional extends true ? { [Field in Name]?: T } : { [Field in Name]: T }),
>(
  owner: Owner,
  name: Name,
) => void;

/** As `Date.toISOString` writes. */
const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const kindMark = ({ kind }: Marks = {}): object => (kind ? { [MARKS.kind]: kind } : {});

/** Declares a field to OpenAPI and to the views of answers. @param record class of the record or records that it holds */
const declared =
  (options: ApiPropertyOptions, record?: () => Type<object>): PropertyDecorator =>
  (prototype, name) => {
    ApiProperty(options)(prototype, name);
    declareField(prototype, { ...options, name: String(name), ...(record && { record }) } as AnswerField);
  };

function shown(
  schema: object,
  description: string | undefined,
  example: unknown,
  { optional, nullable, byEnvironment, leftOut, liveOnly }: ShownOptions & { nullable?: boolean } = {},
): PropertyDecorator {
  return declared({
    ...schema,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    required: !optional,
    ...(nullable && { nullable }),
    ...(byEnvironment && { [MARKS.byEnvironment]: byEnvironment }),
    ...(leftOut && { [MARKS.leftOut]: true }),
    ...(liveOnly && { [MARKS.liveOnly]: true }),
  });
}

function kindsOf<const Nullable extends boolean>(nullable: Nullable) {
  type Value<T> = Nullable extends true ? T | null : T;

  const kind =
    <T, Example = T>(schema: object) =>
    <const Optional extends boolean = false>(
      description: string,
      example: Example | null,
      options?: ShownOptions<Optional>,
    ): ShownDecorator<Value<T>, Optional> =>
      shown(schema, description, example, { ...options, nullable });

  return {
    text: kind<string>({ type: String }),
    id: (prefix: string, description?: string, marks?: Marks): ShownDecorator<Value<string>> =>
      shown(idSchema(KIND_BY_PREFIX.get(prefix)!), description, exampleId(prefix), {
        ...marks,
        nullable,
      }),
    time: (
      description?: string,
      marks?: Marks & { example?: string | null },
    ): ShownDecorator<Value<string>> =>
      shown(
        { type: String, format: 'date-time', pattern: MILLISECONDS.source, [MARKS.kind]: 'Timestamp' },
        description,
        marks?.example === undefined ? '2026-01-31T12:00:00.000Z' : marks.example,
        { ...marks, nullable },
      ),
    flag: kind<boolean>({ type: Boolean }),
    integer: kind<number>({ type: 'integer' }),
    number: kind<number>({ type: Number }),
    /** Amount in whole asset units. OpenAPI also shows the text field that `jsonOf` adds where a double does not hold each micro-unit. */
    amount: kind<number>({ type: Number, [MARKS.amount]: true }),
    rate: kind<RoundedRate, number>({ type: Number, [MARKS.rate]: true }),
    fractions: kind<Readonly<Record<string, number>>>({
      type: 'object',
      additionalProperties: { type: 'number' },
    }),
    lists: kind<Readonly<Record<string, readonly string[]>>>({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    }),
    choice: <T extends string>(
      of: readonly T[],
      description: string,
      example: NoInfer<T> | null,
      marks?: Marks,
    ): ShownDecorator<Value<T>> =>
      shown({ type: String, enum: [...of], ...kindMark(marks) }, description, example, {
        ...marks,
        nullable,
      }),
    texts: kind<readonly string[]>({ type: 'array', items: { type: 'string' } }),
    asset: (description: string, marks?: Marks): ShownDecorator<Value<string>> =>
      shown(ASSET, description, undefined, { ...marks, nullable }),
    object: kind<object>({ type: 'object', additionalProperties: true }),
    record: <T, const Optional extends boolean = false>(
      of: () => Type<T>,
      description: string,
      { optional }: Pick<ShownOptions<Optional>, 'optional'> = {},
    ): ShownDecorator<Value<T>, Optional> =>
      declared(
        {
          type: () => of(),
          description,
          ...(optional && { required: false }),
          ...(nullable && { nullable, example: null }),
        },
        of as () => Type<object>,
      ),
  };
}

const kinds = kindsOf(false);

/** Fields of answers, each with its description and the example that operations' examples are composed of. */
export const Shown = {
  ...kinds,
  choices: <T extends string, const Optional extends boolean = false>(
    of: readonly T[],
    description: string,
    example: readonly NoInfer<T>[],
    options?: ShownOptions<Optional>,
  ): ShownDecorator<readonly T[], Optional> =>
    shown(
      { type: 'array', items: { type: 'string', enum: [...of], ...kindMark(options) } },
      description,
      example,
      options,
    ),
  records: <T, const Optional extends boolean = false>(
    of: () => Type<T>,
    description: string,
    { optional, leftOut }: ShownOptions<Optional> = {},
  ): ShownDecorator<readonly T[], Optional> =>
    declared(
      {
        type: () => of(),
        isArray: true,
        description,
        ...(optional && { required: false }),
        ...(leftOut && { [MARKS.leftOut]: true }),
      },
      of as () => Type<object>,
    ),
  /** The constant `object` field of a record. */
  kind: <const T extends string>(object: T): ShownDecorator<T> =>
    shown({ type: String, enum: [object] }, undefined, object),
  /** Secret: masked, except in the answer that creates its record. `once` is its example there. */
  secret: (
    description: string,
    { masked, once }: SecretExample,
    byEnvironment?: Record<string, SecretExample>,
  ): ShownDecorator<string> =>
    shown({ type: String, [MARKS.onceExample]: once }, description, masked, {
      ...(byEnvironment && {
        byEnvironment: Object.fromEntries(Object.entries(byEnvironment).map(secretPart)),
      }),
    }),
  environment: (description: string): ShownDecorator<string> =>
    shown({ type: String }, description, undefined, { byEnvironment: BY_ENVIRONMENT }),
  metadata: (description: string): ShownDecorator<object> => kinds.object(description, { tier: 'gold' }),
};

/** Declares a field of an answer that may be null. */
export const ShownOrNull = kindsOf(true);

interface SecretExample {
  masked: string;
  once: string;
}

const secretPart = ([environment, { masked, once }]: [string, SecretExample]): [string, object] => [
  environment,
  { example: masked, [MARKS.onceExample]: once },
];
