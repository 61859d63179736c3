import type { Client } from 'pg';

/** PostgreSQL's description of a statement. */
export interface DescribedStatement {
  /** Types of $1, $2, ..., by PostgreSQL's names. */
  values: string[];
  /** The type of each column of a row. */
  row: Record<string, string>;
}

interface Wire {
  parse(message: { name: string; text: string }, more: boolean): void;
  describe(message: { type: 'S'; name: string }, more: boolean): void;
  sync(): void;
}

/** Has PostgreSQL parse and describe a statement without running it, so that any statement will do. */
export async function describeStatement(client: Client, text: string): Promise<DescribedStatement> {
  const name = 'described';
  await client.query(`PREPARE ${name} AS ${text}`);
  try {
    const fields = await rowOf(client, name);
    const { rows } = await client.query<{ values: string[]; types: string[] }>(
      `SELECT parameter_types::text[] AS values, (SELECT array_agg(format_type(oid, NULL) ORDER BY place)
         FROM unnest($1::oid[]) WITH ORDINALITY AS given(oid, place)) AS types FROM pg_prepared_statements WHERE name = '${name}'`,
      [fields.map(({ dataTypeID }) => dataTypeID)],
    );
    const { values, types } = rows[0]!;
    return { values, row: Object.fromEntries(fields.map((field, place) => [field.name, types[place]!])) };
  } finally {
    await client.query(`DEALLOCATE ${name}`);
  }
}

/** The driver describes portals only; this describes a prepared statement, which is never run. */
function rowOf(client: Client, name: string): Promise<{ name: string; dataTypeID: number }[]> {
  return new Promise((resolve, reject) => {
    let fields: { name: string; dataTypeID: number }[] = [];
    const query = {
      submit: (wire: Wire) => {
        wire.describe({ type: 'S', name }, true);
        wire.sync();
      },
      handleRowDescription: (message: { fields: typeof fields }) => (fields = message.fields),
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    };
    client.query(query as never);
  });
}
