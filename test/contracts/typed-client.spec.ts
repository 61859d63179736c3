import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import createClient, { type Client } from 'openapi-fetch';
import type { paths as PartnerPaths } from '../../sdk/src/generated/partner.js';
import type { paths as SandboxPaths } from '../../sdk/src/generated/sandbox.js';
import { startApp, type TestApp } from '../support/app.js';
import { Conformance } from '../support/conformance.js';
import { Receiver } from '../support/receiver.js';

/**
 * What a partner's engineer does first, with a client generated from the published document: it must compile under the strictest settings, and
 * every answer must be as documented.
 */
describe('a generated client of the partner contract', () => {
  const journey = start('partner');
  const client = (key: string): Client<PartnerPaths> =>
    createClient<PartnerPaths>({ ...journey.options(key), fetch: journey.conformance.fetch });

  it('goes from the first partner to the delivery log', async () => {
    const admin = client(journey.app.adminKey);
    const created = await admin.POST('/partners', { body: { name: 'Typed Wallet' } });
    const { partner, api_key } = created.data!.data;
    expect(partner.status).toBe('active');

    const key = await admin.POST('/keys', {
      body: { label: 'Typed', scopes: ['partner:read'], partner_id: partner.id },
      params: { header: { 'Idempotency-Key': 'typed-1' } },
    });
    expect(key.data!.data.environment).toBe('live');

    const own = client(key.data!.data.secret);
    const user = await own.POST('/users', { body: { external_id: 'typed:1' } });
    expect(user.data!.data.wallets).toEqual([]);

    const webhook = await own.POST('/webhooks', {
      body: { url: journey.receiver.url, events: ['system.status'] },
    });
    const { id } = webhook.data!.data;
    const sent = await own.POST('/webhooks/{id}/test', { params: { path: { id } } });
    expect(sent.response.status).toBe(201);
    for (const got of await journey.receiver.waitFor(1)) journey.conformance.checkEvent(got);

    const log = await own.GET('/webhooks/deliveries', { params: { query: { webhook_id: id, limit: '10' } } });
    expect(log.data!.data.map((delivery) => delivery.id)).toEqual([sent.data!.data.id]);
    expect(log.data!.meta.has_more).toBe(false);
    const catalogue = await own.GET('/webhooks/events');
    expect(catalogue.data!.data.events).toContain('system.status');

    const off = await own.PATCH('/webhooks/{id}', { params: { path: { id } }, body: { active: false } });
    expect(off.data!.data.active).toBe(false);
    const again = await client(api_key.secret).POST('/users', { body: { external_id: 'typed:1' } });
    expect(again.error!.error.code).toBe('external_id_taken');
    const stranger = await client('vl_live_nobody').GET('/webhooks');
    expect(stranger.error!.error.code).toBe('invalid_api_key');
  });
});

describe('a generated client of the sandbox contract', () => {
  const journey = start('sandbox');
  const client = (key: string): Client<SandboxPaths> =>
    createClient<SandboxPaths>({ ...journey.options(key), fetch: journey.conformance.fetch });

  it('goes from the first partner to the delivery log', async () => {
    const admin = client(journey.app.adminKey);
    const created = await admin.POST('/partners', { body: { name: 'Typed Wallet' } });
    const { partner } = created.data!.data;
    const key = await admin.POST('/keys', {
      body: { label: 'Typed', scopes: ['partner:read'], partner_id: partner.id, environment: 'sandbox' },
    });
    const own = client(key.data!.data.secret);
    const user = await own.POST('/users', { body: { external_id: 'typed:1', metadata: { tier: 'gold' } } });
    expect(user.data!.data.label).toBe('typed:1');

    const register = () =>
      own.POST('/webhooks', {
        body: { url: journey.receiver.url },
        params: { header: { 'Idempotency-Key': 'typed-webhook' } },
      });
    const webhook = await register();
    const { id } = webhook.data!.data;
    const replayed = await register();
    expect(replayed.data).toEqual(webhook.data);
    expect(replayed.response.headers.get('idempotency-replayed')).toBe('true');

    const sent = await own.POST('/webhooks/{id}/test', { params: { path: { id } } });
    expect(sent.response.status).toBe(200);
    for (const got of await journey.receiver.waitFor(1)) journey.conformance.checkEvent(got);
    const log = await own.GET('/webhooks/events', { params: { query: { webhook_id: id, limit: 10 } } });
    expect(log.data!.data.map((delivery) => delivery.status)).toEqual(['delivered']);

    const gone = await own.DELETE('/webhooks/{id}', { params: { path: { id } } });
    expect(gone.data!.data).toEqual({ id, deleted: true });
    const unknown = await own.POST('/webhooks/{id}/test', { params: { path: { id } } });
    expect(unknown.error!.error.code).toBe('not_found');
  });
});

it('holds answers to more than their status', async () => {
  const conformance = await Conformance.of('partner');
  const id = 'wh_01kaabcdefghjkmnpqrstvwxyz';
  const body = { object: 'webhook', data: { id, deleted: true } };
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_01kaabcdefghjkmnpqrstvwxyz' };
  const answer = { status: 200, headers: new Headers(headers), body };
  const check = (changed: object) => () =>
    conformance.check('DELETE', `/webhooks/${id}`, { ...answer, ...changed });
  expect(check({})).not.toThrow();
  expect(check({ status: 201 })).toThrow('201 is not documented');
  expect(check({ headers: new Headers({ 'content-type': 'application/json' }) })).toThrow(
    'X-Request-Id is missing',
  );
  expect(check({ body: { ...body, data: { ...body.data, hash: 'x' } } })).toThrow('additional properties');
  expect(check({ body: { ...body, data: { id: 'ptn_1', deleted: true } } })).toThrow('pattern');
  const error = { code: 'wallet_taken', message: 'No.', request_id: headers['x-request-id'] };
  expect(check({ status: 404, body: { error } })).toThrow('wallet_taken is not among');
  expect(() => conformance.checkBody('POST', '/users', { external_id: 'a', name: 'b' })).toThrow(
    'additional',
  );
});

/** What the journeys share; filled in before the first test runs. */
interface Journey {
  app: TestApp;
  receiver: Receiver;
  conformance: Conformance;
  options(key: string): { baseUrl: string; headers: { Authorization: string } };
}

function start(contract: 'partner' | 'sandbox'): Journey {
  const journey = {
    options: (key) => ({
      baseUrl: `${journey.app.url}/api/v1`,
      headers: { Authorization: `Bearer ${key}` },
    }),
  } as Journey;
  beforeAll(async () => {
    journey.app = await startApp(contract);
    journey.receiver = await Receiver.start();
    journey.conformance = await Conformance.of(contract);
  });
  afterAll(async () => {
    await journey.receiver.close();
    await journey.app.close();
  });
  return journey;
}
