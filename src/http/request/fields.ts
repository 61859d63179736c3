import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import type { DeploymentEnvironment } from '../../config/deployments.js';
import { exampleId } from '../../domain/kernel/demo-ids.js';
import { ID_PREFIXES, type IdKind } from '../../domain/kernel/identifier.js';
import {
  Address,
  Amount,
  choices,
  Fraction,
  Fractions,
  FREE_OBJECT,
  FreeObject,
  IdOf,
  LengthInCharacters,
  METADATA,
  MetadataObject,
  NotBlank,
  PAGE_ROWS,
  QUERY_TIME,
  QueryTime,
  RealTime,
  RESERVED_NAMES,
  TIMESTAMP,
  TwoDecimals,
  UnlessAbsent,
} from './field-rules.js';
import { EXTENSION_MARK, MARKS } from '../openapi/schema.js';
import { idPattern } from './path.js';

/**
 * Options of request fields. Each decorator declares a field once, to the validator and to OpenAPI, so that the two cannot disagree. A field is
 * required unless `optional`; null is refused unless `nullable`.
 */
export interface FieldOptions {
  description: string;
  example?: unknown;
  optional?: boolean;
  nullable?: boolean;
  default?: unknown;
  /** Schema overrides by environment. */
  byEnvironment?: Record<DeploymentEnvironment, object>;
  /** The example of the whole body does not have it. */
  leftOut?: boolean;
  /** No contract document lists the field, although one lists the fields beside it. */
  extension?: boolean;
}

/** Upper bound of one deposit, withdrawal or other amount, in asset units. */
const MOST_UNITS = 1e9;
const TRANSACTION_HASH = /^0x[0-9a-fA-F]{64}$/;

function field(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  ...validators: PropertyDecorator[]
): PropertyDecorator {
  const { optional, nullable, description, example } = options;
  const api = {
    ...schema,
    description,
    required: !optional,
    ...(nullable && { nullable }),
    ...(example !== undefined && { example }),
    ...(options.default !== undefined && { default: options.default }),
    ...(options.byEnvironment && { [MARKS.byEnvironment]: options.byEnvironment }),
    ...(options.leftOut && { [MARKS.leftOut]: true }),
    ...(options.extension && { [EXTENSION_MARK]: true }),
  } as ApiPropertyOptions;
  return applyDecorators(ApiProperty(api), UnlessAbsent(options), ...validators);
}

type TextOptions = FieldOptions & { min?: number; max: number };

/** Text of `min` (default 1) to `max` characters that is not blank. */
export const TextField = (options: TextOptions): PropertyDecorator =>
  field(
    options,
    { type: String, minLength: options.min ?? 1, maxLength: options.max, pattern: '\\S' },
    IsString(),
    NotBlank(),
    LengthInCharacters(options.min ?? 1, options.max),
  );

export const EmailField = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: String, format: 'email', maxLength: 254 }, IsEmail(), MaxLength(254));

export const FlagField = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: Boolean }, IsBoolean());

export const WholeNumberField = (options: FieldOptions & { min: number; max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'integer', minimum: options.min, maximum: options.max },
    IsInt(),
    Min(options.min),
    Max(options.max),
  );

export const HundredthsField = (options: FieldOptions & { min: number; max: number }): PropertyDecorator =>
  field(
    options,
    { type: Number, minimum: options.min, maximum: options.max },
    TwoDecimals(),
    Min(options.min),
    Max(options.max),
  );

export const FractionField = (options: FieldOptions): PropertyDecorator =>
  field(
    { ...options, description: `${options.description} At most 6 decimals.` },
    { type: Number, minimum: 0, maximum: 1 },
    Fraction(),
  );

/** Fractions by name; without `names`, any. */
export const FractionsField = ({
  names,
  ...options
}: FieldOptions & { names?: readonly string[] }): PropertyDecorator =>
  field(
    options,
    {
      type: 'object',
      additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
      maxProperties: names?.length ?? FREE_OBJECT.keys,
      propertyNames: names ? { enum: [...names] } : { not: { enum: RESERVED_NAMES } },
    } as ApiPropertyOptions,
    Fractions(names),
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]),
  );

/**
 * Amount of money in whole asset units. The limit of 6 decimals is checked by the domain, on the decimal text of the number: `multipleOf` of a binary
 * fraction is not exact.
 */
