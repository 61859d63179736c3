import { type CustomTypesConfig, types } from 'pg';
import { getMetadataArgsStorage } from 'typeorm';

/** PostgreSQL type, and its JavaScript type after the driver. */
export interface Column<T> {
  readonly type: string;
  /** What `Store` makes of the driver's text; absent: the driver's value is used. */
  readonly read?: (text: string) => T;
}

/** Characters of an unreadable value that are shown. */
const MAX_SHOWN = 60;

/** Database value that cannot be read. It is never replaced by a plausible one: results computed from that would be silently wrong. */
export class UnreadableValueError extends Error {
  override readonly name = 'UnreadableValueError';

  constructor(type: string, value: unknown) {
    super(
      `The database returned ${String(value).slice(0, MAX_SHOWN)}, which is not of type ${type}; nothing is derived from it.`,
    );
  }
}

type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<C> = { -readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };

const column =
  <Default>(type: string, read?: (text: string) => unknown) =>
  <T extends Default = Default>(): Column<T> => ({
    type,
    ...(read && { read: read as (text: string) => T }),
  });

export const bool = column<boolean>('boolean');
export const bytes = column<Buffer>('bytea');
export const small = column<number>('smallint');
export const integer = column<number>('integer');
export const double = column<number>('double precision');
export const text = column<string>('text');
export const uuid = column<string>('uuid');
/** Whole number of any size; the driver returns text. */
export const long = column<string>('bigint');
export const numeric = column<string>('numeric');
export const whole = column<bigint>('numeric', BigInt);
export const rowCount = column<number>('bigint', (text) => {
  const count = Number(text);
  if (!Number.isSafeInteger(count)) throw new UnreadableValueError('count of rows', text);
  return count;
});
/** Numbers that SQL collected, some of them null; a double that is not finite is a text in JSON. */
export const numbers = column<(number | null)[]>('json', (list) => {
  const broken = (list as unknown as unknown[]).find(
    (element) => element !== null && typeof element !== 'number',
  );
  if (broken !== undefined) throw new UnreadableValueError('finite number', broken);
  return list;
});
export const jsonb = column<unknown>('jsonb');
/** As a parameter: JSON text. */
export const json = column<unknown>('json');
/** Result of a function without one. */
export const nothing = column<''>('void');
export const time = column<Date>('timestamp with time zone');
/** As a parameter: 'infinity' is after all times, '-infinity' before them. */
export const moment = column<Date | 'infinity' | '-infinity'>('timestamp with time zone');

export const orNull = <T>(column: Column<T>): Column<T | null> => column;
export const listOf = <T>({ type }: Column<T>): Column<T[]> => ({ type: `${type}[]` });
/** As a parameter: the text of an array, see `arrayText`. */
export const arrayOf = <T>({ type }: Column<T>): Column<string> => ({ type: `${type}[]` });

const TYPES: Readonly<Record<string, string>> = { int: 'integer', timestamptz: 'timestamp with time zone' };

/** Columns of an entity's table, for statements that read its records in lists. */
export function recordOf<T>(entity: new () => T): { readonly [Name in keyof T]: Column<T[Name]> } {
  const columns = getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName, options }) => {
      const type = TYPES[String(options.type)] ?? String(options.type);
      return [propertyName, { type: options.array === true ? `${type}[]` : type }];
    });
  return Object.fromEntries(columns) as { [Name in keyof T]: Column<T[Name]> };
}

/** Element that needs no quotes in the text of an array: an id, a number or a time as ISO 8601. */
const BARE = /^[\w.:+-]+$/;

/**
 * Text of an array of thousands of ids, numbers or ISO times: the driver takes a multiple of the time.
 * @throws RangeError for a value that needs quotes
 */
export const arrayText = (values: readonly (string | number | bigint | null)[]): string =>
  `{${values.map(bare).join(',')}}`;

function bare(value: string | number | bigint | null): string {
  if (typeof value !== 'string') return value === null ? 'NULL' : String(value);
  if (!BARE.test(value)) throw new RangeError('An element of the array needs quotes.');
  // Unquoted, NULL in any case of letters is not a text.
  return value.length === 4 && value.toUpperCase() === 'NULL' ? `"${value}"` : value;
}

/** Column of a property: `created_at` of `createdAt`; a reserved word in quotes. */
export const columnOf = (name: string): string =>
  name === 'user' ? '"user"' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Columns of a row in SQL: `created_at AS "createdAt"`. @param of alias of the table */
export const columnsOf = (row: Columns, of?: string): string =>
  Object.keys(row)
    .map((name) => {
      const column = columnOf(name);
      return `${of === undefined ? '' : `${of}.`}${column}${column === name ? '' : ` AS "${name}"`}`;
    })
    .join(', ');

