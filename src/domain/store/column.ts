/** A type of PostgreSQL, and what the driver makes of it. */
export interface Column<T> {
  /** As PostgreSQL names it. */
  readonly type: string;
  /** Only for the compiler. */
  readonly value?: T;
}

type Columns = Readonly<Record<string, Column<unknown>>>;

/** The values of a row with these columns. */
export type RowOf<C> = { -readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };

const column =
  <Default>(type: string) =>
  <T extends Default = Default>(): Column<T> => ({ type });

export const bool = column<boolean>('boolean');
export const bytes = column<Buffer>('bytea');
/** Up to 15 bits. */
export const small = column<number>('smallint');
/** Up to 31 bits. */
export const integer = column<number>('integer');
export const double = column<number>('double precision');
export const text = column<string>('text');
export const uuid = column<string>('uuid');
/** Whole numbers of any size: the driver answers with texts. */
export const long = column<string>('bigint');
export const numeric = column<string>('numeric');
/** As a value: what LIMIT or OFFSET takes. */
export const rowCount = column<number>('bigint');
export const jsonb = column<unknown>('jsonb');
/** As a value: its text. */
export const json = column<unknown>('json');
/** What a function answers that has nothing to say. */
export const nothing = column<''>('void');
export const time = column<Date>('timestamp with time zone');
/** As a value: 'infinity' is behind all times, '-infinity' before them. */
export const moment = column<Date | 'infinity' | '-infinity'>('timestamp with time zone');

export const orNull = <T>({ type }: Column<T>): Column<T | null> => ({ type });
export const listOf = <T>({ type }: Column<T>): Column<T[]> => ({ type: `${type}[]` });

/**
 * The columns of a row as SQL lists them: `created_at AS "createdAt"`.
 *
 * @param of the table's alias
 */
export const columnsOf = (row: Columns, of?: string): string =>
  Object.keys(row)
    .map((name) => {
      const own = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return `${of === undefined ? '' : `${of}.`}${own}${own === name ? '' : ` AS "${name}"`}`;
    })
    .join(', ');
