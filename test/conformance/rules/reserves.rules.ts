import type { Caller } from '../caller.js';
import { micro } from '../book.js';
import { column, dataOf, equals, holds, matches, rowsOf, shows, SkippedRule } from '../check.js';
import type { Exchange } from '../exchange.js';
import { type Rule, rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { near } from './figures.js';

/** What only administrators see of a reserve. */
const HIDDEN = { chain_holds: null, difference: null, in_flight: null, custody_accounts: [] };
const NO_BOOKS = { books: null };
/** An asset and a chain that no reserve has, or not all. */
const CHAINS = ['ethereum', 'arbitrum'];

interface Reading {
  answer: Exchange;
  as_of: string;
  rows: any[];
}

async function read(caller: Caller): Promise<Reading> {
  const answer = await caller.get('/reserves');
  const { object, as_of, rows } = dataOf(answer, 200);
  equals('object', object, 'reserves', answer);
  return { answer, as_of, rows };
}

/** What administrators see. @throws Skipped where no chain was read */
async function readAll(stage: Stage): Promise<Reading> {
  const reading = await read(stage.admin);
  if (reading.rows.length > 0) return reading;
  equals('as_of', reading.as_of, null, reading.answer);
  throw new SkippedRule('no chain was read: the funds are simulated, or no hour has passed');
}

/** A row of an administrator follows from its own amounts, or says why it is not known. */
function consistent(row: any, answer: Exchange): void {
  const { books, chain_holds: held, difference, coverage, reason } = row;
  const name = `the reserve of ${row.vault_id ?? `cash in ${row.asset}`}`;
  for (const field of ['books', 'in_flight'])
    holds(typeof row[field] === 'number', `${name} has no ${field}`, answer);
  if (reason !== null) {
    matches(`the reason of ${name}`, reason, /^[a-z_]+$/, answer);
    return shows(name, row, { chain_holds: null, difference: null, coverage: null }, answer);
  }
  holds(typeof held === 'number', `${name} is neither known nor has a reason`, answer);
  holds(row.block_at !== null && row.custody_accounts.length > 0, `${name} was read nowhere`, answer);
  equals(`the difference of ${name}`, micro(difference), micro(held) - micro(books), answer);
  if (books === 0) equals(`the coverage of ${name}`, coverage, null, answer);
  else near(`the coverage of ${name}`, coverage, held / books, answer);
}

/** Rows as another caller must see them. */
const seen = (rows: readonly any[], hidden: object): any[] => rows.map((row) => ({ ...row, ...hidden }));

const rule = (says: string, run: Rule['run']): [string, Rule['run'], 'partner'] => [says, run, 'partner'];

export const reservesRules = rulesOf('reserves', {
  read: rule(
    'An administrator reads what the chain has of each vault and of cash beside the books, with difference and coverage; what is not known is null, with a reason.',
    async (stage) => {
      const { answer, as_of, rows } = await readAll(stage);
      matches('as_of', as_of, /Z$/, answer);
      const places = rows.map(({ asset, vault_id }) => vault_id ?? asset);
      equals('each place', new Set(places).size, rows.length, answer);
      const vaults = rowsOf(await (await stage.partner()).caller.get('/vaults?limit=500'));
      const assetOf = new Map(vaults.map(({ id, asset }) => [id, asset]));
      for (const row of rows) {
        if (row.vault_id !== null) equals('its asset', row.asset, assetOf.get(row.vault_id), answer);
        consistent(row, answer);
      }
      for (const asset of new Set(column(rows, 'asset')))
        holds(
          rows.some((row) => row.vault_id === null && row.asset === asset),
          `cash in ${asset} has no row`,
          answer,
        );
    },
  ),
  reader: rule(
    'A key with `read` sees the coverage of each reserve and the reason of an unknown one, and no amount or account.',
    async (stage) => {
      const all = await readAll(stage);
      const { answer, as_of, rows } = await read(await stage.unbound('read'));
      equals('as_of', as_of, all.as_of, answer);
      equals('the rows', rows, seen(all.rows, { ...HIDDEN, ...NO_BOOKS }), answer);
    },
  ),
  partner: rule(
    "A partner's key sees its own part of the books and the coverage of the vaults that it has funds in, and nothing of others.",
    async (stage) => {
      const { opened_at } = await stage.position();
      const all = await readAll(stage);
      const { caller } = await stage.partner();
      const { answer, rows } = await read(caller);
      const stranger = await read((await stage.stranger()).caller);
      equals("a stranger's rows", stranger.rows, [], stranger.answer);
      for (const row of rows) {
        const same = all.rows.find(({ asset, vault_id }) => asset === row.asset && vault_id === row.vault_id);
        const part = { books: row.books };
        equals('the row', row, { ...same, ...HIDDEN, ...part }, answer);
        holds(
          row.books > 0 && row.books <= same.books,
          `${row.books} is not a part of ${same.books}`,
          answer,
        );
      }
      const at = all.rows.find(({ block_at }) => block_at !== null)?.block_at ?? all.as_of;
      if (opened_at >= at) throw new SkippedRule('no chain was read since the run deposited');
      for (const { vault_id: vaultId, asset, block_at } of all.rows) {
        const asOf = block_at ?? all.as_of;
        const positions = dataOf(await caller.get(`/positions?limit=500&as_of=${asOf}`), 200);
        const isIn = (position: any): boolean =>
          position.asset === asset &&
          (position.vault_id.startsWith('vlt_idle_') ? null : position.vault_id) === vaultId;
        const worth = positions.filter(isIn).reduce((sum: number, { value }: any) => sum + value, 0);
        const shown = rows.find((row) => row.asset === asset && row.vault_id === vaultId)?.books ?? 0;
        near(`its part of ${vaultId ?? asset}`, shown, worth, answer);
      }
    },
  ),
  history: rule(
    'Past readings are listed newest first, by vault, asset, chain and time, to each caller as the last reading is.',
    async (stage) => {
      const all = await readAll(stage);
      const list = async (caller: Caller, query = ''): Promise<any[]> =>
        dataOf(await caller.get(`/reserves/history?limit=500${query}`), 200);
      const answer = await stage.admin.get('/reserves/history?limit=500');
      const rows = rowsOf(answer);
      for (const row of rows) consistent(row, answer);
      const times = column(rows, 'as_of');
      equals('the times', times, times.toSorted().reverse(), answer);
      const last = rows.filter(({ as_of }) => as_of === all.as_of);
      const placesOf = (these: readonly any[]): string[] => these.map((row) => JSON.stringify(row)).sort();
      equals('the last reading', placesOf(last), placesOf(seen(all.rows, { as_of: all.as_of })), answer);
      const filters: [query: string, is: (row: any) => boolean][] = [
        ...stage.assets.map((asset): [string, (row: any) => boolean] => [
          `asset=${asset}`,
          (row) => row.asset === asset,
        ]),
        ...CHAINS.map((chain): [string, (row: any) => boolean] => [
          `chain=${chain}`,
          (row) => row.chain === chain,
        ]),
        [`vault_id=${rows.find(({ vault_id }) => vault_id !== null).vault_id}`, () => true],
        [`from=${all.as_of.slice(0, 13)}:00:00Z`, ({ as_of }) => as_of >= all.as_of.slice(0, 13)],
        [
          `to=${rows.at(-1).as_of.slice(0, 13)}:00:00Z`,
          ({ as_of }) => as_of.slice(0, 13) <= rows.at(-1).as_of.slice(0, 13),
        ],
      ];
      for (const [query, is] of filters) {
        const vaultId = /^vault_id=(.*)$/.exec(query)?.[1];
        const expected = rows.filter((row) => is(row) && (vaultId === undefined || row.vault_id === vaultId));
        equals(query, await list(stage.admin, `&${query}`), expected, answer);
      }
      const hidden = { ...HIDDEN, ...NO_BOOKS };
      equals('what a reader sees', await list(await stage.unbound('read')), seen(rows, hidden), answer);
      await stage.position();
      const own = await list((await stage.partner()).caller);
      const vaults = new Set(column(own, 'vault_id'));
      holds(own.length > 0, 'a partner sees no reading of the vaults that it is in', answer);
      equals(
        'what a partner sees',
        own,
        seen(
          rows.filter((row) => vaults.has(row.vault_id)),
          hidden,
        ),
        answer,
      );
      equals('what a stranger sees', await list((await stage.stranger()).caller), [], answer);
    },
  ),
});
