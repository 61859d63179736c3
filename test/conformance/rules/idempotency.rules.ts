import { randomUUID } from 'node:crypto';
import type { Caller } from '../caller.js';
import { equals, holds, made, refused } from '../check.js';
import { type Exchange, isSuccess, requestIdOf } from '../exchange.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';

interface Effect {
  caller: Caller;
  path: string;
  /** Bodies of which no two are the same. null: the request has none. */
  body: (() => object) | null;
}

/** What has an effect: a request of each kind. */
async function effects(stage: Stage): Promise<Effect[]> {
  const { caller, id } = await stage.partner();
  const { admin, name } = stage;
  const url = `https://${stage.run}.invalid/`;
  const { id: hook } = (await stage.newWebhook()).body.data;
  const { id: key } = made(await admin.post('/keys', { label: name('to rotate') }));
  let count = 0;
  const ends = (): object => ({ previous_expires_in: ++count });
  const all = [
    { caller, path: '/users', body: () => ({ external_id: name('once') }) },
    { caller, path: '/webhooks', body: () => ({ url, description: name('once') }) },
    { caller, path: `/webhooks/${hook}/test`, body: null },
    { caller, path: `/webhooks/${hook}/secret/rotate`, body: ends },
    { caller, path: '/sessions', body: () => ({ expires_in: 60 + ++count }) },
    { caller: admin, path: '/partners', body: () => ({ name: name('once') }) },
    { caller: admin, path: '/keys', body: () => ({ label: name('once'), scopes: ['read'] }) },
    { caller: admin, path: `/keys/${key}/rotate`, body: ends },
    { caller: admin, path: `/partners/${id}/campaigns`, body: () => ({ name: name('once') }) },
  ];
  if (!stage.options.deposits) return all;
  const funds = await stage.funds();
  const { reporter, settled } = funds;
  const [{ id: user }, { id: open }] = [await stage.user(), await stage.position()];
  const [asset] = stage.assets;
  // Another user each time: where executors pay, one has ten open withdrawals at most.
  const { id: saver } = await stage.newUser(caller);
  made(await funds.deposit({ user_id: saver, asset, amount: 10 }));
  const part = (): object => ({ amount: ++count, ...settled() });
  return [
    ...all,
    {
      caller: reporter,
      path: '/positions',
      body: () => ({ user_id: user, asset, ...part() }),
    },
    { caller: reporter, path: `/positions/${open}/withdrawals`, body: part },
    {
      caller: funds.caller,
      path: `/users/${saver}/withdrawals`,
      body: () => ({ asset, amount: ++count / 1000 }),
    },
  ];
}

const once = ({ caller, path }: Effect, body: unknown, key: string): Promise<Exchange> =>
  caller.post(path, body, { 'idempotency-key': key });

export const idempotencyRules = rulesOf('idempotency', {
  replay: [
    'A request repeated with its Idempotency-Key gets the first response with Idempotency-Replayed: true and a new request id.',
    async (stage) => {
      for (const effect of await effects(stage)) {
        const [key, body] = [randomUUID(), effect.body?.()];
        const [first, second] = [await once(effect, body, key), await once(effect, body, key)];
        made(first);
        const markOf = ({ headers }: Exchange): string | null => headers.get('idempotency-replayed');
        equals('Idempotency-Replayed of both', [markOf(first), markOf(second)], [null, 'true'], second);
        equals('the status of the second answer', second.status, first.status, second);
        holds(second.text === first.text, 'the second answer has other bytes than the first', second);
        holds(requestIdOf(second) !== requestIdOf(first), 'both have one request id', second);
      }
    },
  ],
  reused: [
    'An Idempotency-Key repeated with a different body is refused: 422 idempotency_key_reused.',
    async (stage) => {
      for (const effect of await effects(stage)) {
        if (effect.body === null) continue;
        const key = randomUUID();
        made(await once(effect, effect.body(), key));
        refused(await once(effect, effect.body(), key), 422, 'idempotency_key_reused');
      }
    },
  ],
  'at-once': [
    'Concurrent requests with one Idempotency-Key have one effect; the others replay it, or get 409 idempotency_in_progress.',
    async (stage) => {
      const { caller } = await stage.partner();
      const [key, external_id] = [randomUUID(), stage.name('at-once')];
      const sent = Array.from({ length: 6 }, () =>
        caller.post('/users', { external_id }, { 'idempotency-key': key }),
      );
      const answers = await Promise.all(sent);
      const ids = new Set(answers.filter(isSuccess).map(({ body }) => body?.data?.id));
      equals('the number of users that were made', ids.size, 1, answers[0]);
      for (const answer of answers.filter((answer) => !isSuccess(answer)))
        refused(answer, 409, 'idempotency_in_progress');
    },
  ],
  'failed-validation': [
    'A request refused for its input does not consume its Idempotency-Key.',
    async (stage) => {
      const { caller } = await stage.partner();
      const headers = { 'idempotency-key': randomUUID() };
      refused(await caller.post('/users', { external_id: '' }, headers), 400, 'validation_failed');
      made(await caller.post('/users', { external_id: stage.name('corrected') }, headers));
    },
  ],
  'of-a-key': [
    'An Idempotency-Key of one partner has no effect for another.',
    async (stage) => {
      const headers = { 'idempotency-key': randomUUID() };
      const [{ caller: ownCaller }, { caller: other }] = [await stage.partner(), await stage.stranger()];
      const first = await ownCaller.post('/users', { external_id: stage.name('one') }, headers);
      const second = await other.post('/users', { external_id: stage.name('other') }, headers);
      holds(made(first).id !== made(second).id, "another partner's answer was replayed", second);
    },
  ],
  header: [
    'An Idempotency-Key is 1 to 255 printable ASCII characters, inner spaces included; any other is refused.',
    async (stage) => {
      const { caller } = await stage.partner();
      const sent = (key: string): Promise<Exchange> =>
        caller.post('/users', { external_id: stage.name('header') }, { 'idempotency-key': key });
      for (const key of [`${stage.run} second try`, `!~${stage.run}`.padEnd(255, '{}')])
        made(await sent(key));
      for (const key of ['x'.repeat(256), 'a\tb', 'clé']) refused(await sent(key), 400, 'validation_failed');
    },
  ],
});
