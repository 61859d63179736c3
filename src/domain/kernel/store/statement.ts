import type { Column, RowOf } from './column.js';

type Columns = Readonly<Record<string, Column<unknown>>>;

export interface StatementShape {
  /** $1, $2, ... */
  readonly values: readonly Column<unknown>[];
  readonly row: Columns;
  /** Columns of an outer join: null all together, or none of them. */
  readonly joined?: Columns;
  /** Planned for the values of each call: for filters whose share of rows a plan without them misjudges. */
  readonly isPlannedAnew?: true;
}

/**
 * Named prepared statement: parsed and planned once a connection. Parameters and result are typed; a test compares both with PostgreSQL's own
 * description.
 */
export interface Statement<Shape extends StatementShape = StatementShape> {
  readonly name: string;
  readonly text: string;
  readonly shape: Shape;
  /** Columns whose values are read from the driver's text. */
  readonly reads: readonly (readonly [name: string, read: (text: string) => unknown])[];
}

export type ValuesOf<Shape extends Pick<StatementShape, 'values'>> = TupleOf<Shape['values']>;
type TupleOf<V extends readonly Column<unknown>[]> = {
  readonly [Place in keyof V]: V[Place] extends Column<infer T> ? ParameterValue<T> : never;
};
type ParameterValue<T> = T extends Buffer ? T : T extends (infer One)[] ? readonly One[] : T;

/** Row type of a statement's result. */
export type AnswerOf<Shape extends StatementShape> = RowOf<Shape['row']> &
  (Shape['joined'] extends Columns ? RowOf<Shape['joined']> | NoneOf<Shape['joined']> : unknown);
/** The same, derived from the statement. */
export type RowFrom<S> = S extends Statement<infer Shape> ? AnswerOf<Shape> : never;
type NoneOf<C> = { -readonly [Name in keyof C]: null };

const declared = new Map<string, Statement>();

/** Declares a statement of a hot path. @throws Error when another text already has the name, since a connection would run the wrong one. */
export function statement<const Shape extends StatementShape>(
  name: string,
  shape: Shape,
  text: string,
): Statement<Shape> {
  const known = declared.get(name);
  if (known !== undefined && known.text !== text) throw new Error(`two statements are named ${name}`);
  const columns = Object.entries<Column<unknown>>({ ...shape.row, ...shape.joined });
  const reads = columns.flatMap(([column, { read }]) => (read ? [[column, read] as const] : []));
  const made = { name, text, shape, reads };
  declared.set(name, made);
  return made;
}

export const statements: ReadonlyMap<string, Statement> = declared;
