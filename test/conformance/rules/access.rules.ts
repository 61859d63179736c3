import { newKeySecret } from '../../../src/domain/tenants/access/authenticator.js';
import type { Caller } from '../caller.js';
import { dataOf, equals, holds, made, matches, refused } from '../check.js';
import { codeOf, type Exchange } from '../exchange.js';
import {
  ABSENT,
  ENVIRONMENT,
  exampleOf,
  filled,
  isAskable,
  type Operation,
  prefixOf,
} from '../operations.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';

/** Calls an operation as its document shows it: the example of its body, and ids of nobody unless given. */
const call = (
  { document }: Stage,
  caller: Caller,
  operation: Operation,
  ids?: Record<string, string>,
): Promise<Exchange> => caller.send(operation.method, filled(operation, ids), exampleOf(document, operation));

/** Calls it with everything wrong that can be. */
const callWrongly = ({ document }: Stage, caller: Caller, operation: Operation): Promise<Exchange> =>
  caller.send(
    operation.method,
    `${filled(operation)}?unknown=1&limit=x`,
    exampleOf(document, operation) && '{"__proto__":',
  );

/** One operation of each kind of access: bad keys are looked up, and a server bounds how many of them it looks up a minute. */
const oneOfEachAccess = ({ operations }: Stage): Operation[] => [
  ...new Map(
    operations
      .filter(({ isOpen }) => !isOpen)
      .map((operation) => [`${operation.scopes.join()} ${operation.partnerOnly}`, operation]),
  ).values(),
];

const withoutRequestId = ({ text, headers }: Exchange): string =>
  text.replaceAll(headers.get('x-request-id') ?? '-', 'req_');

async function refusedEverywhere(
  stage: Stage,
  caller: Caller,
  code: string,
  operations: readonly Operation[],
): Promise<Exchange[]> {
  const answers: Exchange[] = [];
  for (const operation of operations) {
    const answer = await call(stage, caller, operation);
    refused(answer, 401, code);
    equals('the header WWW-Authenticate', answer.headers.get('www-authenticate'), 'Bearer', answer);
    answers.push(answer);
  }
  return answers;
}

const UNBOUND = ['read', 'write', 'keys:admin', 'partner:admin'];

/**
 * Callers that an operation must refuse: a key with every scope except the admitted ones and, unless partners may call it, the partner's own key. An
 * operation of partners only must refuse a bound key with `read`.
 */
async function strangersTo(stage: Stage, { scopes, partnerOnly }: Operation): Promise<Caller[]> {
  if (partnerOnly) return [await stage.boundReader()];
  const others = UNBOUND.filter((scope) => !scopes.includes(scope));
  const isRead = scopes.includes('read') || scopes.includes('partner:read');
  return [
    ...(others.length > 0 ? [await stage.unbound(...others)] : []),
    ...(isRead ? [] : [(await stage.partner()).caller]),
  ];
}

/** Operations that name a record of a partner in their path. */
const ofRecords = ({ operations }: Stage, ids: Record<string, string>): Operation[] =>
  operations.filter(
    ({ scopes, parameters }) =>
      scopes.includes('partner:read') &&
      parameters.some(
        (parameter) =>
          parameter.in === 'path' &&
          ['usr', 'wh', 'pos', 'wdr'].includes(prefixOf(parameter) ?? '') &&
          (prefixOf(parameter) ?? '') in ids,
      ),
  );

