import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import type { Api } from '../support/api.js';
import type { TestApp } from '../support/app.js';
import { type MarketOptions, newTxHash, startMarket, type TestMarket } from '../support/market.js';
import { Receiver } from '../support/receiver.js';

/** The first hour with the partner contract, step by step over real HTTP; each step goes on from the one before. */
export const partnerJourney = (where: string, options: () => Promise<MarketOptions>): void =>
  describe(`partner contract${where}: from the bootstrap key to a verified event`, () => {
    let market: TestMarket;
    let app: TestApp;
    let receiver: Receiver;
    let partner: Api;
    let partnerId: string;
    let userId: string;
    let positionId: string;
    let webhook: { id: string; secret: string };

    beforeAll(async () => {
      market = await startMarket('partner', await options());
      ({ app } = market);
      receiver = await Receiver.start();
    });
    afterAll(async () => {
      await receiver.close();
      await market.close();
    });

    it('creates a partner with the bootstrap key, and a key that comes with it', async () => {
      const { status, body, headers } = await app.admin.post('/partners', { name: 'Acme Wallet' });
      expect(status).toBe(201);
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body.object).toBe('partner_created');
      expect(body.data).toMatchObject({
        object: 'partner_created',
        partner: { object: 'partner', name: 'Acme Wallet', status: 'active', revenue_share_bps: 4000 },
        api_key: { object: 'api_key', environment: 'live', scopes: ['partner:read', 'read'], revoked: false },
      });
      partnerId = body.data.partner.id;
      expect(partnerId).toMatch(/^ptn_[0-9a-z]{26}$/);
      expect(body.data.api_key.partner_id).toBe(partnerId);
      expect(body.data.api_key.secret).toMatch(/^vl_live_[0-9A-Za-z]{38}$/);
      partner = app.admin.as(body.data.api_key.secret);
    });

    it('creates an end-user with that key', async () => {
      const { status, body } = await partner.post('/users', {
        external_id: 'acme:1',
        label: 'First',
        wallets: ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
      });
      expect(status).toBe(201);
      expect(body).toEqual({
        object: 'user',
        data: {
          id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
          object: 'user',
          external_id: 'acme:1',
          label: 'First',
          email: null,
          metadata: {},
          wallets: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
          status: 'active',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updated_at: expect.any(String),
        },
      });
    });

    it('reads that nothing was deposited yet', async () => {
      const { status, body } = await partner.get('/partner/summary');
      expect([status, body.object]).toEqual([200, 'partner_summary']);
      expect(body.data).toMatchObject({ partner_id: partnerId, users: 1, totals: { net_tvl: 0 } });
      const users = (await partner.get('/partner/users')).body.data;
      userId = users[0].id;
      expect(users).toMatchObject([{ object: 'attributed_user', external_id: 'acme:1', net_tvl: 0 }]);
    });

    it('finds in its reports what the protocol says has settled, and what that earns by the hour', async () => {
      const settled = { user_id: userId, asset: 'USDC', amount: 1000, tx_hash: newTxHash() };
      // A feed's first observation is earned from the next hour on; values run by the millisecond.
      await market.advance();
      market.holdClock();
      const created = await market.protocol.post('/positions', settled);
      expect(created.status).toBe(201);
      positionId = created.body.data.id;
      await market.advance(2);
      const { data } = (await partner.get('/partner/yield')).body;
      expect(data.total).toBeCloseTo(1000 * (1.04 ** (2 / 8760) - 1), 5);
      const positions = (await partner.get(`/partner/user/${userId}/positions`)).body.data;
      expect(positions).toMatchObject([{ id: positionId, principal: 1000, yield: expect.any(Number) }]);
      expect((await partner.get('/partner/tvl')).body.data.net_tvl).toBe(positions[0].value);
      const history = (await partner.get('/yield/history/USDC')).body.data;
      expect(history.apy).toBeCloseTo(0.04, 9);
    });

    it('reads why the deposit went where it went, what that was judged by, and what it brought', async () => {
      const { body } = await partner.get(`/analytics/decisions?position_id=${positionId}`);
      expect(body.data).toMatchObject([{ object: 'decision', kind: 'route', position_id: positionId }]);
      const signals = (await partner.get('/analytics/signals?asset=USDC&limit=1')).body;
      expect(signals).toMatchObject({ object: 'list', data: [{ rank: 1 }], meta: { has_more: true } });
      expect((await partner.get('/analytics/regime')).body).toMatchObject({
        object: 'object',
        data: { regime: 'unknown' },
      });
      expect((await partner.get(`/analytics/uplift?user_id=${userId}`)).body).toMatchObject({
        object: 'object',
        data: { positions: 1, realized: { uplift: 0 } },
      });
    });

    it('registers a webhook whose secret is shown once', async () => {
      const created = await partner.post('/webhooks', { url: receiver.url, events: ['system.status'] });
      expect(created.status).toBe(201);
      webhook = created.body.data;
      expect(webhook).toMatchObject({
        object: 'webhook',
        partner_id: partnerId,
        url: receiver.url,
        active: true,
      });
      expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      const listed = await partner.get('/webhooks');
      expect(listed.body).toMatchObject({ object: 'list', meta: { has_more: false } });
      expect(listed.body.data[0].secret).toBe(`whsec_****${webhook.secret.slice(-4)}`);
    });

    it('sends a test event that a public verifier accepts, and answers 201 with the record', async () => {
      const { status, body } = await partner.post(`/webhooks/${webhook.id}/test`);
      expect(status).toBe(201);
      expect(body).toMatchObject({
        object: 'delivery',
        data: {
          object: 'delivery',
          webhook_id: webhook.id,
          partner_id: partnerId,
          url: receiver.url,
          event: 'system.status',
          status: 'delivered',
          attempts: 1,
          response_status: 200,
          failure: null,
          payload: {
            type: 'system.status',
            data: { message: expect.any(String), requested_at: expect.any(String) },
          },
        },
      });
      const [got] = await receiver.waitFor(1);
      expect(got!.headers['webhook-signature']).toBe(body.data.signature);
      expect(got!.headers['webhook-id']).toBe(body.data.payload.id);
      expect(got!.headers['user-agent']).toMatch(/^Vaultline\/\d/);
      const stripe = new Stripe('sk_test_unused');
      const signature = body.data.signature;
      for (const raw of [got!.body, got!.body.toString()]) {
        expect(stripe.webhooks.constructEvent(raw, signature, webhook.secret)).toEqual(body.data.payload);
      }
      const changed = Buffer.from(got!.body);
      changed[changed.length - 3]! ^= 1;
      expect(() => stripe.webhooks.constructEvent(changed, signature, webhook.secret)).toThrow(/signature/i);
    });

    it('lists event types under /webhooks/events and the delivery under /webhooks/deliveries', async () => {
      const catalogue = await partner.get('/webhooks/events');
      expect(catalogue.body.object).toBe('webhook_events');
      expect(catalogue.body.data.events).toContain('position.rebalanced');
      const log = await partner.get(`/webhooks/deliveries?webhook_id=${webhook.id}&limit=1`);
      expect(log.body).toMatchObject({
        object: 'list',
        data: [{ status: 'delivered' }],
        meta: { has_more: false },
      });
    });

    it('checks a receiver, replaces the secret, and lists what was raised and what the endpoint has missed of it', async () => {
      const checked = await partner.post('/webhooks/check', { url: receiver.url });
      expect(checked.body).toMatchObject({
        object: 'webhook_check',
        data: { passed: true, response_status: 200 },
      });
      const rotated = await partner.post(`/webhooks/${webhook.id}/secret/rotate`);
      expect(rotated.body.object).toBe('webhook');
      expect(rotated.body.data.secret).not.toBe(webhook.secret);
      expect(rotated.body.data).toMatchObject({ failing_since: null, consecutive_failures: 0 });
      const { body } = await partner.get('/events?types=system.status&limit=1');
      expect(body.data).toMatchObject([{ object: 'event', type: 'system.status', undelivered_to: [] }]);
      expect(body.data[0].deliveries[0]).toMatchObject({ webhook_id: webhook.id, status: 'delivered' });
      const missed = await partner.get(`/events?undelivered_to=${webhook.id}`);
      expect(missed.body).toEqual({ object: 'list', data: [], meta: { has_more: false } });
    });

    it('asks where a deposit would go, and bounds where it may', async () => {
      const preview = async () =>
        (await partner.post('/positions/preview', { asset: 'USDC', amount: 10 })).body;
      expect(await preview()).toMatchObject({ object: 'decision_preview', data: { kind: 'route' } });
      const rules = { allowed_vaults: null, max_risk_tier: null, min_gain: null, paused: true };
      const bounded = await app.admin.put(`/partners/${partnerId}/policy`, rules);
      expect(bounded.body).toMatchObject({ object: 'partner_policy', data: { version: 1, bounds: rules } });
      const put = await partner.put('/partner/policy', { ...rules, paused: false });
      expect(put.body.data).toMatchObject({ version: 1, paused: false, in_force: rules });
      expect((await preview()).data.to_vault_id).toBe('vlt_idle_usdc');
      await app.admin.put(`/partners/${partnerId}/policy`, { ...rules, paused: false });
    });

    it('turns the webhook off, and deletes it', async () => {
      const off = await partner.patch(`/webhooks/${webhook.id}`, { active: false });
      expect(off.status).toBe(200);
      expect(off.body.data).toMatchObject({
        active: false,
        secret: expect.stringMatching(/^whsec_\*{4}.{4}$/),
      });
      const gone = await partner.delete(`/webhooks/${webhook.id}`);
      expect(gone.body).toEqual({ object: 'webhook', data: { id: webhook.id, deleted: true } });
      expect((await partner.delete(`/webhooks/${webhook.id}`)).status).toBe(404);
    });

    it('refuses the key from the moment its partner is disabled', async () => {
      await app.admin.patch(`/partners/${partnerId}`, { status: 'disabled' });
      const { status, body } = await partner.get('/webhooks');
      expect(status).toBe(401);
      expect(body.error.code).toBe('invalid_api_key');
    });
  });
