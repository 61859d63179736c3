import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem';
import type { Exchange } from '../exchange.js';
import {
  column,
  dataOf,
  equals,
  holds,
  made,
  matches,
  refused,
  refusedField,
  rowsOf,
  shows,
} from '../check.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { BAD_METADATA, GOOD_METADATA, refusedFor, tried } from './fields.js';

/** The vectors of EIP-55. */
const CHECKSUMMED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

/** Creates users of the run's partner, each with an external id of its own. */
async function creator(stage: Stage): Promise<(input: object) => Promise<Exchange>> {
  const { caller } = await stage.partner();
  return (input) => caller.post('/users', { external_id: stage.name('user'), ...input });
}

/** Whether an amount lies between two of other moments, to half a micro-unit. */
const isBetween = (amount: number, one: number, other: number): boolean =>
  amount > Math.min(one, other) - 5e-7 && amount < Math.max(one, other) + 5e-7;

/** Lower case, which carries no checksum. */
export const newWallet = (): string => `0x${randomBytes(20).toString('hex')}`;
/** With one letter of its checksum in the other case. */
const misspelt = (wallet: string): string =>
  wallet.replace(/[a-f]/i, (text) => (/[a-f]/.test(text) ? text.toUpperCase() : text.toLowerCase()));

export const usersRules = rulesOf('users', {
  created: [
    'A new end-user is active, labelled by its external id by default, without email, metadata or wallets.',
    async (stage) => {
      const { caller } = await stage.partner();
      const external_id = stage.name('plain');
      const answer = await caller.post('/users', { external_id });
      const { id, created_at, updated_at, ...user } = dataOf(answer, 201);
      equals('object', answer.body.object, 'user', answer);
      matches('id', id, /^usr_[0-9a-hjkmnp-tv-z]{26}$/, answer);
      equals('updated_at', updated_at, created_at, answer);
      const plain = { object: 'user', email: null, metadata: {}, wallets: [], status: 'active' };
      equals('the user', user, { ...plain, external_id, label: external_id }, answer);
    },
  ],
  'external-id': [
    "An external id is unique, across partners in the partner contract and per account in the sandbox: else 409 external_id_taken, which names the caller's own user and no other.",
    async (stage) => {
      const [{ caller }, { caller: other }] = [await stage.partner(), await stage.stranger()];
      const external_id = stage.name('taken');
      const { id } = made(await caller.post('/users', { external_id }));
      const again = await caller.post('/users', { external_id });
      refused(again, 409, 'external_id_taken');
      equals('the user that details name', again.body.error.details?.[0]?.user_id, id, again);
      const elsewhere = await other.post('/users', { external_id });
      if (stage.contract === 'sandbox') return void dataOf(elsewhere, 201);
      refused(elsewhere, 409, 'external_id_taken');
      holds(!elsewhere.text.includes(id), "the answer names another partner's user", elsewhere);
    },
  ],
  wallets: [
    'A wallet is 20 bytes of hex, shown with its checksum, refused with a wrong one, and unique within a partner.',
    async (stage) => {
      const create = await creator(stage);
      const wallet = getAddress(newWallet());
      const answer = await create({ wallets: [wallet.toLowerCase()] });
      equals('wallets', dataOf(answer, 201).wallets, [wallet], answer);
      refused(await create({ wallets: [wallet] }), 409, 'wallet_taken');
      refusedFor(await create({ wallets: [newWallet(), misspelt(wallet)] }), 'wallets[1]');
      const good = newWallet();
      const long = [`${good}0`, `0X${good.slice(2)}`, `${good.slice(0, -1)}g`];
      for (const bad of [...long, good.slice(2), good.slice(0, -1), '', 7, null])
        refusedFor(await create({ wallets: [bad] }), 'wallets[0]');
      for (const wallets of [good, {}, null]) refusedFor(await create({ wallets }), 'wallets');
    },
  ],
  checksums: [
    'Wallets are stored with their EIP-55 checksum, in the given order, from any letter case.',
    async (stage) => {
      const { caller } = await stage.stranger();
      const spelt = CHECKSUMMED.map(
        (address, n) => [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`][n % 3]!,
      );
      const answer = await caller.post('/users', { external_id: stage.name('spelt'), wallets: spelt });
      const { id, wallets } = dataOf(answer, 201);
      // So that the rule can be asked again.
      made(await caller.delete(`/users/${id}`));
      equals('wallets', wallets, CHECKSUMMED, answer);
    },
  ],
  'wallets-at-most': [
    'A user has up to 20 wallets without duplicates.',
    async (stage) => {
      const create = await creator(stage);
      const wallets = Array.from({ length: 21 }, newWallet);
      refusedFor(await create({ wallets }), 'wallets');
      const answer = await create({ wallets: wallets.slice(0, 20) });
      equals('how many wallets', dataOf(answer, 201).wallets.length, 20, answer);
      const none = await create({ wallets: [] });
      equals('wallets', dataOf(none, 201).wallets, [], none);
      const [twice] = wallets;
      refusedFor(await create({ wallets: [twice, `0x${twice!.slice(2).toUpperCase()}`] }), 'wallets[1]');
    },
  ],
  fields: [
    'The fields of a user are validated and returned unchanged; an invalid field is named.',
    async (stage) => {
      const create = await creator(stage);
      const external_id = ` Ünïcode/🔑 ${stage.name('')}`;
      const letters = { external_id, label: '<b>', email: 'user@acme.example', metadata: { tier: 'gold' } };
      const answer = await create(letters);
      shows('the user', dataOf(answer, 201), letters, answer);
      const unique = randomBytes(16).toString('hex');
      const texts = [unique, unique.padEnd(255, 'x'), `${'🔑'.repeat(223)}${unique}`];
      const bad = ['', 'x'.repeat(256), '🔑'.repeat(256), null, 7, ['x']];
      await tried(create, 'external_id', texts, bad);
      await tried(create, 'label', ['x', 'x'.repeat(255), '🔑'.repeat(255)], bad);
      const longest = `a@${['x', 'y', 'z', 'w'].map((text) => text.repeat(60)).join('.')}.example`;
      const emails = ['user@acme.example', 'a+b@sub.acme.example', longest, null];
      const no = ['', 'user', 'user@', '@acme.example', 'user@localhost', 'a b@acme.example', 7];
      await tried(create, 'email', emails, no);
      await tried(create, 'metadata', GOOD_METADATA, BAD_METADATA);
    },
  ],
  'own-fields': [
    'A new user with a status, id, partner_id or created_at in its body is refused.',
    async (stage) => {
      const create = await creator(stage);
      for (const field of ['status', 'id', 'partner_id', 'created_at'])
        refusedFor(await create({ [field]: 'active' }), field);
    },
  ],
  listed: [
    'A new end-user is in the list of its partner, without positions or funds, and has an empty ledger.',
    async (stage) => {
      const { caller } = await stage.partner();
      const { id, external_id, label, status, wallets, created_at } = await stage.newUser(caller);
      const answer = await caller.get('/partner/users?limit=5');
      const expected = {
        id,
        object: 'attributed_user',
        external_id,
        label,
        status,
        wallets,
        created_at,
        positions: { open: 0, closed: 0 },
        net_tvl: 0,
        balances: [],
      };
      const user = rowsOf(answer).find((row) => row.id === id);
      equals('the user', user, expected, answer);
      equals('its ledger', dataOf(await caller.get(`/users/${id}/ledger`), 200), []);
      equals('its positions', dataOf(await caller.get(`/partner/user/${id}/positions`), 200), []);
    },
  ],
  'by-id': [
    'A user is read by id, and listed by external id or wallet in any case; another partner finds it by neither.',
    async (stage) => {
      const [{ caller }, { caller: other }] = [await stage.partner(), await stage.stranger()];
      const wallet = newWallet();
      const external_id = stage.name('found');
      const user = made(await caller.post('/users', { external_id, wallets: [wallet] }));
      const answer = await caller.get(`/users/${user.id}`);
      equals('the user', dataOf(answer, 200), { ...user, balances: [] }, answer);
      refused(await other.get(`/users/${user.id}`), 404, 'not_found');
      const upper = `0x${wallet.slice(2).toUpperCase()}`;
      for (const query of [
        `external_id=${external_id}`,
        `wallet=${upper}`,
        `wallet=${wallet}&ids=${user.id}`,
      ]) {
        const listed = await caller.get(`/partner/users?${query}`);
        equals(`ids of ${query}`, column(rowsOf(listed), 'id'), [user.id], listed);
        equals('rows of another partner', dataOf(await other.get(`/partner/users?${query}`), 200), []);
      }
      const both = await caller.get(`/partner/users?external_id=${external_id}&wallet=${newWallet()}`);
      equals('rows that fit one filter of two', dataOf(both, 200), [], both);
      refusedField(await caller.get('/partner/users?wallet=0x12'), 'wallet');
    },
  ],
  balances: [
    'The balance of a user in an asset is the value of its open positions in it, by id and in the list.',
    async (stage) => {
      const { caller, users } = await stage.life();
      for (const id of users) {
        const before = await caller.get(`/users/${id}`);
        const positions = rowsOf(await caller.get(`/positions?user_id=${id}&limit=500`));
        const listed = rowsOf(await caller.get(`/partner/users?ids=${id}`))[0].balances;
        const after = dataOf(await caller.get(`/users/${id}`), 200).balances as any[];
        const open = positions.filter(({ status }) => status !== 'closed');
        const balances = dataOf(before, 200).balances as any[];
        equals('the assets', column(balances, 'asset'), [...new Set(column(open, 'asset'))].sort(), before);
        for (const [at, { asset, value, available, positions: number }] of balances.entries()) {
          const own = open.filter((position) => position.asset === asset);
          const sum = own.reduce((total, position) => total + position.value, 0);
          equals('the number of positions', number, own.length, before);
          equals('what is available', available, value, before);
          for (const read of [sum, listed[at].value, after[at].value])
            holds(isBetween(read, value, after[at].value), `${read} ${asset} is none of its value`, before);
        }
      }
    },
  ],
  updated: [
    'A PATCH of a user changes the fields in its body only, and the list shows them; its fields are validated as on creation.',
    async (stage) => {
      const { caller } = await stage.partner();
      const { id, updated_at: _, ...before } = await stage.newUser(caller);
      const update = (body: object): Promise<Exchange> => caller.patch(`/users/${id}`, body);
      const change = { label: 'renamed', email: 'new@acme.example', metadata: { tier: 'gold' } };
      const wallet = getAddress(newWallet());
      const answer = await update({ ...change, wallets: [wallet.toLowerCase()] });
      const { updated_at: __, ...after } = dataOf(answer, 200);
      equals('the user', after, { id, ...before, ...change, wallets: [wallet] }, answer);
      shows('the user', dataOf(await update({}), 200), after);
      const listed = await caller.get(`/partner/users?ids=${id}`);
      shows('its row', rowsOf(listed)[0], { label: 'renamed', wallets: [wallet] }, listed);
      await tried(update, 'label', ['x'], ['', 'x'.repeat(256), null]);
      await tried(update, 'status', ['blocked', 'active'], ['gone', null]);
      await tried(update, 'email', [null], ['user']);
      refusedFor(await update({ external_id: 'other' }), 'external_id');
      const wallets = [newWallet()];
      made(await caller.post('/users', { external_id: stage.name('holder'), wallets }));
      refused(await update({ wallets }), 409, 'wallet_taken');
    },
  ],
  blocked: [
    'Nothing is deposited for a blocked user, who may withdraw: 409 user_blocked; an active one may deposit again.',
    async (stage) => {
      const { caller, ...funds } = await stage.funds();
      const { id: user_id } = await stage.newUser(caller);
      const [asset] = stage.assets;
      const deposit = (): Promise<Exchange> => funds.deposit({ user_id, asset, amount: 5 });
      const { id } = dataOf(await deposit(), 201);
      const become = async (status: string): Promise<void> => {
        const answer = await caller.patch(`/users/${user_id}`, { status });
        equals('status', dataOf(answer, 200).status, status, answer);
        const listed = await caller.get(`/partner/users?ids=${user_id}`);
        equals('status in the list', rowsOf(listed)[0].status, status, listed);
      };
      await become('blocked');
      refused(await deposit(), 409, 'user_blocked');
      dataOf(await funds.withdraw(id, 1), 201);
      await become('active');
      dataOf(await deposit(), 201);
    },
  ],
  deleted: [
    'A user that never had a position is deleted, and its external id is free; any other is kept: 409 user_has_positions.',
    async (stage) => {
      const { caller } = await stage.partner();
      const { id, external_id } = await stage.newUser(caller);
      const answer = await caller.delete(`/users/${id}`);
      shows('the answer', dataOf(answer, 200), { id, deleted: true }, answer);
      refused(await caller.get(`/users/${id}/ledger`), 404, 'not_found');
      equals('its row', dataOf(await caller.get(`/partner/users?ids=${id}`), 200), []);
      made(await caller.post('/users', { external_id }));
      const { user_id } = await stage.position();
      refused(await caller.delete(`/users/${user_id}`), 409, 'user_has_positions');
    },
  ],
});
