import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Pool, Query, QueryConfig } from 'pg';
import { pipelined, sendQuery } from './transaction.js';

describe('statements that share a round trip', () => {
  it('Statements that share a round trip return results in the order of the statements', async () => {
    expect(await pipelined([sleep(2, 'late'), Promise.resolve(1)])).toEqual(['late', 1]);
  });

  it('Statements that share a round trip fail with the error of the first failed statement, once all have ended', async () => {
    const ended: string[] = [];
    const failing = async (name: string, ms: number): Promise<void> => {
      await sleep(ms);
      ended.push(name);
      throw new Error(name);
    };
    await expect(pipelined([failing('cause', 4), failing('consequence', 1)])).rejects.toThrow('cause');
    expect(ended).toEqual(['consequence', 'cause']);
  });
});

describe('a statement', () => {
  type Answered = (error: Error | undefined, result?: unknown) => void;
  const pool = (query: (asked: Query, answer: Answered) => void) => ({ query }) as unknown as Pool;
  const ask: QueryConfig & { query_timeout: number } = {
    name: 'one',
    text: 'SELECT $1',
    values: [1],
    query_timeout: 7,
  };

  it('A statement is sent with all that was asked, and a second time as another object', async () => {
    const queries: Query[] = [];
    const answering = pool((query, answer) => {
      queries.push(query);
      answer(undefined, { rows: [queries.length] });
    });
    expect(await sendQuery(answering, ask)).toEqual({ rows: [1] });
    expect(await sendQuery(answering, ask)).toEqual({ rows: [2] });
    for (const query of queries) expect(query).toMatchObject(ask);
    expect(queries[0]).not.toBe(queries[1]);
  });

  it('A statement fails with the stack of its caller, whether the driver answers with the error or throws it', async () => {
    const late = pool((_, answer) => void setImmediate(() => answer(new Error('late'))));
    const early = pool(() => {
      throw new Error('early');
    });
    async function caller(by: Pool): Promise<string | undefined> {
      try {
        await sendQuery(by, ask);
      } catch (error) {
        return (error as Error).stack;
      }
    }
    expect(await caller(late)).toMatch(/^Error: late\n.* sent [^]* caller /);
    expect(await caller(early)).toMatch(/^Error: early\n.* sent [^]* caller /);
  });
});
