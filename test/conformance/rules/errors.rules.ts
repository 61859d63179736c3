import { equals, holds, refused, refusedField, SkippedRule } from '../check.js';
import type { Caller } from '../caller.js';
import { fieldsOf } from '../exchange.js';
import {
  exampleOf,
  filled,
  isAskable,
  type Operation,
  prefixOf,
  type Schema,
  typesOf,
} from '../operations.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';

const UNKNOWN = 'conformance_unknown';

/** Runs it for each operation that the run may call with records of its own in the path. */
async function each(
  stage: Stage,
  which: (operation: Operation) => boolean,
  work: (operation: Operation, caller: Caller, path: string) => Promise<void>,
): Promise<void> {
  const ids = await stage.ids();
  const chosen = stage.operations.filter((one) => which(one) && isAskable(one, ids));
  if (chosen.length === 0) throw new SkippedRule('the deployment has no such operation');
  for (const operation of chosen) {
    const caller = await stage.callerOf(operation);
    if (caller) await work(operation, caller, filled(operation, ids));
  }
}

const isNarrow = ({ enum: choices, pattern = '\\S' }: Schema): boolean =>
  choices !== undefined || pattern !== '\\S';
const takesBody = ({ body }: Operation): boolean => body?.properties !== undefined;
const withQuery = (path: string, name: string, value: string): string =>
  `${path}?${name}=${encodeURIComponent(value)}`;

/** Values just beyond what a schema allows. */
const beyond = ({ format, maxLength, maxItems, minItems, ...schema }: Schema): unknown[] => [
  ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ...(format === 'date-time' ? ['2026-02-31T00:00:00Z'] : []),
  ...(format === 'email' ? ['a@@b.example'] : []),
  ...(schema.minimum === undefined ? [] : [schema.minimum - 1]),
  ...(schema.maximum === undefined ? [] : [schema.maximum + 1]),
  ...(typesOf(schema).includes('integer') ? [1.5] : []),
  ...(minItems ? [[]] : []),
  ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill('x')]),
];

