import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IdempotencyService } from '../../src/domain/kernel/idempotency/idempotency.service.js';
import type { Api } from '../support/api.js';
import { eitherContract } from '../support/long.js';
import { expectError } from '../support/expected-error.js';
import { expectFirst, expectReplay, Posts } from '../support/posts.js';
import { untilSettled } from '../support/settled.js';

describe.each(eitherContract('partner'))('%s contract: Idempotency-Key', (contract) => {
  let posts: Posts;
  beforeAll(async () => {
    posts = await Posts.start(contract);
  });
  afterAll(() => posts.close());
  beforeEach(() => {
    posts.key = randomUUID();
  });

  it('Idempotency-Key replays the first response byte for byte, secrets included; another body or id in the path is a 422', async () => {
    await posts.each(async (operation, { body, secret }) => {
      const sent = body?.();
      const first = await posts.send(operation, sent);
      expectFirst(first);
      expectReplay(await posts.send(operation, sent), first);
      if (secret) expect(secret(first.body.data)).not.toContain('****');
      if (body) expectError(await posts.send(operation, body()), 422, 'idempotency_key_reused');
      if (operation.path.includes('{'))
        expectError(await posts.send(operation, sent, posts.others), 422, 'idempotency_key_reused');
    });
  });

  it('Idempotency-Key ignores the order of fields and white space', async () => {
    const text = { 'idempotency-key': posts.key };
    const first = await posts.partner.api.post('/users', '{"external_id":"order:1","label":"A"}', text);
    expectReplay(
      await posts.partner.api.post('/users', ' { "label": "A",\n"external_id": "order:1" } ', text),
      first,
    );
  });

  it('Idempotency-Key is not consumed by a refused request', async () => {
    expectError(
      await posts.send(posts.operation('createWebhook'), { url: 'http://10.0.0.1/' }),
      422,
      'webhook_url_forbidden',
    );
    expectFirst(await posts.send(posts.operation('createWebhook'), posts.cases['createWebhook']!.body!()));
    posts.key = randomUUID();
    expectError(await posts.send(posts.operation('testWebhook'), undefined, {}), 404, 'not_found');
    expectFirst(await posts.send(posts.operation('testWebhook')));
  });

  it('Idempotency-Key belongs to one partner, or one unbound key, and to one route', async () => {
    await posts.each(async (operation, { body }) => {
      posts.key = 'the-same-for-all';
      expectFirst(await posts.send(operation, body?.()));
    });
    const another = async (given: object): Promise<string> =>
      (await posts.app.admin.post('/keys', { label: 'second', ...given })).body.data.secret;
    const administrator = await another({ scopes: ['keys:admin', 'partner:admin', 'write'] });
    const colleagues = new Map<Api, string>();
    for (const { id, api } of [posts.partner, posts.resettable])
      colleagues.set(api, await another({ scopes: ['partner:read'], partner_id: id }));
    await posts.each(async (operation, { body, fresh }) => {
      // With another key the operation is refused as it would be without any, because it has happened already.
      if (fresh) return;
      const colleague = colleagues.get(posts.callerOf(operation));
      // The answer with a session is repeated only to the API key that asked for the session.
      const isShared = colleague !== undefined && operation.operationId !== 'createSession';
      const sent = body?.();
      const first = await posts.send(operation, sent);
      const again = await posts.send(
        operation,
        isShared ? sent : body?.(),
        undefined,
        posts.app.admin.as(colleague ?? administrator),
      );
      // Another API key of the same partner gets the replay of the first answer; an unbound API key has a namespace of its own.
      if (isShared) expectReplay(again, first);
      else {
        expectFirst(again);
        expect(again.text).not.toBe(first.text);
      }
    });
  });

  it('Idempotency-Key gives 30 concurrent requests one effect; all successful ones have the same response', async () => {
    for (const [id, table] of [
      ['createPartner', 'partners'],
      ['createUser', 'users'],
      ['testWebhook', 'deliveries'],
    ] as const) {
      const [operation, rows] = [posts.operation(id), `SELECT FROM ${table}`];
      posts.key = randomUUID();
      await untilSettled(posts.app);
      const [before, received] = [(await posts.app.sql(rows)).length, posts.receiver.received.length];
      const sent = posts.cases[id]!.body?.();
      const answers = await Promise.all(Array.from({ length: 30 }, () => posts.send(operation, sent)));
      const successes = answers.filter(({ status }) => status < 300);
      for (const answer of answers.filter(({ status }) => status >= 300))
        expectError(answer, 409, 'idempotency_in_progress');
      const first = successes.filter(({ headers }) => headers.get('idempotency-replayed') === null);
      expect(first).toHaveLength(1);
      expect(new Set(successes.map(({ text }) => text)).size).toBe(1);
      expect(await posts.app.sql(rows)).toHaveLength(before + 1);
      expect(posts.receiver.received.length - received).toBe(id === 'testWebhook' ? 1 : 0);
    }
  });

  it('Idempotency-Key has a claim that is written once, with its answer', async () => {
    await posts.app.sql(
      'CREATE TRIGGER claims_are_final BEFORE UPDATE ON idempotency_claims FOR EACH ROW EXECUTE FUNCTION refuse_change()',
    );
    try {
      const sent = { external_id: randomUUID() };
      const first = await posts.send(posts.operation('createUser'), sent);
      expectFirst(first);
      expectReplay(await posts.send(posts.operation('createUser'), sent), first);
    } finally {
      await posts.app.sql('DROP TRIGGER claims_are_final ON idempotency_claims');
    }
  });

  it('Idempotency-Key is kept for 24 hours, after which it has a new effect, whether its claim is pruned or not', async () => {
    const age = (interval: string) =>
      posts.app.sql('UPDATE idempotency_claims SET claimed_at = claimed_at - $2::interval WHERE key = $1', [
        posts.key,
        interval,
      ]);
    const prune = (): Promise<number> => posts.app.application.get(IdempotencyService).prune();
    const sent = (n: number) => posts.send(posts.operation('createUser'), { external_id: `aged:${n}` });
    for (const isPruned of [false, true]) {
      posts.key = randomUUID();
      const first = await sent(Number(isPruned));
      await age('23 hours 59 minutes');
      expect(await prune()).toBe(0);
      expectReplay(await sent(Number(isPruned)), first);
      await age('1 minute');
      if (isPruned) expect(await prune()).toBeGreaterThan(0);
      const second = await sent(Number(isPruned) + 2);
      expectFirst(second);
      expect(second.text).not.toBe(first.text);
    }
  });

  it('Idempotency-Key of a test send interrupted by a crash returns the interrupted record to a retry, and sends nothing', async () => {
    const first = await posts.send(posts.operation('testWebhook'));
    await untilSettled(posts.app);
    const sent = posts.receiver.received.length;
    await posts.app.sql('UPDATE idempotency_claims SET answer = NULL WHERE key = $1', [posts.key]);
    await posts.app.sql(
      `UPDATE deliveries SET status = 'pending', response_status = NULL, latency_ms = NULL, claimed_at = now() - interval '1 hour' WHERE id = $1`,
      [first.body.data.id],
    );
    const retry = await posts.send(posts.operation('testWebhook'));
    expect(retry.status).toBe(first.status);
    const interrupted = { id: first.body.data.id, status: 'failed', failure: 'interrupted' };
    expect(retry.body.data).toMatchObject(interrupted);
    expectReplay(await posts.send(posts.operation('testWebhook')), retry);
    expect(posts.receiver.received).toHaveLength(sent);
  });
});
