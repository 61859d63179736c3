import type { Client } from 'pg';

/** What PostgreSQL says of a statement. */
export interface Described {
  /** Types of $1, $2, ..., as PostgreSQL names them. */
  values: string[];
  /** Type of each column of a row. */
  row: Record<string, string>;
}

interface Wire {
  parse(message: { name: string; text: string }, more: boolean): void;
  describe(message: { type: 'S'; name: string }, more: boolean): void;
  sync(): void;
}

/** Has a statement parsed and described: nothing is run, so any statement will do. */
export async function describeStatement(client: Client, text: string): Promise<Described> {
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

/** The driver describes portals of what it runs; this asks for a statement that nobody runs. */
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
