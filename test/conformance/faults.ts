import {
  altering,
  type Alteration,
  answering,
  changing,
  dropping,
  ignoring,
  isOf,
  repeating,
  reversing,
  withoutHeader,
  withoutQuery,
} from './alterations.js';
import type { Contract } from './operations.js';

/** A fault of a server, and the rule that finds it. */
export interface KnownFault {
  contract: Contract;
  /** What such a server does. */
  does: string;
  rule: string;
  make: Alteration;
  /** A rule that asks for the answers first, where the finding one looks at what was asked. */
  after: string | null;
}

const more = (value: number): number => value + 1;
const never = (): null => null;
const none = (): never[] => [];
const no = (): boolean => false;
const yes = (): boolean => true;
const otherEnd = (text: string): string => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');

/** Shows the secret of an endpoint again. */
const showingSecrets: Alteration = () => {
  const secrets = new Map<string, string>();
  return {
    answered: ({ body }, passing) => {
      if (isOf('POST /webhooks', passing)) secrets.set(body.data?.id, body.data?.secret);
      else if (isOf('GET /webhooks', passing))
        for (const hook of body.data ?? []) hook.secret = secrets.get(hook.id) ?? hook.secret;
    },
  };
};

/** Reads the ledger of any user, whoever asks. */
const readingOthers: Alteration = () => {
  const owners = new Map<string, string>();
  return {
    asked: ({ headers, path }) => {
      const owner = owners.get(/^\/users\/(usr_\w+)\/ledger$/.exec(path)?.[1] ?? '');
      if (owner) headers.authorization = owner;
    },
    answered: ({ body }, passing) => {
      if (isOf('POST /users', passing)) owners.set(body.data?.id, passing.headers.authorization ?? '');
    },
  };
};

const repeatingRow: Alteration = () => {
  let last: unknown;
  return altering('GET /partner/users', ({ body }, { path }) => {
    if (!body.data.length) return;
    if (path.includes('cursor=') && last !== undefined) body.data.splice(0, 1, last);
    last = body.data.at(-1);
  })();
};

const unknownCode: Alteration = () => ({
  answered: ({ body }) => {
    if (body.error?.code === 'route_not_found') body.error.code = 'not_found';
  },
});

const foreignKnown: Alteration = () => ({
  answered: (answer) => {
    if (answer.body.error?.code === 'not_found') answer.status = 403;
  },
});

const takingUnknown: Alteration = () => ({
  asked: ({ body }) => {
    if (typeof body === 'object') delete body?.conformance_unknown;
  },
});

const ignoringKeys: Alteration = () => ({ asked: ({ headers }) => void delete headers['idempotency-key'] });

const cachedAnswers: Alteration = () => ({
  answered: ({ headers }) => void (headers['cache-control'] = 'private'),
});

