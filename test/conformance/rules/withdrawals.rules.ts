import { csvRows } from '../../support/csv.js';
import { micro, sum } from '../book.js';
import { column, dataOf, equals, holds, matches, refused, rowsOf, shows } from '../check.js';
import type { Exchange } from '../exchange.js';
import { listedOnce } from '../listed.js';
import { ABSENT } from '../operations.js';
import { rulesOf } from '../rule.js';
import type { Saver, Savings } from '../savings.js';
import type { Stage } from '../stage.js';
import { refusedFor } from './fields.js';
import { near } from './figures.js';
import { isIdle } from './series.js';
import { newWallet } from './users.rules.js';

/** All cash, positions of both vaults or the oldest of one, and a part of one more. */
const AMOUNT = 125.123456;
const LITTLE = [['home', 50]] as const;

const saverOf = async (stage: Stage, ...given: Parameters<Savings['saver']>): Promise<Saver> =>
  (await stage.savings()).saver(...given);

/** Positions in the order in which they are to pay: cash, unknown rates, then the lowest expected one; the oldest first. */
async function leaving({ caller, asset }: Saver, positions: readonly any[]): Promise<any[]> {
  const answer = await caller.post('/positions/preview', { asset, amount: 1 });
  const rates = new Map<string, number | null>(
    dataOf(answer, 200).alternatives.map((row: any) => [row.vault_id, row.expected_risk_adjusted_apy]),
  );
  const rankOf = (id: string): number => (isIdle(id) ? -Infinity : (rates.get(id) ?? -Number.MAX_VALUE));
  return positions.toSorted((a, b) => {
    const [first, second] = [a, b].map(({ vault_id: id }) => rankOf(id)) as [number, number];
    if (first !== second) return first < second ? -1 : 1;
    const [one, other] = [a, b].map((row) => `${row.vault_id} ${row.opened_at} ${row.id}`) as [
      string,
      string,
    ];
    return one < other ? -1 : 1;
  });
}

/** All that a refused withdrawal must leave as it is; what is worth more by the millisecond is compared by what was paid in. */
async function stateOf(saver: Saver): Promise<unknown> {
  const positions = await saver.positions();
  const balances = dataOf(await saver.user(), 200).balances as any[];
  return {
    positions: positions.map(({ id, status, principal, vault_id }) => [id, status, principal, vault_id]),
    balances: balances.map(({ asset, positions: count, value, available }) => [
      asset,
      count,
      value === available,
    ]),
    withdrawals: await saver.withdrawals(),
    entries: await saver.entries(),
  };
}

