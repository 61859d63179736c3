import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { SendSlots } from '../../src/domain/outbound/webhooks/send-slots.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { divertToLoopback, PUBLIC_HOSTS } from '../support/public-hosts.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';
import { until } from '../support/until.js';

const IN_FLIGHT = 5;
const PER_SECOND = 10;
const [HOST, OTHER_HOST] = PUBLIC_HOSTS;

/** One partner may register one URL many times: its endpoints together must not become a flood for whoever has that host. */
describe.each(eitherContract('partner'))('%s contract: sends to one host', (contract) => {
  const timeoutMs = 20_000;
  let app: TestApp;
  let other: TestApp;
  let partner: TestPartner;
  let receiver: Receiver;
  let endDiversion: () => void;
  let holds: boolean;
  const held: ServerResponse[] = [];

  beforeAll(async () => {
    endDiversion = divertToLoopback();
    const env = { WEBHOOK_TIMEOUT_MS: String(timeoutMs), RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' };
    const start = (shared?: TestApp): Promise<TestApp> =>
      startApp(
        contract,
        { ...env, ...(shared && { BOOTSTRAP_ADMIN_KEY: shared.adminKey }) },
        shared?.database,
        ({ webhooks }) => {
          webhooks.concurrencyPerHost = IN_FLIGHT;
          // One send after another to an endpoint, so that their order can be compared.
          webhooks.concurrencyPerEndpoint = 1;
          webhooks.sendsPerSecondPerHost = 1_000;
        },
      );
    app = await start();
    other = await start(app);
    for (const { application } of [app, other]) application.get(SendSlots).patienceMs = 250;
  });
  beforeEach(async () => {
    holds = false;
    partner = await createPartner(app.admin);
    receiver = await Receiver.start((response) => void (holds ? held.push(response) : response.end()));
  });
  afterEach(async () => {
    letGo();
    await untilSettled(app);
    await untilSettled(other);
    await receiver.close();
    await app.sql('UPDATE webhook_endpoints SET active = false', []);
  });
  afterAll(async () => {
    await other?.close();
    await app?.close();
    endDiversion();
  });

  const letGo = (): void => {
    holds = false;
    held.splice(0).forEach((response) => response.end());
  };
  const url = (host: string, path: string): string => `http://${host}:${new URL(receiver.url).port}${path}`;
  const register = async (owner: TestPartner, to: string): Promise<string> => {
    const { status, body } = await owner.api.post('/webhooks', { url: to, events: ['system.status'] });
    expect(status).toBe(201);
    return body.data.id;
  };
  const registerMany = async (
    owner: TestPartner,
    host: string,
    path: string,
    count: number,
  ): Promise<string[]> => {
    const ids: string[] = [];
    for (let number = 0; number < count; number++) ids.push(await register(owner, url(host, path)));
    return ids;
  };
  /** Raises in either process by turns. */
  const raise = async (count: number): Promise<void> => {
    for (let number = 0; number < count; number++)
      await [app, other][number % 2]!.application.get(EventService).broadcastStatus(`Number ${number}`);
  };
  const arrivedAt = (path: string): number => receiver.received.filter((got) => got.path === path).length;

  it('are bounded in flight over all endpoints and processes; the rest waits, and all arrive once', async () => {
    const endpoints = await registerMany(partner, HOST, '/same', 8);
    const elsewhere = await register(partner, url(OTHER_HOST, '/elsewhere'));
    const exempt = await registerMany(partner, '127.0.0.1', '/exempt', 8);
    const neighbour = await createPartner(app.admin);
    await register(neighbour, url(HOST, '/neighbour'));
    holds = true;
    await raise(1);
    // Another host, another partner at the same host, and hosts in networks that the operator allowed do not wait.
    await until(async () => arrivedAt('/elsewhere') === 1 && arrivedAt('/neighbour') === 1);
    await until(async () => arrivedAt('/exempt') === exempt.length);
    await raise(2);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(arrivedAt('/same')).toBe(IN_FLIGHT);
    letGo();
    await until(async () => arrivedAt('/same') === endpoints.length * 3);
    await untilSettled(app);
    const rows = await app.sql(
      `SELECT webhook_id, array_agg(event_id ORDER BY claimed_at) AS events FROM deliveries
        WHERE partner_id = $1 AND status = 'delivered' AND webhook_id <> ALL($2) GROUP BY webhook_id`,
      [partner.id, [elsewhere, ...exempt]],
    );
    expect(rows.map(({ webhook_id }) => webhook_id).sort()).toEqual(endpoints.sort());
    for (const { events } of rows) expect(events).toEqual([...events].sort());
    const sent = receiver.received.map(
      ({ path, headers }) => `${path} ${String(headers['webhook-signature'])}`,
    );
    expect(new Set(sent).size).toBe(sent.length);
  });

  it('are bounded in any second, however fast the host answers', async () => {
    const bound = (perSecond: number): void => {
      for (const { settings } of [app, other]) settings.constants.webhooks.sendsPerSecondPerHost = perSecond;
    };
    bound(PER_SECOND);
    await registerMany(partner, HOST, '/same', 8);
    await raise(5);
    await until(async () => arrivedAt('/same') === 40, 30_000);
    await untilSettled(app);
    bound(1_000);
    const [{ most, seconds }] = await app.sql(
      `SELECT max(recent)::int AS most, extract(epoch FROM max(claimed_at) - min(claimed_at))::float AS seconds
         FROM (SELECT claimed_at, count(*) OVER (ORDER BY claimed_at RANGE BETWEEN '990 ms' PRECEDING AND CURRENT ROW) AS recent
                 FROM deliveries WHERE partner_id = $1) AS sends`,
      [partner.id],
    );
    expect(most).toBeLessThanOrEqual(PER_SECOND);
    // The bound is used: 40 sends take three seconds, and some waiting.
    expect(seconds).toBeGreaterThanOrEqual(3);
    expect(seconds).toBeLessThan(12);
  });

  it('count towards the limit in any spelling of the host, test sends included', async () => {
    holds = true;
    await registerMany(partner, '1572395042', '/same', 3);
    await raise(1);
    await until(async () => arrivedAt('/same') === 3);
    const ids = await registerMany(partner, HOST, '/same', 4);
    const sends = ids.map((id) => partner.api.post(`/webhooks/${id}/test`));
    const answers = Promise.all(sends);
    await until(async () => arrivedAt('/same') === IN_FLIGHT);
    await new Promise((resolve) => setTimeout(resolve, 500));
    letGo();
    const refused = (await answers).filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    for (const answer of refused) expectError(answer, 429, 'rate_limited');
    expect(arrivedAt('/same')).toBe(IN_FLIGHT);
  });
});
