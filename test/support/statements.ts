import pg from 'pg';
import { STILL_THERE } from '../../src/database/patient-client.js';

/** One statement on its way to PostgreSQL. */
export interface SentStatement {
  /** Of a named prepared statement. */
  name: string | undefined;
  text: string;
  /** Its parameters. */
  values: readonly unknown[];
}

/** Notes every statement that the deployment's own pool sends while `work` runs; the queue's connections are others. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...args: any[]) => unknown };
  const original = prototype.query;
  prototype.query = function (this: { connectionParameters: { application_name: string } }, ...args) {
    const [query] = args;
    if (/^vaultline-(partner|sandbox)$/.test(this.connectionParameters.application_name)) {
      const text = typeof query === 'string' ? query : String(query?.text);
      // What the pool asks depends on how long a connection rested.
      if (text !== STILL_THERE) sent.push({ name: query?.name, text, values: query?.values ?? [] });
    }
    return original.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return sent;
}
