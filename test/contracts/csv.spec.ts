import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import type { TestApp } from '../support/app.js';
import { csvRows } from '../support/csv.js';
import { documentedOperations, filledPath } from '../support/document.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import type { TestPartner } from '../support/partner.js';
import { Posts } from '../support/posts.js';

const CSV = { accept: 'text/csv' };

/** The cell that a value of the JSON answer has: the rule of docs/integrate.md. */
const agrees = (cell: string, value: unknown): boolean => {
  if (value === null || value === undefined) return cell === '';
  if (typeof value === 'number') return Number(cell) === value && !/e/i.test(cell);
  if (typeof value === 'string') return cell === (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
  return cell === JSON.stringify(value);
};

/** What grows, or is filled in, between two requests. */
const GROWING = new Set(['value', 'yield', 'net_tvl', 'number', 'hash']);

const valueAt = (item: any, path: string): unknown => path.split('.').reduce((at, name) => at?.[name], item);

describe.each(eitherContract('partner'))('%s contract: lists as CSV', (contract) => {
  let posts: Posts;
  let app: TestApp;
  let partner: TestPartner;

  beforeAll(async () => {
    posts = await Posts.start(contract);
    ({ app, partner } = posts);
    await partner.api.post('/users', {
      external_id: '=1+1',
      label: 'a "quoted",\nlabel',
      metadata: { deep: [1] },
    });
  }, 60_000);
  afterAll(() => posts.close());

  const pagesOf = async (api: Api, path: string): Promise<any[]> => {
    const items: any[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query: string = `limit=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}${query}`);
      items.push(...body.data);
      cursor = body.meta.next_cursor;
    }
    return items;
  };

  it('have the rows of the JSON pages under a header, for every documented list', async () => {
    const lists = (await documentedOperations(app)).filter(
      ({ method, data }) => method === 'GET' && data?.type === 'array',
    );
    expect(lists.length).toBeGreaterThan(15);
    const ids = { ptn: partner.id, usr: (posts as unknown as { ids: { usr: string } }).ids.usr };
    for (const list of lists) {
      const api = list.scopes.some((scope) => scope === 'partner:read') ? partner.api : app.admin;
      const month = new Date().toISOString().slice(0, 7);
      const path = filledPath({ ...list, path: list.path.replace('{period}', month) }, ids);
      const answer = await api.get(path, CSV);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/csv; charset=utf-8; header=present',
      ]);
      const found = await pagesOf(api, path);
      // Of a statement by end-user, a line is of an end-user and an asset; of the journal, a debit or credit.
      const lines = path.includes('/statements/') ? 'assets' : path.endsWith('/journal') ? 'lines' : null;
      const items = lines
        ? found.flatMap((item) => item[lines].map((line: object) => ({ ...item, ...line })))
        : found;
      const rows = csvRows(answer.text);
      if (path.includes('/statements/')) expect(answer.text.split(',')[3]).toBe('asset');
      expect([path, rows.length]).toEqual([path, items.length]);
      rows.forEach((row, place) => {
        const wrong = Object.entries(row).filter(
          ([column, cell]) => !GROWING.has(column) && !agrees(cell, valueAt(items[place], column)),
        );
        expect([path, wrong]).toEqual([path, []]);
      });
    }
  }, 60_000);

  it('have plain decimals: six for an amount, up to twelve for a rate', async () => {
    const [row] = csvRows((await partner.api.get('/positions', CSV)).text);
    expect(row!['principal']).toMatch(/^\d+\.\d{6}$/);
    const [vault] = csvRows((await partner.api.get('/vaults', CSV)).text);
    expect(vault!['apy']).toMatch(/^(0|0\.\d{1,12})?$/);
  });

  it('escape a text that looks like a formula, and preserve quotes and line breaks', async () => {
    const row = csvRows((await partner.api.get('/partner/users', CSV)).text).find(
      ({ external_id }) => external_id === "'=1+1",
    );
    expect(row!['label']).toBe('a "quoted",\nlabel');
  });

  it('are available for lists only, without paging; JSON takes precedence if a request accepts both', async () => {
    expectError(await partner.api.get('/partner/summary', CSV), 406, 'not_acceptable');
    expectError(await partner.api.post('/users', { external_id: 'x' }, CSV), 406, 'not_acceptable');
    const paged = await partner.api.get('/positions?limit=5', CSV);
    expectError(paged, 400, 'validation_failed');
    expect(fieldsOf(paged)).toEqual(['limit']);
    const either = await partner.api.get('/positions', { accept: 'text/csv;q=0.9, application/json' });
    expect(either.headers.get('content-type')).toContain('application/json');
  });
});