export const AmountField = (options: FieldOptions): PropertyDecorator =>
  field(
    { ...options, description: `${options.description} In whole asset units, at most 6 decimals.` },
    // Numeric `exclusiveMinimum` is JSON Schema 2020-12; Swagger's type only knows the older boolean.
    { type: Number, exclusiveMinimum: 0, maximum: MOST_UNITS } as unknown as ApiPropertyOptions,
    Amount(MOST_UNITS),
  );

export const TransactionHashField = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: `0x${'5f'.repeat(32)}`, ...options },
    { type: String, pattern: TRANSACTION_HASH.source },
    Matches(TRANSACTION_HASH, { message: 'must be 0x and 64 hexadecimal digits' }),
  );

export const AddressField = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: `0x${'5f'.repeat(20)}`, ...options },
    { type: String, pattern: '^0x[0-9a-fA-F]{40}$' },
    Address(),
  );

export const ChoiceField = (options: FieldOptions & { of: readonly string[] }): PropertyDecorator =>
  field(options, { type: String, enum: [...options.of] }, IsIn(options.of, { message: choices(options.of) }));

/** Non-empty list of distinct choices. */
export const ChoicesField = (options: FieldOptions & { of: readonly string[] }): PropertyDecorator =>
  field(
    options,
    {
      type: [String],
      enum: [...options.of],
      isArray: true,
      minItems: 1,
      uniqueItems: true,
      maxItems: options.of.length,
    },
    IsArray(),
    ArrayNotEmpty(),
    ArrayMaxSize(options.of.length),
    ArrayUnique(),
    IsIn(options.of, { each: true, message: choices(options.of) }),
  );

/** Query parameter: distinct choices, separated by commas. */
export const ChoiceListField = (options: FieldOptions & { of: readonly string[] }): PropertyDecorator => {
  const one = `(?:${options.of.map((choice) => choice.replaceAll('.', '\\.')).join('|')})`;
  const pattern = new RegExp(`^${one}(?:,${one}){0,${options.of.length - 1}}$`);
  return field(
    { ...options, optional: true },
    { type: String, pattern: pattern.source },
    Matches(pattern, {
      message: `must be one or more of ${options.of.join(', ')}, with commas between them`,
    }),
  );
};

/** List of at most `max` texts that match one pattern. */
export const TextsField = (
  options: FieldOptions & { max: number; pattern: RegExp; patternMessage: string },
): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string', pattern: options.pattern.source }, maxItems: options.max },
    IsArray(),
    ArrayMaxSize(options.max),
    Matches(options.pattern, { each: true, message: options.patternMessage }),
  );

/** Schema of `environment`: a deployment's document lists its own environment as the only choice. */
export const BY_ENVIRONMENT = {
  live: { enum: ['live'], example: 'live' },
  sandbox: { enum: ['sandbox'], example: 'sandbox' },
} as const;

/** Either environment is well-formed; whether it is this deployment's is checked by the operation. */
export const EnvironmentField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: String, [MARKS.byEnvironment]: BY_ENVIRONMENT } as ApiPropertyOptions,
    IsIn(Object.keys(BY_ENVIRONMENT), { message: choices(Object.keys(BY_ENVIRONMENT)) }),
  );

/** Body field: id of another record. A malformed one is answered by the domain like an unknown id. */
export const IdField = (options: FieldOptions & { prefix: string }): PropertyDecorator =>
  field(
    { ...options, example: exampleId(options.prefix) },
    { type: String, minLength: 1, maxLength: 64 },
    IsString(),
    LengthInCharacters(1, 64),
  );

/** Query filter: id of the record that a list or report is narrowed to. An unknown one, or another partner's, is refused by the domain with 404. */
export const IdFilterField = ({
  kind,
  ...options
}: Pick<FieldOptions, 'description' | 'example' | 'extension'> & { kind: IdKind }): PropertyDecorator => {
  const prefix = ID_PREFIXES[kind];
  return field(
    { example: exampleId(prefix), ...options, optional: true },
    { type: String, pattern: idPattern(prefix) },
    IdOf(kind),
  );
};

/** End-users that a list is limited to: up to 100 ids, with commas between them. */
export const UserIdsField = (): PropertyDecorator => {
  const most = 100;
  const one = idPattern(ID_PREFIXES.user).replaceAll(/^\^|\$$/g, '');
  const pattern = new RegExp(`^${one}(?:,${one}){0,${most - 1}}$`);
  return field(
    {
      description: 'Only these end-users. An id that is not yours is left out.',
      optional: true,
      extension: true,
    },
    { type: String, pattern: pattern.source },
    Matches(pattern, { message: `must be 1 to ${most} ids, with commas between them` }),
  );
};

