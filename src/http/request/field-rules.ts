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

export const PAGE_ROWS = { most: 500, default: 100 };

/** Limits of a free-form object: fields, and bytes of its JSON. */
export const FREE_OBJECT = { keys: 50, bytes: 4096 };

/** The same for metadata, with characters of a name, and levels of objects and lists, its own included. */
export const METADATA = { ...FREE_OBJECT, name: 40, depth: 4 };

/** Limit in characters on a field name that an answer repeats. */
const LONGEST_NAME = 200;

/** Dotted path of a field for an error detail: truncated, and safe to print. */
export const fieldName = (path: string): string =>
  path.slice(0, LONGEST_NAME).toWellFormed().replaceAll('\0', '');

const MOST_DETAILS = 20;

/** Refusal of an input by its first faults; no more than that are looked for. @returns null when there is no fault */
export function invalid(faults: Iterable<Detail>): HttpError | null {
  const details: Detail[] = [];
  for (const fault of faults) {
    if (details.length === MOST_DETAILS) {
      const message = `The request is not valid; see details, which list the first ${MOST_DETAILS} errors of more.`;
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

function check(name: string, message: string, validate: (value: unknown) => boolean): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(propertyName),
      options: { message },
      validator: { validate },
    });
}

/** Leaves a field unchecked that may be left out, or null, and is. */
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

export const IdOf = (kind: IdKind): PropertyDecorator =>
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

const isFraction = (value: unknown): boolean =>
  typeof value === 'number' &&
  value >= 0 &&
  value <= 1 &&
  !Object.is(value, -0) &&
  Number(value.toFixed(6)) === value;

/** Fractions by name; without `names`, up to 50 of any. */
export const Fractions = (names?: readonly string[]): PropertyDecorator =>
  check(
    'fractions',
    `must be an object with numbers from 0 to 1, of at most 6 decimals, under ${names ? `any of ${names.join(', ')}` : `up to ${FREE_OBJECT.keys} names`}`,
    (value) =>
      isFreeObject(value) &&
      Object.entries(value as object).every(
        ([name, fraction]) => isFraction(fraction) && (names?.includes(name) ?? true),
      ),
  );

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

export const QueryTime = (): PropertyDecorator =>
  check(
    'queryTime',
    'must be a date such as 2026-01-31, or a time with its offset from UTC such as 2026-01-31T12:00:00Z or 2026-01-31T14:00:00+02:00',
    (value) => typeof value === 'string' && queryTime(value) !== null,
  );

export const MetadataObject = (): PropertyDecorator =>
  check(
    'metadata',
    `must be an object of at most ${METADATA.keys} fields with names of up to ${METADATA.name} characters, nested at most ${METADATA.depth} levels deep, and at most ${METADATA.bytes} bytes of JSON in UTF-8`,
    isMetadata,
  );

/** Object of any fields: at most 50, and at most 4 KiB of JSON. */
export const FreeObject = (): PropertyDecorator =>
  check(
    'freeObject',
    `must be an object of at most ${FREE_OBJECT.keys} fields and ${FREE_OBJECT.bytes} bytes of JSON in UTF-8`,
    isFreeObject,
  );

const isFreeObject = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= FREE_OBJECT.keys &&
  Buffer.byteLength(JSON.stringify(value)) <= FREE_OBJECT.bytes;

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

const isMetadata = (value: unknown): boolean =>
  isFreeObject(value) &&
  Object.keys(value as object).every((name) => [...name].length <= METADATA.name) &&
  depthOf(value) <= METADATA.depth;

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
/** Seconds and their fraction may be left out. The sign of an offset may be a space: a `+` that a caller did not encode arrives as one. */
const MOMENT =
  /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+\- ])([01]\d|2[0-3]):?([0-5]\d)?)$/;

export const QUERY_TIME = `${DATE.source}|${MOMENT.source}`;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Time of a query, in ISO 8601: a moment with its offset from UTC, or a date, which is the UTC day.
 * @param edge of a day: its first millisecond, or its last
 * @returns to the millisecond; null for a text that is none, for a day that no calendar has, and for a time before 1970
 */
export function queryTime(text: string, edge: 'start' | 'end' = 'start'): Date | null {
  const day = dayOf(text);
  if (day !== null) return edge === 'start' ? new Date(day) : new Date(day + DAY_MS - 1);
  const [, date, hour, minute, second = '0', fraction = '', sign, hours = '0', minutes = '0'] =
    MOMENT.exec(text) ?? [];
  const start = date === undefined ? null : dayOf(date);
  if (start === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const local = (Number(hour) * 60 + Number(minute)) * MINUTE_MS + Number(second) * 1000;
  const time = start + local + Number(fraction.slice(0, 3).padEnd(3, '0')) - ahead * MINUTE_MS;
  return time < 0 ? null : new Date(time);
}

/** Milliseconds since 1970 at the beginning of a UTC day; null for a day that no calendar has: `Date` makes 31 February another one. */
function dayOf(date: string): number | null {
  const [, year, month, day] = DATE.exec(date) ?? [];
  if (year === undefined) return null;
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return time >= 0 && new Date(time).toISOString().startsWith(date) ? time : null;
}

/** Text anywhere in the input that PostgreSQL cannot store, or that is not valid Unicode. */
export function* wrongTexts(value: unknown, path = '', depth = 1): Generator<Detail> {
  if (typeof value === 'string') {
    const message = wrongText(value);
    if (message) yield { field: fieldName(path), message };
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
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
