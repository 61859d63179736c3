import type { Column, RowOf } from './column.js';

type Columns = Readonly<Record<string, Column<unknown>>>;

/** What goes into a statement, and what comes out of it. */
export interface StatementShape {
  /** $1, $2, ... */
  readonly values: readonly Column<unknown>[];
  /** Columns of a row, in any order. */
  readonly row: Columns;
  /** More of them, by an outer join: null all together, or as they say. */
  readonly joined?: Columns;
}

/**
 * A named prepared statement: PostgreSQL parses and plans `text` once a connection. Names are unique over the project. It says what it takes and what it
 * answers: nobody can ask it for another row. A test compares both with what PostgreSQL says of it.
 */
export interface Statement<Shape extends StatementShape = StatementShape> {
  readonly name: string;
  readonly text: string;
  readonly shape: Shape;
}

/** What a statement takes. */
export type ValuesOf<Shape extends Pick<StatementShape, 'values'>> = TupleOf<Shape['values']>;
type TupleOf<V extends readonly Column<unknown>[]> = {
  readonly [Place in keyof V]: V[Place] extends Column<infer T> ? Given<T> : never;
};
type Given<T> = T extends Buffer ? T : T extends (infer One)[] ? readonly One[] : T;

/** A row of what it answers. */
export type AnswerOf<Shape extends StatementShape> = RowOf<Shape['row']> &
  (Shape['joined'] extends Columns ? RowOf<Shape['joined']> | NoneOf<Shape['joined']> : unknown);
/** The same, by the statement. */
export type RowFrom<S> = S extends Statement<infer Shape> ? AnswerOf<Shape> : never;
type NoneOf<C> = { -readonly [Name in keyof C]: null };

const declared = new Map<string, Statement>();

/**
 * Declares a statement of a hot path.
 *
 * @throws Error when another text already has the name: a connection would run the wrong one.
 */
export function statement<const Shape extends StatementShape>(
  name: string,
  shape: Shape,
  text: string,
): Statement<Shape> {
  const known = declared.get(name);
  if (known !== undefined && known.text !== text) throw new Error(`two statements are named ${name}`);
  const made = { name, text, shape };
  declared.set(name, made);
  return made;
}

/** All that were declared so far, by name. */
export const statements: ReadonlyMap<string, Statement> = declared;
