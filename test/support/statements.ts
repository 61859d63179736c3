import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from 'node:http';
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

type Method = (this: any, ...args: any[]) => unknown;

const noted = new AsyncLocalStorage<SentStatement[]>();

/**
 * Notes every statement that `work` sends through the deployment's own pool, and those of the requests which deployments of this process answer
 * meanwhile. What else goes on beside them, such as jobs and sends of webhooks, is not in it.
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const restore = [
    // A request comes by its socket, which knows nothing of who sent it.
    wrap(Server.prototype, 'emit', function (original, ...args) {
      const emit = (): unknown => original.apply(this, args);
      return args[0] === 'request' ? noted.run(sent, emit) : emit();
    }),
    wrap(pg.Client.prototype, 'query', function (original, ...args) {
      note(noted.getStore(), this.connectionParameters.application_name, args[0]);
      return original.apply(this, args);
    }),
  ];
  try {
    await noted.run(sent, work);
  } finally {
    restore.forEach((back) => back());
  }
  return sent;
}

function note(sent: SentStatement[] | undefined, connection: string, query: any): void {
  if (!sent || !/^vaultline-(partner|sandbox)$/.test(connection)) return;
  const text = typeof query === 'string' ? query : String(query?.text);
  // What the pool asks depends on how long a connection rested.
  if (text !== STILL_THERE) sent.push({ name: query?.name, text, values: query?.values ?? [] });
}

/** @returns what puts the method back */
function wrap(
  on: any,
  name: string,
  method: (this: any, original: Method, ...args: any[]) => unknown,
): () => void {
  const original: Method = on[name];
  const own = Object.hasOwn(on, name);
  on[name] = function (this: unknown, ...args: unknown[]) {
    return method.call(this, original, ...args);
  };
  return () => (own ? (on[name] = original) : delete on[name]);
}
