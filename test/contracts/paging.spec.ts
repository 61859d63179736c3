import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { schemaOf } from '../support/database.js';
import { type DocumentedOperation, documentedOperations, filledPath } from '../support/document.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';

const ROWS = 250;

describe.each(['partner', 'sandbox'] as const)('%s contract: lists', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  /** Of records whose lists are read. */
  let ids: Record<string, string>;
  let lists: DocumentedOperation[];
  let protocol: Api;

  beforeAll(async () => {
    app = await startApp(contract);
    partner = await createPartner(app.admin);
    const key = await app.admin.post('/keys', { label: 'protocol', scopes: ['write'] });
    protocol = app.admin.as(key.body.data.secret);
    const user = await partner.api.post('/users', { external_id: 'paging:1' });
    ids = { ptn: partner.id, usr: user.body.data.id };
    lists = (await documentedOperations(app)).filter(
      ({ method, parameters }) => method === 'GET' && parameters.some(({ name }) => name === 'limit'),
    );
  });
  afterAll(() => app.close());

  const callerOf = ({ scopes }: DocumentedOperation): Api =>
    scopes.includes('partner:read') || scopes.includes('read')
      ? partner.api
      : scopes.includes('write')
        ? protocol
        : app.admin;
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

  it('take a limit of 1 to 500 as a whole decimal number, everywhere', async () => {
    expect(lists.length).toBeGreaterThanOrEqual(5);
    for (const operation of lists) {
      const path = filledPath(operation, ids);
      const api = callerOf(operation);
      for (const limit of [
        '0',
        '501',
        'abc',
        '1.5',
        '',
        '-1',
        '+5',
        '05',
        '1e2',
        '0x10',
        ' 5',
        '9'.repeat(40),
      ]) {
        const answer = await api.get(query(path, `limit=${encodeURIComponent(limit)}`));
        expectError(answer, 400, 'validation_failed');
        expect([operation.name, limit, fieldsOf(answer)]).toEqual([operation.name, limit, ['limit']]);
      }
      for (const limit of ['1', '9', '10', '99', '100', '499', '500']) {
        expect([operation.name, limit, (await api.get(query(path, `limit=${limit}`))).status]).toEqual([
          operation.name,
          limit,
          200,
        ]);
      }
    }
  });

  it('refuse a broken cursor and an unknown parameter, everywhere', async () => {
    for (const operation of lists) {
      const path = filledPath(operation, ids);
      for (const cursor of ['abc', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '!']) {
        expectError(
          await callerOf(operation).get(query(path, `cursor=${encodeURIComponent(cursor)}`)),
          400,
          'invalid_cursor',
        );
      }
      const answer = await callerOf(operation).get(query(path, 'page=2'));
      expectError(answer, 400, 'validation_failed');
      expect(fieldsOf(answer)).toEqual(['page']);
    }
  });

  describe(`of ${ROWS} rows, many of them of the same instant`, () => {
    let expected: string[];

    beforeAll(async () => {
      // Ten a millisecond, in the past, every third disabled.
      await app.database.query(
        schemaOf(contract),
        `INSERT INTO partners (id, name, status, revenue_share_bps, metadata, created_at, updated_at, disabled_at)
         SELECT 'ptn_01k0000000000000000000' || lpad(n::text, 4, '0'), 'Row ' || n, status, 4000, '{}', at, at,
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

  it('of webhooks, keys and campaigns are walked the same way', async () => {
    const made: Record<string, string[]> = {
      '/webhooks': [],
      [`/partners/${partner.id}/campaigns`]: [],
      '/keys': [],
    };
    const [webhooks, campaigns, keys] = Object.keys(made) as [string, string, string];
    for (let n = 0; n < 7; n++) {
      const hook = await partner.api.post(webhooks, { url: `http://127.0.0.1:9999/${n}` });
      const campaign = await app.admin.post(campaigns, { name: `${n}` });
      const key = await app.admin.post(keys, { label: `${n}` });
      for (const [path, { body }] of [
        [webhooks, hook],
        [campaigns, campaign],
        [keys, key],
      ] as const) {
        made[path]!.unshift(body.data.id);
      }
    }
    for (const path of Object.keys(made)) {
      const pages = await walk(path === webhooks ? partner.api : app.admin, path, 2);
      expect(
        pages
          .flat()
          .map(({ id }) => id)
          .slice(0, 7),
      ).toEqual(made[path]);
    }
  });
});
