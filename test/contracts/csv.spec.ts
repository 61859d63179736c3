import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvText } from '../../console/src/format/csv.js';
import { cellOf } from '../../src/http/answer/csv-cell.js';
import type { Api } from '../support/api.js';
import type { TestApp } from '../support/app.js';
import { csvRows } from '../support/csv.js';
import { documentedOperations, filledPath } from '../support/document.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Posts } from '../support/posts.js';

const CSV = { accept: 'text/csv' };

/** The cell that a value of the JSON answer has: the rule of docs/integrate.md. */
const agrees = (cell: string, value: unknown): boolean => {
  if (value === null || value === undefined) return cell === '';
  if (typeof value === 'number') return Number(cell) === value && !/e/i.test(cell);
  return (
    cell.replaceAll(/(^|;)'(?==)/g, '$1') === (typeof value === 'string' ? value : JSON.stringify(value))
  );
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
      label: 'a;=1+1 "quoted",\nlabel',
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

  it('Lists as CSV have the rows of the JSON pages under a header, for every documented list', async () => {
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
      const jsonRows = await pagesOf(api, path);
      // Of a statement by end-user, a line is of an end-user and an asset; of the journal, a debit or credit.
      const lines = path.includes('/statements') ? 'assets' : path.endsWith('/journal') ? 'lines' : null;
      const items = lines
        ? jsonRows.flatMap((item) => item[lines].map((line: object) => ({ ...item, ...line })))
        : jsonRows;
      const rows = csvRows(answer.text);
      if (path.includes('/statements/')) expect(answer.text.split(',')[3]).toBe('asset');
      expect([path, rows.length]).toEqual([path, items.length]);
      rows.forEach((row, index) => {
        const wrong = Object.entries(row).filter(
          ([column, cell]) => !GROWING.has(column) && !agrees(cell, valueAt(items[index], column)),
        );
        expect([path, wrong]).toEqual([path, []]);
      });
    }
  }, 60_000);

  it.each([
    ['Ácme & Co. "Wallet"; a/../b\r\n', 'acme-co-wallet-a-b'],
    ['n'.repeat(120), 'n'.repeat(40)],
    ['株式会社', null],
  ])('The name of a file says of whom, of what and of when it is: %j', async (name, slug) => {
    const other = await createPartner(app.admin, name);
    const owner = slug ?? other.id;
    const month = new Date().toISOString().slice(0, 7);
    for (const [path, rest] of [
      [`/partner/statements/${month}`, `statement-${month}`],
      [`/partner/statements/${month}/users`, `statement-users-${month}`],
      ['/partner/statements', 'statements'],
      ['/partner/ledger?from=2026-01-01&to=2026-01-31T23:00:00Z&asset=USDC', 'ledger-2026-01-01-2026-01-31'],
      ['/partner/terms', 'terms'],
    ])
      expect((await other.api.get(path!, CSV)).headers.get('content-disposition')).toBe(
        `attachment; filename="vaultline-${owner}-${rest}.csv"`,
      );
    const { headers } = await app.admin.get(`/partners/${other.id}/terms`, CSV);
    expect(headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="vaultline-(live|sandbox)-partner-${other.id}-terms.csv"$`),
    );
  });

  it.each([
    ['a statement', `statements/${new Date().toISOString().slice(0, 7)}`, 'assets'],
    ['daily closings', 'history', 'points'],
    ['the revenue share', 'revenue', 'assets'],
    ['points', 'points', 'campaigns'],
    ['the trial balance', 'trial-balance', 'accounts'],
  ])('A report as CSV has a row for each line of %s, without sums', async (_, report, lines) => {
    const path = `/partner/${report}`;
    const answer = await partner.api.get(path, CSV);
    expect(answer.status).toBe(200);
    const { data } = (await partner.api.get(path)).body;
    const rows = csvRows(answer.text);
    const items = data[lines].map((line: object) => ({ ...data, ...line }));
    expect(rows).toHaveLength(items.length);
    const header = answer.text.split('\r\n')[0]!.split(',');
    expect(header).toEqual([...new Set(header)]);
    expect(header.filter((name) => /^totals?\b/.test(name))).toEqual([]);
    rows.forEach((row, index) => {
      const wrong = Object.entries(row).filter(
        ([column, cell]) =>
          !GROWING.has(column) &&
          column !== 'as_of' &&
          column !== 'points' &&
          !agrees(cell, valueAt(items[index], column)),
      );
      expect(wrong).toEqual([]);
    });
  });

  it('Lists as CSV have plain decimals: six for an amount, up to twelve for a rate', async () => {
    const [row] = csvRows((await partner.api.get('/positions', CSV)).text);
    expect(row!['principal']).toMatch(/^\d+\.\d{6}$/);
    const [vault] = csvRows((await partner.api.get('/vaults', CSV)).text);
    expect(vault!['apy']).toMatch(/^(0|0\.\d{1,12})?$/);
  });

  it('Lists as CSV escape a text that looks like a formula in any part of it, and preserve quotes and line breaks', async () => {
    const row = csvRows((await partner.api.get('/partner/users', CSV)).text).find(
      ({ external_id }) => external_id === "'=1+1",
    );
    expect(row!['label']).toBe('a;\'=1+1 "quoted",\nlabel');
  });

  it('Lists as CSV are available for lists only, without paging', async () => {
    expectError(await partner.api.get('/partner/summary', CSV), 406, 'not_acceptable');
    expectError(await partner.api.post('/users', { external_id: 'x' }, CSV), 406, 'not_acceptable');
    const paged = await partner.api.get('/positions?limit=5', CSV);
    expectError(paged, 400, 'validation_failed');
    expect(fieldsOf(paged)).toEqual(['limit']);
  });

  it.each([
    ['text/csv', 'text/csv'],
    ['text/csv; header=present; charset=utf-8', 'text/csv'],
    ['TEXT/CSV;Charset="UTF-8"', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/html, text/csv;q=0.1', 'text/csv'],
    ['application/json;q=0, */*', 'text/csv'],
    ['application/json;q=0.2, text/csv; header=present', 'text/csv'],
    ['text/csv;q=0.9, application/json', 'application/json'],
    ['text/csv;q=0, */*', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['text/csv; charset=iso-8859-1, */*;q=0.1', 'application/json'],
    ['text/csv; charset=iso-8859-1', null],
    ['text/csv; header=absent', null],
    ['text/csv;q=0', null],
    ['text/html', null],
  ])('Lists as CSV have the type that `Accept: %s` asks for: %s', async (accept, type) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await partner.api.send(method, '/positions', undefined, { accept });
      expect([method, status]).toEqual([method, type === null ? 406 : 200]);
      expect(headers.get('content-type')).toContain(type ?? 'application/json');
    }
  });
});

/** A text as the server writes it, and as the console does. */
const cellsOf = (text: string): string[] => [
  cellOf({ path: ['text'], decimals: null }, { text }),
  csvText([[text]]).slice(0, -2),
];

describe('a CSV cell of the server and of the console', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['-5', "'-5"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠a', "'＠a"],
    ['a;=1+1', `"a;'=1+1"`],
    ['a;b;@c', `"a;b;'@c"`],
    ['a\t=1', `"a\t'=1"`],
    ['a\n＋1', `"a\n'＋1"`],
    ['a\r\n-1', `"a\r\n'-1"`],
    ['a; \u00a0=1', `"a; \u00a0'=1"`],
    ['\ufeff=1', `"\ufeff'=1"`],
    ['\u200b@a', "\u200b'@a"],
    ['"=1"', `"""'=1"""`],
    ['a;"=1"', `"a;""'=1"""`],
    ['a;b', '"a;b"'],
    ['a=1;b-c', '"a=1;b-c"'],
    ['user@example.com', 'user@example.com'],
    ['2026-10-01', '2026-10-01'],
  ])(
    'A CSV cell of %j has an apostrophe before what a spreadsheet takes for a formula, and quotes: %j',
    (text, cell) => {
      expect(cellsOf(text)).toEqual([cell, cell]);
    },
  );

  it('A CSV cell of any text has no formula, wherever a spreadsheet splits it and whatever it trims', () => {
    const piece = fc.constantFrom(...'=+-@＝＋－＠;\t\n\r", \u00a0\u200b\ufeffa');
    const texts = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        for (const cell of cellsOf(text)) {
          expect(cell).not.toMatch(/(^|[;\t\n\r])[\s\u200b\ufeff"]*[=+\-@＝＋－＠]/);
          const [row] = csvRows(`text\r\n${cell}\r\n`);
          expect(row!['text']!.replaceAll("'", '')).toBe(text);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('A CSV cell of the server and of the console is a number where the value is a number', () => {
    expect(cellOf({ path: ['amount'], decimals: 6 }, { amount: -5 })).toBe('-5.000000');
    expect(cellOf({ path: ['count'], decimals: null }, { count: -5 })).toBe('-5');
    expect(csvText([[-5]])).toBe('-5\r\n');
  });

  it('A CSV cell of the server and of the console guards the texts of a free object', () => {
    const cell = cellOf({ path: ['metadata'], decimals: null }, { metadata: { note: 'a;=1' } });
    expect(cell).toBe(`"{""note"":""a;'=1""}"`);
  });

  it.each([' ', ';', '"', '=', '\t'])(
    'A CSV cell of a hundred thousand %j takes no longer to write than others',
    (character) => {
      const startedAt = performance.now();
      cellsOf(`a;${character.repeat(100_000)}=`);
      expect(performance.now() - startedAt).toBeLessThan(1_000);
    },
  );
});