/** Rows of a JSON parameter in SQL: a table `new` whose columns have the names of the properties. */
export const rowsIn = (parameter: string, row: Columns): string =>
  `json_to_recordset(${parameter}) AS new(${Object.entries(row)
    .map(([name, { type }]) => `"${name}" ${type}`)
    .join(', ')})`;

/** `INSERT INTO table AS t (...) SELECT ... FROM new` of the rows of a JSON parameter. @param expressions SQL of further columns, or of other values */
export function insertOf(
  table: string,
  row: Columns,
  parameter: string,
  expressions: Readonly<Record<string, string>> = {},
): string {
  const defaults = Object.fromEntries(Object.keys(row).map((name) => [name, `new."${name}"`]));
  const values = { ...defaults, ...expressions };
  return `INSERT INTO ${table} AS t (${Object.keys(values).map(columnOf).join(', ')})
     SELECT ${Object.values(values).join(', ')} FROM ${rowsIn(parameter, row)}`;
}

/** Assignments in SQL, such as `created_at = excluded.created_at` for `createdAt`. @param valueOf value of a column, and of its property */
export const assigned = (
  names: readonly string[],
  valueOf: (column: string, name: string) => string = (column) => `excluded.${column}`,
): string => names.map((name) => `${columnOf(name)} = ${valueOf(columnOf(name), name)}`).join(', ');

/** `INSERT` that replaces a row with these keys. */
export function upsertOf(
  table: string,
  row: Columns,
  keys: readonly string[],
  parameter: string,
  expressions: Readonly<Record<string, string>> = {},
): string {
  const otherNames = Object.keys({ ...row, ...expressions }).filter((name) => !keys.includes(name));
  return `${insertOf(table, row, parameter, expressions)}
   ON CONFLICT (${keys.map(columnOf).join(', ')}) DO UPDATE SET ${assigned(otherNames)}`;
}

/** Rows as a JSON parameter; whole numbers of any size are texts. */
export const rowsText = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

type Parser = (text: string) => unknown;

/** Years of four digits in UTC, which is the time zone of every session. */
const UTC_TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

/** Time of a text in ISO 8601 or a number of milliseconds, such as JSON has. @throws UnreadableValueError */
export function instant(value: string | number): Date {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) throw new UnreadableValueError('time', value);
  return time;
}

const timestamp = (text: string): Date => {
  if (!UTC_TIMESTAMP.test(text)) throw new UnreadableValueError('time in UTC', text);
  return instant(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
};

/** Parser of texts of a form; the text itself by default. */
const formed =
  (type: string, form: RegExp, parse: Parser = (text) => text): Parser =>
  (text) => {
    if (!form.test(text)) throw new UnreadableValueError(type, text);
    return parse(text);
  };

const WHOLE = /^-?\d+$/;
const wholeNumber = formed('whole number', WHOLE, Number);
const fraction = formed('finite number', /^-?\d+(\.\d+)?(e[+-]\d+)?$/, Number);

const bytesOf = (text: string): Buffer => {
  const value = Buffer.from(text.slice(2), 'hex');
  // `Buffer` ends at the first character that is no digit.
  if (!text.startsWith('\\x') || value.length * 2 !== text.length - 2)
    throw new UnreadableValueError('value in hexadecimal digits', text);
  return value;
};

/** Type `text[]`, which the driver's list of types does not name. */
const TEXT_ARRAY = 1009;
const intricateArray = types.getTypeParser(TEXT_ARRAY as never) as Parser;
/** An array with quotes, escapes, nulls, dimensions or bounds. */
const INTRICATE_ARRAY = /["\\[]|NULL|^\{\{/;

const textArray: Parser = (text) => {
  if (INTRICATE_ARRAY.test(text)) return intricateArray(text);
  return text === '{}' ? [] : text.slice(1, -1).split(',');
};

const {
  BOOL,
  BYTEA,
  FLOAT8,
  INT2,
  INT4,
  INT8,
  JSON: JSON_TEXT,
  JSONB,
  NUMERIC,
  TIMESTAMPTZ,
} = types.builtins;
const PARSERS = new Map<number, Parser>([
  [BOOL, formed('truth value', /^[tf]$/, (text) => text === 't')],
  [BYTEA, bytesOf],
  [INT2, wholeNumber],
  [INT4, wholeNumber],
  [INT8, formed('whole number', WHOLE)],
  [FLOAT8, fraction],
  [NUMERIC, formed('finite number', /^-?\d+(\.\d+)?$/)],
  [TIMESTAMPTZ, timestamp],
  [JSON_TEXT, JSON.parse],
  [JSONB, JSON.parse],
  [TEXT_ARRAY, textArray],
]);

/**
 * Parsers for our column types. They throw where the driver's own parsers would return null, NaN or false. Values of other types stay text. Reading
 * times and lists character by character, as the driver does, took a sixth of the CPU of a list request.
 */
export const VALUE_TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    format === 'binary' ? (types.getTypeParser(oid, format) as Parser) : (PARSERS.get(oid) ?? String),
};
