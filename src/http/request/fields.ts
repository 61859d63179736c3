import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type as TypeOf } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
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
  ValidateNested,
} from 'class-validator';
import type { DeploymentEnvironment } from '../../config/deployments.js';
import { exampleId } from '../../domain/kernel/demo-ids.js';
import {
  Address,
  Amount,
  checkEach,
  choices,
  Fraction,
  LengthInCharacters,
  NotBlank,
  RealTime,
  TIMESTAMP,
  TwoDecimals,
  UnlessAbsent,
} from './field-rules.js';
import { MARKS } from '../openapi/schema.js';
import { ASSET } from './path.js';

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
  /** Absent from the example of the body. */
  leftOut?: boolean;
  /** Only the live contract has the field. */
  liveOnly?: boolean;
}

/** Upper bound of one deposit, withdrawal or other amount, in asset units. */
const MAX_UNITS = 1e9;
export const ADDRESS = '^0x[0-9a-fA-F]{40}$';
const TRANSACTION_HASH = /^0x[0-9a-fA-F]{64}$/;

export function field(
  options: FieldOptions,
  schema: object,
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
    ...(options.liveOnly && { [MARKS.liveOnly]: true }),
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

const boundedNumber =
  (type: 'integer' | typeof Number, rule: PropertyDecorator) =>
  (options: FieldOptions & { min: number; max: number }): PropertyDecorator =>
    field(
      options,
      { type, minimum: options.min, maximum: options.max },
      rule,
      Min(options.min),
      Max(options.max),
    );

export const WholeNumberField = boundedNumber('integer', IsInt());
export const HundredthsField = boundedNumber(Number, TwoDecimals());

export const FractionField = (options: FieldOptions): PropertyDecorator =>
  field(
    { ...options, description: `${options.description} At most 6 decimals.` },
    { type: Number, minimum: 0, maximum: 1 },
    Fraction(),
  );

interface ChoiceOptions extends FieldOptions {
  of: readonly string[];
  /** Name of the schema of its values. */
  kind?: string;
}

const choiceSchema = ({ of, kind }: ChoiceOptions): object => ({
  enum: [...of],
  ...(kind && { [MARKS.kind]: kind }),
});

/**
 * Amount of money in whole asset units. The limit of 6 decimals is checked by the domain, on the decimal text of the number: `multipleOf` of a binary
 * fraction is not exact.
 */
export const AmountField = (options: FieldOptions): PropertyDecorator =>
  field(
    { ...options, description: `${options.description} In whole asset units, at most 6 decimals.` },
    { type: Number, exclusiveMinimum: 0, maximum: MAX_UNITS },
    Amount(MAX_UNITS),
  );

export const TransactionHashField = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: `0x${'5f'.repeat(32)}`, ...options },
    { type: String, pattern: TRANSACTION_HASH.source },
    Matches(TRANSACTION_HASH, { message: 'must be 0x and 64 hexadecimal digits' }),
  );

export const AddressField = (options: FieldOptions): PropertyDecorator =>
  field({ example: `0x${'5f'.repeat(20)}`, ...options }, { type: String, pattern: ADDRESS }, Address());

export const ChoiceField = (options: ChoiceOptions): PropertyDecorator =>
  field(
    options,
    { type: String, ...choiceSchema(options) },
    IsIn(options.of, { message: choices(options.of) }),
  );

/** Non-empty list of distinct choices. */
export const ChoicesField = (options: ChoiceOptions): PropertyDecorator =>
  field(
    options,
    {
      type: 'array',
      items: { type: 'string', ...choiceSchema(options) },
      minItems: 1,
      uniqueItems: true,
      maxItems: options.of.length,
    },
    IsArray(),
    ArrayNotEmpty(),
    ArrayMaxSize(options.of.length),
    checkEach('choices', choices(options.of), (entry) => options.of.includes(entry as string)),
    checkEach('unique', 'is named twice', (entry, index, list) => list.indexOf(entry) === index),
  );

/** List of at most `max` texts that match one pattern. */
export const TextsField = (
  options: FieldOptions & { max: number; pattern: RegExp; patternMessage: string },
): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'string', pattern: options.pattern.source }, maxItems: options.max },
    IsArray(),
    ArrayMaxSize(options.max),
    checkEach(
      'pattern',
      options.patternMessage,
      (entry) => typeof entry === 'string' && options.pattern.test(entry),
    ),
  );

/** List of 1 to `max` objects of a class, whose fields are validated; an error names its place: `transactions[1].amount`. */
export const ObjectsField = (
  options: FieldOptions & { of: () => new () => object; max: number },
): PropertyDecorator =>
  field(
    options,
    { type: () => options.of(), isArray: true, minItems: 1, maxItems: options.max },
    IsArray(),
    ArrayNotEmpty(),
    ArrayMaxSize(options.max),
    checkEach(
      'objects',
      'must be an object',
      (entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry),
    ),
    ValidateNested({ each: true }),
    TypeOf(options.of),
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
    { type: String, [MARKS.byEnvironment]: BY_ENVIRONMENT },
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

/** Asset symbol. The document lists the deployment's assets; the domain checks the value. */
export const AssetField = (options: FieldOptions): PropertyDecorator =>
  field(options, ASSET, IsString(), MaxLength(12));

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