/** Asset symbol. The document lists the deployment's assets; the domain checks the value. */
export const AssetField = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: String, [MARKS.asset]: true } as ApiPropertyOptions, IsString(), MaxLength(12));

const CHAIN = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const ChainField = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: String, minLength: 2, maxLength: 32, pattern: CHAIN.source },
    IsString(),
    Length(2, 32),
    Matches(CHAIN, { message: 'must be the name of a chain in lower case, such as ethereum' }),
  );

export const TimestampField = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: String, format: 'date-time', pattern: TIMESTAMP.source }, RealTime());

/** Query parameter: a time in ISO 8601. @see queryTime */
export const QueryTimeField = ({
  edge,
  ...options
}: Pick<FieldOptions, 'description' | 'example' | 'extension'> & {
  /** Moment that a date without a time stands for. */
  edge: 'start' | 'end';
}): PropertyDecorator =>
  field(
    {
      ...options,
      description: `${options.description} ISO 8601 with any offset, or a date: the ${edge} of that UTC day.`,
      optional: true,
    },
    { type: String, pattern: QUERY_TIME },
    QueryTime(),
  );

/** Metadata: any JSON values, within limits that JSON Schema cannot all express, so the description states them. */
export const MetadataField = (
  options: Pick<FieldOptions, 'description' | 'default' | 'extension'>,
): PropertyDecorator =>
  field(
    {
      ...options,
      description: `${options.description} Any JSON values, nested at most ${METADATA.depth} levels deep, the object itself included; at most ${METADATA.bytes} bytes of JSON in UTF-8.`,
      optional: true,
      example: { tier: 'gold' },
    },
    {
      type: 'object',
      additionalProperties: true,
      maxProperties: METADATA.keys,
      propertyNames: { type: 'string', maxLength: METADATA.name, not: { enum: RESERVED_NAMES } },
    } as ApiPropertyOptions,
    MetadataObject(),
    // Metadata is read from the raw input: class-transformer drops names such as `toString`, which a caller may well use.
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]),
  );

/** Any JSON object of at most 50 fields and 4 KiB, stored unchanged. */
export const FreeObjectField = (options: FieldOptions): PropertyDecorator =>
  field(
    {
      ...options,
      description: `${options.description} At most ${FREE_OBJECT.bytes} bytes of JSON in UTF-8.`,
    },
    {
      type: 'object',
      additionalProperties: true,
      maxProperties: FREE_OBJECT.keys,
      propertyNames: { not: { enum: RESERVED_NAMES } },
    } as ApiPropertyOptions,
    FreeObject(),
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]),
  );

const BY_BYTES =
  'A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true.';
/** Pattern of a page size; derived for limits that are whole hundreds. */
const LIMIT = new RegExp(`^([1-9]\\d?|[1-${PAGE_ROWS.most / 100 - 1}]\\d\\d|${PAGE_ROWS.most})$`);
const IN_WORDS = `a whole number from 1 to ${PAGE_ROWS.most}`;

/** Query parameter: page size, a decimal integer. */
export const LimitField = (): PropertyDecorator =>
  field(
    {
      description: `Rows a page. ${BY_BYTES}`,
      optional: true,
      example: PAGE_ROWS.default,
      default: PAGE_ROWS.default,
    },
    { type: 'integer', minimum: 1, maximum: PAGE_ROWS.most },
    Matches(LIMIT, { message: `must be ${IN_WORDS}` }),
  );

export const LimitTextField = (): PropertyDecorator =>
  field(
    {
      description: `Rows a page: ${IN_WORDS}. ${BY_BYTES}`,
      optional: true,
      example: String(PAGE_ROWS.default),
      default: String(PAGE_ROWS.default),
    },
    { type: String, pattern: LIMIT.source },
    Matches(LIMIT, { message: `must be ${IN_WORDS}` }),
  );

const VERSION = /^[1-9]\d{0,8}$/;

export const VersionField = (options: Pick<FieldOptions, 'description'>): PropertyDecorator =>
  field(
    { ...options, optional: true },
    { type: 'integer', minimum: 1, maximum: 999_999_999 },
    Matches(VERSION, { message: 'must be a whole number from 1 on' }),
  );

export const CursorField = (): PropertyDecorator =>
  field(
    {
      description:
        'Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters.',
      optional: true,
    },
    { type: String, minLength: 1, maxLength: 200 },
    IsString(),
    Length(1, 200),
  );