export const withdrawalsRules = rulesOf('withdrawals', {
  parts: [
    'The parts of a withdrawal sum to its amount: whole positions but for the last, cash first, then the vault of the lowest expected rate, then the oldest.',
    async (stage) => {
      const saver = await saverOf(stage);
      const before = await leaving(saver, await saver.positions());
      const answer = await saver.withdraw(AMOUNT);
      const { parts, ...withdrawal } = dataOf(answer, 201);
      const shown = { user_id: saver.id, asset: saver.asset, amount: AMOUNT, paid_amount: AMOUNT, cost: 0 };
      shows('the withdrawal', withdrawal, { object: 'withdrawal', status: 'paid', ...shown }, answer);
      equals('the sum of its parts', sum(parts, 'amount'), micro(AMOUNT), answer);
      const paying = before.slice(0, parts.length);
      const named = (rows: any[], id: string): unknown[] => rows.map((row) => [row[id], row.vault_id]);
      equals('the positions that pay', named(parts, 'position_id'), named(paying, 'id'), answer);
      holds(parts.length > 3, `${parts.length} positions pay ${AMOUNT}`, answer);
      const after = new Map((await saver.positions()).map((row) => [row.id, row]));
      for (const [index, { id, principal }] of before.entries()) {
        const { principal: now, status } = after.get(id);
        equals(`what ${id} paid`, micro(principal) - micro(now), micro(parts[index]?.amount ?? 0), answer);
        equals(`whether ${id} is closed`, status === 'closed', index < parts.length - 1, answer);
      }
    },
  ],
  balances: [
    "A withdrawal lowers the user's balance by its amount, of which nothing is reserved then, by id and in the list.",
    async (stage) => {
      const saver = await saverOf(stage);
      const before = await saver.balance();
      const { parts } = dataOf(await saver.withdraw(AMOUNT), 201);
      const answer = await saver.user();
      const listed = await saver.caller.get(`/partner/users?ids=${saver.id}`);
      for (const balances of [dataOf(answer, 200).balances, rowsOf(listed)[0].balances]) {
        const { value, available, positions } = balances[0];
        near('the value', value, before.value - AMOUNT, answer);
        equals('what is available', available, value, answer);
        equals('the number of positions', positions, before.positions - (parts.length - 1), answer);
      }
      near('the net TVL', rowsOf(listed)[0].net_tvl, before.value - AMOUNT, listed);
    },
  ],
  booked: [
    'Each part is a withdrawal in the ledger and a position.withdrawn that names it, with its transfer; one from a single position names none.',
    async (stage) => {
      const saver = await saverOf(stage);
      const [{ id: single }] = await saver.positions();
      dataOf(await saver.funds.withdraw(single, 1), 201);
      const answer = await saver.withdraw(AMOUNT);
      const { id, parts, tx_hash } = dataOf(answer, 201);
      const [own, ...entries] = await saver.entries();
      equals('what one position paid', [own?.position_id, own?.amount], [single, 1]);
      const paid = (rows: any[], of: string): unknown[] => rows.map((row) => [row[of], row.amount]).sort();
      equals('the ledger', paid(entries, 'position_id'), paid(parts, 'position_id'), answer);
      const hashes = [...new Set(column(entries, 'tx_hash'))];
      equals('the transfer of its entries', hashes, [tx_hash], answer);
      const isOwn = ({ data }: any): boolean => data.user_id === saver.id;
      const types = 'position.withdrawn,position.closed';
      const listed = await listedOnce(
        saver.caller,
        `/events?types=${types}&limit=500`,
        (events) => events.filter(isOwn).length === 2 * parts.length,
      );
      const events = dataOf(listed, 200).filter(isOwn) as any[];
      const of = (type: string): any[] =>
        events.filter((event) => event.type === type).map(({ data }) => data);
      const [first, ...withdrawn] = of('position.withdrawn');
      shows('the event of one position', first, { id: single, amount: 1, withdrawal_id: null }, listed);
      equals('what was withdrawn', paid(withdrawn, 'id'), paid(parts, 'position_id'), listed);
      equals('the withdrawal of its events', [...new Set(column(withdrawn, 'withdrawal_id'))], [id], listed);
      const closed = column(of('position.closed'), 'id').sort();
      equals('what was closed', closed, column(parts.slice(0, -1), 'position_id').sort(), listed);
    },
  ],
  everything: [
    'A withdrawal without an amount pays all that its positions are worth: they are closed, and no balance is left.',
    async (stage) => {
      const saver = await saverOf(stage);
      const before = await saver.balance();
      const answer = await saver.withdraw();
      const { amount, paid_amount, parts } = dataOf(answer, 201);
      near('what is paid', amount, before.available, answer);
      equals('paid_amount', paid_amount, amount, answer);
      equals('the sum of its parts', sum(parts, 'amount'), micro(amount), answer);
      const positions = await saver.positions();
      equals(
        'the positions that pay',
        column(parts, 'position_id').sort(),
        column(positions, 'id').sort(),
        answer,
      );
      for (const row of positions)
        shows(`what is left of ${row.id}`, row, { status: 'closed', value: 0, apy: null }, answer);
      const listed = rowsOf(await saver.caller.get(`/partner/users?ids=${saver.id}`))[0];
      const none = { net_tvl: 0, balances: [], positions: { open: 0, closed: positions.length } };
      shows('the user in the list', listed, none);
      equals('the balances', dataOf(await saver.user(), 200).balances, []);
      for (const input of [{}, { amount: 0.000001 }])
        for (const ask of [saver.request, saver.preview])
          refused(await ask(input), 409, 'insufficient_balance');
    },
  ],
  insufficient: [
    'A withdrawal or a preview of more than is available is a 409 insufficient_balance, and changes nothing.',
    async (stage) => {
      const saver = await saverOf(stage);
      const before = await stateOf(saver);
      const { available } = await saver.balance();
      for (const input of [
        { amount: Number((available + 0.01).toFixed(6)) },
        { amount: 900_000_000 },
        { asset: stage.assets[1] },
        { asset: stage.assets[1], amount: 1 },
      ])
        for (const ask of [saver.preview, saver.request])
          refused(await ask(input), 409, 'insufficient_balance');
      equals('the user', await stateOf(saver), before);
    },
  ],
  once: [
    'A withdrawal repeated with its Idempotency-Key is the same one; with another body it is a 422 idempotency_key_reused.',
    async (stage) => {
      const saver = await saverOf(stage, LITTLE);
      const headers = { 'idempotency-key': stage.name('withdrawal').replaceAll(' ', '') };
      const [first, again] = [
        await saver.request({ amount: 3 }, headers),
        await saver.request({ amount: 3 }, headers),
      ];
      equals('the second answer', dataOf(again, 201), dataOf(first, 201), again);
      for (const input of [{ amount: 4 }, {}])
        refused(await saver.request(input, headers), 422, 'idempotency_key_reused');
      equals('the withdrawals', column(await saver.withdrawals(), 'id'), [first.body.data.id]);
      near('what is available', (await saver.balance()).available, 47, again);
    },
  ],
  input: [
    'A withdrawal and its preview need an own user (else 404), an asset of the contract and an amount above 0 with at most 6 decimals (else 400).',
    async (stage) => {
      const saver = await saverOf(stage, LITTLE);
      const { caller: stranger } = await stage.stranger();
      for (const path of [saver.path, `${saver.path}/preview`]) {
        const ask = (input: object): Promise<Exchange> =>
          saver.caller.post(path, { asset: saver.asset, amount: 1, ...input });
        for (const amount of [0, -1, 0.0000001, '5', null, 1e12]) refusedFor(await ask({ amount }), 'amount');
        for (const asset of ['DOGE', stage.contract === 'partner' ? 'USDT' : 'USDT0'])
          refusedFor(await ask({ asset }), 'asset');
        const good = { asset: saver.asset, amount: 1 };
        refused(await stranger.post(path, good), 404, 'not_found');
        for (const id of [`usr_${ABSENT}`, 'usr_short'])
          refused(await saver.caller.post(path.replace(saver.id, id), good), 404, 'not_found');
      }
      equals('the withdrawals', await saver.withdrawals(), []);
    },
  ],
  wallets: [
    "A withdrawal is paid to the user's only wallet or to the one that it names in any case; any other is a 400.",
    async (stage) => {
      const [two, one, none] = [
        await saverOf(stage, LITTLE, { wallets: [newWallet(), newWallet()] }),
        await saverOf(stage, LITTLE, { wallets: [newWallet()] }),
        await saverOf(stage, LITTLE),
      ];
      const walletsOf = async (saver: Saver): Promise<string[]> => dataOf(await saver.user(), 200).wallets;
      const [[first], [, second]] = [await walletsOf(one), await walletsOf(two)] as [
        [string],
        [string, string],
      ];
      for (const [ask, status] of [
        [one.preview, 200],
        [one.request, 201],
      ] as const)
        for (const named of [{}, { wallet: first.toLowerCase() }]) {
          const answer = await ask({ amount: 1, ...named });
          equals('the wallet', dataOf(answer, status).wallet, first, answer);
        }
      const upper = `0x${second.slice(2).toUpperCase()}`;
      const named = await two.request({ amount: 1, wallet: upper });
      equals('the wallet', dataOf(named, 201).wallet, second, named);
      const unknown = await none.request({ amount: 1 });
      equals('the wallet', dataOf(unknown, 201).wallet, null, unknown);
      for (const ask of [one.request, one.preview, two.request, none.request, none.preview])
        for (const wallet of [newWallet(), '0x12', null])
          refusedFor(await ask({ amount: 1, wallet }), 'wallet');
      refusedFor(await one.request({ amount: 1, wallet: second }), 'wallet');
    },
  ],
  previewed: [
    'A preview has the parts of the withdrawal right after it, and stores nothing.',
    async (stage) => {
      const saver = await saverOf(stage);
      const before = await stateOf(saver);
      const answer = await saver.preview({ amount: AMOUNT });
      const { parts, available, ...preview } = dataOf(answer, 200);
      equals('object', answer.body.object, 'withdrawal_preview', answer);
      const expected = { user_id: saver.id, asset: saver.asset, amount: AMOUNT, wallet: null };
      equals('the preview', preview, expected, answer);
      equals('the sum of its parts', sum(parts, 'amount'), micro(AMOUNT), answer);
      equals('the withdrawals', await saver.withdrawals(), []);
      near('what is available', available, (await saver.balance()).available, answer);
      const whole = await saver.preview();
      equals('everything', dataOf(whole, 200).amount, whole.body.data.available, whole);
      equals('the user', await stateOf(saver), before, answer);
      const paid = await saver.request({ amount: AMOUNT });
      const named = (rows: any[]): unknown[] => rows.map((part) => [part.position_id, part.vault_id]);
      equals('the parts of the withdrawal', named(dataOf(paid, 201).parts), named(parts), paid);
    },
  ],
  listed: [
    'Withdrawals are read by id and listed newest first, by user and by status, in pages and as CSV; another partner finds none of them.',
    async (stage) => {
      const [saver, other] = [await saverOf(stage, LITTLE), await saverOf(stage, LITTLE)];
      const { caller } = saver;
      const own: any[] = [];
      for (const amount of [1.5, 2.25]) own.unshift(dataOf(await saver.withdraw(amount), 201));
      const foreign = dataOf(await other.withdraw(7), 201);
      own.unshift(dataOf(await saver.withdraw(3), 201));
      const ids = column(own, 'id');
      equals('what was not paid', dataOf(await caller.get(`${saver.path}?status=failed`), 200), []);
      // A deployment of the partner contract shows calls and settlements beside some of them.
      const plain = ({ calls: _, settlement: __, ...row }: any): object => row;
      for (const path of [saver.path, `/withdrawals?user_id=${saver.id}`, `${saver.path}?status=paid`]) {
        const answer = await caller.get(path);
        equals(path, rowsOf(answer).map(plain), own.map(plain), answer);
        const query = path.includes('?') ? '&' : '?';
        const first = await caller.get(`${path}${query}limit=2`);
        const rest = await caller.get(`${path}${query}limit=2&cursor=${first.body.meta?.next_cursor}`);
        equals(
          'its pages',
          [first, rest].map((page) => column(rowsOf(page), 'id')),
          [ids.slice(0, 2), ids.slice(2)],
          rest,
        );
      }
      const all = column(rowsOf(await caller.get('/withdrawals?limit=4')), 'id');
      equals('the list of the partner', all, [ids[0], foreign.id, ...ids.slice(1)]);
      const csv = await caller.get(`/withdrawals?user_id=${saver.id}`, { accept: 'text/csv' });
      matches('the type of the CSV', csv.headers.get('content-type'), /^text\/csv\b/, csv);
      const cells = csvRows(csv.text).map(({ id, amount, status }) => [id, Number(amount), status]);
      equals(
        'the CSV',
        cells,
        own.map(({ id, amount, status }) => [id, amount, status]),
        csv,
      );
      const { caller: stranger } = await stage.stranger();
      for (const withdrawal of own) {
        const path = `/withdrawals/${withdrawal.id}`;
        equals(path, plain(dataOf(await caller.get(path), 200)), plain(withdrawal));
        refused(await stranger.get(path), 404, 'not_found');
      }
      refused(await stranger.get(saver.path), 404, 'not_found');
      refused(await stranger.get(`/withdrawals?user_id=${saver.id}`), 404, 'not_found');
      const seen = column(dataOf(await stranger.get('/withdrawals?limit=500'), 200), 'id');
      holds(!ids.some((id) => seen.includes(id)), "another partner's list has one of them");
    },
  ],
  blocked: [
    'A blocked user withdraws a part and everything.',
    async (stage) => {
      const saver = await saverOf(stage, LITTLE);
      const blocked = await saver.caller.patch(`/users/${saver.id}`, { status: 'blocked' });
      equals('the status', dataOf(blocked, 200).status, 'blocked', blocked);
      for (const amount of [5, undefined]) {
        const answer = await saver.withdraw(amount);
        equals('the status', dataOf(answer, 201).status, 'paid', answer);
      }
      equals('the balances', dataOf(await saver.user(), 200).balances, []);
    },
  ],
});
