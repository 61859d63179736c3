import { IsString, Length, Matches } from 'class-validator';
import { exampleId } from '../../domain/kernel/demo-ids.js';
import { ID_PREFIXES, type IdKind } from '../../domain/kernel/identifier.js';
import { check, IsIdOfKind } from './field-rules.js';
import { MARKS } from '../openapi/schema.js';
import { field, type FieldOptions } from './fields.js';
import { idPattern, idSchema } from './path.js';

// Query parameters: all are optional.

/** Texts of one pattern, separated by commas. */
function listOf(form: string, maximum: number): RegExp {
  return new RegExp(`^${form}(?:,${form}){0,${maximum - 1}}$`);
}

/** Distinct choices, separated by commas. */
export const ChoiceListField = (options: FieldOptions & { of: readonly string[] }): PropertyDecorator => {
  const form = `(?:${options.of.map((choice) => choice.replaceAll('.', '\\.')).join('|')})`;
  const pattern = listOf(form, options.of.length);
  return field(
    { ...options, optional: true },
    { type: String, pattern: pattern.source },
    Matches(pattern, {
      message: `must be one or more of ${options.of.join(', ')}, separated by commas`,
    }),
  );
};

/** Id of the record that a list or report is narrowed to. An unknown one, or another partner's, is refused by the domain with 404. */
export const IdFilterField = ({
  kind,
  ...options
}: Pick<FieldOptions, 'description' | 'example'> & { kind: IdKind }): PropertyDecorator => {
  return field(
    { example: exampleId(ID_PREFIXES[kind]), ...options, optional: true },
    idSchema(kind),
    IsIdOfKind(kind),
  );
};

const VAULT = /^vlt_[a-z0-9_]{1,60}$/;

/** Vault of the catalogue that a list is limited to. An unknown one has no rows. */
export const VaultFilterField = (options: Pick<FieldOptions, 'description' | 'example'>): PropertyDecorator =>
  field(
    { ...options, optional: true },
    { type: String, pattern: VAULT.source },
    Matches(VAULT, { message: 'must be the id of a vault: vlt_ and lower-case letters, digits and _' }),
  );

/** End-users that a list is limited to: up to 100 ids, separated by commas. */
export const UserIdsField = (): PropertyDecorator => {
  const maximum = 100;
  const form = idPattern(ID_PREFIXES.user).replaceAll(/^\^|\$$/g, '');
  const pattern = listOf(form, maximum);
  return field(
    {
      description: 'Only these end-users. Ids of other partners are ignored.',
      optional: true,
    },
    { type: String, pattern: pattern.source },
    Matches(pattern, { message: `must be 1 to ${maximum} ids, separated by commas` }),
  );
};

export const PAGE_ROWS = { maximum: 500, default: 100 };

const BY_BYTES =
  'A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true.';
/** Pattern of a page size; derived for limits that are whole hundreds. */
const LIMIT = new RegExp(`^([1-9]\\d?|[1-${PAGE_ROWS.maximum / 100 - 1}]\\d\\d|${PAGE_ROWS.maximum})$`);
const LIMIT_RANGE = `a whole number from 1 to ${PAGE_ROWS.maximum}`;

const pageSize = (description: string, defaultValue: number | string, schema: object): PropertyDecorator =>
  field(
    { description, optional: true, example: defaultValue, default: defaultValue },
    schema,
    Matches(LIMIT, { message: `must be ${LIMIT_RANGE}` }),
  );

/** Page size, a decimal integer. */
export const LimitField = (): PropertyDecorator =>
  pageSize(`Rows per page. ${BY_BYTES}`, PAGE_ROWS.default, {
    type: 'integer',
    minimum: 1,
    maximum: PAGE_ROWS.maximum,
  });

/** Page size, where the contract's document has it as a text. */
export const LimitTextField = (): PropertyDecorator =>
  pageSize(`Rows per page: ${LIMIT_RANGE}. ${BY_BYTES}`, String(PAGE_ROWS.default), {
    type: String,
    pattern: LIMIT.source,
  });

const VERSION = /^[1-9]\d{0,8}$/;

export const VersionField = (options: Pick<FieldOptions, 'description'>): PropertyDecorator =>
  field(
    { ...options, optional: true },
    { type: 'integer', minimum: 1, maximum: 999_999_999 },
    Matches(VERSION, { message: 'must be a whole number of 1 or more' }),
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

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
/** Seconds and their fraction may be left out. The sign of an offset may be a space: a `+` that a caller did not encode arrives as one. */
const MOMENT =
  /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+\- ])([01]\d|2[0-3]):?([0-5]\d)?)$/;

const QUERY_TIME = `${DATE.source}|${MOMENT.source}`;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Time of a query, in ISO 8601: a moment with its offset from UTC, or a date, which is the UTC day.
 * @param edge of a day: its first millisecond, or its last
 * @returns to the millisecond; null for a text that is not a time, for a day that no calendar has, and for a time before 1970
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

const QueryTime = (): PropertyDecorator =>
  check(
    'queryTime',
    'must be a date such as 2026-01-31, or a time with its offset from UTC such as 2026-01-31T12:00:00Z or 2026-01-31T14:00:00+02:00',
    (value) => typeof value === 'string' && queryTime(value) !== null,
  );

/** A time in ISO 8601. @see queryTime */
export const QueryTimeField = ({
  edge,
  ...options
}: Pick<FieldOptions, 'description' | 'example'> & {
  /** Moment that a date without a time stands for. */
  edge: 'start' | 'end';
}): PropertyDecorator =>
  field(
    {
      ...options,
      description: `${options.description} ISO 8601 with any offset, or a date: the ${edge} of that UTC day.`,
      optional: true,
    },
    { type: String, pattern: QUERY_TIME, [MARKS.kind]: 'Moment' },
    QueryTime(),
  );
