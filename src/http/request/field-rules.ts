import { registerDecorator, ValidateIf } from 'class-validator';
import { checksummedAddress } from '../../config/chains.js';
import type { Detail } from '../../domain/kernel/domain-error.js';
import { ID_PREFIXES, type IdKind, isId } from '../../domain/kernel/identifier.js';
import { HttpError } from '../answer/http-error.js';

/** ISO 8601 in UTC, to the millisecond at most. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** Reserved names that no field may have, at any depth: Nest strips them from input. */
export const RESERVED_NAMES = ['__proto__', 'constructor', 'prototype'];

/** Printable ASCII. HTTP ignores spaces around a header's value. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** Limit in characters on a field name that an answer repeats. */
const MAX_NAME_LENGTH = 200;

/** Dotted path of a field for an error detail: truncated, and safe to print. */
export const fieldName = (path: string): string =>
  path.slice(0, MAX_NAME_LENGTH).toWellFormed().replaceAll('\0', '');

const MAX_DETAILS = 20;

/** Refusal of an input by its first faults; the search stops there. @returns null when there is no fault */
export function invalid(faults: Iterable<Detail>): HttpError | null {
  const details: Detail[] = [];
  for (const fault of faults) {
    if (details.length === MAX_DETAILS) {
      const message = `The request is not valid; see details, which list the first ${MAX_DETAILS} errors of more.`;
      return new HttpError('validation_failed', message, { details });
    }
    details.push(fault);
  }
  if (details.length === 0) return null;
  return new HttpError('validation_failed', 'The request is not valid; see details.', { details });
}

export function refuse(faults: Iterable<Detail>): void {
  const refusal = invalid(faults);
  if (refusal) throw refusal;
}

export function check(
  name: string,
  message: string,
  validate: (value: unknown) => boolean,
  context?: object,
): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(propertyName),
      options: { message, ...(context && { context }) },
      validator: { validate },
    });
}

/** @returns paths of the wrong parts below the field, such as `[1]`; `''`: the field as a whole */
type WrongParts = (value: unknown) => Iterable<string>;

/** Checks a field that has parts; an error names each wrong one: `events[1]`. */
export const checkParts = (name: string, message: string, wrongParts: WrongParts): PropertyDecorator =>
  check(name, message, (value) => [...wrongParts(value)].length === 0, { wrongParts });

/** Checks each entry of a list. */
export const checkEach = (
  name: string,
  message: string,
  isRight: (entry: unknown, index: number, list: readonly unknown[]) => boolean,
): PropertyDecorator =>
  checkParts(name, message, (value) => {
    const list = value as readonly unknown[];
    return list.flatMap((entry, index) => (isRight(entry, index, list) ? [] : [`[${index}]`]));
  });

/** Paths of what an error of a rule is about. @param context of the rule; `checkParts` gives one */
export function pathsOf(field: string, value: unknown, context: unknown): string[] {
  const { wrongParts } = (context ?? {}) as { wrongParts?: WrongParts };
  return wrongParts ? Array.from(wrongParts(value), (part) => `${field}${part}`) : [field];
}

/** Path of a part: an entry of a list has its place as its name. */
export const partPath = (parent: string, name: string, isEntry: boolean): string =>
  isEntry ? `${parent}[${name}]` : `${parent}.${name}`;

/** Skips the rules of an optional field that is absent, or of a nullable field that is null. */
export const UnlessAbsent = ({
  optional,
  nullable,
}: {
  optional?: boolean;
  nullable?: boolean;
}): PropertyDecorator =>
  ValidateIf((_, value) => !((optional && value === undefined) || (nullable && value === null)));

/** Counts characters as JSON Schema and PostgreSQL do: by code point. */
export const LengthInCharacters = (min: number, max: number): PropertyDecorator =>
  check('length', `must have ${min} to ${max} characters`, (value) => {
    if (typeof value !== 'string' || value.length > 2 * max) return false;
    const { length } = [...value];
    return length >= min && length <= max;
  });

export const NotBlank = (): PropertyDecorator =>
  check('blank', 'must not be blank', (value) => typeof value === 'string' && /\S/.test(value));

export const IsIdOfKind = (kind: IdKind): PropertyDecorator =>
  check(
    'id',
    `must be an id: ${ID_PREFIXES[kind]}_ and 26 lower-case letters and digits`,
    (value) => typeof value === 'string' && isId(kind, value),
  );

/** Address on an EVM chain, without a checksum or with a valid one: a wrong one means a mistyped address. */
export const Address = (): PropertyDecorator =>
  check(
    'address',
    'must be 0x and 40 hexadecimal digits; mixed case must have a valid EIP-55 checksum',
    (value) => typeof value === 'string' && checksummedAddress(value) !== null,
  );

export const choices = (of: readonly string[]): string =>
  `must be ${of.length > 1 ? 'one of ' : ''}${of.join(', ')}`;

export const TwoDecimals = (): PropertyDecorator =>
  check('hundredths', 'must be a number with at most two decimals', isHundredths);

/** Number from 0 to 1. More decimals than are stored, and -0, are refused, because another number would be stored than was sent. */
export const Fraction = (): PropertyDecorator =>
  check('fraction', 'must be a number from 0 to 1, with at most 6 decimals', isFraction);

export const isFraction = (value: unknown): boolean =>
  typeof value === 'number' &&
  value >= 0 &&
  value <= 1 &&
  !Object.is(value, -0) &&
  Number(value.toFixed(6)) === value;

export const Amount = (max: number): PropertyDecorator =>
  check(
    'amount',
    `must be a number above 0 and at most ${max}, with at most 6 decimals`,
    (value) => typeof value === 'number' && value > 0 && value <= max,
  );

export const RealTime = (): PropertyDecorator =>
  check(
    'timestamp',
    'must be a time in UTC such as 2026-01-31T12:00:00.000Z',
    (value) => typeof value === 'string' && TIMESTAMP.test(value) && isRealTime(value),
  );

/** Exact comparison: a number that is only close to two decimals would be stored as another one than was sent. */
const isHundredths = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && Number(value.toFixed(2)) === value;

/** `Date` turns 31 February into another day, so it is refused. Years outside 1970..9999 mean nothing here. */
function isRealTime(value: string): boolean {
  const time = new Date(value);
  return (
    !Number.isNaN(time.getTime()) &&
    time.getTime() >= 0 &&
    time.toISOString().slice(0, 19) === value.slice(0, 19)
  );
}

/** Text anywhere in the input that PostgreSQL cannot store, or that is not valid Unicode. */
export function* wrongTexts(value: unknown, path = '', depth = 1): Generator<Detail> {
  if (typeof value === 'string') {
    const message = wrongText(value);
    if (message) yield { field: fieldName(path), message };
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    const at = path === '' ? name : partPath(path, name, Array.isArray(value));
    const message = wrongName(name, depth);
    if (message) yield { field: fieldName(at), message };
    else yield* wrongTexts(child, at, depth + 1);
  }
}

/** First-level names may not be those of `Object.prototype` either: class-transformer drops them, and no field may vanish silently. */
function wrongName(name: string, depth: number): string | null {
  const isReserved = RESERVED_NAMES.includes(name);
  if (depth === 1 && (isReserved || name in Object.prototype)) return 'is not a known field';
  return isReserved ? 'is a reserved name' : wrongText(name);
}

function wrongText(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair';
}
