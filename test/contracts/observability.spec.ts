import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Journal } from '../../executor/src/journal.js';
import { Meters } from '../../executor/src/meters.js';
import { VERSION } from '../../src/config/version.js';
import { DeliveryService } from '../../src/domain/outbound/webhooks/delivery.service.js';
import { Replicas } from '../../src/domain/kernel/deployment/replicas.js';
import { DeploymentCounts } from '../../src/jobs/deployment-counts.js';
import { Schedule } from '../../src/jobs/schedule.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { startApp, type TestApp } from '../support/app.js';
import { change } from '../support/change.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const CALLERS = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
const UNUSABLE = [
  'nonsense',
  `ff-${CALLERS.trace}-${CALLERS.span}-01`,
  `00-${'0'.repeat(32)}-${CALLERS.span}-01`,
  `00-${CALLERS.trace}-${CALLERS.span}-01, 00-${CALLERS.trace}-${CALLERS.span}-01`,
];

describe.each(eitherContract('partner'))('monitoring of a %s deployment', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  let receiver: Receiver;
  let collector: Receiver;
  beforeAll(async () => {
    [receiver, collector] = [await Receiver.start(), await Receiver.start()];
    const tracing = {
      OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    };
    // OpenTelemetry's SDK reads the environment of the process.
    const set = change(process.env, tracing);
    app = await startApp(contract, tracing);
    set[Symbol.dispose]();
    partner = await createPartner(app.admin);
  });
  afterAll(() => Promise.all([receiver.close(), collector.close()]));

  const endpoint = async (): Promise<string> =>
    (await partner.api.post('/webhooks', { url: receiver.url })).body.data.id;
  const shown = async (): Promise<any> => (await app.admin.get('/deployment')).body.data;
  const metrics = async (): Promise<string> => {
    await app.application.get(DeploymentCounts).countBacklogs();
    return app.metrics();
  };

  it('Monitoring of a deployment shows the newest tick, an empty queue and the replica', async () => {
    const { tick, queue, replicas, sends, ...rest } = await shown();
    expect(rest).toMatchObject({
      object: 'deployment',
      environment: app.settings.environment,
      version: VERSION,
    });
    expect(Date.parse(tick.newest_hour) % 3_600_000).toBe(0);
    expect(tick.lag_seconds).toBeLessThan(7_200);
    expect(queue).toMatchObject({ deliveries_queued: 0, oldest_delivery_seconds: null });
    expect(replicas).toEqual([
      {
        name: expect.any(String),
        role: 'all',
        version: VERSION,
        started_at: expect.any(String),
        seen_at: expect.any(String),
        silent: false,
      },
    ]);
    expect(sends).toContainEqual({ outcome: 'delivered', sends: 0 });
  });

  it('Monitoring of a deployment counts sends by outcome, in metrics and for administrators; receivers get no traceparent header', async () => {
    const id = await endpoint();
    expect((await partner.api.post(`/webhooks/${id}/test`)).body.data.status).toBe('delivered');
    await app.application.get(Replicas).heartbeat(app.application.get(DeliveryService).sends);
    expect((await shown()).sends).toContainEqual({ outcome: 'delivered', sends: 1 });
    const text = await metrics();
    expect(text).toMatch(/^vaultline_webhook_sends_total\{outcome="delivered"\} 1$/m);
    expect(text).toMatch(/^vaultline_webhook_sends_total\{outcome="dns_error"\} 0$/m);
    expect(receiver.received[0]!.headers).not.toHaveProperty('traceparent');
  });

  it('Monitoring of a deployment shows the number of waiting jobs and deliveries, and the age of the oldest delivery', async () => {
    const id = await endpoint();
    const { webhooks } = app.settings.constants;
    const places = webhooks.concurrencyPerEndpoint;
    // No endpoint has a free slot.
    webhooks.concurrencyPerEndpoint = 0;
    await app.sql(
      `INSERT INTO deliveries (id, event_id, webhook_id, partner_id, status, attempts, at)
       SELECT 'del_00000000000000000000000001', id, $1, partner_id, 'queued', 0, now() - interval '90 seconds' FROM events WHERE partner_id = $2 LIMIT 1`,
      [id, partner.id],
    );
    await app.sql(`SELECT enqueue('[{"identifier": "nobodys", "payload": {}}]')`);
    const { queue } = await shown();
    expect(queue.deliveries_queued).toBe(1);
    expect(queue.oldest_delivery_seconds).toBeGreaterThanOrEqual(90);
    expect(queue.jobs_waiting).toBeGreaterThanOrEqual(1);
    const text = await metrics();
    expect(text).toMatch(/^vaultline_deliveries_queued 1$/m);
    expect(text).toMatch(/^vaultline_deliveries_oldest_queued_seconds [1-9]\d/m);
    expect(text).toMatch(/^vaultline_jobs_waiting\{task="nobodys"\} 1$/m);
    expect(text).toMatch(/^vaultline_replicas_seen 1$/m);
    await app.sql(`DELETE FROM deliveries WHERE webhook_id = $1`, [id]);
    webhooks.concurrencyPerEndpoint = places;
  });

  it('Monitoring of a deployment verifies the ledger every night at 03:00 UTC, once for all replicas, and shows the result', async () => {
    const { environment } = app.settings;
    expect((await shown()).ledger.verified_at).toBeNull();
    expect(await metrics()).not.toMatch(/^vaultline_ledger_/m);
    const due = `SELECT key, extract(hour FROM run_at AT TIME ZONE 'UTC')::int AS hour FROM ${environment}_jobs.jobs WHERE key LIKE 'verify %'`;
    await Promise.all([
      app.application.get(Schedule).queueNextRuns(),
      app.application.get(Schedule).queueNextRuns(),
    ]);
    expect(await app.sql(due)).toEqual([{ key: expect.any(String), hour: 3 }]);
    const night = async (runs: number): Promise<void> => {
      await app.sql(`SELECT enqueue('[{"identifier": "verify", "payload": {}}]')`);
      await until(async () => (await app.sql('SELECT FROM ledger_checks')).length === runs);
    };
    await night(1);
    expect((await shown()).ledger).toMatchObject({ full: true, differences: 0 });
    expect(await metrics()).toMatch(/^vaultline_ledger_differences 0$/m);
    expect(await metrics()).toMatch(/^vaultline_ledger_verified_at \d{10}/m);
    await app.sql("INSERT INTO vault_shares VALUES ('base', 'vlt_none', 0, 5)");
    await night(2);
    const { differences } = (await shown()).ledger;
    expect(differences).toBe(1);
    expect(await metrics()).toContain(`vaultline_ledger_differences ${differences}\n`);
    await until(async () => app.logs().includes('"subject":"vault_shares base vlt_none 0"'));
    await app.sql("DELETE FROM vault_shares WHERE vault_id = 'vlt_none'");
  });

  it('Monitoring of a deployment says nothing of what it cannot read, in metrics and for administrators', async () => {
    expect(await metrics()).toMatch(/^vaultline_tick_lag_seconds \d/m);
    await app.sql(`UPDATE markets SET ticked_hour = ticked_hour + interval '90 days' WHERE id = 'base'`);
    expect((await shown()).tick.lag_seconds).toBeNull();
    expect(await metrics()).not.toMatch(/^vaultline_tick_lag_seconds \d/m);
    await app.sql(`UPDATE markets SET ticked_hour = ticked_hour - interval '90 days' WHERE id = 'base'`);
    expect(await metrics()).toMatch(/^vaultline_ledger_differences \d/m);
    await app.sql('ALTER TABLE ledger_checks RENAME TO away');
    await expect(metrics()).rejects.toThrow('ledger_checks');
    const text = await app.metrics();
    await app.sql('ALTER TABLE away RENAME TO ledger_checks');
    expect(text).not.toMatch(/^vaultline_(ledger|tick|feed|jobs_waiting|deliveries_queued|replicas)\w* \d/m);
    expect(await metrics()).toMatch(/^vaultline_ledger_differences \d/m);
  });

  it('Monitoring of a deployment exports each metric of the dashboard and the alert rules, and has no partner id in a label', async () => {
    app.application.get(Metrics).watchRuntime();
    app.application.get(Metrics).watchLog({ dropped: 0 });
    const text = await metrics();
    const ofExecutor = new Meters(Journal.open(':memory:', true)).registry.getMetricsAsArray();
    const metricNames = new Set([
      ...[...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!),
      ...ofExecutor.map(({ name }) => name),
    ]);
    const dashboard = readFileSync('deploy/observability/dashboard.json', 'utf8');
    const rules = readFileSync('deploy/helm/vaultline/alerts.yaml', 'utf8');
    const named = [...(dashboard + rules).matchAll(/\b(?:vaultline|nodejs|process)_[a-z0-9_]+/g)].map(
      ([name]) => name.replace(/_(bucket|count|sum)$/, ''),
    );
    expect(named.length).toBeGreaterThan(40);
    expect([...new Set(named)].filter((name) => !metricNames.has(name))).toEqual([]);
    // Labels have bounded sets of values: a partner, user or endpoint is never a label.
    expect(await metrics()).not.toContain(partner.id);
  });

  it('Monitoring of a deployment exports spans of requests with queries, sends and ticks; a request’s continues the caller’s trace', async () => {
    const traceparent = `00-${CALLERS.trace}-${CALLERS.span}-00`;
    const answer = await partner.api.post(
      '/users',
      { external_id: 'traced', wallets: [WALLET] },
      { traceparent },
    );
    for (const unusable of UNUSABLE)
      expect((await partner.api.get('/partner/users', { traceparent: unusable })).status).toBe(200);
    await app.close();
    const spans = collector.received.flatMap(({ body }) =>
      JSON.parse(body.toString()).resourceSpans.flatMap(({ resource, scopeSpans }: any) => {
        expect(resource.attributes).toContainEqual({
          key: 'service.name',
          value: { stringValue: `vaultline-${contract}` },
        });
        return scopeSpans.flatMap(({ spans: some }: any) => some);
      }),
    );
    const root = spans.find(({ parentSpanId }) => parentSpanId === CALLERS.span);
    expect(root).toMatchObject({ traceId: CALLERS.trace, name: 'POST /api/v1/users' });
    expect(root.attributes).toContainEqual({
      key: 'vaultline.request_id',
      value: { stringValue: answer.headers.get('x-request-id') },
    });
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === root.spanId);
    expect(statements.map(({ name }) => name)).toContain('users.insert');
    expect(statements.every(({ traceId }) => traceId === CALLERS.trace)).toBe(true);
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['webhook send', 'tick', 'GET /api/v1/partner/users']),
    );
    expect(spans.find(({ name }) => name === 'webhook send').attributes).toContainEqual({
      key: 'vaultline.outcome',
      value: { stringValue: 'delivered' },
    });
    const ofUnusable = spans.filter(
      ({ name, parentSpanId }) => name === 'GET /api/v1/partner/users' && !parentSpanId,
    );
    expect(ofUnusable).toHaveLength(UNUSABLE.length);
    const all = JSON.stringify(spans);
    for (const secret of [partner.key, app.adminKey, WALLET, 'traced', receiver.url])
      expect(all).not.toContain(secret);
    const line = app
      .logs()
      .split('\n')
      .find((text) => text.includes(answer.headers.get('x-request-id')!));
    expect(JSON.parse(line!).trace_id).toBe(CALLERS.trace);
  });
});
