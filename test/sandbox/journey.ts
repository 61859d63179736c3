import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import type { Answer, Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import type { MarketOptions } from '../support/market.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

/** The first hour with the sandbox contract, step by step over real HTTP; each step goes on from the one before. */
export const sandboxJourney = (
  where: string,
  options: () => Promise<Pick<MarketOptions, 'env' | 'database'>>,
): void =>
  describe(`sandbox contract${where}: from the bootstrap key to a verified event`, () => {
    let app: TestApp;
    let receiver: Receiver;
    let account: Api;
    let partnerId: string;
    let registration: Answer;
    let webhook: { id: string; secret: string };
    let tested: any;

    beforeAll(async () => {
      const { env, database } = await options();
      app = await startApp('sandbox', env, database);
      receiver = await Receiver.start();
    });
    afterAll(async () => {
      await receiver.close();
      await app.close();
    });

    const register = () =>
      account.post(
        '/webhooks',
        { url: receiver.url, description: 'Ledger' },
        { 'idempotency-key': 'first-hook' },
      );

    it('creates an account with the bootstrap key, and a sandbox key that comes with it', async () => {
      const { status, body, headers } = await app.admin.post('/partners', { name: 'Acme Sandbox' });
      expect(status).toBe(201);
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
      expect(body.data).toMatchObject({
        object: 'partner_created',
        partner: { object: 'partner', name: 'Acme Sandbox', status: 'active' },
        api_key: { environment: 'sandbox', scopes: ['partner:read', 'read'], revoked: false },
      });
      partnerId = body.data.partner.id;
      expect(body.data.api_key.secret).toMatch(/^vl_sandbox_[0-9A-Za-z]{38}$/);
      account = app.admin.as(body.data.api_key.secret);
    });

    it('creates an end-user with that key', async () => {
      const { status, body } = await account.post('/users', { external_id: 'acme:1' });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        object: 'user',
        data: { object: 'user', external_id: 'acme:1', label: 'acme:1', wallets: [], status: 'active' },
      });
    });

    it('reads that nothing was deposited yet', async () => {
      const { status, body } = await account.get('/partner/summary');
      expect([status, body.object]).toEqual([200, 'partner_summary']);
      expect(body.data).toMatchObject({ partner_id: partnerId, users: 1, totals: { net_tvl: 0 } });
    });

    it('reads how the simulated market behaved in the month behind it, and what to make of that', async () => {
      const signals = async () => (await account.get('/analytics/signals')).body.data;
      await until(async () => (await signals())[0].risk_adjusted_apy !== null);
      expect((await signals())[0]).toMatchObject({ object: 'signal', rank: 1, insufficient_history: false });
      const history = (await account.get('/yield/history/USDT?interval=day')).body;
      expect(history.object).toBe('yield_history');
      expect(history.data.points.length).toBeGreaterThanOrEqual(30);
      const regime = (await account.get('/analytics/regime')).body;
      expect(regime.object).toBe('regime');
      const advisor = (await account.get('/analytics/advisor')).body;
      expect(advisor).toMatchObject({
        object: 'advisor',
        data: { regime: regime.data, generator: 'template', uplift: { positions: 0 } },
      });
      const worth = (await signals())
        .filter(({ recommendation }: any) => recommendation !== 'reduce')
        .slice(0, 3);
      const named = (all: { vault_id: string }[]): string[] => all.map(({ vault_id }) => vault_id);
      expect(named(advisor.data.opportunities)).toEqual(named(worth));
    });

    it('registers a webhook with an Idempotency-Key; its secret is shown in full', async () => {
      registration = await register();
      expect(registration.status).toBe(201);
      expect(registration.headers.get('idempotency-replayed')).toBeNull();
      webhook = registration.body.data;
      expect(webhook).toMatchObject({
        object: 'webhook',
        partner_id: partnerId,
        url: receiver.url,
        description: 'Ledger',
        active: true,
      });
      expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    });

    it('answers the retry of that registration with the same bytes, and registers nothing more', async () => {
      const retry = await register();
      expect(retry.status).toBe(201);
      expect(retry.text).toBe(registration.text);
      expect(retry.headers.get('idempotency-replayed')).toBe('true');
      expect(retry.headers.get('x-request-id')).not.toBe(registration.headers.get('x-request-id'));
      const { body } = await account.get('/webhooks');
      expect(body.meta).toEqual({ has_more: false });
      expect(body.data).toHaveLength(1);
      expect(body.data[0]).toMatchObject({ id: webhook.id, secret: `whsec_****${webhook.secret.slice(-4)}` });
    });

    it('sends a test event and answers 200 with the record', async () => {
      const { status, body } = await account.post(`/webhooks/${webhook.id}/test`);
      expect(status).toBe(200);
      expect(body.object).toBe('delivery');
      tested = body.data;
      expect(tested).toMatchObject({
        object: 'delivery',
        webhook_id: webhook.id,
        partner_id: partnerId,
        url: receiver.url,
        event: 'system.status',
        status: 'delivered',
        attempts: 1,
        response_status: 200,
        failure: null,
      });
    });

    it('sent what a public verifier accepts, as bytes and as text, and refuses with a byte changed', async () => {
      const [got] = await receiver.waitFor(1);
      const header = got!.headers['webhook-signature'] as string;
      expect(header).toBe(tested.signature);
      for (const raw of [got!.body, got!.body.toString()]) {
        expect(Stripe.webhooks.constructEvent(raw, header, webhook.secret)).toEqual(tested.payload);
      }
      const changed = Buffer.from(got!.body);
      changed[0]! ^= 1;
      for (const raw of [changed, changed.toString()]) {
        expect(() => Stripe.webhooks.constructEvent(raw, header, webhook.secret)).toThrow(/signature/i);
      }
      expect(() => Stripe.webhooks.constructEvent(got!.body, header, `${webhook.secret}x`)).toThrow(
        /signature/i,
      );
    });

    it('pages the delivery log under /webhooks/events, newest first', async () => {
      const second = (await account.post(`/webhooks/${webhook.id}/test`)).body.data;
      const first = await account.get(`/webhooks/events?webhook_id=${webhook.id}&limit=1`);
      expect(first.status).toBe(200);
      expect(first.body).toEqual({
        object: 'list',
        data: [second],
        meta: { has_more: true, next_cursor: expect.any(String) },
      });
      const cursor = first.body.meta.next_cursor;
      const last = await account.get(`/webhooks/events?webhook_id=${webhook.id}&limit=1&cursor=${cursor}`);
      expect(last.body).toEqual({ object: 'list', data: [tested], meta: { has_more: false } });
    });

    it('mounts neither PATCH /webhooks/{id} nor GET /webhooks/deliveries', async () => {
      expectError(await account.patch(`/webhooks/${webhook.id}`, { active: false }), 404, 'route_not_found');
      expectError(await account.get('/webhooks/deliveries'), 404, 'route_not_found');
      expect((await account.get('/webhooks')).body.data[0].active).toBe(true);
    });

    it('checks a receiver, replaces the secret, and lists what was raised and what the endpoint has missed of it', async () => {
      const checked = await account.post('/webhooks/check', { url: receiver.url });
      expect(checked.body).toMatchObject({
        object: 'webhook_check',
        data: { passed: true, response_status: 200 },
      });
      const rotated = await account.post(`/webhooks/${webhook.id}/secret/rotate`);
      expect(rotated.body.object).toBe('webhook');
      expect(rotated.body.data.secret).not.toBe(webhook.secret);
      expect(rotated.body.data).toMatchObject({ failing_since: null, consecutive_failures: 0 });
      const { body } = await account.get('/events?types=system.status&limit=1');
      expect(body.data).toMatchObject([{ object: 'event', type: 'system.status', undelivered_to: [] }]);
      expect(body.data[0].deliveries[0]).toMatchObject({ webhook_id: webhook.id, status: 'delivered' });
      const missed = await account.get(`/events?undelivered_to=${webhook.id}`);
      expect(missed.body).toEqual({ object: 'list', data: [], meta: { has_more: false } });
    });

    it('deletes the webhook, and keeps its deliveries in the log', async () => {
      const gone = await account.delete(`/webhooks/${webhook.id}`);
      expect(gone.status).toBe(200);
      expect(gone.body).toEqual({ object: 'webhook', data: { id: webhook.id, deleted: true } });
      expectError(await account.delete(`/webhooks/${webhook.id}`), 404, 'not_found');
      expectError(await account.post(`/webhooks/${webhook.id}/test`), 404, 'not_found');
      expect((await account.get('/webhooks')).body.data).toEqual([]);
      expect((await account.get('/webhooks/events')).body.data).toHaveLength(2);
    });

    it('asks where a deposit would go, and says which vaults may hold funds: what is in another one leaves it in the next hour', async () => {
      const preview = await account.post('/positions/preview', { asset: 'USDC', amount: 500 });
      expect(preview.body.object).toBe('decision_preview');
      const { body: user } = await account.post('/users', { external_id: 'acme:policy' });
      const deposit = { user_id: user.data.id, asset: 'USDC', amount: 500 };
      const { data: position } = (await account.post('/positions', deposit)).body;
      expect(position.vault_id).toBe(preview.body.data.to_vault_id);
      const vaults: { id: string }[] = (await account.get('/vaults')).body.data;
      const allowed_vaults = vaults.map(({ id }) => id).filter((id) => id !== position.vault_id);
      const rules = { allowed_vaults, max_risk_tier: null, min_gain: null, paused: false };
      const put = await account.put('/partner/policy', rules);
      expect([put.status, put.body.data.in_force]).toEqual([200, rules]);
      expect((await account.post('/simulation/clock/advance', { hours: 1 })).status).toBe(200);
      const { data: moved } = (await account.get(`/positions/${position.id}`)).body;
      const [decision] = (await account.get(`/analytics/decisions?position_id=${position.id}`)).body.data;
      expect(decision).toMatchObject({
        reason: 'policy',
        from_vault_id: position.vault_id,
        to_vault_id: moved.vault_id,
        inputs: { policy: { version: put.body.data.version } },
      });
      expect(allowed_vaults).toContain(moved.vault_id);
    });
  });
