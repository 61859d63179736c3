import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eitherContract } from '../support/long.js';
import { expectError } from '../support/expected-error.js';
import { expectFirst, expectReplay, Posts } from '../support/posts.js';

describe.each(eitherContract('partner'))('%s contract: Idempotency-Key', (contract) => {
  let posts: Posts;

  beforeAll(async () => {
    posts = await Posts.start(contract);
  });
  afterAll(() => posts.close());
  beforeEach(() => {
    posts.key = randomUUID();
  });

  it('replays the first response byte for byte, secrets included', async () => {
    await posts.each(async (operation, { body, secret }) => {
      const sent = body?.();
      const first = await posts.send(operation, sent);
      expectFirst(first);
      expectReplay(await posts.send(operation, sent), first);
      expectReplay(await posts.send(operation, sent), first);
      if (secret) expect(secret(first.body.data)).not.toContain('****');
    });
  });

  it('ignores the order of fields and white space', async () => {
    const text = { 'idempotency-key': posts.key };
    const first = await posts.partner.api.post('/users', '{"external_id":"order:1","label":"A"}', text);
    expectReplay(
      await posts.partner.api.post('/users', ' { "label": "A",\n"external_id": "order:1" } ', text),
      first,
    );
  });

  it('is refused with another body or another id in the path: 422', async () => {
    await posts.each(async (operation, { body }) => {
      const sent = body?.();
      expectFirst(await posts.send(operation, sent));
      if (body) expectError(await posts.send(operation, body()), 422, 'idempotency_key_reused');
      if (operation.path.includes('{'))
        expectError(await posts.send(operation, sent, posts.others), 422, 'idempotency_key_reused');
    });
  });

  it('is not consumed by a refused request', async () => {
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

  it('belongs to one partner, or one unbound key, and to one route', async () => {
    await posts.each(async (operation, { body }) => {
      posts.key = 'the-same-for-all';
      expectFirst(await posts.send(operation, body?.()));
    });
    const scopes = ['keys:admin', 'partner:admin', 'write'];
    const administrator = await posts.app.admin.post('/keys', { label: 'second', scopes });
    const colleague = await posts.app.admin.post('/keys', {
      label: 'second',
      scopes: ['partner:read'],
      partner_id: posts.partner.id,
    });
    await posts.each(async (operation, { body, fresh }) => {
      // With another key the operation is refused as it would be without any, because it has happened already.
      if (fresh) return;
      // The answer with a session is repeated only to the API key that asked for the session.
      const isShared =
        posts.callerOf(operation) === posts.partner.api && operation.operationId !== 'createSession';
      const second = operation.scopes.includes('partner:read') ? colleague : administrator;
      const sent = body?.();
      const first = await posts.send(operation, sent);
      const again = await posts.send(
        operation,
        isShared ? sent : body?.(),
        undefined,
        posts.app.admin.as(second.body.data.secret),
      );
      // Another API key of the same partner gets the replay of the first answer; an unbound API key has a namespace of its own.
      if (isShared) expectReplay(again, first);
      else {
        expectFirst(again);
        expect(again.text).not.toBe(first.text);
      }
    });
  });
});
