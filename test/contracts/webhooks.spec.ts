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
