/* eslint-disable no-restricted-syntax -- Altered answers have any names: that is what the rules are to notice. */
import {
  accepting,
  answers,
  data,
  doing,
  each,
  ignoring,
  list,
  listed,
  ofType,
  paged,
  rows,
  scaled,
  set,
  swapped,
  without,
  withoutHeader,
  type Alterations,
  type AlteredAnswer,
} from './altered.js';
import type { Contract } from './operations.js';
import { OF_LIVE_POSITIONS, OF_MOVES, OF_POSITIONS, OF_RECEIVED } from './positions.alterations.js';
import { OF_RESERVES } from './reserves.alterations.js';
import { OF_USERS } from './users.alterations.js';
import { OF_EITHER, OF_PAYOUTS } from './withdrawals.alterations.js';

const [USERS, LEDGER, JOURNAL] = ['GET /partner/users', 'GET /partner/ledger', 'GET /partner/journal'];
const [DECISIONS, UPLIFT, HISTORY] = [
  'GET /analytics/decisions',
  'GET /analytics/uplift',
  'GET /yield/history/{asset}',
];
const [SIGNALS, REGIME, EVENTS] = ['GET /analytics/signals', 'GET /analytics/regime', 'GET /events'];
const [HOOKS, SUMMARY] = ['GET /webhooks', 'GET /partner/summary'];
const CAMPAIGN = 'PATCH /partners/{id}/campaigns/{campaignId}';

/** Filters by operation and rule, of which each is ignored for itself. */
const FILTERS: [operation: string, rule: string, filters: string, only?: Contract][] = [
  ['GET /positions', 'filters.positions', 'user_id asset status'],
  [LEDGER, 'filters.partner-ledger', 'type asset user_id position_id from to after'],
  ['GET /users/{id}/ledger', 'filters.users-id-ledger', 'type asset position_id from to'],
  [JOURNAL, 'filters.partner-journal', 'type user_id'],
  [DECISIONS, 'filters.analytics-decisions', 'user_id position_id asset kind from to'],
  [SIGNALS, 'filters.analytics-signals', 'asset'],
  [REGIME, 'analytics.regime', 'asset'],
  ['GET /partners', 'filters.partners', 'status'],
  ['GET /partners/{id}/campaigns', 'filters.partners-id-campaigns', 'status'],
  [USERS, 'filters.partner-users', 'ids external_id wallet'],
  ['GET /withdrawals', 'filters.withdrawals', 'status user_id'],
  ['GET /users/{id}/withdrawals', 'filters.users-id-withdrawals', 'status'],
  ['GET /webhooks/deliveries', 'filters.webhooks-deliveries', 'webhook_id status event', 'partner'],
  ['GET /webhooks/events', 'filters.webhooks-events', 'webhook_id status event', 'sandbox'],
  [EVENTS, 'filters.events', 'types undelivered_to after'],
  ['GET /audit', 'filters.audit', 'key_id operation subject from to'],
  [UPLIFT, 'uplift.filters', 'asset user_id position_id from to'],
  [HISTORY, 'market.spans', 'from to interval'],
  ['GET /vaults/{id}/history', 'market.spans', 'from interval'],
  ...['summary', 'deposits', 'withdrawals', 'tvl', 'yield', 'points', 'revenue', 'users'].map(
    (name): [string, string, string] => [`GET /partner/${name}`, `reports.${name}`, 'as_of'],
  ),
];