/** By rule. Each is a server that breaks nothing but this. */
// prettier-ignore
const TABLE: readonly [Contract, rule: string, does: string, make: Alteration, after?: string][] = [
  ['partner', 'access.no-key', 'does not say how to authenticate', withoutHeader('www-authenticate')],
  ['partner', 'access.others-records', "answers another partner's record", readingOthers],
  ['sandbox', 'access.others-records', "answers 403 for another account's record", foreignKnown],
  ['partner', 'errors.route-not-found', 'gives an error the code of another', unknownCode],
  ['partner', 'errors.unknown-field', 'takes unknown fields', takingUnknown],
  ['partner', 'paging.chain-users', 'repeats a row on page two', repeatingRow],
  ['partner', 'paging.limit-kept', 'lists no campaign', changing('GET /partners/{id}/campaigns', '', none)],
  ['sandbox', 'paging.meta', 'says of every page that more follows', altering('GET /vaults', ({ body }) => (body.meta.has_more = true))],
  ['sandbox', 'paging.growing-log', 'shows an empty delivery log', changing('GET /webhooks/events', '', none)],
  ['partner', 'idempotency.replay', 'ignores the Idempotency-Key', ignoringKeys],
  ['partner', 'keys.masked', 'lists a key with other scopes', changing('GET /keys', '*.scopes', (scopes) => [...scopes, 'write'])],
  ['partner', 'keys.revoked', 'lists a revoked key as valid', changing('GET /keys', '*.revoked', no)],
  ['sandbox', 'keys.revoked', 'answers a revocation with revoked: false', changing('DELETE /keys/{id}', 'revoked', no)],
  ['sandbox', 'keys.used', 'never lists the use of a key', changing('GET /keys', '*.last_used_at', never)],
  ['partner', 'keys.used', 'lists the use of a key that was not used', changing('GET /keys', '*.last_used_at', (_, key) => key.created_at)],
  ['sandbox', 'sessions.used', 'gives a session more scopes', changing('POST /sessions', 'scopes', () => ['partner:read', 'read'])],
  ['partner', 'partners.disabled', 'ignores the filter of a list', withoutQuery('GET /partners')],
  ['partner', 'partners.updated', 'lists a partner as it was', repeating('GET /partners')],
  ['sandbox', 'campaigns.fields', 'rounds a multiplier', changing('PATCH /partners/{id}/campaigns/{id}', 'points_multiplier', Math.round)],
  ['partner', 'users.created', 'answers a creation with 200', answering('POST /users', 200)],
  ['sandbox', 'users.listed', 'lists an end-user under another label', changing('GET /partner/users', '*.label', otherEnd)],
  ['partner', 'webhooks.secret-once', 'shows a secret twice', showingSecrets],
  ['sandbox', 'webhooks.secret-once', 'lists an endpoint as inactive', changing('GET /webhooks', '*.active', no)],
  ['partner', 'webhooks.signature', 'signs with another secret than it showed', changing('POST /webhooks', 'secret', () => `whsec_${'A'.repeat(43)}=`)],
  ['sandbox', 'webhooks.signature', 'records another signature than it sent', changing('POST /webhooks/{id}/test', 'signature', otherEnd)],
  ['partner', 'webhooks.sent', 'records another payload than it sent', changing('POST /webhooks/{id}/test', 'payload.data.message', otherEnd)],
  ['partner', 'webhooks.tested', 'answers a test send with 200', answering('POST /webhooks/{id}/test', 200)],
  ['sandbox', 'webhooks.tested', 'answers a test send with 201', answering('POST /webhooks/{id}/test', 201)],
  ['sandbox', 'webhooks.log', 'lists deliveries oldest first', reversing('GET /webhooks/events')],
  ['partner', 'webhooks.patched', 'ignores a field of a change', ignoring('PATCH /webhooks/{id}', 'active')],
  ['partner', 'webhooks.catalogue', 'leaves an event type out', changing('GET /webhooks/events', 'events', (types) => types.slice(1))],
  ['partner', 'webhooks.deleted', 'answers a deletion with deleted: false', changing('DELETE /webhooks/{id}', 'deleted', no)],
  ['partner', 'vaults.listed', 'lists every vault as a baseline', changing('GET /vaults', '*.lending_baseline', yes)],
  ['sandbox', 'vaults.history', 'shows the history of a vault backwards', reversing('GET /vaults/{id}/history', 'points')],
  ['partner', 'positions.deposited', 'answers a deposit with 200', answering('POST /positions', 200)],
  ['sandbox', 'positions.deposited', 'lists a position with another principal', changing('GET /positions', '*.principal', more)],
  ['sandbox', 'positions.closed', 'leaves a position open that was emptied', changing('POST /positions/{id}/withdrawals', 'status', () => 'active')],
  ['partner', 'positions.ledger', 'lists a ledger oldest first', reversing('GET /users/{id}/ledger')],
  ['sandbox', 'positions.ledger', 'shows entries of another asset', changing('GET /users/{id}/ledger', '*.asset', () => 'USDT')],
  ['partner', 'positions.decided', 'decides without alternatives', changing('GET /analytics/decisions', '*.alternatives', none)],
  ['sandbox', 'policies.previewed', 'previews another vault than it chose', changing('POST /positions/preview', 'to_vault_id', () => 'vlt_idle_usdc')],
  ['sandbox', 'simulation.advanced', 'shows a clock that stands', repeating('GET /simulation/clock')],
  ['partner', 'reports.summary', 'adds up wrong', changing('GET /partner/summary', 'totals.net_tvl', more)],
  ['sandbox', 'reports.moved', 'shows a summary of before', repeating('GET /partner/summary')],
  ['partner', 'reports.moved', 'counts no new deposit', repeating('GET /partner/deposits')],
  ['partner', 'reports.flows', 'leaves an asset out', changing('GET /partner/withdrawals', 'assets', (rows) => rows.slice(1))],
  ['sandbox', 'reports.tvl', 'leaves the vaults of an asset out', changing('GET /partner/tvl', 'assets.0.vaults', none)],
  ['partner', 'reports.yield', 'counts pending yield twice', changing('GET /partner/yield', 'assets.0.pending', more)],
  ['sandbox', 'reports.revenue', 'names another share of the revenue', changing('GET /partner/revenue', 'revenue_share_bps', more)],
  ['sandbox', 'reports.points', 'shows points of no campaign', changing('GET /partner/points', 'campaigns', none)],
  ['partner', 'reports.users', 'shows more of a user than the summary', changing('GET /partner/users', '0.net_tvl', more)],
  ['partner', 'analytics.signals', 'ranks the worst first', changing('GET /analytics/signals', '', (rows) => rows.toReversed().map((row: object, at: number) => ({ ...row, rank: at + 1 })))],
  ['sandbox', 'analytics.signals', 'ignores the filter of signals', withoutQuery('GET /analytics/signals')],
  ['sandbox', 'analytics.month', 'has no signals', changing('GET /analytics/signals', '', none)],
  ['sandbox', 'analytics.regime', 'knows another regime', changing('GET /analytics/regime', 'regime', () => 'sideways')],
  ['partner', 'analytics.uplift', 'adds up an uplift wrong', changing('GET /analytics/uplift', 'realized.uplift', more)],
  ['partner', 'analytics.decisions', 'chooses nothing', changing('GET /analytics/decisions', '*.alternatives.*.chosen', no)],
  ['sandbox', 'analytics.decisions', 'chooses every alternative', changing('GET /analytics/decisions', '*.alternatives.*.chosen', yes)],
  ['sandbox', 'analytics.advisor', 'advises by another uplift', changing('GET /analytics/advisor', 'uplift.baselines.hold.realized.uplift', more)],
  ['sandbox', 'analytics.advisor', 'advises without the best signal', changing('GET /analytics/advisor', 'opportunities', (rows) => rows.slice(1))],
  ['partner', 'analytics.yield-history', 'shows no point of the history', changing('GET /yield/history/{asset}', 'points', none)],
  ['partner', 'analytics.alias', 'shows no point under the old path', changing('GET /partner/yield/history/{asset}', 'points', none)],
  ['sandbox', 'analytics.alias', 'shows another yield under the old path', changing('GET /partner/yield/history/{asset}', 'points.*.apy', more)],
  ['partner', 'analytics.alias', 'does not say what is deprecated', withoutHeader('deprecation')],
  ['partner', 'answers.request-id', 'sends no X-Request-Id', withoutHeader('x-request-id')],
  ['sandbox', 'answers.no-store', 'lets answers be cached', cachedAnswers],
  ['partner', 'answers.documented', 'forgets a field', dropping('POST /users', 'metadata')],
  ['sandbox', 'answers.documented', 'shows a figure as text', changing('GET /partner/points', 'total', String), 'access.mounted'],
  ['sandbox', 'answers.times', 'shows a time without milliseconds', changing('POST /users', 'created_at', (time) => time.replace(/\.\d+/, ''))],
];

export const FAULTS: readonly KnownFault[] = TABLE.map(([contract, rule, does, make, after = null]) => ({
  contract,
  rule,
  does,
  make,
  after,
}));
