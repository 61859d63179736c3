import type { Alteration, Passing, Reply } from './altering-proxy.js';
import type { Contract } from './operations.js';

/** What a deployment might do that breaks its contract, and the rule that must notice it. */
export type Altered = [rule: string, wrong: string, alteration: Alteration, only?: Contract | undefined];

type Change = (node: any, passing: Passing) => void;

/** Changes what a success holds. */
const data = (operation: string, change: Change): Alteration => ({
  answered: (reply, passing) => {
    if (passing.operation === operation) change(reply.body?.data, passing);
  },
});
/** Changes each row of a list. */
const rows = (operation: string, change: Change): Alteration =>
  data(operation, (list, passing) => list.forEach((row: any) => change(row, passing)));
/** Changes the list as a whole. */
const list = (operation: string, change: (all: any[]) => any[]): Alteration => ({
  answered: (reply, passing) => {
    if (passing.operation === operation) reply.body.data = change(reply.body.data);
  },
});
/** Answers as if a parameter of the query had not been sent. */
const ignoring = (operation: string, ...names: string[]): Alteration => ({
  answered: async (reply, { operation: asked, url }, again) => {
    if (asked !== operation || !names.some((name) => url.searchParams.has(name))) return;
    const other = new URL(url);
    for (const name of names) other.searchParams.delete(name);
    const asIfNotSent = await again(`${other.pathname}${other.search}`.replace('/api/v1', ''));
    reply.status = asIfNotSent.status;
    reply.body = asIfNotSent.body;
    reply.headers = asIfNotSent.headers;
  },
});
/** Lets the deployment do something else than it was asked for, and claim that it did it. */
const doing = (operation: string, body: object, claimed: Change = () => undefined): Alteration => ({
  asked: (passing) => {
    if (passing.operation === operation && passing.body) passing.body = { ...passing.body, ...body };
  },
  answered: (reply, passing) => {
    if (passing.operation === operation) claimed(reply.body?.data, passing);
  },
});
/** A page of another size where none is asked for. */
const paged = (operation: string, size: string): Alteration => ({
  asked: ({ operation: asked, url }) => {
    if (asked === operation && !url.searchParams.has('limit')) url.searchParams.set('limit', size);
  },
});
const header = (operation: string, name: string, value?: string): Alteration => ({
  answered: (reply: Reply, { operation: asked }) => {
    if (asked !== operation) return;
    delete reply.headers[name];
    if (value !== undefined) reply.headers[name] = value;
  },
});
const without =
  (...types: string[]) =>
  (all: any[]): any[] =>
    all.filter(({ type, kind }) => !types.includes(type ?? kind));
const scaled =
  (factor: number, ...names: string[]): Change =>
  (node) => {
    for (const name of names)
      if (typeof node[name] === 'number') node[name] = Number((node[name] * factor).toFixed(6));
  };
const each =
  (name: string, change: Change): Change =>
  (node, passing) =>
    node[name].forEach((one: any) => change(one, passing));

const LEDGER = 'GET /partner/ledger';
const DECISIONS = 'GET /analytics/decisions';
const SIGNALS = 'GET /analytics/signals';
const REGIME = 'GET /analytics/regime';
const UPLIFT = 'GET /analytics/uplift';
const HISTORY = 'GET /yield/history/{asset}';
const EVENTS = 'GET /events';

