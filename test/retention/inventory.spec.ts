import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Tables of the job queue, which the page names together. */
const QUEUE = [
  '_private_job_queues',
  '_private_jobs',
  '_private_known_crontabs',
  '_private_tasks',
  'migrations',
];

describe('docs/operations.md, on what is kept', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const tables = async (schema: string): Promise<string[]> => {
    const rows = await database.query<{ name: string }>(
      'live',
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
      [schema],
    );
    return rows.map(({ name }) => name);
  };

  it.each(['live', 'sandbox'])(
    'names every table of the schema %s: what it grows with, and what bounds it',
    async (schema) => {
      const page = readFileSync('docs/operations.md', 'utf8');
      const section = page.slice(
        page.indexOf('\n## Retention\n'),
        page.indexOf('\n### What one caller can make\n'),
      );
      const named = new Set([...section.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name));
      expect((await tables(schema)).filter((name) => !named.has(name))).toEqual([]);
      expect(await tables(`${schema}_jobs`)).toEqual(QUEUE);
    },
  );
});
