/* eslint-disable no-restricted-syntax -- Altered answers have any names: that is what the rules are to notice. */
import {
  accepting,
  type Alterations,
  data,
  doing,
  each,
  ignoring,
  list,
  opened,
  refusing,
  rows,
  scaled,
  set,
  without,
  withoutHeader,
} from './altered.js';
import type { Alteration } from './altering-proxy.js';

const [CREATE, PREVIEW] = ['POST /users/{id}/withdrawals', 'POST /users/{id}/withdrawals/preview'];
const [OWN, LIST, READ] = ['GET /users/{id}/withdrawals', 'GET /withdrawals', 'GET /withdrawals/{id}'];
const [TAKEN, PAID, FAILED] = ['taken', 'paid', 'failed'].map((step) => `POST /withdrawals/{id}/${step}`) as [
  string,
  string,
  string,
];
const [USER, USERS, LEDGER] = ['GET /users/{id}', 'GET /partner/users', 'GET /users/{id}/ledger'];
const [POSITIONS, EVENTS] = ['GET /positions', 'GET /events'];
const [NEW_USER, POSITION] = ['POST /users', 'POST /positions/{id}/withdrawals'];

/** Positions of one vault pay in the other order. */
function youngestFirst({ parts }: any): void {
  const vault = parts.find((part: any) =>
    parts.some((other: any) => other !== part && other.vault_id === part.vault_id),
  ).vault_id;
  const [one, other] = parts.filter((part: any) => part.vault_id === vault);
  [one.position_id, other.position_id] = [other.position_id, one.position_id];
}

/** Pays what there is, and says that it refuses. */
const PAYS_SECRETLY: Alteration = {
  asked: ({ operation, body }) => void (operation === CREATE && delete body.amount),
  answered: (reply, { operation }) => {
    if (operation !== CREATE) return;
    Object.assign(reply, { status: 409, body: { error: { code: 'insufficient_balance' } } });
  },
};

const PREVIEW_WITHDRAWS: Alteration = {
  asked: ({ operation, url }) => {
    if (operation === PREVIEW) url.pathname = url.pathname.replace('/preview', '');
  },
  answered: (reply, { operation }) => {
    if (operation !== PREVIEW) return;
    const { user_id, asset, amount, wallet, parts } = reply.body.data;
    const preview = { user_id, asset, amount, available: amount, wallet, parts };
    Object.assign(reply, { status: 200, body: { object: 'withdrawal_preview', data: preview } });
  },
};

/** Pays what the books expect, whatever is reported. */
const CUT: Alteration = {
  asked: ({ operation, body }) => void (operation === PAID && body.amount > 60 && (body.amount = 60)),
};

/** Refuses the tenth of a user. */
const NINE: Alteration = {
  answered: (reply, { operation, url }) => {
    if (operation !== CREATE) return;
    const requests = (requested.get(url.pathname) ?? 0) + 1;
    requested.set(url.pathname, requests);
    if (requests === 10)
      Object.assign(reply, { status: 409, body: { error: { code: 'withdrawal_limit_reached' } } });
  },
};
const requested = new Map<string, number>();

let count = 0;

