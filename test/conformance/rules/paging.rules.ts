import { dataOf, equals, holds, made, refused, rowsOf, SkippedRule } from '../check.js';
import type { Caller } from '../caller.js';
import type { Exchange } from '../exchange.js';
import { filled, isAskable, isList, LISTED } from '../operations.js';
import { rulesOf } from '../rule.js';
import type { OwnPartner, Stage } from '../stage.js';
import { refusedFor } from './fields.js';

const MOST_PAGES = 50;
/** Of a list without a limit. */
const DEFAULT_LIMIT = 100;
/** Characters from which on a page may have ended by its size. */
const LARGE_PAGE = 500_000;

const BAD_LIMITS = [...['0', '501', 'abc', '1.5', '-1', '', '+5', '05', '1e2', '0x10', ' 5'], '9'.repeat(40)];

/** Lists that only a deposit has rows for. */
const OF_DEPOSITS = /\/(positions|decisions|ledger)$/;

interface List {
  name: string;
  path: string;
  caller: Caller;
}

/** Every list of which the run may read one; of a partner's, that of `partner`. */
async function listsOf(
  stage: Stage,
  { caller: ownCaller }: OwnPartner,
  ids: Record<string, string>,
): Promise<List[]> {
  const lists: List[] = [];
  for (const operation of stage.operations.filter(isList)) {
    const caller = operation.scopes.includes('partner:read') ? ownCaller : await stage.callerOf(operation);
    if (caller && isAskable(operation, ids))
      lists.push({ name: operation.name, path: filled(operation, ids), caller });
  }
  return lists;
}

/** Those of the run's partner. Those of the contract's document have a row, as far as the run may make one. */
async function ownLists(stage: Stage): Promise<List[]> {
  await stage.delivery();
  return listsOf(stage, await stage.partner(), await stage.ids());
}

const page = (caller: Caller, path: string, query: string): Promise<Exchange> =>
  caller.get(`${path}${path.includes('?') ? '&' : '?'}${query}`);

const idsIn = (rows: any[]): string[] =>
  rows.map(({ id, vault_id, period, user_id }) => id ?? vault_id ?? period ?? user_id);

/** The order of the lists that are not newest first, by what their rows have. */
const ORDERS: Record<string, (row: any) => string | number> = {
  'GET /analytics/signals': ({ rank }) => rank,
  'GET /vaults': ({ id }) => id,
  'GET /events': ({ recorded_at }) => recorded_at,
  'GET /alerts/events': ({ recorded_at }) => recorded_at,
};
const timeOf = (row: any): string =>
  row.recorded_at ??
  row.created_at ??
  row.opened_at ??
  row.reported_at ??
  row.requested_at ??
  row.at ??
  row.period;

/** Ids of every row, or of `enough`, page by page; `between` runs before each further page. */
async function walked(
  caller: Caller,
  path: string,
  limit: number,
  between: () => Promise<unknown>,
  enough = Infinity,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const answer = await page(caller, path, `limit=${limit}${cursor}`);
    const rows = dataOf(answer, 200) as any[];
    holds(rows.length <= limit, `${rows.length} rows came for a limit of ${limit}`, answer);
    const shown = idsIn(rows);
    const repeated = shown.find((id) => ids.includes(id));
    holds(!repeated, `${repeated} came a second time`, answer);
    ids.push(...shown);
    if (!answer.body.meta.has_more || ids.length >= enough) return ids;
    const isFull = rows.length === limit || answer.text.length > LARGE_PAGE;
    holds(isFull, `more follows on ${rows.length} rows for a limit of ${limit}`, answer);
    cursor = `&cursor=${encodeURIComponent(answer.body.meta.next_cursor)}`;
    await between();
  }
  throw new SkippedRule(`the list goes on after ${MOST_PAGES} pages`);
}

/** Walks a list while what is in it grows, and finds what was there at the start once each, in the order in which it was. */
async function expectSteady(caller: Caller, path: string, grow: () => Promise<unknown>): Promise<void> {
  const still = async (): Promise<void> => undefined;
  const before = await walked(caller, path, 500, still);
  holds(before.length >= 3, `${path} shows ${before.length} of the rows that were made`);
  let added = 0;
  const limit = Math.ceil(before.length / 4);
  const walkedIds = await walked(caller, path, limit, async () => (++added <= 2 ? grow() : undefined));
  equals(
    `${path} read while it grows`,
    walkedIds.filter((id) => before.includes(id)),
    before,
  );
}

