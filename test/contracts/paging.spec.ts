import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { schemaOf } from '../support/database.js';

const ROWS = 250;

describe.each(['partner', 'sandbox'] as const)('%s contract: lists', (contract) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
  });
  afterAll(() => app.close());

  const query = (path: string, parameters: string): string =>
    path + (path.includes('?') ? '&' : '?') + parameters;

  /** Reads a list to its end. `between` runs before each further page. */
  async function walk(
    api: Api,
    path: string,
    limit: number,
    between = async (): Promise<unknown> => undefined,
  ) {
    const pages: any[][] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await api.get(query(path, `limit=${limit}${cursor}`));
      expect(status).toBe(200);
      expect(body.object).toBe('list');
      pages.push(body.data);
      if (!body.meta.has_more) {
        expect(body.meta).toEqual({ has_more: false });
        return pages;
      }
      expect(body.meta).toEqual({ has_more: true, next_cursor: expect.stringMatching(/^[\w-]{1,200}$/) });
      cursor = `&cursor=${body.meta.next_cursor}`;
      await between();
    }
  }

  describe(`of ${ROWS} rows, many of them of the same instant`, () => {
    let expected: string[];

    beforeAll(async () => {
      // Ten rows a millisecond, in the past, every third disabled.
      await app.database.query(
        schemaOf(contract),
        `INSERT INTO partners (id, name, status, performance_fee_bps, revenue_share_bps, metadata, created_at, updated_at, disabled_at)
         SELECT 'ptn_01k0000000000000000000' || lpad(n::text, 4, '0'), 'Row ' || n, status, 1000, 4000, '{}', at, at,
                CASE status WHEN 'disabled' THEN at END
           FROM generate_series(1, ${ROWS}) AS n,
                LATERAL (SELECT timestamptz '2025-01-01T00:00:00.5Z' + n / 10 * interval '1 millisecond' AS at,
                                CASE n % 3 WHEN 0 THEN 'disabled' ELSE 'active' END AS status) AS row`,
      );
      const ids = Array.from(
        { length: ROWS },
        (_, n) => `ptn_01k0000000000000000000${String(n + 1).padStart(4, '0')}`,
      );
      expected = ids.reverse();
    });
    const old = (pages: any[][]): string[] =>
      pages
        .flat()
        .map(({ id }) => id)
        .filter((id) => id.startsWith('ptn_01k000'));

    it('are walked newest first, no row twice and none left out, whatever the page size', async () => {
      for (const limit of [1, 7, 50, 100, 500])
        expect(old(await walk(app.admin, '/partners', limit))).toEqual(expected);
    });

    it('are walked the same while rows are added', async () => {
      let added = 0;
      const add = () => app.admin.post('/partners', { name: `Added ${++added}` });
      const pages = await walk(app.admin, '/partners', 20, add);
      expect(old(pages)).toEqual(expected);
      expect(added).toBeGreaterThan(10);
      expect(pages.flat().some(({ name }) => /^Added/.test(name))).toBe(false);
      expect((await app.admin.get('/partners?limit=1')).body.data[0].name).toBe(`Added ${added}`);
    });

    it('say that more follows only when it does, also when the last page is full', async () => {
      const path = '/partners?status=disabled';
      const sizes = async (limit: number) => (await walk(app.admin, path, limit)).map(({ length }) => length);
      expect(await sizes(83)).toEqual([83]);
      expect(await sizes(41)).toEqual([41, 41, 1]);
      expect(await sizes(82)).toEqual([82, 1]);
    });

    it('keep to their filter on every page; 100 rows a page unless asked otherwise', async () => {
      const pages = await walk(app.admin, '/partners?status=active', 60);
      expect(new Set(pages.flat().map(({ status }) => status))).toEqual(new Set(['active']));
      expect(old(pages)).toHaveLength(ROWS - Math.floor(ROWS / 3));
      expect((await app.admin.get('/partners')).body.data).toHaveLength(100);
    });
  });
});