/** Filters that are left out one by one, with the rule that notices each. */
const IGNORED: Record<string, [rule: string, names: string[], only?: Contract]> = {
  'GET /positions': ['filters.positions', ['user_id', 'asset', 'status']],
  [LEDGER]: ['filters.partner-ledger', ['type', 'asset', 'user_id', 'position_id', 'from', 'to', 'after']],
  'GET /users/{id}/ledger': ['filters.users-id-ledger', ['type', 'asset', 'position_id', 'from', 'to']],
  'GET /partner/journal': ['filters.partner-journal', ['type', 'user_id']],
  [DECISIONS]: ['filters.analytics-decisions', ['user_id', 'position_id', 'asset', 'kind', 'from', 'to']],
  [SIGNALS]: ['filters.analytics-signals', ['asset']],
  [REGIME]: ['analytics.regime', ['asset']],
  'GET /partners': ['filters.partners', ['status']],
  'GET /partners/{id}/campaigns': ['filters.partners-id-campaigns', ['status']],
  'GET /partner/users': ['filters.partner-users', ['ids']],
  'GET /webhooks/deliveries': ['filters.webhooks-deliveries', ['webhook_id', 'status', 'event'], 'partner'],
  'GET /webhooks/events': ['filters.webhooks-events', ['webhook_id', 'status', 'event'], 'sandbox'],
  [EVENTS]: ['filters.events', ['types', 'undelivered_to', 'after']],
  'GET /audit': ['filters.audit', ['key_id', 'operation', 'subject', 'from', 'to']],
  [UPLIFT]: ['uplift.filters', ['asset', 'user_id', 'position_id', 'from', 'to']],
  [HISTORY]: ['market.spans', ['from', 'to', 'interval']],
  'GET /vaults/{id}/history': ['market.spans', ['from', 'interval']],
  ...Object.fromEntries(
    ['summary', 'deposits', 'withdrawals', 'tvl', 'points', 'users'].map(
      (report): [string, [string, string[]]] => [`GET /partner/${report}`, [`reports.${report}`, ['as_of']]],
    ),
  ),
};

