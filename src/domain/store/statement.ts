/** A named prepared statement: PostgreSQL parses and plans `text` once a connection. Names are unique over the project. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const names = new Map<string, string>();

/**
 * Declares a statement of a hot path.
 *
 * @throws Error when another text already has the name: a connection would run the wrong one.
 */
export function statement(name: string, text: string): Statement {
  const known = names.get(name);
  if (known !== undefined && known !== text) throw new Error(`two statements are named ${name}`);
  names.set(name, text);
  return { name, text };
}

/** Texts of all that were declared so far, by name. */
export const statements: ReadonlyMap<string, string> = names;