export const accessRules = rulesOf('access', {
  'no-key': [
    'Every operation not documented as open refuses a request without a key: 401 missing_api_key, WWW-Authenticate: Bearer.',
    async (stage) =>
      void (await refusedEverywhere(
        stage,
        stage.anyone,
        'missing_api_key',
        stage.operations.filter(({ isOpen }) => !isOpen),
      )),
  ],
  'key-first': [
    'A request without a key gets 401 missing_api_key, even if anything else in it is invalid.',
    async ({ anyone }) => {
      const json = { 'content-type': 'application/json' };
      for (const answer of [
        await anyone.get('/keys', { accept: 'text/html' }),
        await anyone.get('/keys?limit=0&unknown=1'),
        await anyone.get('/partners/%E0%A4%A'),
        await anyone.send('PUT', '/keys'),
        await anyone.post('/users', 'text', { 'content-type': 'text/plain' }),
        await anyone.post('/users', '{', json),
        await anyone.post('/users', '{}', { ...json, 'content-encoding': 'zstd' }),
        await anyone.post('/users', `{"external_id":"${'x'.repeat(66_000)}"}`, json),
        await anyone.post('/users', '{}', { ...json, 'idempotency-key': 'x'.repeat(256) }),
      ])
        refused(answer, 401, 'missing_api_key');
    },
  ],
  credential: [
    'A credential is one key after Bearer: no key gets 401 missing_api_key, anything else 401 invalid_api_key.',
    async (stage) => {
      const { secret } = made(
        await stage.admin.post('/keys', { label: stage.name('credential'), scopes: ['keys:admin'] }),
      );
      const sent = (authorization: string): Promise<Exchange> =>
        stage.anyone.get('/keys?limit=1', { authorization });
      for (const none of ['', 'Bearer', 'Bearer ']) refused(await sent(none), 401, 'missing_api_key');
      const others = [`Bearer ${secret} x`, 'Bearer vl_live_x', `Bearer ${'x'.repeat(5000)}`];
      for (const wrong of [secret, `Basic ${btoa('a:b')}`, ...others])
        refused(await sent(wrong), 401, 'invalid_api_key');
      dataOf(await sent(`bearer ${secret}`), 200);
    },
  ],
  'bad-key': [
    'An unknown, a mistyped and a revoked key get the same response, 401 invalid_api_key.',
    async (stage) => {
      const key = made(
        await stage.admin.post('/keys', { label: stage.name('revoked'), scopes: ['keys:admin'] }),
      );
      made(await stage.admin.delete(`/keys/${key.id}`));
      const unknown = newKeySecret(ENVIRONMENT[stage.contract]);
      const mistyped = unknown.slice(0, -1) + (unknown.endsWith('0') ? '1' : '0');
      const answers: Exchange[] = [];
      for (const [name, secret] of Object.entries({ unknown, mistyped, revoked: key.secret })) {
        const caller = stage.anyone.as(`${name} key`, secret);
        answers.push(...(await refusedEverywhere(stage, caller, 'invalid_api_key', oneOfEachAccess(stage))));
      }
      const different = answers.find((answer) => withoutRequestId(answer) !== withoutRequestId(answers[0]!));
      holds(!different, 'one of the three is answered in other words', different);
    },
  ],
  'other-environment': [
    'A key of the other environment is refused with 401 wrong_environment.',
    async (stage) => {
      const key = newKeySecret(ENVIRONMENT[stage.contract] === 'live' ? 'sandbox' : 'live');
      const caller = stage.anyone.as('key of the other environment', key);
      const keyPattern = new RegExp(`vl_${ENVIRONMENT[stage.contract]}_`);
      for (const answer of await refusedEverywhere(
        stage,
        caller,
        'wrong_environment',
        oneOfEachAccess(stage),
      ))
        matches('the message', answer.body.error.message, keyPattern, answer);
    },
  ],
  scopes: [
    'Every operation refuses keys without its scopes, even for an invalid request: 403 insufficient_scope, with the required scopes.',
    async (stage) => {
      for (const operation of stage.operations)
        for (const stranger of await strangersTo(stage, operation)) {
          const answer = await call(stage, stranger, operation);
          refused(answer, 403, 'insufficient_scope');
          refused(await callWrongly(stage, stranger, operation), 403, 'insufficient_scope');
          for (const scope of operation.scopes)
            holds(answer.body.error.message.includes(scope), `the message does not name ${scope}`, answer);
        }
    },
  ],
  binding: [
    'Every partner operation refuses an unbound key, even for an invalid request: 403 partner_key_required.',
    async (stage) => {
      for (const operation of stage.operations.filter(({ partnerOnly }) => partnerOnly))
        for (const ask of [call, callWrongly])
          refused(await ask(stage, stage.admin, operation), 403, 'partner_key_required');
    },
  ],
  'others-records': [
    "Another partner's record gets the same 404 not_found as an unknown one, byte for byte except for the request id.",
    async (stage) => {
      const [ids, { caller }] = [await stage.ids(), await stage.stranger()];
      for (const operation of ofRecords(stage, ids)) {
        const others = await call(stage, caller, operation, ids);
        const nobodys = await call(stage, caller, operation);
        refused(nobodys, 404, 'not_found');
        refused(others, 404, 'not_found');
        equals('the answer', withoutRequestId(others), withoutRequestId(nobodys), others);
      }
    },
  ],
  'others-lists': [
    "No list or report of a partner contains an id of another partner's records.",
    async (stage) => {
      const [{ ptn, key: _key, cmp: _cmp, ...otherIds }, { caller }] = [
        await stage.ids(),
        await stage.stranger(),
      ];
      const ids = Object.values({ ptn, ...otherIds });
      for (const operation of stage.operations.filter(
        ({ partnerOnly, method, path }) => partnerOnly && method === 'GET' && !path.includes('{'),
      )) {
        const answer = await caller.get(operation.path);
        const shown = ids.find((id) => answer.text.includes(String(id)));
        holds(shown === undefined, `${shown} is another partner's`, answer);
      }
    },
  ],
  'others-filters': [
    "A list or report filtered by another partner's record gets 404, like one filtered by an unknown record.",
    async (stage) => {
      const [ids, { caller }] = [await stage.ids(), await stage.stranger()];
      for (const operation of stage.operations.filter(
        ({ partnerOnly, method }) => partnerOnly && method === 'GET',
      ))
        for (const parameter of operation.parameters.filter(({ in: where }) => where === 'query')) {
          const prefix = prefixOf(parameter);
          // A list of ids leaves out what is not the partner's.
          if (prefix === null || parameter.name === 'ids' || operation.path.includes('{')) continue;
          const code =
            operation.path.endsWith('/events') && parameter.name === 'after' ? 'event_removed' : 'not_found';
          for (const id of [ids[prefix], `${prefix}_${ABSENT}`])
            if (id) refused(await caller.get(`${operation.path}?${parameter.name}=${id}`), 404, code);
        }
    },
  ],
  mounted: [
    'Every documented operation is mounted: none responds route_not_found or method_not_allowed, and reads respond 200.',
    async (stage) => {
      const ids = await stage.ids();
      for (const operation of stage.operations) {
        const caller = await stage.callerOf(operation);
        if (operation.method === 'GET' && caller && isAskable(operation, ids))
          dataOf(await caller.get(filled(operation, ids)), 200);
        const answer = await stage.anyone.send(operation.method, filled(operation));
        const code = codeOf(answer);
        holds(code !== 'route_not_found' && code !== 'method_not_allowed', 'it is not mounted', answer);
        matches('the message', answer.body?.error?.message, /\S/, answer);
      }
    },
  ],
});
