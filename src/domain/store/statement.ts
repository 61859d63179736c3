import type { Column, RowOf } from './column.js';

/** A named prepared statement: PostgreSQL parses and plans `text` once a connection. Names are unique over the project. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly shape?: undefined;
}

/** What goes into a statement, and what comes out of it. */
export interface StatementShape {
  /** $1, $2, ... */
  readonly values: readonly Column<unknown>[];
  /** Columns of a row, in any order. */
  readonly row: Readonly<Record<string, Column<unknown>>>;
}

/** A statement that says what it takes and what it answers: nobody can ask it for another row. A test compares both with what PostgreSQL says of it. */
export interface TypedStatement<Shape extends StatementShape> {
  readonly name: string;
  readonly text: string;
  readonly shape: Shape;
}

/** What a statement takes, and a row of what it answers. */
export type ValuesOf<Shape extends StatementShape> = TupleOf<Shape['values']>;
type TupleOf<V extends readonly Column<unknown>[]> = {
  readonly [Place in keyof V]: V[Place] extends Column<infer T> ? T : never;
};
export type AnswerOf<Shape extends StatementShape> = RowOf<Shape['row']>;

const names = new Map<string, string>();
const shapes = new Map<string, StatementShape>();

/**
 * Declares a statement of a hot path.
 *
 * @throws Error when another text already has the name: a connection would run the wrong one.
 */
export function statement(name: string, text: string): Statement;
export function statement<const Shape extends StatementShape>(
  name: string,
  shape: Shape,
  text: string,
): TypedStatement<Shape>;
export function statement(
  name: string,
  ...declared: [text: string] | [shape: StatementShape, text: string]
): Statement | TypedStatement<StatementShape> {
  const [text, shape] = declared.length === 1 ? declared : ([declared[1], declared[0]] as const);
  const known = names.get(name);
  if (known !== undefined && known !== text) throw new Error(`two statements are named ${name}`);
  names.set(name, text);
  if (!shape) return { name, text };
  shapes.set(name, shape);
  return { name, text, shape };
}

/** Texts of all that were declared so far, by name. */
export const statements: ReadonlyMap<string, string> = names;

/** What they take and answer, of those that say so. */
export const statementShapes: ReadonlyMap<string, StatementShape> = shapes;