export const ALTERED: readonly Altered[] = [
  ...Object.entries(IGNORED).flatMap(([operation, [rule, names, only]]) =>
    names.map((name): Altered => [rule, `${operation} ignores ${name}`, ignoring(operation, name), only]),
  ),

  ['paging.default', 'a page of end-users has 50 rows without a limit', paged('GET /partner/users', '50')],
  ['paging.default', 'a page of end-users has 500 rows without a limit', paged('GET /partner/users', '500')],
  ['paging.default', 'a page of the ledger has 50 rows without a limit', paged(LEDGER, '50')],
  ['paging.default', 'a page of decisions has 20 rows without a limit', paged(DECISIONS, '20')],
  ['paging.pages', 'a cursor begins again', ignoring('GET /partner/users', 'cursor')],
  [
    'paging.pages',
    'a page lacks its last row',
    list('GET /webhooks', (all) => (all.length > 1 ? all.slice(0, -1) : all)),
  ],
  ['paging.order', 'endpoints are listed oldest first', list('GET /webhooks', (all) => all.reverse())],

  ['ledger.accruals', 'a ledger has no accruals', list(LEDGER, without('yield_accrual'))],
  [
    'ledger.withdrawals',
    'withdrawals have negative amounts',
    rows(LEDGER, (row) => row.type === 'withdrawal' && scaled(-1, 'amount')(row, null!)),
  ],
  [
    'ledger.deposits',
    'deposits are in micro-units',
    rows(LEDGER, (row) => row.type === 'deposit' && scaled(1e6, 'amount')(row, null!)),
  ],
  ['ledger.rebalances', 'a ledger has no moves', list(LEDGER, without('rebalance')), 'sandbox'],
  [
    'ledger.accruals',
    'a loss accrues as a gain',
    rows(LEDGER, (row) => void (row.amount = Math.abs(row.amount))),
    'sandbox',
  ],
  ['ledger.adds', 'a move costs nothing', rows(LEDGER, (row) => void (row.cost = 0)), 'sandbox'],
  ['ledger.apys', 'the apy of an entry is a percentage', rows(LEDGER, scaled(100, 'apy'))],
  ['ledger.fees', 'the fee of an entry is twice as high', rows(LEDGER, scaled(2, 'fee'))],
  ['ledger.deposits', 'a deposit names no decision', rows(LEDGER, (row) => void (row.decision_id = null))],
  [
    'ledger.journal',
    'the journal credits what it must debit',
    rows(
      'GET /partner/journal',
      each('lines', (line) => void ([line.debit, line.credit] = [line.credit, line.debit])),
    ),
  ],

  [
    'reports.summary',
    'the summary leaves withdrawals out of net TVL',
    data('GET /partner/summary', ({ totals }) => void (totals.net_tvl += totals.withdrawals)),
  ],
  [
    'reports.summary',
    'the summary counts closed positions as open',
    data('GET /partner/summary', ({ positions }) => void (positions.open += positions.closed)),
  ],
  [
    'reports.deposits',
    'deposits are net of withdrawals',
    data('GET /partner/deposits', (report) => void (report.total -= 400)),
  ],
  ['reports.withdrawals', 'withdrawals are negative', data('GET /partner/withdrawals', scaled(-1, 'total'))],
  [
    'reports.tvl',
    'a share of TVL is a percentage',
    data('GET /partner/tvl', each('assets', each('vaults', scaled(100, 'share')))),
  ],
  [
    'reports.yield',
    'the APY of a report is a percentage',
    data('GET /partner/yield', each('assets', scaled(100, 'apy'))),
  ],
  ['reports.points', 'points are counted by the hour', data('GET /partner/points', scaled(24, 'total'))],
  [
    'reports.revenue',
    'the partner has the part of the protocol',
    data('GET /partner/revenue', ({ totals }) => {
      [totals.partner_revenue, totals.protocol_revenue] = [totals.protocol_revenue, totals.partner_revenue];
    }),
  ],
  ['reports.users', 'each user has the TVL of all', rows('GET /partner/users', scaled(2, 'net_tvl'))],

  [
    'uplift.baselines',
    'the baselines of lending and hold are exchanged',
    data(UPLIFT, ({ baselines: of }) => void ([of.lending, of.hold] = [of.hold, of.lending])),
    'sandbox',
  ],
  [
    'uplift.adds',
    'uplift is before costs',
    data(UPLIFT, ({ baselines: { hold } }) => void (hold.realized.uplift = hold.realized.gross_uplift)),
    'sandbox',
  ],
  [
    'uplift.projected',
    'the projection is at observed APYs',
    data(UPLIFT, (of) => scaled(1.1, 'routed_apy')((of.baselines?.lending ?? of).projected, null!)),
  ],

  [
    'decisions.alternatives',
    'decisions show only the chosen alternative',
    rows(DECISIONS, (row) => void (row.alternatives = row.alternatives.filter((one: any) => one.chosen))),
  ],
  [
    'decisions.alternatives',
    'decisions show every alternative as chosen',
    rows(
      DECISIONS,
      each('alternatives', (one) => void (one.chosen = true)),
    ),
  ],
  [
    'decisions.gates',
    'every gate is shown as passed',
    rows(
      DECISIONS,
      each(
        'alternatives',
        each('gates', (one) => void (one.passed = true)),
      ),
    ),
    'sandbox',
  ],
  [
    'decisions.uplift',
    'an expected uplift is before its cost',
    rows(DECISIONS, ({ expected_uplift: of }) => void (of.npv = of.amount + of.cost + 1)),
  ],
  [
    'decisions.kinds',
    'a hold is shown as a move',
    rows(DECISIONS, (row) => void (row.kind = row.kind === 'hold' ? 'rebalance' : row.kind)),
    'sandbox',
  ],
  ['decisions.moves', 'the log of decisions has no moves', list(DECISIONS, without('rebalance')), 'sandbox'],

  [
    'market.regimes',
    'a market that falls is said to rise',
    data(
      REGIME,
      each(
        'assets',
        (one) =>
          void (one.regime = { rising: 'falling', falling: 'rising', stable: 'volatile', volatile: 'stable' }[
            one.regime as string
          ]),
      ),
    ),
  ],
  ['market.regimes', 'the trend has the other sign', data(REGIME, each('assets', scaled(-1, 'trend')))],
  [
    'market.recommended',
    'every signal is to be increased',
    rows(SIGNALS, (row) => void (row.recommendation = 'increase')),
  ],
  [
    'market.signals',
    'signals always have enough history',
    rows(SIGNALS, (row) => void (row.insufficient_history = !row.insufficient_history)),
  ],
  [
    'market.signals',
    'a forecast is the current APY',
    rows(SIGNALS, (row) => void (row.forecast_apy = row.apy)),
  ],
  ['market.signals', 'risk costs nothing', rows(SIGNALS, (row) => void (row.risk_adjusted_apy = row.apy))],
  ['analytics.signals', 'signals are ranked the other way round', list(SIGNALS, (all) => all.reverse())],
  ['market.blended', 'the yield history is a percentage', data(HISTORY, each('points', scaled(100, 'apy')))],
  ['market.vaults', 'a vault shows its APY as a percentage', rows('GET /vaults', scaled(100, 'apy'))],

  [
    'webhooks.switched',
    'an endpoint set inactive gets events',
    doing('PATCH /webhooks/{id}', { active: true }, (hook) => void (hook.active = false)),
    'partner',
  ],
  [
    'webhooks.switched',
    'an endpoint set active again gets none',
    doing('PATCH /webhooks/{id}', { active: false }, (hook) => void (hook.active = true)),
    'partner',
  ],
  [
    'users.blocked',
    'a blocked user may deposit',
    doing('PATCH /users/{id}', { status: 'active' }, (user) => void (user.status = 'blocked')),
  ],
  [
    'users.blocked',
    'a user that is active again may not deposit',
    doing('PATCH /users/{id}', { status: 'blocked' }),
  ],
  [
    'campaigns.switched',
    'a disabled campaign goes on',
    doing('PATCH /partners/{id}/campaigns/{campaignId}', { status: 'active' }),
  ],
  [
    'campaigns.switched',
    'a campaign stays disabled',
    doing('PATCH /partners/{id}/campaigns/{campaignId}', { status: 'disabled' }),
  ],
  [
    'partners.disabled',
    'a disabled partner keeps its keys',
    doing('PATCH /partners/{id}', { status: 'active' }),
  ],
  ['policies.previewed', 'a pause has no effect', doing('PUT /partner/policy', { paused: false })],

  ['events.positions', 'a withdrawal raises no event', list(EVENTS, without('position.withdrawn'))],
  [
    'events.delivered',
    'an event says that everybody got it',
    rows(EVENTS, (row) => void (row.undelivered_to = [])),
  ],
  [
    'events.thresholds',
    'a crossing has the other direction',
    rows(
      EVENTS,
      ({ data: of }) =>
        void (of.direction = { above: 'below', below: 'above' }[of.direction as string] ?? of.direction),
    ),
    'sandbox',
  ],
  [
    'statements.days',
    'a statement shows yield after costs',
    data('GET /partner/statements/{period}', ({ totals }) => void (totals.yield -= totals.costs)),
    'sandbox',
  ],
  [
    'statements.history',
    'the history of reports is a day behind',
    data('GET /partner/history', (report) => void (report.points[0].net_tvl = 0)),
    'sandbox',
  ],

  [
    'webhooks.secret-once',
    'a list of endpoints shows eight characters of a secret',
    rows('GET /webhooks', (row) => void (row.secret = `whsec_****abcd${row.secret.slice(-4)}`)),
  ],
  [
    'keys.masked',
    'a list of keys shows more of a secret',
    rows('GET /keys', (row) => void (row.secret = row.secret.replace('****', 'abcd****'))),
  ],
  [
    'idempotency.replay',
    'a repeated deposit is another one',
    {
      asked: (passing) =>
        passing.operation === 'POST /positions' ? void delete passing.headers['idempotency-key'] : undefined,
    },
  ],
  ['idempotency.replay', 'a replay does not say so', header('POST /users', 'idempotency-replayed')],
  [
    'analytics.alias',
    'a deprecated path does not say so',
    header('GET /partner/yield/history/{asset}', 'deprecation'),
  ],
  ['answers.no-store', 'an answer may be cached', header('GET /webhooks', 'cache-control', 'max-age=60')],
  [
    'answers.envelope',
    'a list has no meta',
    {
      answered: (reply, { operation }) =>
        operation === 'GET /webhooks' ? void delete reply.body.meta : undefined,
    },
  ],
];
