import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from 'node:http';
import { jest } from '@jest/globals';
import pg from 'pg';

/** A statement that was sent to PostgreSQL. */
export interface SentStatement {
  /** The name of a prepared statement. */
  name: string | undefined;
  text: string;
  /** Its parameters. */
  values: readonly unknown[];
  /** Pipelined: sent before the previous statement on the same connection was answered. */
  isBehind: boolean;
}

type Method = (this: any, ...given: any[]) => any;

const noted = new AsyncLocalStorage<SentStatement[]>();

/**
 * Records every statement that `work` sends through the deployment's own pool, and those of requests which deployments of this process answer
 * meanwhile. Statements of jobs and of webhook sends are left out.
 */
export async function statementsDuring(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const server = Server.prototype as { emit: Method };
  const client = pg.Client.prototype as unknown as { query: Method };
  const { emit } = server;
  const { query } = client;
  const unanswered = new WeakMap<object, number>();
  const spies = [
    // A request arrives by its socket, without the async context of its sender.
    jest.spyOn(server, 'emit').mockImplementation(function (this: any, ...given) {
      const go = (): unknown => emit.apply(this, given);
      return given[0] === 'request' ? noted.run(sent, go) : go();
    }),
    jest.spyOn(client, 'query').mockImplementation(function (this: any, ...given) {
      const before = unanswered.get(this) ?? 0;
      note(noted.getStore(), this.connectionParameters.application_name, given[0], before > 0);
      const answer = query.apply(this, given);
      if (answer instanceof Promise) {
        unanswered.set(this, before + 1);
        const answered = (): void => void unanswered.set(this, unanswered.get(this)! - 1);
        answer.then(answered, answered);
      }
      return answer;
    }),
  ];
  try {
    await noted.run(sent, work);
  } finally {
    spies.forEach((spy) => spy.mockRestore());
  }
  return sent;
}

/** The number of keys looked up: requests within one turn of the event loop share a statement. */
export const keysLookedUp = (sent: readonly SentStatement[]): number =>
  sent
    .filter(({ name }) => name === 'access.find_keys')
    .reduce((sum, { values }) => sum + (values[0] as unknown[]).length, 0);

function note(sent: SentStatement[] | undefined, connection: string, query: any, isBehind: boolean): void {
  if (!sent || !/^vaultline-(partner|sandbox)$/.test(connection)) return;
  const text = typeof query === 'string' ? query : String(query?.text);
  sent.push({ name: query?.name, text, values: query?.values ?? [], isBehind });
}