const EITHER: Alterations = {
  'paging.default': {
    'a page of end-users has 50 rows': paged(USERS, '50'),
    'a page of events has 500 rows': paged(EVENTS, '500'),
    'a page of the ledger has 50 rows': paged(LEDGER, '50'),
    'a page of decisions has 20 rows': paged(DECISIONS, '20'),
  },
  'paging.pages': {
    'a cursor begins again': ignoring(USERS, 'cursor'),
    'a page lacks its last row': list(HOOKS, (all) => (all.length > 1 ? all.slice(0, -1) : all)),
  },
  'paging.order': { 'endpoints are oldest first': list(HOOKS, (all) => all.reverse()) },
  'ledger.accruals': { 'a ledger has no accruals': without(LEDGER, 'yield_accrual') },
  'ledger.withdrawals': {
    'withdrawals are negative': rows(LEDGER, scaled(-1, 'amount', ofType('withdrawal'))),
  },
  'ledger.deposits': {
    'deposits are in micro-units': rows(LEDGER, scaled(1e6, 'amount', ofType('deposit'))),
    'a deposit names no decision': rows(LEDGER, set({ decision_id: null })),
  },
  'ledger.apys': { 'the apy of an entry is a percentage': rows(LEDGER, scaled(100, 'apy')) },
  'ledger.fees': { 'a fee is twice as high': rows(LEDGER, scaled(2, 'fee')) },
  'ledger.journal': {
    'debits are credits': rows(
      JOURNAL,
      each('lines', (line) => Object.assign(line, { debit: line.credit, credit: line.debit })),
    ),
  },
  'reports.summary': {
    'net TVL has what was withdrawn': data(SUMMARY, ({ totals: of }) => (of.net_tvl += of.withdrawals)),
    'closed positions are open': data(SUMMARY, ({ positions: of }) => (of.open += of.closed)),
  },
  'reports.deposits': {
    'deposits are net of withdrawals': data('GET /partner/deposits', (of) => (of.total -= 400)),
  },
  'reports.withdrawals': {
    'what was withdrawn is negative': data('GET /partner/withdrawals', scaled(-1, 'total')),
  },
  'reports.tvl': {
    'a share is a percentage': data('GET /partner/tvl', each('assets', each('vaults', scaled(100, 'share')))),
  },
  'reports.yield': {
    'an APY is a percentage': data('GET /partner/yield', each('assets', scaled(100, 'apy'))),
    'all yield is posted': data(
      'GET /partner/yield',
      each('assets', (of) => Object.assign(of, { accrued: of.total, pending: 0 })),
    ),
  },
  'reports.points': { 'points are by the hour': data('GET /partner/points', scaled(24, 'total')) },
  'reports.users': { 'each user has twice the TVL': rows(USERS, scaled(2, 'net_tvl')) },
  'uplift.projected': {
    'the projection is at other rates': data(UPLIFT, (of, passing) =>
      scaled(1.1, 'routed_apy')((of.baselines?.lending ?? of).projected, passing),
    ),
  },
  'decisions.alternatives': {
    'a decision shows only the chosen alternative': rows(
      DECISIONS,
      (row) => (row.alternatives = row.alternatives.filter(({ chosen }: any) => chosen)),
    ),
    'every alternative is chosen': rows(DECISIONS, each('alternatives', set({ chosen: true }))),
  },
  'decisions.uplift': {
    'npv is before costs': rows(DECISIONS, ({ expected_uplift: of }) => (of.npv = of.amount + of.cost + 1)),
  },
  'market.regimes': {
    'a falling market rises': data(
      REGIME,
      each('assets', swapped('regime', ['rising', 'falling'], ['stable', 'volatile'])),
    ),
    'a trend has the other sign': data(REGIME, each('assets', scaled(-1, 'trend'))),
  },
  'market.recommended': {
    'every vault is recommended': rows(SIGNALS, set({ recommendation: 'increase' })),
    'a vault that is behind is recommended': rows(SIGNALS, swapped('recommendation', ['increase', 'reduce'])),
  },
  'market.signals': {
    'history is said to be short': rows(
      SIGNALS,
      (row) => (row.insufficient_history = !row.insufficient_history),
    ),
    'a forecast is the current APY': rows(SIGNALS, (row) => (row.forecast_apy = row.apy)),
    'risk costs nothing': rows(SIGNALS, (row) => (row.risk_adjusted_apy = row.apy)),
  },
  'analytics.signals': { 'the worst vault is first': list(SIGNALS, (all) => all.reverse()) },
  'market.blended': { 'a history is a percentage': data(HISTORY, each('points', scaled(100, 'apy'))) },
  'market.vaults': { "a vault's APY is a percentage": rows('GET /vaults', scaled(100, 'apy')) },
  'users.blocked': {
    'a blocked user may deposit': doing('PATCH /users/{id}', { status: 'active' }, { status: 'blocked' }),
    'a user stays blocked': doing('PATCH /users/{id}', { status: 'blocked' }, { status: 'active' }),
  },
  'campaigns.switched': {
    'a disabled campaign goes on': doing(CAMPAIGN, { status: 'active' }),
    'a campaign stays disabled': doing(CAMPAIGN, { status: 'disabled' }),
  },
  'partners.disabled': {
    'a disabled partner keeps its keys': doing('PATCH /partners/{id}', { status: 'active' }),
  },
  'policies.previewed': { 'a pause has no effect': doing('PUT /partner/policy', { paused: false }) },
  'events.positions': { 'a withdrawal raises no event': without(EVENTS, 'position.withdrawn') },
  'events.delivered': { 'an event reached everybody': rows(EVENTS, set({ undelivered_to: [] })) },
  'webhooks.secret-once': {
    'a list shows more of a secret': rows(
      HOOKS,
      (row) => (row.secret = row.secret.replace('****', '****abcd')),
    ),
  },
  'webhooks.rotated': {
    'two rotations overlap': accepting('POST /webhooks/{id}/secret/rotate', 'rotation_in_progress'),
  },
  'alerts.registered': {
    'any address gets alerts': accepting('POST /alerts/webhooks', 'webhook_url_forbidden'),
  },
  'keys.masked': {
    'a list shows more of a key': rows(
      'GET /keys',
      (row) => (row.secret = row.secret.replace('****', 'ab****')),
    ),
  },
  'idempotency.replay': {
    'a repeated deposit is another one': withoutHeader('POST /positions', 'idempotency-key'),
    'a repeated withdrawal is another one': withoutHeader('POST /users/{id}/withdrawals', 'idempotency-key'),
    'a replay does not say so': answers(
      'POST /users',
      ({ headers }) => delete headers['idempotency-replayed'],
    ),
  },
  'analytics.alias': {
    'a deprecated path does not say so': answers(
      'GET /partner/yield/history/{asset}',
      ({ headers }) => delete headers.deprecation,
    ),
  },
  'answers.no-store': {
    'an answer may be cached': answers(HOOKS, ({ headers }) => (headers['cache-control'] = 'max-age=60')),
  },
  'answers.envelope': { 'a list has no meta': answers(HOOKS, ({ body }) => delete body.meta) },
};