export const errorsRules = rulesOf('errors', {
  'route-not-found': [
    'An unknown path gets 404 route_not_found, with or without a key.',
    async (stage) => {
      for (const caller of [stage.admin, stage.anyone])
        for (const path of ['/nowhere', '/keys/one/two', '/'])
          refused(await caller.get(path), 404, 'route_not_found');
    },
  ],
  'method-not-allowed': [
    'Every path refuses an unsupported method with 405 method_not_allowed, and lists the supported ones in Allow.',
    async (stage) => {
      for (const path of new Set(stage.operations.map((one) => one.path))) {
        const taken = stage.operations.filter((one) => one.path === path);
        const method = ['PUT', 'DELETE', 'PATCH'].find((one) =>
          taken.every((operation) => operation.method !== one),
        );
        if (!method || path === '/webhooks/events' || path === '/webhooks/deliveries') continue;
        const answer = await stage.admin.send(method, filled(taken[0]!));
        refused(answer, 405, 'method_not_allowed');
        const allowed = (answer.headers.get('allow') ?? '').split(/,\s*/);
        for (const one of taken)
          holds(allowed.includes(one.method), `Allow does not name ${one.method}`, answer);
      }
    },
  ],
  'not-acceptable': [
    'A request that does not accept JSON gets 406 not_acceptable.',
    async ({ admin }) =>
      refused(await admin.get('/keys?limit=1', { accept: 'text/html' }), 406, 'not_acceptable'),
  ],
  'media-type': [
    'A body not declared as JSON gets 415 unsupported_media_type.',
    async (stage) => {
      const { caller } = await stage.partner();
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await caller.post('/users', '{"external_id":"a"}', { 'content-type': type });
        refused(answer, 415, 'unsupported_media_type');
      }
    },
  ],
  'malformed-json': [
    'A body that is not valid JSON gets 400 malformed_json.',
    async (stage) => {
      const { caller } = await stage.partner();
      const almost = ['{"external_id":}', "{'external_id': 'a'}", '{"external_id":"a",}'];
      for (const body of ['{', 'external_id=a', ...almost])
        refused(await caller.post('/users', body), 400, 'malformed_json');
    },
  ],
  'payload-too-large': [
    'A body above 64 KiB gets 413 payload_too_large.',
    async (stage) => {
      const { caller } = await stage.partner();
      refused(await caller.post('/users', { external_id: 'x'.repeat(66_000) }), 413, 'payload_too_large');
    },
  ],
  'unknown-field': [
    'Every operation refuses a body with an unknown field, and names the field.',
    (stage) =>
      each(stage, takesBody, async ({ method }, caller, path) =>
        refusedField(await caller.send(method, path, { [UNKNOWN]: true }), UNKNOWN),
      ),
  ],
  'unknown-parameter': [
    'Every read refuses an unknown query parameter, and names it.',
    (stage) =>
      each(
        stage,
        ({ method }) => method === 'GET',
        async (_, caller, path) => refusedField(await caller.get(withQuery(path, UNKNOWN, '1')), UNKNOWN),
      ),
  ],
  'missing-field': [
    'Every operation refuses a body without its required fields, and names each of them.',
    (stage) =>
      each(
        stage,
        (one) => takesBody(one) && (one.body?.required ?? []).length > 0,
        async ({ method, body }, caller, path) => {
          const answer = await caller.send(method, path, {});
          for (const field of body!.required!) refusedField(answer, field);
        },
      ),
  ],
  'wrong-type': [
    'Every operation refuses fields of a wrong type, and names each of them.',
    (stage) =>
      each(stage, takesBody, async ({ method, body }, caller, path) => {
        const plain = Object.entries(body!.properties!).filter(
          ([, schema]) => !typesOf(schema).some((type) => type === 'object' || type === 'any'),
        );
        if (plain.length === 0) return;
        const wrong = Object.fromEntries(plain.map(([name]) => [name, { wrong: true }]));
        const answer = await caller.send(method, path, wrong);
        refused(answer, 400, 'validation_failed');
        const named = fieldsOf(answer).map((one) => one.replace(/[.[].*/, ''));
        for (const [field] of plain) holds(named.includes(field), `details do not name ${field}`, answer);
      }),
  ],
  bounds: [
    'Every operation refuses fields beyond their documented bounds, and names each of them.',
    (stage) =>
      each(stage, takesBody, async ({ method, body }, caller, path) => {
        const wrong = Object.entries(body!.properties!).map(
          ([name, schema]) => [name, beyond(schema)] as const,
        );
        const rounds = Math.max(...wrong.map(([, values]) => values.length));
        for (let round = 0; round < rounds; round++) {
          const fields = wrong.filter(([, values]) => values.length > round);
          const sent = Object.fromEntries(fields.map(([name, values]) => [name, values[round]]));
          const answer = await caller.send(method, path, sent);
          refused(answer, 400, 'validation_failed');
          const named = fieldsOf(answer).map((one) => one.replace(/[.[].*/, ''));
          for (const [field] of fields) holds(named.includes(field), `details do not name ${field}`, answer);
        }
      }),
  ],
  'filter-values': [
    'Every filter refuses an invalid value, and is named in the error.',
    (stage) =>
      each(
        stage,
        ({ method }) => method === 'GET',
        async ({ parameters }, caller, path) => {
          for (const parameter of parameters.filter(
            (one) => one.in === 'query' && one.name !== 'cursor' && isNarrow(one.schema),
          ))
            refusedField(await caller.get(withQuery(path, parameter.name, 'nonsense')), parameter.name);
        },
      ),
  ],
  'path-ids': [
    'Every operation responds 404 not_found to an unknown or malformed id in its path.',
    async (stage) => {
      const named = stage.operations.filter(({ parameters }) =>
        parameters.some((one) => one.in === 'path' && prefixOf(one)),
      );
      for (const operation of named) {
        const caller = await stage.callerOf(operation);
        if (!caller) continue;
        const [absent, example] = [filled(operation), exampleOf(stage.document, operation)];
        for (const path of [absent, absent.replace(/_[0-9a-z]{26}/g, '_short')])
          refused(await caller.send(operation.method, path, example), 404, 'not_found');
      }
    },
  ],
  asset: [
    'An asset of the other contract, or an unknown one, gets 400.',
    async (stage) => {
      const { caller } = await stage.partner();
      const foreign = stage.contract === 'partner' ? 'USDT' : 'USDT0';
      for (const asset of [foreign, 'DOGE', 'usdc'])
        for (const path of ['/yield/history/', '/partner/yield/history/', '/analytics/signals?asset=']) {
          const answer = await caller.get(`${path}${asset}`);
          equals('the status', answer.status, 400, answer);
        }
    },
  ],
});
