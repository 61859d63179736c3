import { dataOf, equals, holds, made, matches, refused, rowsOf, Skipped } from '../check.js';
import type { Caller } from '../caller.js';
import type { Exchange } from '../exchange.js';
import { filled, isAskable, isList, LISTED } from '../operations.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { refusedFor } from './fields.js';

const ROWS = 5;
const MOST_PAGES = 50;
/** Characters from which on a page may have ended by its size. */
const LARGE_PAGE = 500_000;

const BAD_LIMITS = [...['0', '501', 'abc', '1.5', '-1', '', '+5', '05', '1e2', '0x10', ' 5'], '9'.repeat(40)];

/** Lists that only a deposit has rows for. */
const OF_DEPOSITS = /\/(positions|decisions|ledger)$/;

/** Every list of which the run may read one. Those of the contract's document have a row, as far as the run may make one. */
async function listsOf(stage: Stage): Promise<{ name: string; path: string; caller: Caller }[]> {
  const ids = await stage.ids();
  await stage.delivery();
  const lists: { name: string; path: string; caller: Caller }[] = [];
  for (const operation of stage.operations.filter(isList)) {
    const caller = await stage.callerOf(operation);
    if (caller && isAskable(operation, ids))
      lists.push({ name: operation.name, path: filled(operation, ids), caller });
  }
  return lists;
}

const page = (caller: Caller, path: string, query: string): Promise<Exchange> =>
  caller.get(`${path}${path.includes('?') ? '&' : '?'}${query}`);

/** Ids of every row, page by page; `between` runs before each further page. */
async function walked(
  caller: Caller,
  path: string,
  limit: number,
  between: () => Promise<unknown>,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const answer = await page(caller, path, `limit=${limit}${cursor}`);
    const rows = dataOf(answer, 200) as { id: string }[];
    holds(rows.length <= limit, `${rows.length} rows came for a limit of ${limit}`, answer);
    const repeated = rows.find(({ id }) => ids.includes(id));
    holds(!repeated, `${repeated?.id} came a second time`, answer);
    ids.push(...rows.map(({ id }) => id));
    if (!answer.body.meta.has_more) return ids;
    holds(rows.length > 0, 'a page without a row says that more follows', answer);
    cursor = `&cursor=${encodeURIComponent(answer.body.meta.next_cursor)}`;
    await between();
  }
  throw new Skipped(`the list goes on after ${MOST_PAGES} pages`);
}

/** Makes rows, and walks their list; with one more row before each further page where pages are few. */
async function expectChain(caller: Caller, path: string, make: () => Promise<any>): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < ROWS; n++) ids.unshift((await make()).id);
  for (const limit of [1, 2, ROWS, 500]) {
    let added = 0;
    const grow = async (): Promise<void> => {
      if (limit === 2 && ++added <= ROWS) await make();
    };
    const seen = (await walked(caller, path, limit, grow)).filter((id) => ids.includes(id));
    equals(`${path} read with limit ${limit}, newest first,`, seen, ids);
  }
}

/** Walks a list while what is in it grows, and finds what was there at the start once each, in the order in which it was. */
async function expectSteady(caller: Caller, path: string, grow: () => Promise<unknown>): Promise<void> {
  const still = async (): Promise<void> => undefined;
  const before = await walked(caller, path, 500, still);
  holds(before.length >= 3, `${path} shows ${before.length} of the rows that were made`);
  let added = 0;
  const limit = Math.ceil(before.length / 4);
  const seen = await walked(caller, path, limit, async () => (++added <= 2 ? grow() : undefined));
  equals(
    `${path} read while it grows`,
    seen.filter((id) => before.includes(id)),
    before,
  );
}