export const pagingRules = rulesOf('paging', {
  'limit-bounds': [
    'Every list refuses a limit that is not an integer from 1 to 500, and names it.',
    async (stage) => {
      for (const [index, { caller, path }] of (await ownLists(stage)).entries())
        for (const limit of index === 0 ? BAD_LIMITS : BAD_LIMITS.slice(0, 2))
          refusedFor(await page(caller, path, `limit=${encodeURIComponent(limit)}`), 'limit');
    },
  ],
  pages: [
    'Pages of every list have at most as many rows as their limit, say whether more follow, and together are the list, each row once, in its order.',
    async (stage) => {
      for (const { caller, path, name } of await ownLists(stage)) {
        const whole = await page(caller, path, 'limit=500');
        const hasRows =
          LISTED[stage.contract].includes(name) && (stage.options.deposits || !OF_DEPOSITS.test(path));
        const ids = idsIn(hasRows ? rowsOf(whole) : dataOf(whole, 200));
        const { has_more: more, next_cursor: cursor } = whole.body.meta ?? {};
        equals('object', whole.body.object, 'list', whole);
        const expected = more ? { has_more: true, next_cursor: cursor } : { has_more: false };
        equals('meta', whole.body.meta, expected, whole);
        const still = async (): Promise<void> => undefined;
        const limit = Math.max(1, Math.ceil(ids.length / 3));
        const walkedIds = await walked(caller, path, limit, still, ids.length);
        const ownIds = walkedIds.filter((id) => ids.includes(id));
        equals(`${path} in pages of ${limit}`, ownIds, ids.slice(0, ownIds.length), whole);
        holds(more || ownIds.length === ids.length, `pages of ${limit} lack rows`, whole);
      }
    },
  ],
  default: [
    'A list without a limit has up to 100 rows, and its cursor goes on behind them.',
    async (stage) => {
      const { partner, ids } = await stage.crowd();
      const lists = [...(await listsOf(stage, partner, ids)), ...(await ownLists(stage))];
      // Events are sent meanwhile.
      const isLog = ({ name }: List): boolean => /deliveries|webhooks.events/.test(name);
      let full = 0;
      for (const { caller, path } of lists.toSorted((a, b) => Number(isLog(a)) - Number(isLog(b)))) {
        const answer = await caller.get(path);
        const rows = idsIn(dataOf(answer, 200));
        const { has_more: more, next_cursor: cursor } = answer.body.meta;
        const isRight = more ? rows.length === DEFAULT_LIMIT : rows.length <= DEFAULT_LIMIT;
        // A page of large rows ends before its limit.
        holds(
          isRight || answer.text.length > LARGE_PAGE,
          `${path} has ${rows.length} rows without a limit`,
          answer,
        );
        if (!more || rows.length < DEFAULT_LIMIT) continue;
        full++;
        const next = await page(caller, path, `cursor=${cursor}`);
        const again = idsIn(dataOf(next, 200)).find((id) => rows.includes(id));
        holds(again === undefined, `${again} came a second time`, next);
      }
      holds(full > 0, 'no list has more than 100 rows');
    },
  ],
  order: [
    'Every list is newest first, except for vaults by their id, signals by their rank, and events, which are oldest first.',
    async (stage) => {
      for (const { caller, path, name } of await ownLists(stage)) {
        const answer = await page(caller, path, 'limit=500');
        const rows = dataOf(answer, 200) as any[];
        const rising = ORDERS[name];
        const keys = rows.map(rising ?? timeOf);
        const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        equals('the order', keys, rising ? sorted : sorted.reverse(), answer);
      }
    },
  ],
  'broken-cursor': [
    'Every list refuses an invented cursor: 400 invalid_cursor.',
    async (stage) => {
      for (const [index, { caller, path }] of (await ownLists(stage)).entries())
        for (const cursor of index === 0 ? ['abc', 'A'.repeat(32), '%21'] : ['abc'])
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
      for (const { path, caller: reader, name } of await ownLists(stage))
        if (name !== 'GET /webhooks')
          refused(await page(reader, path, `cursor=${cursor}`), 400, 'invalid_cursor');
      made(await stage.admin.post(`/partners`, { name: stage.name('paged') }));
      const partners = (await stage.admin.get('/partners?limit=1')).body.meta?.next_cursor;
      refused(await stage.admin.get(`/partners?status=active&cursor=${partners}`), 400, 'invalid_cursor');
    },
  ],
  growing: [
    'Pages of endpoints, end-users and campaigns contain every earlier row once, in order, during additions.',
    async (stage) => {
      const { caller, id } = await stage.partner();
      const campaigns = `/partners/${id}/campaigns`;
      for (const [path, reader, grow] of [
        ['/webhooks', caller, () => stage.newWebhook()],
        ['/partner/users', caller, () => stage.newUser(caller)],
        [campaigns, stage.admin, () => stage.admin.post(campaigns, { name: stage.name('paged') })],
      ] as const) {
        for (let n = 0; n < 3; n++) await grow();
        await expectSteady(reader, path, grow);
      }
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
        `/positions?asset=${stage.assets[0]}`,
        `/users/${user}/ledger`,
        `/analytics/decisions?user_id=${user}`,
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
      for (let n = 0; n < 4; n++) await send();
      const log = `${stage.contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events'}?webhook_id=${id}`;
      for (const path of [log, `${log}&status=failed`]) await expectSteady(caller, path, send);
    },
  ],
});