const PARTNER: Alterations = {
  'webhooks.switched': {
    'an inactive endpoint gets events': doing('PATCH /webhooks/{id}', { active: true }, { active: false }),
    'an endpoint stays inactive': doing('PATCH /webhooks/{id}', { active: false }, { active: true }),
  },
};

const SANDBOX: Alterations = {
  'ledger.rebalances': { 'a ledger has no moves': without(LEDGER, 'rebalance') },
  'ledger.accruals': { 'a loss is a gain': rows(LEDGER, (row) => (row.amount = Math.abs(row.amount))) },
  'ledger.adds': { 'a move costs nothing': rows(LEDGER, set({ cost: 0 })) },
  'reports.revenue': {
    'the partner has twice its part': data('GET /partner/revenue', ({ totals }, passing) =>
      scaled(2, 'partner_revenue')(totals, passing),
    ),
  },
  'uplift.baselines': {
    'lending and hold are exchanged': data(
      UPLIFT,
      ({ baselines: of }) => ([of.lending, of.hold] = [of.hold, of.lending]),
    ),
  },
  'uplift.adds': {
    'uplift is before costs': data(UPLIFT, ({ baselines: { hold: of } }) =>
      Object.assign(of.realized, { uplift: of.realized.gross_uplift }),
    ),
  },
  'decisions.gates': {
    'every gate is passed': rows(DECISIONS, each('alternatives', each('gates', set({ passed: true })))),
  },
  'decisions.kinds': { 'a hold is a move': rows(DECISIONS, swapped('kind', ['hold', 'rebalance'])) },
  'decisions.moves': { 'no decision is a move': without(DECISIONS, 'rebalance') },
  'events.thresholds': {
    'a crossing has the other direction': rows(EVENTS, ({ data: of }, passing) =>
      swapped('direction', ['above', 'below'])(of, passing),
    ),
  },
  'statements.days': {
    'yield is after costs': data(
      'GET /partner/statements/{period}',
      ({ totals: of }) => (of.yield -= of.costs),
    ),
    'users are expected to pay nothing': rows(
      'GET /partner/statements/{period}/users',
      each('assets', set({ expected_costs: 0 })),
    ),
  },
  'statements.trial-balance': {
    'costs are no credit': data(
      'GET /partner/trial-balance',
      each('accounts', (row) => row.account === 'end_users' && (row.credits += 1)),
    ),
  },
  'statements.packages': {
    'an open month has a package': accepting('GET /partner/statements/{period}/package', 'month_open'),
  },
  'statements.years': {
    'a year by user is before costs': rows(
      'GET /partner/statements/{period}/users',
      each('assets', (row) => (row.closing_value += row.costs)),
    ),
    'a year is closed': rows('GET /partner/statements', set({ closed: true })),
  },
  'statements.terms': {
    'terms are those of now': rows('GET /partner/terms', (row) =>
      Object.assign(row, { from: '2020-01-01T00:00:00.000Z' }),
    ),
    'the fee is a percentage': rows('GET /partner/terms', scaled(0.01, 'performance_fee_bps')),
  },
  'statements.history': {
    'a day was worth nothing': data('GET /partner/history', ({ points: [first] }) => (first.net_tvl = 0)),
  },
};

export const ALTERED: readonly AlteredAnswer[] = [
  ...FILTERS.flatMap(([operation, rule, filters, only]) =>
    filters
      .split(' ')
      .map((name): AlteredAnswer => [rule, `${operation} ignores ${name}`, ignoring(operation, name), only]),
  ),
  ...listed(EITHER),
  ...listed(OF_USERS),
  ...listed(OF_POSITIONS),
  ...listed(OF_EITHER),
  ...listed(PARTNER, 'partner'),
  ...listed(OF_LIVE_POSITIONS, 'partner'),
  ...listed(OF_MOVES, 'sandbox'),
  ...listed(OF_PAYOUTS, 'reported'),
  ...listed(OF_RECEIVED, 'reported'),
  ...listed(OF_RESERVES, 'held'),
  ...listed(SANDBOX, 'sandbox'),
];