export const pagingRules = rulesOf('paging', {
  'limit-bounds': [
    'Every list refuses a limit that is not an integer from 1 to 500, and names it.',
    async (stage) => {
      for (const [place, { caller, path }] of (await listsOf(stage)).entries())
        for (const limit of place === 0 ? BAD_LIMITS : BAD_LIMITS.slice(0, 3))
          refusedFor(await page(caller, path, `limit=${encodeURIComponent(limit)}`), 'limit');
    },
  ],
  'limit-kept': [
    'Every list accepts a limit from 1 to 500, and has at most that many rows.',
    async (stage) => {
      for (const [place, { caller, path, name }] of (await listsOf(stage)).entries()) {
        const hasRows =
          LISTED[stage.contract].includes(name) && (stage.options.deposits || !OF_DEPOSITS.test(path));
        for (const limit of place === 0 ? [1, 9, 10, 99, 100, 499, 500] : [1, 500]) {
          const answer = await page(caller, path, `limit=${limit}`);
          const rows = hasRows ? rowsOf(answer) : dataOf(answer, 200);
          holds(rows.length <= limit, 'more rows came than asked for', answer);
        }
      }
    },
  ],
  meta: [
    'Every list has meta.has_more, with next_cursor exactly if it is true; a page with fewer rows than its limit is the last.',
    async (stage) => {
      for (const { caller, path } of await listsOf(stage))
        for (const limit of [1, 500]) {
          const answer = await page(caller, path, `limit=${limit}`);
          const rows = made(answer);
          const { has_more: more, next_cursor: cursor } = answer.body.meta ?? {};
          equals('object', answer.body.object, 'list', answer);
          const expected = more ? { has_more: true, next_cursor: cursor } : { has_more: false };
          equals('meta', answer.body.meta, expected, answer);
          if (more) matches('next_cursor', cursor, /^[\w-]+$/, answer);
          const isFull = rows.length === limit || answer.text.length > LARGE_PAGE;
          holds(!more || isFull, `more follows on ${rows.length} rows for a limit of ${limit}`, answer);
        }
    },
  ],
  order: [
    'Every list of the contract is newest first, except for signals, which are ranked.',
    async (stage) => {
      for (const { caller, path, name } of await listsOf(stage)) {
        if (!LISTED[stage.contract].includes(name) || name === 'GET /analytics/signals') continue;
        const answer = await page(caller, path, 'limit=500');
        const times = dataOf(answer, 200).map((row: any) => row.created_at ?? row.opened_at ?? row.at);
        equals('the order', times, times.toSorted().reverse(), answer);
      }
    },
  ],
  'broken-cursor': [
    'Every list refuses an invented cursor: 400 invalid_cursor.',
    async (stage) => {
      for (const { caller, path } of await listsOf(stage))
        for (const cursor of ['abc', 'A'.repeat(32), '%21'])
          refused(await page(caller, path, `cursor=${cursor}`), 400, 'invalid_cursor');
    },
  ],
  'foreign-cursor': [
    "A cursor of another list, another partner's list or other filters is refused: 400 invalid_cursor.",
    async (stage) => {
      const { caller } = await stage.partner();
      await stage.newWebhook();
      await stage.newWebhook();
      const answer = await page(caller, '/webhooks', 'limit=1');
      const cursor = answer.body.meta?.next_cursor;
      holds(typeof cursor === 'string', 'two endpoints do not make a second page', answer);
      const stranger = (await stage.stranger()).caller;
      refused(await page(stranger, '/webhooks', `cursor=${cursor}`), 400, 'invalid_cursor');
      for (const { path, caller: reader, name } of await listsOf(stage))
        if (name !== 'GET /webhooks')
          refused(await page(reader, path, `cursor=${cursor}`), 400, 'invalid_cursor');
      made(await stage.admin.post(`/partners`, { name: stage.name('paged') }));
      const partners = (await stage.admin.get('/partners?limit=1')).body.meta?.next_cursor;
      refused(await stage.admin.get(`/partners?status=active&cursor=${partners}`), 400, 'invalid_cursor');
    },
  ],
  'chain-webhooks': [
    'Pages of endpoints contain each once, newest first, with any limit and during additions.',
    async (stage) => {
      const { caller } = await stage.partner();
      await expectChain(caller, '/webhooks', async () => (await stage.newWebhook()).body.data);
    },
  ],
  'chain-users': [
    'Pages of end-users contain each once, newest first, with any limit and during additions.',
    async (stage) => {
      const { caller } = await stage.partner();
      await expectChain(caller, '/partner/users', () => stage.newUser(caller));
    },
  ],
  'chain-keys': [
    'Pages of keys contain each once, newest first, with any limit.',
    async (stage) => {
      for (let n = 0; n < ROWS; n++) made(await stage.admin.post('/keys', { label: stage.name('paged') }));
      const keys = dataOf(await stage.admin.get(`/keys?limit=${ROWS}`), 200);
      const ids = keys.map((one: any) => one.id);
      for (const limit of [1, 2]) {
        const seen: string[] = [];
        let cursor = '';
        while (seen.length < ROWS) {
          const answer = await page(stage.admin, '/keys', `limit=${limit}${cursor}`);
          seen.push(...dataOf(answer, 200).map((one: any) => one.id));
          cursor = `&cursor=${answer.body.meta.next_cursor}`;
        }
        equals(`/keys read with limit ${limit}, newest first,`, seen.slice(0, ROWS), ids);
      }
    },
  ],
  'chain-campaigns': [
    'Pages of campaigns contain each once, newest first, with any limit and during additions.',
    async (stage) => {
      const path = `/partners/${(await stage.partner()).id}/campaigns`;
      const make = async (): Promise<any> =>
        made(await stage.admin.post(path, { name: stage.name('paged') }));
      await expectChain(stage.admin, path, make);
    },
  ],
  'growing-positions': [
    'Pages of positions, decisions and ledger contain every earlier row once, in order, during deposits and withdrawals.',
    async (stage) => {
      const { caller } = await stage.partner();
      const { id: user } = await stage.user();
      const grow = async (): Promise<void> => {
        const { id } = made(await stage.deposit(2));
        made(await stage.withdraw(id, 1));
      };
      for (let n = 0; n < 3; n++) await grow();
      for (const path of [
        '/positions',
        `/positions?asset=${stage.assets[0]}`,
        `/partner/user/${user}/positions`,
        `/users/${user}/ledger`,
        `/analytics/decisions?user_id=${user}`,
        `/analytics/decisions?asset=${stage.assets[0]}`,
      ])
        await expectSteady(caller, path, grow);
    },
  ],
  'growing-log': [
    'Pages of the delivery log contain every earlier record once, in order, during additions.',
    async (stage) => {
      const { caller } = await stage.partner();
      const { id } = (await stage.newWebhook()).body.data;
      const send = async (): Promise<void> => void made(await caller.post(`/webhooks/${id}/test`));
      for (let n = 0; n < ROWS; n++) await send();
      const log = `${stage.contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events'}?webhook_id=${id}`;
      for (const path of [log, `${log}&status=failed`]) await expectSteady(caller, path, send);
    },
  ],
});
