import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertService } from '../../src/domain/cycle/alerts/alert.service.js';
import { BASE_MARKET, MarketService } from '../../src/domain/markets/hours/market.service.js';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { Account } from '../sandbox/account.js';
import type { Api } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { listed } from '../support/catalogue.js';
import { expectError } from '../support/expected-error.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';
import { change } from '../support/change.js';

interface AlertData {
  id: string;
  at: string;
  message: string;
  alert?: any;
}

/** Alerts that a receiver got, in the order of the events. */
const received = ({ received: requests }: Receiver): AlertData[] =>
  requests
    .map(({ body }) => JSON.parse(body.toString()))
    .filter(({ type, data }) => type === 'system.status' && data.alert)
    .map(({ id, created_at, data }) => ({ id, at: created_at, ...data }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

const short = (told: AlertData[]): string[] =>
  told.map(({ alert }) => `${alert.kind} ${alert.state} ${alert.vault_id ?? '-'}`);

const listedAlerts = async (api: Api, path: string): Promise<AlertData[]> => {
  const { status, body } = await api.get(`${path}?types=system.status`);
  expect(status).toBe(200);
  return body.data.map(({ id, created_at, data }: any) => ({ id, at: created_at, ...data }));
};

describe('partner contract: alerts', () => {
  const OTHERS = 250;
  let market: TestMarket;
  let app: TestApp;
  let stranger: TestPartner;
  let [operators, partners, strangers]: Receiver[] = [];
  let vaultId: string;

  beforeAll(async () => {
    market = await startMarket('partner', {
      adjust: ({ signals }) => change(signals, { windowHours: 4, minSnapshots: 2 }),
    });
    ({ app } = market);
    [operators, partners, strangers] = [
      await Receiver.start(),
      await Receiver.start(),
      await Receiver.start(),
    ];
    stranger = await createPartner(app.admin);
    await app.admin.post('/alerts/webhooks', { url: operators.url });
    await market.partner.api.post('/webhooks', { url: partners.url, events: ['system.status'] });
    await stranger.api.post('/webhooks', { url: strangers.url, events: ['system.status'] });
    await market.advance(3);
    vaultId = (await market.deposit(await market.createUser(), 10_000)).vault_id!;
    expect(vaultId).not.toMatch(/idle/);
    // So many partners with funds in the vault that telling them takes two transactions.
    await app.sql(`INSERT INTO partners (id, name, status, performance_fee_bps, revenue_share_bps, metadata, created_at, updated_at)
       SELECT 'ptn_' || lpad(n::text, 26, '0'), n::text, 'active', 0, 0, '{}', now(), now() FROM generate_series(1, ${OTHERS}) AS n`);
    await app.sql(`INSERT INTO book_shares (partner_id, asset, book, vault_id, slot, market_id, shares, positions, since)
       SELECT 'ptn_' || lpad(n::text, 26, '0'), b.asset, 'routed', b.vault_id, 0, b.market_id, 0, 1, b.since
         FROM generate_series(1, ${OTHERS}) AS n, (SELECT * FROM book_shares WHERE book = 'routed' AND vault_id = '${vaultId}' AND positions > 0 LIMIT 1) AS b`);
  });
  afterAll(async () => {
    await Promise.all([operators, partners, strangers].map(async (connection) => connection?.close()));
    await market.close();
  });

  const hours = async (count: number): Promise<void> => {
    for (let hour = 0; hour < count; hour++) {
      await market.advance();
      const present = app.application.get(MarketService).presentHour(BASE_MARKET);
      await app.application.get(AlertService).watch(present, new Map());
    }
    await untilSettled(app);
  };
  /** How many alerts the other partners were sent, each as many. */
  const sentToEach = async (): Promise<number[]> => {
    const rows = await app.sql(
      `SELECT count(*)::int AS events FROM events WHERE type = 'system.status' AND partner_id LIKE 'ptn_0000%' GROUP BY partner_id`,
    );
    expect(rows).toHaveLength(OTHERS);
    return [...new Set(rows.map(({ events }) => events))];
  };

  it('The owner of the receiver is no partner: it cannot be read, disabled or given a key', async () => {
    const { body } = await app.admin.get('/partners?limit=500');
    expect(body.data.every(({ id }: any) => id.startsWith('ptn_'))).toBe(true);
    expectError(await app.admin.get('/partners/deployment'), 404, 'not_found');
    expectError(await app.admin.patch('/partners/deployment', { status: 'disabled' }), 404, 'not_found');
    const key = { label: 'k', scopes: ['partner:read'], partner_id: 'deployment' };
    expect((await app.admin.post('/keys', key)).status).toBe(400);
    await expect(
      app.sql(
        `UPDATE api_keys SET partner_id = 'deployment', scopes = '{read}' WHERE partner_id IS NOT NULL`,
      ),
    ).rejects.toThrow('partner_is_not_the_deployment');
  });

  it('A silent vault is alerted once to administrators and to partners with funds in it, at most 200 per transaction', async () => {
    market.setYields({ [vaultId]: null });
    await hours(2);
    expect([operators, partners, strangers].map((connection) => received(connection!))).toEqual([[], [], []]);
    await hours(2);
    const told = received(partners!);
    expect(short(told)).toEqual([`vault_silent begun ${vaultId}`]);
    expect(short(received(operators!))).toEqual(short(told));
    expect(received(strangers!)).toEqual([]);
    const [{ message, alert }] = told as [AlertData];
    expect(message).toContain(vaultId);
    expect(message).toContain(`has not been observed since ${alert.since}`);
    expect(alert).toMatchObject({ until: null, settlement_id: null });
    expect(alert.what_to_do).toContain('24 hours');
    expect(await sentToEach()).toEqual([1]);
    // Each transaction marks whom it tells; the partner itself is the one beyond the others.
    const marked = await app.sql(
      'SELECT count(*)::int AS partners FROM alerted_partners GROUP BY xmin::text ORDER BY 1',
    );
    expect(marked).toEqual([{ partners: OTHERS + 1 - 200 }, { partners: 200 }]);
  });

  it('An evicted vault starts an alert, and both alerts clear once it is observed again', async () => {
    await market.advance(21);
    await app.application.get(HourlyCycle).run();
    await untilSettled(app);
    expect(short(received(partners!))).toEqual([
      `vault_silent begun ${vaultId}`,
      `vault_evicted begun ${vaultId}`,
    ]);
    const { body } = await market.partner.api.get('/analytics/decisions?kind=rebalance');
    expect(body.data[0]).toMatchObject({ reason: 'evicted', from_vault_id: vaultId });
    market.setYields({ [vaultId]: { apy: 0.04 } });
    await hours(2);
    const told = received(partners!);
    expect(short(told).sort()).toEqual([
      `vault_evicted begun ${vaultId}`,
      `vault_evicted over ${vaultId}`,
      `vault_silent begun ${vaultId}`,
      `vault_silent over ${vaultId}`,
    ]);
    const over = told.find(({ alert }) => alert.kind === 'vault_silent' && alert.state === 'over')!;
    expect(over.message).toContain('is observed again');
    expect(Date.parse(over.alert.until)).toBeGreaterThan(Date.parse(over.alert.since));
    expect(short(received(operators!)).sort()).toEqual(short(told).sort());
    expect(received(strangers!)).toEqual([]);
    expect(await sentToEach()).toEqual([4]);
    expect(await app.sql('SELECT FROM alerts')).toEqual([]);
  });

  it('A tick late by 2 hours is alerted once, to administrators only', async () => {
    const alerts = app.application.get(AlertService);
    const before = received(operators!).length;
    market.pass(2 * HOUR_MS);
    await alerts.watchTick();
    market.pass(HOUR_MS);
    await Promise.all([alerts.watchTick(), alerts.watchTick()]);
    await market.tick();
    await alerts.watchTick();
    await alerts.watchTick();
    await untilSettled(app);
    const told = received(operators!).slice(before);
    expect(short(told)).toEqual(['tick_late begun -', 'tick_late over -']);
    expect(told[0]!.message).toContain('its tick is 2 hours late');
    expect(short(received(partners!)).join()).not.toContain('tick_late');
  });

  it('A market without any hour is alerted to administrators after 2 hours', async () => {
    const alerts = app.application.get(AlertService);
    const before = received(operators!).length;
    const database = (sql: string) => app.sql(sql);
    await database(
      "CREATE TABLE kept AS SELECT ticked_hour FROM markets WHERE id = 'base'; UPDATE markets SET ticked_hour = NULL WHERE id = 'base'",
    );
    await alerts.watchTick();
    market.pass(2 * HOUR_MS);
    await alerts.watchTick();
    await database(
      "UPDATE markets SET ticked_hour = (SELECT ticked_hour FROM kept) WHERE id = 'base'; DROP TABLE kept",
    );
    await market.tick();
    await alerts.watchTick();
    await untilSettled(app);
    const told = received(operators!).slice(before);
    expect(short(told)).toEqual(['tick_late begun -', 'tick_late over -']);
    expect(told[0]!.message).toContain('no feed has answered for 2 hours');
  });

  it('Alerts appear in the event log of administrators and of each partner to which they were sent', async () => {
    const logged = await listedAlerts(app.admin, '/alerts/events');
    const alerts = logged.filter(({ alert }) => alert);
    expect(new Set(short(alerts))).toEqual(new Set(short(received(operators!))));
    expect(alerts).toHaveLength(received(operators!).length);
    const mine = await listedAlerts(market.partner.api, '/events');
    expect(mine.map(({ id }) => id).sort()).toEqual(received(partners!).map(({ id }) => id));
    expect(await listedAlerts(stranger.api, '/events')).toEqual([]);
  });
});

describe('partner contract: alerts while nobody receives them', () => {
  let market: TestMarket;
  let receiver: Receiver;
  beforeAll(async () => {
    market = await startMarket('partner');
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver?.close();
    await market.close();
  });

  /** A tick that is late, and then comes. */
  const delay = async (): Promise<void> => {
    const alerts = market.app.application.get(AlertService);
    market.pass(3 * HOUR_MS);
    await alerts.watchTick();
    await market.tick();
    await alerts.watchTick();
    await untilSettled(market.app);
  };
  const LATE = ['tick_late begun -', 'tick_late over -'];

  it('An alert without a registered receiver is listed with its start and its end', async () => {
    await market.app.application.get(EventService).broadcastStatus('Maintenance on Sunday.');
    await delay();
    const [announcement, ...alerts] = await listedAlerts(market.app.admin, '/alerts/events');
    expect(announcement!.message).toBe('Maintenance on Sunday.');
    expect(short(alerts)).toEqual(LATE);
  });

  it('An alert from before a receiver stays listed, and one without an active receiver is listed as missed by it', async () => {
    const { body } = await market.app.admin.post('/alerts/webhooks', { url: receiver.url, active: false });
    await delay();
    const [, ...alerts] = await listedAlerts(market.app.admin, '/alerts/events');
    expect(short(alerts)).toEqual([...LATE, ...LATE]);
    const missed = await market.app.admin.get(`/alerts/events?undelivered_to=${body.data.id}`);
    expect(missed.body.data).toHaveLength(2);
    expect(received(receiver)).toEqual([]);
  });

  it("A partner's alert is listed also where the partner has no endpoint", async () => {
    await market.advance(3);
    const { vault_id: vaultId } = await market.deposit(await market.createUser(), 10_000);
    market.setYields({ [vaultId]: null });
    for (let hour = 0; hour < 4; hour++) {
      await market.advance();
      const present = market.app.application.get(MarketService).presentHour(BASE_MARKET);
      await market.app.application.get(AlertService).watch(present, new Map());
    }
    await untilSettled(market.app);
    const [, ...alerts] = await listedAlerts(market.partner.api, '/events');
    expect(short(alerts)).toEqual([`vault_silent begun ${vaultId}`]);
  });
});

describe('sandbox contract: alerts', () => {
  let app: TestApp;
  let [operators, receiver]: Receiver[] = [];

  beforeAll(async () => {
    // The deposits are in the vault that the outage will hit.
    app = await startApp('sandbox', {}, undefined, (constants, settings) => {
      shortMarkets(constants, settings);
      for (const vault of listed(settings))
        if (vault.asset === 'USDC' && !vault.lendingBaseline) vault.active = false;
    });
    [operators, receiver] = [await Receiver.start(), await Receiver.start()];
  });
  afterAll(async () => {
    await Promise.all([operators, receiver].map(async (connection) => connection?.close()));
    await app.close();
  });

  it("An account's vaults are alerted to that account alone, at its own time", async () => {
    await app.admin.post('/alerts/webhooks', { url: operators!.url });
    const account = await Account.open(app, 'alerts');
    await account.api.post('/webhooks', { url: receiver!.url, events: ['system.status'] });
    const { vault_id: vaultId } = await account.deposit(1_000);
    const lending = app.settings.vaults.find((vault) => vault.lendingBaseline && vault.asset === 'USDC')!.id;
    expect(vaultId).toBe(lending);
    await account.bend('outage');
    await account.advance(48);
    await untilSettled(app);
    const told = received(receiver!);
    expect(short(told).sort()).toEqual([
      `vault_evicted begun ${lending}`,
      `vault_evicted over ${lending}`,
      `vault_silent begun ${lending}`,
      `vault_silent over ${lending}`,
    ]);
    const { now } = await account.read('/simulation/clock');
    for (const { at, alert } of told) {
      expect(Date.parse(at)).toBeGreaterThan(Date.now());
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.parse(now));
      expect(Date.parse(alert.since)).toBeLessThanOrEqual(Date.parse(at));
    }
    expect((await listedAlerts(account.api, '/events')).map(({ id }) => id).sort()).toEqual(
      told.map(({ id }) => id),
    );
    expect(received(operators!)).toEqual([]);
    // A reset of the simulation also forgets the present alerts.
    await account.deposit(1_000);
    await account.bend('outage');
    await account.advance(6);
    await account.reset();
    expect(await app.sql('SELECT FROM alerts')).toEqual([]);
  });
});
