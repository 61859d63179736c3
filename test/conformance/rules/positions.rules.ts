import { dataOf, equals, holds, made, matches, refused, refusedField, rowsOf, shows } from '../check.js';
import { ABSENT } from '../operations.js';
import { rulesOf } from '../rule.js';
import { newTxHash } from '../funds.js';
import { refusedFor } from './fields.js';
import { near } from './figures.js';

const AMOUNT = 1234.567891;
/** What of a position does not change by the millisecond. */
const lasting = ({ value: _, yield: __, apy: ___, settlement: ____, ...position }: any): object => position;

export const positionsRules = rulesOf('positions', {
  deposited: [
    'A deposit opens a position with its exact principal, pending or active, in a vault of its asset, and readable by id.',
    async (stage) => {
      const answer = await stage.deposit(AMOUNT);
      const position = dataOf(answer, 201);
      const { id: user_id } = await stage.user();
      const asset = stage.assets[0];
      const opened = { object: 'position', principal: AMOUNT, value: AMOUNT, closed_at: null };
      shows('the position', position, { ...opened, user_id, asset }, answer);
      holds(['pending', 'active'].includes(position.status), `its status is ${position.status}`, answer);
      matches('vault_id', position.vault_id, /^vlt_/, answer);
      const { caller } = await stage.partner();
      const vaults = rowsOf(await caller.get('/vaults?limit=500'));
      const vault = vaults.find(({ id }) => id === position.vault_id);
      holds(!vault || vault.asset === asset, 'it is in a vault of another asset', answer);
      for (const path of [
        `/positions/${position.id}`,
        '/positions?limit=5',
        `/partner/user/${user_id}/positions?limit=5`,
      ]) {
        const read = await caller.get(path);
        const shown = [dataOf(read, 200)].flat().find(({ id }) => id === position.id) ?? {};
        equals('the position', lasting(shown), lasting(position), read);
        near('value', shown.value, shown.principal + shown.yield, read);
        if (vault) equals('apy', shown.apy, vault.apy, read);
      }
    },
  ],
  'deposit-input': [
    'A deposit needs a known user, an asset of the contract and an amount above 0 with at most 6 decimals.',
    async (stage) => {
      const [{ reporter: caller, settled }, { id: user_id }] = [await stage.funds(), await stage.user()];
      const good = { user_id, asset: stage.assets[0], amount: 1 };
      const deposit = (change: object) => caller.post('/positions', { ...good, ...settled(), ...change });
      for (const amount of [0, -1, 0.0000001, '5', null, 1e12, 1e13])
        refusedFor(await deposit({ amount }), 'amount');
      for (const asset of ['DOGE', stage.contract === 'partner' ? 'USDT' : 'USDT0'])
        refusedFor(await deposit({ asset }), 'asset');
      refused(await deposit({ user_id: `usr_${ABSENT}` }), 404, 'not_found');
      refused(await caller.post(`/positions/pos_${ABSENT}/withdrawals`, settled()), 404, 'not_found');
      if (stage.contract === 'partner') return;
      // Nothing settles in the sandbox, and whoever deposits is the account itself.
      refusedFor(await deposit({ tx_hash: newTxHash() }), 'tx_hash');
      const { caller: stranger } = await stage.stranger();
      refused(await stranger.post('/positions', good), 404, 'not_found');
    },
  ],
  once: [
    'A deposit repeated with its Idempotency-Key opens no second position.',
    async (stage) => {
      const { caller, reporter: depositor, settled } = await stage.funds();
      const { id: user_id } = await stage.newUser(caller);
      const input = { user_id, asset: stage.assets[1], amount: 3, ...settled() };
      const headers = { 'idempotency-key': stage.name('deposit').replaceAll(' ', '') };
      const [first, again] = [
        await depositor.post('/positions', input, headers),
        await depositor.post('/positions', input, headers),
      ];
      equals('the second answer', made(again), made(first), again);
      for (const [path, count] of [
        [`/partner/user/${user_id}/positions`, 1],
        [`/positions?user_id=${user_id}&asset=${stage.assets[1]}`, 1],
        [`/positions?user_id=${user_id}&asset=${stage.assets[0]}`, 0],
      ] as const) {
        const listed = await caller.get(path);
        equals('how many positions there are', dataOf(listed, 200).length, count, listed);
      }
    },
  ],
  'reported-once': [
    'A transfer is reported once: a second deposit or withdrawal with its tx_hash is a 409 settlement_already_recorded.',
    async (stage) => {
      const [{ reporter: caller }, { id: user_id }] = [await stage.funds(), await stage.user()];
      const tx_hash = newTxHash();
      const report = { user_id, asset: stage.assets[0], amount: 10, tx_hash };
      const { id } = dataOf(await caller.post('/positions', report), 201);
      // However it is spelt.
      for (const spelt of [tx_hash, `0x${tx_hash.slice(2).toUpperCase()}`]) {
        const again = await caller.post('/positions', { ...report, tx_hash: spelt });
        refused(again, 409, 'settlement_already_recorded');
        const paid = await caller.post(`/positions/${id}/withdrawals`, { amount: 1, tx_hash: spelt });
        refused(paid, 409, 'settlement_already_recorded');
      }
      for (const wrong of [
        '0x1',
        tx_hash.slice(2),
        `${tx_hash}0`,
        `${tx_hash.slice(0, -1)}g`,
        7,
        null,
        undefined,
      ])
        refusedField(await caller.post('/positions', { ...report, tx_hash: wrong }), 'tx_hash');
      const settlements = await caller.get(`/settlements?position_id=${id}`);
      const shown = rowsOf(settlements).map((row) => [row.type, row.tx_hash, row.asset, row.amount]);
      equals('its settlements', shown, [['deposit', tx_hash, report.asset, 10]], settlements);
    },
    'partner',
  ],
  withdrawn: [
    'A partial withdrawal lowers the principal and leaves the position open; one above its value is a 409 insufficient_balance.',
    async (stage) => {
      const { id, principal } = made(await stage.deposit(100));
      const answer = await stage.withdraw(id, 40);
      const after = dataOf(answer, 201);
      equals('amount', after.amount, 40, answer);
      const isLess = after.principal < principal && after.status !== 'closed';
      holds(isLess, 'the position is as before, or closed', answer);
      refused(await stage.withdraw(id, after.value + 0.1), 409, 'insufficient_balance');
    },
  ],
  closed: [
    'A full withdrawal, in the sandbox without a body, closes a position with the value 0; a further one is a 409 position_closed.',
    async (stage) => {
      const { id, value: worth } = made(await stage.deposit(50));
      const answer = await stage.withdraw(id);
      const { amount, closed_at } = dataOf(answer, 201);
      shows('the position', answer.body.data, { status: 'closed', value: 0 }, answer);
      holds(Math.abs(amount - worth) < 0.01, `${amount} was paid out of ${worth}`, answer);
      matches('closed_at', closed_at, /Z$/, answer);
      for (const part of [undefined, 1]) refused(await stage.withdraw(id, part), 409, 'position_closed');
      const { caller } = await stage.partner();
      if (stage.contract === 'sandbox') {
        const path = `/positions/${made(await stage.deposit(10)).id}/withdrawals`;
        equals('the status', dataOf(await caller.post(path), 201).status, 'closed');
        refused(await caller.post(path), 409, 'position_closed');
      }
      const listed = await caller.get('/positions?status=closed&limit=500');
      const row = dataOf(listed, 200).find((row: any) => row.id === id);
      shows('its row among the closed', row, { status: 'closed', closed_at, deposit_id: null }, listed);
    },
  ],
  told: [
    'A deposit sends position.opened to a subscribed endpoint.',
    async (stage) => {
      const { inbox } = await stage.inbox();
      const { caller } = await stage.funds();
      const hook = made(await caller.post('/webhooks', { url: inbox.url, events: ['position.opened'] }));
      const { id } = made(await stage.deposit(20));
      const told = (body: Buffer): boolean => {
        const { type, data } = JSON.parse(body.toString());
        return type === 'position.opened' && data?.id === id;
      };
      const came = await inbox.comes(({ body }) => told(body));
      holds(came !== null, `no position.opened of ${id} came`);
      made(await caller.delete(`/webhooks/${hook.id}`));
    },
  ],
});
