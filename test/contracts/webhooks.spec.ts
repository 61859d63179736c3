import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';

/** What an endpoint is, through the API. Where it may lead is in test/security. */
describe.each(['partner', 'sandbox'] as const)('%s contract: webhook endpoints', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  const schema = contract === 'partner' ? 'live' : 'sandbox';

  beforeAll(async () => {
    app = await startApp(contract, { WEBHOOK_ALLOWED_NETWORKS: '' });
    partner = await createPartner(app.admin);
  });
  afterAll(() => app.close());

  const create = async (body: object) => partner.api.post('/webhooks', body);

  it('defaults to the whole catalogue, active, without a description', async () => {
    const { status, body } = await create({ url: 'https://hooks.example.com/a' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ active: true, description: null });
    expect(body.data.events).toEqual([
      'position.opened',
      'position.active',
      'position.rebalanced',
      'position.withdrawn',
      'position.closed',
      'yield.threshold',
      'system.status',
    ]);
    await partner.api.delete(`/webhooks/${body.data.id}`);
  });

  it.each([
    ['no url', {}, 'url'],
    ['no events', { url: 'https://x.example.com', events: [] }, 'events'],
    [
      'an event twice',
      { url: 'https://x.example.com', events: ['system.status', 'system.status'] },
      'events',
    ],
    ['an unknown event', { url: 'https://x.example.com', events: ['position.lost'] }, 'events'],
    ['active as a text', { url: 'https://x.example.com', active: 'yes' }, 'active'],
    ['a secret of its own', { url: 'https://x.example.com', secret: 'whsec_mine' }, 'secret'],
  ])('refuses %s', async (_, body, field) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].field).toBe(field);
  });

  it('keeps signing secrets and API keys where no dump of the database shows them', async () => {
    const { body } = await create({ url: 'https://hooks.example.com/secret' });
    const tables = await app.database.query<{ name: string }>(
      schema,
      'SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema()',
    );
    expect(tables.length).toBeGreaterThan(8);
    const dump = await Promise.all(
      tables.map(({ name }) =>
        app.database.query<{ row: string }>(schema, `SELECT t::text AS row FROM ${name} t`),
      ),
    );
    const text = JSON.stringify(dump);
    expect(text).toContain(body.data.id);
    for (const secret of [body.data.secret as string, partner.key, app.adminKey]) {
      for (const form of [secret, secret.slice(-20), Buffer.from(secret).toString('hex')])
        expect(text).not.toContain(form);
    }
  });

  it('takes 2,048 characters and no more', async () => {
    const url = (length: number): string => `https://hooks.example.com/${'x'.repeat(length - 26)}`;
    expect((await create({ url: url(2048) })).status).toBe(201);
    expect((await create({ url: url(2049) })).status).toBe(400);
  });
});

describe('partner contract: PATCH /webhooks/{id}', () => {
  let app: TestApp;
  let partner: TestPartner;
  let id: string;

  beforeAll(async () => {
    app = await startApp('partner', { WEBHOOK_ALLOWED_NETWORKS: '' });
    partner = await createPartner(app.admin);
    id = (await partner.api.post('/webhooks', { url: 'https://hooks.example.com/a', description: 'first' }))
      .body.data.id;
  });
  afterAll(() => app.close());

  const listed = async () => (await partner.api.get('/webhooks')).body.data[0];

  it('changes what is sent and nothing else', async () => {
    const before = await listed();
    const { status, body } = await partner.api.patch(`/webhooks/${id}`, { events: ['yield.threshold'] });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, events: ['yield.threshold'] });
    expect(await listed()).toEqual(body.data);
    expect(
      (await partner.api.patch(`/webhooks/${id}`, { description: null })).body.data.description,
    ).toBeNull();
    expect((await partner.api.patch(`/webhooks/${id}`, {})).status).toBe(200);
  });
});

describe('what the operator decides about receivers', () => {
  it('https only, when it is required; http for the private networks that are named', async () => {
    const receiver = await Receiver.start();
    const app = await startApp('partner', {
      WEBHOOK_REQUIRE_HTTPS: 'true',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    });
    const { api } = await createPartner(app.admin);
    expect((await api.post('/webhooks', { url: 'http://hooks.example.com/' })).body.error.code).toBe(
      'webhook_url_forbidden',
    );
    expect((await api.post('/webhooks', { url: 'https://hooks.example.com/' })).status).toBe(201);
    const { body } = await api.post('/webhooks', { url: receiver.url });
    expect((await api.post(`/webhooks/${body.data.id}/test`)).body.data.status).toBe('delivered');
    expect((await api.post('/webhooks', { url: 'http://10.0.0.1/' })).status).toBe(422);
    await app.close();
    await receiver.close();
  });
});
