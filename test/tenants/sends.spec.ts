import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { SendSlots } from '../../src/domain/outbound/webhooks/send-slots.js';
import { type Answer, Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { expectReplay } from '../support/posts.js';
import { divertToLoopback, PUBLIC_HOSTS } from '../support/public-hosts.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';
import { until } from '../support/until.js';
import { change } from '../support/change.js';

const PER_ENDPOINT = 4;
const PER_HOST = 5;
const PER_ALLOWED_HOST = 7;
const PER_SECOND = 10;
/** A timeout longer than the test: sends that hang are released by the test. */
const TIMEOUT_MS = 20_000;
const [HOST, OTHER_HOST] = PUBLIC_HOSTS;

/** Two processes that send to a receiver, which may hold its answers. */
describe.each(eitherContract('partner'))('%s contract: sends', (contract) => {
  const log = contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';
  let app: TestApp;
  let other: TestApp;
  let partner: TestPartner;
  let receiver: Receiver;
  let holds: boolean;
  const heldResponses = new Set<ServerResponse>();
  let mostAtOnce: number;

  beforeAll(async () => {
    const env = {
      WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
      RATE_LIMIT_PER_MINUTE: '0',
      REQUESTS_AT_ONCE: '0',
    };
    const start = (shared?: TestApp): Promise<TestApp> =>
      startApp(
        contract,
        { ...env, ...(shared && { BOOTSTRAP_ADMIN_KEY: shared.adminKey }) },
        shared?.database,
        ({ webhooks }) =>
          change(webhooks, {
            concurrencyPerHost: PER_HOST,
            sendsPerSecondPerHost: 1_000,
            concurrencyPerAllowedHost: PER_ALLOWED_HOST,
            sendsPerSecondPerAllowedHost: 1_000,
          }),
      );
    app = await start();
    other = await start(app);
    for (const { application } of [app, other]) application.get(SendSlots).patienceMs = 250;
  });
  beforeEach(async () => {
    [holds, mostAtOnce] = [true, 0];
    partner = await createPartner(app.admin);
    receiver = await Receiver.start((response) => {
      if (!holds) return void response.end();
      heldResponses.add(response);
      mostAtOnce = Math.max(mostAtOnce, heldResponses.size);
    });
  });
  afterEach(async () => {
    holds = false;
    letGo();
    await untilSettled(app);
    await untilSettled(other);
    await receiver.close();
    await app.sql('UPDATE webhook_endpoints SET active = false');
  });
  afterAll(async () => {
    await other?.close();
    await app?.close();
  });

  /** Answers what is held. */
  const letGo = (): void => {
    heldResponses.forEach((response) => response.end());
    heldResponses.clear();
  };
  const register = async (url = receiver.url, { api } = partner): Promise<string> =>
    (await api.post('/webhooks', { url, events: ['system.status'] })).body.data.id;
  const testSend = (id: string, key?: string, { url } = app): Promise<Answer> =>
    new Api(url, partner.key).post(
      `/webhooks/${id}/test`,
      undefined,
      key === undefined ? {} : { 'idempotency-key': key },
    );
  const setting = (
    name: 'concurrencyPerEndpoint' | 'sendsPerSecondPerHost' | 'sendsPerSecondPerAllowedHost',
    value: number,
  ): void => {
    for (const { settings } of [app, other]) settings.constants.webhooks[name] = value;
  };

  describe('of a test', () => {
    const count = async (sql: string): Promise<number> => (await app.sql(sql, [partner.id])).length;
    const stored = (): Promise<number[]> =>
      Promise.all([
        count('SELECT FROM events WHERE partner_id = $1'),
        count('SELECT FROM deliveries WHERE partner_id = $1'),
        count(
          `SELECT FROM idempotency_claims c JOIN api_keys k ON k.id = c.key_id WHERE k.partner_id = $1 AND route LIKE '%test'`,
        ),
      ]);

    it('Sends of a test are bounded in flight for each endpoint over all processes; the others are refused, and store nothing', async () => {
      const id = await register();
      const refused: Answer[] = [];
      const sends = Array.from({ length: 24 }, async (_, number) => {
        const answer = await testSend(id, randomUUID(), number % 2 ? app : other);
        if (answer.status === 429) refused.push(answer);
        return answer;
      });
      await until(async () => refused.length === 24 - PER_ENDPOINT);
      for (const answer of refused) {
        expectError(answer, 429, 'rate_limited');
        expect(answer.headers.get('retry-after')).toBe(String(TIMEOUT_MS / 1000));
      }
      expect(receiver.received).toHaveLength(PER_ENDPOINT);
      expect(await stored()).toEqual([PER_ENDPOINT, PER_ENDPOINT, PER_ENDPOINT]);
      letGo();
      const answers = await Promise.all(sends);
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(PER_ENDPOINT);
      expect(mostAtOnce).toBe(PER_ENDPOINT);
    });

    it('Sends of a test share the bound of their endpoint with sends of events, which follow in order', async () => {
      const id = await register();
      const tests = Array.from({ length: 3 }, () => testSend(id));
      await receiver.waitFor(3);
      const event = { type: 'system.status' as const, partnerId: partner.id, data: {} };
      const raised = await app.application.get(EventService).raise(Array(6).fill(event));
      await receiver.waitFor(4);
      // One send slot is left, and the oldest event has it.
      expectError(await testSend(id), 429, 'rate_limited');
      expect(receiver.received[3]!.headers['webhook-id']).toBe(raised[0]);
      await until(async () => {
        letGo();
        return receiver.received.length === 9;
      });
      letGo();
      await Promise.all(tests);
      expect(mostAtOnce).toBeLessThanOrEqual(PER_ENDPOINT);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(9);
    });

    it('Sends of a test may be repeated with their key after a refusal; a replay needs no slot', async () => {
      const id = await register();
      const [answered, tried] = [randomUUID(), randomUUID()];
      const first = testSend(id, answered);
      await receiver.waitFor(1);
      letGo();
      const before = await first;
      const sends = Array.from({ length: PER_ENDPOINT }, () => testSend(id));
      await receiver.waitFor(1 + PER_ENDPOINT);
      expectError(await testSend(id, tried), 429, 'rate_limited');
      expectReplay(await testSend(id, answered), before);
      letGo();
      await Promise.all(sends);
      const again = testSend(id, tried);
      await receiver.waitFor(2 + PER_ENDPOINT);
      letGo();
      expect((await again).body.data.status).toBe('delivered');
      expect((await again).headers.get('idempotency-replayed')).toBeNull();
      expectReplay(await testSend(id, tried), await again);
      expect((await partner.api.get(log)).body.data).toHaveLength(2 + PER_ENDPOINT);
    });
  });

  /** One partner may register one URL many times: its endpoints together must not become a flood for whoever has that host. */
  describe('to one host', () => {
    let endDiversion: () => void;
    beforeAll(() => {
      endDiversion = divertToLoopback();
      // One send after another to an endpoint, so that their order can be compared.
      setting('concurrencyPerEndpoint', 1);
    });
    afterAll(() => endDiversion());

    const url = (host: string, path: string): string => `http://${host}:${new URL(receiver.url).port}${path}`;
    const registerMany = async (host: string, path: string, count: number): Promise<string[]> => {
      const ids: string[] = [];
      while (ids.length < count) ids.push(await register(url(host, path)));
      return ids;
    };
    /** Raises in either process by turns. */
    const raise = async (count: number): Promise<void> => {
      for (let number = 0; number < count; number++)
        await [app, other][number % 2]!.application.get(EventService).broadcastStatus(`Number ${number}`);
    };
    const arrivedAt = (path: string): number => receiver.received.filter((got) => got.path === path).length;

    it('Sends to one host are bounded in flight over all endpoints and processes; the rest waits, and all arrive once', async () => {
      const endpoints = await registerMany(HOST, '/same', 8);
      const elsewhere = await register(url(OTHER_HOST, '/elsewhere'));
      const ownEndpoints = await registerMany('127.0.0.1', '/own', 8);
      await register(url(HOST, '/neighbour'), await createPartner(app.admin));
      await raise(1);
      // Another host and another partner at the same host do not wait; hosts in networks that the operator allowed have a bound of their own.
      await until(async () => arrivedAt('/elsewhere') === 1 && arrivedAt('/neighbour') === 1);
      await raise(2);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect([arrivedAt('/same'), arrivedAt('/own')]).toEqual([PER_HOST, PER_ALLOWED_HOST]);
      holds = false;
      letGo();
      await until(async () => arrivedAt('/same') === endpoints.length * 3);
      await until(async () => arrivedAt('/own') === ownEndpoints.length * 3);
      await untilSettled(app);
      const rows = await app.sql(
        `SELECT webhook_id, array_agg(event_id ORDER BY claimed_at) AS events FROM deliveries
          WHERE partner_id = $1 AND status = 'delivered' AND webhook_id <> ALL($2) GROUP BY webhook_id`,
        [partner.id, [elsewhere, ...ownEndpoints]],
      );
      expect(rows.map(({ webhook_id }) => webhook_id).sort()).toEqual(endpoints.sort());
      for (const { events } of rows) expect(events).toEqual([...events].sort());
      const sent = receiver.received.map(
        ({ path, headers }) => `${path} ${String(headers['webhook-signature'])}`,
      );
      expect(new Set(sent).size).toBe(sent.length);
    });

    it.each([
      ['a public host', HOST, 'sendsPerSecondPerHost'],
      ['a host in an allowed network', '127.0.0.1', 'sendsPerSecondPerAllowedHost'],
    ] as const)(
      'Sends to one host that is %s are bounded in any second, however fast it answers',
      async (_, host, bound) => {
        holds = false;
        setting(bound, PER_SECOND);
        await registerMany(host, '/same', 8);
        await raise(5);
        await until(async () => arrivedAt('/same') === 40, 30_000);
        await untilSettled(app);
        setting(bound, 1_000);
        const [{ most: peak, seconds }] = await app.sql(
          `SELECT max(recent)::int AS most, extract(epoch FROM max(claimed_at) - min(claimed_at))::float AS seconds
           FROM (SELECT claimed_at, count(*) OVER (ORDER BY claimed_at RANGE BETWEEN '990 ms' PRECEDING AND CURRENT ROW) AS recent
                   FROM deliveries WHERE partner_id = $1) AS sends`,
          [partner.id],
        );
        expect(peak).toBeLessThanOrEqual(PER_SECOND);
        // The bound is used: 40 sends take three seconds, and some waiting.
        expect(seconds).toBeGreaterThanOrEqual(3);
        expect(seconds).toBeLessThan(12);
      },
    );

    it('Sends to one host count towards the limit in any spelling of the host, test sends included', async () => {
      await registerMany('1572395042', '/same', 3);
      await raise(1);
      await until(async () => arrivedAt('/same') === 3);
      const ids = await registerMany(HOST, '/same', 4);
      const answers = Promise.all(ids.map((id) => testSend(id)));
      await until(async () => arrivedAt('/same') === PER_HOST);
      await new Promise((resolve) => setTimeout(resolve, 500));
      letGo();
      const refused = (await answers).filter(({ status }) => status === 429);
      expect(refused).toHaveLength(2);
      for (const answer of refused) expectError(answer, 429, 'rate_limited');
      expect(arrivedAt('/same')).toBe(PER_HOST);
    });
  });
});