export const OF_EITHER: Alterations = {
  'withdrawals.parts': {
    'vaults pay before cash': data(CREATE, ({ parts }) => parts.reverse()),
    'the youngest position pays first': data(CREATE, youngestFirst),
    'a part is less than what is paid': data(CREATE, ({ parts }) => (parts.at(-1).amount -= 1)),
    'a position that paid everything is open': rows(POSITIONS, set({ status: 'active' })),
    'principals are as before': rows(POSITIONS, set({ principal: 30 })),
    'a withdrawal costs something': data(CREATE, set({ cost: 1 })),
  },
  'withdrawals.balances': {
    'a balance has twice its value': data(USER, each('balances', scaled(2, 'value'))),
    'something stays reserved': data(
      USER,
      each('balances', (row) => (row.available = row.value - 1)),
    ),
    'closed positions are counted': data(USER, each('balances', set({ positions: 5 }))),
    'the list has other balances': rows(USERS, each('balances', scaled(1.1, 'value'))),
    'the list has another TVL': rows(USERS, scaled(1.1, 'net_tvl')),
  },
  'withdrawals.booked': {
    'the ledger lacks it': without(LEDGER, 'withdrawal'),
    'an entry is of another transfer': rows(LEDGER, set({ tx_hash: `0x${'1'.repeat(64)}` })),
    'an event names no withdrawal': rows(EVENTS, ({ data: of }) => (of.withdrawal_id = null)),
    'every event names a withdrawal': rows(EVENTS, ({ data: of }) => (of.withdrawal_id ??= 'wdr_any')),
    'events have other amounts': rows(EVENTS, ({ data: of }) => (of.amount *= 2)),
    'nothing was closed': rows(EVENTS, (row) => row.type === 'position.closed' && (row.data.id = 'pos_any')),
  },
  'withdrawals.everything': {
    'everything is a part': doing(CREATE, { amount: 150 }),
    'a closed position is worth something': rows(POSITIONS, (row) => (row.value ||= 1)),
    'a user without positions has a balance': data(USER, ({ balances }) => balances.push({ asset: 'USDC' })),
    'nothing is withdrawn': accepting(CREATE, 'insufficient_balance'),
    'a preview is of nothing': accepting(PREVIEW, 'insufficient_balance'),
  },
  'withdrawals.insufficient': {
    'more than there is is withdrawn': accepting(CREATE, 'insufficient_balance'),
    'a preview is of more than there is': accepting(PREVIEW, 'insufficient_balance'),
    'what is refused is paid': PAYS_SECRETLY,
  },
  'withdrawals.once': {
    'a repeated withdrawal is another one': withoutHeader(CREATE, 'idempotency-key'),
    'a key is used twice': accepting(CREATE, 'idempotency_key_reused'),
  },
  'withdrawals.input': {
    "another partner withdraws a user's money": opened(CREATE, NEW_USER),
    'another partner previews a withdrawal': opened(PREVIEW, NEW_USER),
    'any asset or amount is withdrawn': accepting(CREATE, 'validation_failed'),
    'any asset or amount is previewed': accepting(PREVIEW, 'validation_failed'),
    'an unknown user has nothing': refusing(CREATE, 'not_found', 'insufficient_balance'),
  },
  'withdrawals.wallets': {
    'no wallet is paid': data(CREATE, set({ wallet: null })),
    'a wallet has no checksum': data(CREATE, (row) => (row.wallet = row.wallet?.toLowerCase() ?? null)),
    'any wallet is paid': accepting(CREATE, 'validation_failed'),
    'any wallet is previewed': accepting(PREVIEW, 'validation_failed'),
  },
  'withdrawals.previewed': {
    'a preview withdraws': PREVIEW_WITHDRAWS,
    'a preview has other parts': data(PREVIEW, ({ parts }) => parts.reverse()),
    'only the amount is available': data(PREVIEW, (row) => (row.available = row.amount)),
  },
  'withdrawals.listed': {
    'the oldest is first': list(OWN, (all) => all.reverse()),
    "a user's list has any status": ignoring(OWN, 'status'),
    'the list is of all users': ignoring(LIST, 'user_id'),
    'a cursor begins again': ignoring(OWN, 'cursor'),
    'a list has other amounts': rows(LIST, scaled(2, 'amount')),
    'an amount is another by id': data(READ, scaled(2, 'amount')),
    'another partner reads it': opened(READ, CREATE),
    'another partner lists those of a user': opened(OWN, NEW_USER),
    'another partner lists it': opened(LIST, NEW_USER),
    'the CSV is of all users': {
      asked: ({ headers, url }) => void (headers.accept === 'text/csv' && url.searchParams.delete('user_id')),
    },
    'the CSV is JSON': {
      asked: ({ headers }) => {
        if (headers.accept === 'text/csv') headers.accept = 'application/json';
      },
    },
  },
  'withdrawals.blocked': {
    'a blocked user gets nothing': {
      answered: (reply, { operation }) => {
        if (operation === CREATE)
          Object.assign(reply, { status: 409, body: { error: { code: 'user_blocked' } } });
      },
    },
  },
  'paging.order': { 'withdrawals are oldest first': list(LIST, (all) => all.reverse()) },
};

