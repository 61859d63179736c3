import type { Caller } from '../caller.js';
import { dataOf, equals, holds, made, rowsOf, SkippedRule } from '../check.js';
import type { Contract } from '../operations.js';
import { type Rule, rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { withReceiver } from './alerts.rules.js';

type Rows = readonly any[];

interface Filter {
  /** Whether it leaves a row in; `rows` are those of the list without it. */
  passes: (row: any, value: string, rows: Rows) => boolean;
  /** Values to ask with. */
  values: (rows: Rows) => string[];
}

const VALUES = 3;
const idOf = ({ id, vault_id, user_id }: any): string => id ?? vault_id ?? user_id;
const distinct = (values: readonly unknown[]): string[] => [
  ...new Set(values.filter((value) => value !== null && value !== undefined).map(String)),
];

/** Rows that have the value, or one of the values, under a name. */
const field = (name: string, of = (row: any): unknown => row[name]): Filter => ({
  passes: (row, value) => [of(row)].flat().map(String).includes(value),
  values: (rows) => distinct(rows.flatMap(of)).slice(0, VALUES),
});

/** One of a few words. If the list has no row of a word, its answer is empty. */
const choice = (name: string, ...values: string[]): Filter => ({ ...field(name), values: () => values });

/** A time just before that of a row, at which no other row is. */
function moments(rows: Rows): string[] {
  const times = distinct(rows.map(({ at }) => at)).toSorted();
  const justBefore = times.map((at) => new Date(Date.parse(at) - 1).toISOString());
  return justBefore
    .slice(times.length >> 1)
    .filter((at) => !times.includes(at))
    .slice(0, 1);
}
const PERIOD: Record<'from' | 'to', Filter> = {
  from: { passes: ({ at }, value) => at >= value, values: moments },
  to: { passes: ({ at }, value) => at < value, values: moments },
};

const placeOf = (rows: Rows, id: string): number => rows.findIndex((row) => row.id === id);
/** Rows that were recorded after one. `step` 1: the list is oldest first. */
const after = (step: 1 | -1): Filter => ({
  passes: ({ id }, value, rows) => (placeOf(rows, id) - placeOf(rows, value)) * step > 0,
  values: (rows) => rows.slice(rows.length >> 1, (rows.length >> 1) + 1).map(({ id }) => id),
});

/** By month; no month has the second value. */
const MONTH: Filter = {
  ...field('period'),
  values: (rows) => [...distinct(rows.map(({ period }) => period)).slice(0, 1), '2020-01'],
};
const INVOICED = { status: choice('status', 'open', 'paid', 'void'), period: MONTH };

const IDS: Filter = {
  passes: (row, value) => value.split(',').includes(idOf(row)),
  values: (rows) => rows.slice(0, 1).map((row) => `${idOf(row)},usr_${'0'.repeat(26)}`),
};

const OWNER = { user_id: field('user_id'), asset: field('asset') };
const LEDGER = {
  type: choice('type', 'deposit', 'withdrawal', 'rebalance', 'yield_accrual'),
  asset: field('asset'),
  position_id: field('position_id'),
  ...PERIOD,
  after: after(-1),
};
const LOG = {
  webhook_id: field('webhook_id'),
  status: choice('status', 'pending', 'delivered', 'failed'),
  event: choice('event', 'position.opened', 'position.withdrawn', 'system.status', 'yield.threshold'),
};
const AUDIT = {
  key_id: field('key_id', ({ actor }) => actor.key_id),
  operation: field('operation'),
  subject: field('subject', ({ subjects }) => subjects),
  ...PERIOD,
};
const WITHDRAWN = choice('status', 'requested', 'taken', 'paid', 'failed', 'lapsed');
const RAISED = {
  types: choice('type', 'position.opened', 'position.withdrawn', 'system.status', 'yield.threshold'),
  undelivered_to: {
    ...field('undelivered_to'),
    values: (rows: Rows) =>
      distinct(rows.flatMap((row) => row.deliveries.map((send: any) => send.webhook_id))),
  },
  after: after(1),
};

/** Every filter of every list, but for `as_of`, of which rules about reports say what it leaves out. */
export const FILTERS: Record<string, [filters: Record<string, Filter>, only?: Contract]> = {
  'GET /partners': [{ status: choice('status', 'active', 'disabled') }],
  'GET /partners/{id}/campaigns': [{ status: choice('status', 'active', 'disabled') }],
  'GET /partner/users': [
    { ids: IDS, external_id: field('external_id'), wallet: field('wallets', ({ wallets }) => wallets) },
  ],
  'GET /positions': [{ ...OWNER, status: choice('status', 'pending', 'active', 'closed') }],
  'GET /partner/ledger': [{ ...OWNER, ...LEDGER }],
  'GET /users/{id}/ledger': [LEDGER],
  'GET /partner/journal': [{ ...OWNER, ...LEDGER }],
  'GET /analytics/decisions': [
    {
      ...OWNER,
      position_id: field('position_id'),
      kind: choice('kind', 'route', 'rebalance', 'hold'),
      ...PERIOD,
    },
  ],
  'GET /analytics/signals': [{ asset: field('asset') }],
  'GET /webhooks/deliveries': [LOG, 'partner'],
  'GET /webhooks/events': [LOG, 'sandbox'],
  'GET /events': [RAISED],
  'GET /alerts/events': [RAISED],
  'GET /audit': [AUDIT],
  'GET /partner/audit': [AUDIT],
  'GET /settlements': [
    {
      status: choice('status', 'unchecked', 'seen', 'confirmed', 'mismatch', 'not_found'),
      position_id: field('position_id'),
      resolution: { passes: ({ resolution }) => resolution === null, values: () => ['open'] },
    },
    'partner',
  ],
  'GET /moves': [
    {
      status: field('status'),
      review: field('review', ({ review }) => review?.status),
      position_id: field('position_id'),
    },
  ],
  'GET /partner/statements/{period}/users': [{ ids: IDS }],
  'GET /partner/invoices': [INVOICED],
  'GET /partners/{id}/invoices': [INVOICED],
  'GET /withdrawals': [{ status: WITHDRAWN, user_id: field('user_id') }],
  'GET /users/{id}/withdrawals': [{ status: WITHDRAWN }],
};

/** The newest day of the partner that is closed. @throws Skipped where none is */
async function closedDay(caller: Caller): Promise<string> {
  const days = dataOf(await caller.get('/partner/statements?interval=day'), 200) as any[];
  if (days.length === 0) throw new SkippedRule('no day ended while the run lasted, so that none is closed');
  return days[0].period;
}

/** Creates rows that the filters of a list exclude, if the history of the partner has none. */
const PREPARED: Record<string, (stage: Stage) => Promise<void>> = {
  'GET /partners': async ({ admin, newPartner }) => {
    const { id } = await newPartner('disabled');
    made(await admin.patch(`/partners/${id}`, { status: 'disabled' }));
  },
  'GET /partners/{id}/campaigns': async (stage) => {
    const path = `/partners/${(await stage.life()).partner.id}/campaigns`;
    for (const status of ['active', 'disabled']) {
      const { id } = made(await stage.admin.post(path, { name: stage.name('filtered') }));
      made(await stage.admin.patch(`${path}/${id}`, { status }));
    }
  },
  'GET /alerts/events': (stage) =>
    withReceiver(stage, async ({ id }) => {
      for (let n = 0; n < 2; n++) made(await stage.admin.post(`/alerts/webhooks/${id}/test`));
    }),
};

/** Adds the fields that filters compare. Rows of the journal and decisions lack type, user and position, so these come from the ledger. */
async function described(name: string, rows: Rows, caller: Caller): Promise<Rows> {
  if (!/journal|decisions/.test(name)) return rows;
  const entries = rowsOf(await caller.get('/partner/ledger?limit=500'));
  return rows.map((row) => {
    const of = entries.filter(({ id, decision_id }) => row.id === id || row.id === decision_id);
    const each = (field: string): string[] => distinct(of.map((entry) => entry[field]));
    return { ...row, type: each('type'), user_id: each('user_id'), position_id: each('position_id') };
  });
}

async function expectFiltered(name: string, caller: Caller, path: string): Promise<void> {
  const whole = await caller.get(`${path}?limit=500`);
  const rows = await described(name, dataOf(whole, 200), caller);
  const ids = new Set(rows.map(idOf));
  const [filters] = FILTERS[name]!;
  const unfed = Object.keys(filters).filter(
    (filter) =>
      !filters[filter]!.values(rows).some((value) =>
        rows.some((row) => !filters[filter]!.passes(row, value, rows)),
      ),
  );
  for (const [filter, { passes, values }] of Object.entries(filters))
    for (const value of values(rows)) {
      const answer = await caller.get(`${path}?${filter}=${value}&limit=500`);
      const shown = dataOf(answer, 200) as any[];
      const expected = rows.filter((row) => passes(row, value, rows)).map(idOf);
      // The entries after one are oldest first.
      if (filter === 'after' && filters[filter] === LEDGER.after) expected.reverse();
      const ownRows = shown.filter((row) => ids.has(idOf(row)));
      equals(`what ${filter}=${value} leaves in`, ownRows.map(idOf), expected, answer);
      // Rows that were added meanwhile, or are beyond the first page.
      for (const row of shown.filter((text) => !ownRows.includes(text)))
        holds(
          whole.body.meta.has_more || passes(row, value, rows),
          `${idOf(row)} is none of ${filter}=${value}`,
          answer,
        );
    }
  if (unfed.length > 0)
    throw new SkippedRule(
      `the list has no row that ${unfed.join(', ')} must leave out; its other filters hold`,
    );
}

const OF_ADMINISTRATORS = /^GET \/(partners|audit|alerts)/;

const asRule = (name: string): [says: string, run: Rule['run'], only?: Contract] => {
  const [filters, only] = FILTERS[name]!;
  const run: Rule['run'] = async (stage) => {
    const { caller, partner, users } = await stage.life();
    await PREPARED[name]?.(stage);
    const path = name.replace('GET ', '').replace('/partners/{id}', `/partners/${partner.id}`);
    const day = name.includes('{period}') ? await closedDay(caller) : '';
    const reader = OF_ADMINISTRATORS.test(name) ? stage.admin : caller;
    await expectFiltered(name, reader, path.replace('{id}', users[1]).replace('{period}', day));
  };
  return [
    `The filters of ${name} leave in exactly the rows that they name: ${Object.keys(filters).join(', ')}.`,
    run,
    ...((only ? [only] : []) as [Contract?]),
  ];
};

export const filtersRules = rulesOf(
  'filters',
  Object.fromEntries(
    Object.keys(FILTERS).map((name) => [
      name.replace('GET /', '').replaceAll(/[{}]/g, '').replaceAll('/', '-'),
      asRule(name),
    ]),
  ),
);
