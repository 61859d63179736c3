import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer, Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { schemaOf } from '../support/database.js';
import { type DocumentedOperation, documentedOperations, filledPath } from '../support/document.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';

/** How an operation is called in these tests: a good body that may be sent again as a new request, and one that is not valid. */
interface Case {
  body?: () => object;
  invalid?: object;
  /** Where its answer shows a secret. */
  secret?: (data: any) => string;
}

/** The ids that paths are filled with, and a second set that is as good. */
type Ids = Record<string, string>;

describe.each(['partner', 'sandbox'] as const)('%s contract: Idempotency-Key', (contract) => {
  let app: TestApp;
  let receiver: Receiver;
  let partner: TestPartner;
  let posts: DocumentedOperation[];
  let ids: Ids;
  let others: Ids;
  let count = 0;
  let key: string;

  const cases: Record<string, Case> = {
    createKey: {
      body: () => ({ label: `key ${++count}`, scopes: ['keys:admin'] }),
      invalid: { label: '' },
      secret: (data) => data.secret,
    },
    createPartner: {
      body: () => ({ name: `partner ${++count}` }),
      invalid: {},
      secret: (data) => data.api_key.secret,
    },
    createCampaign: { body: () => ({ name: `campaign ${++count}` }), invalid: { name: 7 } },
    createUser: { body: () => ({ external_id: `user:${++count}` }), invalid: { external_id: null } },
    createWebhook: {
      body: () => ({ url: receiver.url, description: `hook ${++count}` }),
      invalid: { url: 'http://127.0.0.1:9999/hook', events: [] },
      secret: (data) => data.secret,
    },
    testWebhook: {},
  };

  beforeAll(async () => {
    app = await startApp(contract);
    receiver = await Receiver.start();
    partner = await createPartner(app.admin);
    posts = (await documentedOperations(app)).filter(({ method }) => method === 'POST');
    const idsOf = async (): Promise<Ids> => ({
      ptn: (await createPartner(app.admin)).id,
      wh: (await partner.api.post('/webhooks', { url: receiver.url })).body.data.id,
    });
    [ids, others] = [await idsOf(), await idsOf()];
  });
  afterAll(async () => {
    await receiver.close();
    await app.close();
  });
  beforeEach(() => {
    key = randomUUID();
  });

  const callerOf = ({ scopes }: DocumentedOperation): Api =>
    scopes.includes('partner:read') ? partner.api : app.admin;
  const post = (
    operation: DocumentedOperation,
    body?: object,
    some = ids,
    api = callerOf(operation),
  ): Promise<Answer> => api.post(filledPath(operation, some), body, { 'idempotency-key': key });
  const expectReplay = (answer: Answer, first: Answer): void => {
    expect([answer.status, answer.text]).toEqual([first.status, first.text]);
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
    expect(answer.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(answer.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  };
  const expectFirst = (answer: Answer): void => {
    expect(Math.floor(answer.status / 100)).toBe(2);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
  };
  const eachPost = async (
    work: (operation: DocumentedOperation, test: Case) => Promise<void>,
  ): Promise<void> => {
    for (const operation of posts) {
      key = randomUUID();
      await work(operation, cases[operation.operationId]!);
    }
  };

  it('is offered by every POST, and each of them is tried here', () => {
    expect(posts.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(cases).sort());
    for (const { parameters } of posts) {
      expect(JSON.stringify(parameters)).toContain('#/components/parameters/IdempotencyKey');
    }
  });

  it('repeats the first answer byte for byte, secrets included', async () => {
    await eachPost(async (operation, { body, secret }) => {
      const sent = body?.();
      const first = await post(operation, sent);
      expectFirst(first);
      expectReplay(await post(operation, sent), first);
      expectReplay(await post(operation, sent), first);
      if (secret) expect(secret(first.body.data)).not.toContain('****');
    });
  });

  it('takes no notice of the order of fields and of white space', async () => {
    const text = { 'idempotency-key': key };
    const first = await partner.api.post('/users', '{"external_id":"order:1","label":"A"}', text);
    expectReplay(
      await partner.api.post('/users', ' { "label": "A",\n"external_id": "order:1" } ', text),
      first,
    );
  });

  it('is refused with another body or another id in the path: 422', async () => {
    await eachPost(async (operation, { body }) => {
      const sent = body?.();
      expectFirst(await post(operation, sent));
      if (body) expectError(await post(operation, body()), 422, 'idempotency_key_reused');
      if (operation.path.includes('{'))
        expectError(await post(operation, sent, others), 422, 'idempotency_key_reused');
    });
  });

  it('is not used up by a request that was not valid', async () => {
    await eachPost(async (operation, { body, invalid }) => {
      if (!invalid) return;
      expectError(await post(operation, invalid), 400, 'validation_failed');
      expectFirst(await post(operation, body!()));
    });
  });

  it('is not used up by a request that a rule refused', async () => {
    const [webhooks] = posts.filter(({ operationId }) => operationId === 'createWebhook');
    expectError(await post(webhooks!, { url: 'http://10.0.0.1/' }), 422, 'webhook_url_forbidden');
    expectFirst(await post(webhooks!, cases['createWebhook']!.body!()));
    key = randomUUID();
    const [test] = posts.filter(({ operationId }) => operationId === 'testWebhook');
    expectError(await post(test!, undefined, {}), 404, 'not_found');
    expectFirst(await post(test!));
  });

  it('belongs to one API key and one route', async () => {
    await eachPost(async (operation, { body }) => {
      key = 'the-same-for-all';
      expectFirst(await post(operation, body?.()));
    });
    const scopes = ['keys:admin', 'partner:admin'];
    const administrator = await app.admin.post('/keys', { label: 'second', scopes });
    const colleague = await app.admin.post('/keys', {
      label: 'second',
      scopes: ['partner:read'],
      partner_id: partner.id,
    });
    await eachPost(async (operation, { body }) => {
      const second = callerOf(operation) === app.admin ? administrator : colleague;
      const sent = body?.();
      const first = await post(operation, sent);
      const again = await post(operation, body?.(), ids, app.admin.as(second.body.data.secret));
      expectFirst(again);
      expect(again.body.data.id ?? again.body.data.partner.id).not.toBe(
        first.body.data.id ?? first.body.data.partner.id,
      );
    });
  });

  it('is 1 to 255 visible ASCII characters', async () => {
    const register = (value: string) =>
      partner.api.post('/users', { external_id: `ascii:${++count}` }, { 'idempotency-key': value });
    for (const value of ['!', '~'.repeat(255)]) expectFirst(await register(value));
    for (const value of ['', 'x'.repeat(256), 'a b', 'a\tb', 'clé']) {
      const answer = await register(value);
      expectError(answer, 400, 'validation_failed');
      expect(fieldsOf(answer)).toEqual(['Idempotency-Key']);
    }
  });

  it('makes one effect of 30 requests at once; all that are answered get the one answer', async () => {
    const table: Record<string, string> = {
      createPartner: 'partners',
      createWebhook: 'webhook_endpoints',
      testWebhook: 'deliveries',
    };
    const rows = async (name: string): Promise<number> => {
      const [row] = await app.database.query<{ rows: number }>(
        schemaOf(contract),
        `SELECT count(*)::int AS rows FROM ${name}`,
      );
      return row!.rows;
    };
    await eachPost(async (operation, { body }) => {
      const counted = table[operation.operationId];
      if (!counted) return;
      const [before, sent, received] = [await rows(counted), body?.(), receiver.received.length];
      const answers = await Promise.all(Array.from({ length: 30 }, () => post(operation, sent)));
      const successes = answers.filter(({ status }) => status < 300);
      for (const answer of answers.filter(({ status }) => status >= 300))
        expectError(answer, 409, 'idempotency_in_progress');
      expect(successes.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
      expect(new Set(successes.map(({ text }) => text)).size).toBe(1);
      expect(await rows(counted)).toBe(before + 1);
      expect(receiver.received.length - received).toBe(operation.operationId === 'testWebhook' ? 1 : 0);
      expectReplay(await post(operation, sent), successes[0]!);
    });
  });

  it('keeps answers encrypted: no secret is in the table, nor in any other', async () => {
    await eachPost(async (operation, { body, secret }) => {
      if (!secret) return;
      const { text, body: answer } = await post(operation, body!());
      const told = secret(answer.data);
      const [claim] = await claims();
      expect(claim!.answer.length).toBeGreaterThan(Buffer.byteLength(text));
      for (const part of [told, told.slice(12), answer.data.id ?? answer.data.partner.id]) {
        expect(claim!.answer.includes(part)).toBe(false);
        expect(claim!.answer.includes(Buffer.from(part, 'base64'))).toBe(false);
      }
      const kept = `SELECT (SELECT json_agg(t)::text FROM api_keys t) || (SELECT json_agg(t)::text FROM webhook_endpoints t) AS all`;
      const [{ all }] = (await app.database.query<{ all: string }>(schemaOf(contract), kept)) as [
        { all: string },
      ];
      for (const form of [told, Buffer.from(told).toString('hex')]) expect(all).not.toContain(form.slice(16));
    });
  });

  const claims = () =>
    app.database.query<{ answer: Buffer }>(
      schemaOf(contract),
      'SELECT answer FROM idempotency_claims WHERE key = $1',
      [key],
    );
  const age = (interval: string) =>
    app.database.query(
      schemaOf(contract),
      'UPDATE idempotency_claims SET claimed_at = claimed_at - $2::interval WHERE key = $1',
      [key, interval],
    );

  it('is remembered for 24 hours, and then free again', async () => {
    await eachPost(async (operation, { body }) => {
      const first = await post(operation, body?.());
      await age('23 hours 59 minutes');
      if (body) expectError(await post(operation, body()), 422, 'idempotency_key_reused');
      else expectReplay(await post(operation), first);
      await age('1 minute');
      const [sent, before] = [body?.(), first.text];
      const second = await post(operation, sent);
      expectFirst(second);
      expect(second.text).not.toBe(before);
      expectReplay(await post(operation, sent), second);
    });
  });

  it('of a test send that a crash cut off: the retry answers with the interrupted record, and sends nothing', async () => {
    const [operation] = posts.filter(({ operationId }) => operationId === 'testWebhook');
    const first = await post(operation!);
    const sent = receiver.received.length;
    await app.database.query(
      schemaOf(contract),
      'UPDATE idempotency_claims SET answer = NULL WHERE key = $1',
      [key],
    );
    await app.database.query(
      schemaOf(contract),
      `UPDATE deliveries SET status = 'pending', response_status = NULL, latency_ms = NULL, claimed_at = now() - interval '1 hour' WHERE id = $1`,
      [first.body.data.id],
    );
    const retry = await post(operation!);
    expect(retry.status).toBe(first.status);
    expect(retry.body.data).toMatchObject({
      id: first.body.data.id,
      status: 'failed',
      failure: 'interrupted',
    });
    expectReplay(await post(operation!), retry);
    expect(receiver.received).toHaveLength(sent);
  });
});
