import { accepting, type Alterations, data, each, ignoring, opened, rows, scaled, set } from './altered.js';

const [CREATE, READ, UPDATE, DELETE] = [
  'POST /users',
  'GET /users/{id}',
  'PATCH /users/{id}',
  'DELETE /users/{id}',
];
const LIST = 'GET /partner/users';

export const OF_USERS: Alterations = {
  'users.created': {
    'a new user is blocked': data(CREATE, set({ status: 'blocked' })),
    'a new user has metadata': data(CREATE, set({ metadata: { tier: 'gold' } })),
  },
  'users.external-id': {
    'two users have one external id': accepting(CREATE, 'external_id_taken'),
  },
  'users.wallets': {
    'two users have one wallet': accepting(CREATE, 'wallet_taken'),
    'a wrong checksum is taken': accepting(CREATE, 'validation_failed'),
  },
  'users.checksums': {
    'a wallet has no checksum': data(
      CREATE,
      (row) => (row.wallets = row.wallets.map((text: string) => text.toLowerCase())),
    ),
    'wallets are sorted': data(CREATE, ({ wallets }) => wallets.sort()),
  },
  'users.wallets-at-most': { 'a user has any number of wallets': accepting(CREATE, 'validation_failed') },
  'users.fields': {
    'any field is taken': accepting(CREATE, 'validation_failed'),
    'a label is trimmed': data(CREATE, (row) => (row.external_id = row.external_id.trim())),
  },
  'users.own-fields': { 'a user chooses its id': accepting(CREATE, 'validation_failed') },
  'users.listed': {
    'a new user has funds': rows(LIST, set({ net_tvl: 1 })),
    'a new user has a position': rows(LIST, set({ positions: { open: 1, closed: 0 } })),
  },
  'users.by-id': {
    'the list ignores external_id': ignoring(LIST, 'external_id'),
    'the list ignores wallet': ignoring(LIST, 'wallet'),
    'any text is a wallet': accepting(LIST, 'validation_failed'),
    'another partner reads a user': opened(READ, CREATE),
    'a user is another by id': data(READ, set({ label: 'another' })),
    'a user without positions has a balance': data(READ, ({ balances }) => balances.push({ asset: 'USDC' })),
  },
  'users.balances': {
    'a value is of something else': data(READ, each('balances', scaled(1.01, 'value'))),
    'something is reserved': data(
      READ,
      each('balances', (row) => (row.available -= 1)),
    ),
    'closed positions are counted': data(
      READ,
      each('balances', (row) => (row.positions += 1)),
    ),
    'an asset is left out': data(READ, ({ balances }) => balances.pop()),
    'the list has other balances': rows(LIST, each('balances', scaled(1.01, 'value'))),
  },
  'users.updated': {
    'a change is not stored': data(UPDATE, set({ metadata: {} })),
    'the list shows the old label': rows(LIST, set({ label: 'old' })),
    'two users have one wallet': accepting(UPDATE, 'wallet_taken'),
    'any field is taken': accepting(UPDATE, 'validation_failed'),
  },
  'users.deleted': {
    'a user with positions is deleted': accepting(DELETE, 'user_has_positions'),
    'a deleted user is there': accepting('GET /users/{id}/ledger', 'not_found'),
  },
};