/** Of a deployment with executors. */
export const OF_PAYOUTS: Alterations = {
  'payouts.reserved': {
    'nothing is reserved': data(
      USER,
      each('balances', (row) => (row.available = row.value)),
    ),
    'a request lowers the value': data(USER, each('balances', scaled(0.5, 'value'))),
    'what is reserved is reserved again': accepting(CREATE, 'insufficient_balance'),
    'what is reserved is withdrawn by position': accepting(POSITION, 'insufficient_balance'),
    'a request is in the ledger': list(LEDGER, (all) => [...all, {}]),
    'it lapses at once': data(CREATE, (row) => (row.expires_at = row.requested_at)),
  },
  'payouts.paid': {
    'nobody took it': data(TAKEN, set({ taken_by: null })),
    'a payment has no transfer': data(PAID, set({ tx_hash: null })),
    'a settlement is of another amount': rows('GET /settlements', scaled(0.5, 'amount')),
    'a payment stays reserved': data(
      USER,
      each('balances', (row) => (row.available = row.value - 60)),
    ),
    'executors see any status': ignoring(LIST, 'status'),
    'what was taken is requested': data(READ, (row) => row.status === 'taken' && (row.status = 'requested')),
  },
  'payouts.once': {
    'two executors take it': accepting(TAKEN, 'withdrawal_already_reported'),
    'what was paid is taken': accepting(TAKEN, 'withdrawal_not_open'),
    'what was paid has failed': accepting(FAILED, 'withdrawal_not_open'),
    'another payment is taken for the same': accepting(PAID, 'withdrawal_already_reported'),
    'one transfer pays two': accepting(PAID, 'settlement_already_recorded'),
    'a repeated report is another payment': data(PAID, (row) => (row.paid_at = String(++count))),
  },
  'payouts.failed': {
    'what failed stays reserved': data(
      USER,
      each('balances', (row) => (row.available = row.value - 60)),
    ),
    'its partner gets another alert': rows(EVENTS, ({ data: of }) => of.alert && (of.alert.kind = 'other')),
    'administrators get another alert': rows(
      'GET /alerts/events',
      ({ data: of }) => of.alert && (of.alert.kind = 'other'),
    ),
    'what failed is taken': accepting(TAKEN, 'withdrawal_not_open'),
    'what failed is paid': accepting(PAID, 'withdrawal_not_open'),
    'it fails twice': accepting(FAILED, 'withdrawal_already_reported'),
    'it fails for no reason': data(FAILED, set({ note: null })),
  },
  'payouts.bounds': {
    'any amount is paid': accepting(PAID, 'amount_out_of_bounds'),
    'cash pays less': accepting(PAID, 'amount_out_of_bounds', ({ body }) => body.amount === 49.999999),
    'more is paid, as if it were the amount': CUT,
  },
  'payouts.short': {
    'what was not paid costs nothing': data(PAID, set({ cost: 0 })),
    'a position bears no cost': rows(POSITIONS, set({ costs: 0 })),
    'the cost is withdrawn': rows(LEDGER, (row) => (row.amount += 0.01)),
    'whoever paid did not take it': data(PAID, set({ taken_at: null })),
  },
  'payouts.limit': {
    'a user has any number of them': accepting(CREATE, 'withdrawal_limit_reached'),
    'a user has nine of them': NINE,
  },
  'payouts.wallet': {
    'an executor chooses a wallet': accepting(CREATE, 'validation_failed'),
    'a preview knows no wallet': accepting(PREVIEW, 'validation_failed'),
  },
  'payouts.whole': {
    'more than everything is reserved': accepting(CREATE, 'insufficient_balance'),
    'something stays available': data(
      USER,
      each('balances', (row) => (row.available ||= 0.000001)),
    ),
    'something is left': data(USER, ({ balances }) => balances.length === 0 && balances.push({})),
    'a payment is less than what left': data(PAID, scaled(0.9, 'paid_amount')),
  },
};
