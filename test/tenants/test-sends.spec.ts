import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import { SendSlots } from '../../src/domain/outbound/webhooks/send-slots.js';
import { type Answer, Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { expectReplay } from '../support/posts.js';
import { Receiver } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';
import { until } from '../support/until.js';

const PER_ENDPOINT = 4;
/** A timeout longer than the test: sends that hang are released by the test. */
const TIMEOUT_MS = 20_000;

/** A receiver that holds all answers until it is released, and counts the most requests that it held at one time. */
class HeldReceiver {
  readonly waiting = new Set<ServerResponse>();
  mostAtOnce = 0;

  private constructor(readonly receiver: Receiver) {}

  static async start(): Promise<HeldReceiver> {
    const receiver = await Receiver.start((response) => held.hold(response));
    const held = new HeldReceiver(receiver);
    return held;
  }

  get url(): string {
    return this.receiver.url;
  }

  letGo(): void {
    this.waiting.forEach((response) => response.end());
    this.waiting.clear();
  }

  private hold(response: ServerResponse): void {
    this.waiting.add(response);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.waiting.size);
  }
}

/** A test send opens a connection at a partner's request, for as long as its receiver likes. */
describe.each(eitherContract('partner'))('%s contract: test sends', (contract) => {
  const log = contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';
  let app: TestApp;
  let other: TestApp;
  const open: HeldReceiver[] = [];

  beforeAll(async () => {
    const settings = {
      WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
      SECRETS_KEY: randomBytes(32).toString('base64'),
      RATE_LIMIT_PER_MINUTE: '0',
      REQUESTS_AT_ONCE: '0',
    };
    app = await startApp(contract, settings);
    other = await startApp(contract, { ...settings, BOOTSTRAP_ADMIN_KEY: app.adminKey }, app.database);
    for (const { application } of [app, other]) application.get(SendSlots).patienceMs = 250;
  });
  afterEach(async () => {
    open.forEach((held) => held.letGo());
    await untilSettled(app);
    for (const { receiver } of open.splice(0)) await receiver.close();
  });
  afterAll(async () => {
    await other?.close();
    await app?.close();
  });

  const hanging = async (): Promise<HeldReceiver> => {
    const held = await HeldReceiver.start();
    open.push(held);
    return held;
  };
  const register = async ({ api }: TestPartner, url: string): Promise<string> =>
    (await api.post('/webhooks', { url, events: ['system.status'] })).body.data.id;
  const testSend = ({ api }: TestPartner, id: string, key?: string): Promise<Answer> =>
    api.post(`/webhooks/${id}/test`, undefined, key === undefined ? {} : { 'idempotency-key': key });
  const count = async (sql: string, partner: TestPartner): Promise<number> =>
    (await app.sql(sql, [partner.id])).length;
  const events = (partner: TestPartner) => count('SELECT FROM events WHERE partner_id = $1', partner);
  const deliveries = (partner: TestPartner) => count('SELECT FROM deliveries WHERE partner_id = $1', partner);
  const claims = (partner: TestPartner) =>
    count(
      `SELECT FROM idempotency_claims c JOIN api_keys k ON k.id = c.key_id WHERE k.partner_id = $1 AND route LIKE '%test'`,
      partner,
    );
  const inProcess = (partner: TestPartner, { url }: TestApp): TestPartner => ({
    ...partner,
    api: new Api(url, partner.key),
  });

  it('are bounded in flight for each endpoint over all processes; the others are refused, and store nothing', async () => {
    const [partner, held] = [await createPartner(app.admin), await hanging()];
    const id = await register(partner, held.url);
    const refused: Answer[] = [];
    const sends = Array.from({ length: 24 }, async (_, number) => {
      const answer = await testSend(inProcess(partner, number % 2 ? app : other), id, randomUUID());
      if (answer.status === 429) refused.push(answer);
      return answer;
    });
    await until(async () => refused.length === 24 - PER_ENDPOINT);
    for (const answer of refused) {
      expectError(answer, 429, 'rate_limited');
      expect(answer.headers.get('retry-after')).toBe(String(TIMEOUT_MS / 1000));
    }
    expect(held.receiver.received).toHaveLength(PER_ENDPOINT);
    expect([await events(partner), await deliveries(partner), await claims(partner)]).toEqual([
      PER_ENDPOINT,
      PER_ENDPOINT,
      PER_ENDPOINT,
    ]);
    held.letGo();
    const answers = await Promise.all(sends);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(PER_ENDPOINT);
    expect(held.mostAtOnce).toBe(PER_ENDPOINT);
  });

  it('share the bound of their endpoint with sends of events, which follow in order', async () => {
    const [partner, held] = [await createPartner(app.admin), await hanging()];
    const id = await register(partner, held.url);
    const tests = Array.from({ length: 3 }, () => testSend(partner, id));
    await held.receiver.waitFor(3);
    const raised = await app.application.get(EventService).raise(
      Array.from({ length: 6 }, () => ({
        type: 'system.status' as const,
        partnerId: partner.id,
        data: {},
      })),
    );
    await held.receiver.waitFor(4);
    // One send slot is left, and the oldest event has it.
    expectError(await testSend(partner, id), 429, 'rate_limited');
    expect(held.receiver.received[3]!.headers['webhook-id']).toBe(raised[0]);
    await until(async () => {
      held.letGo();
      return held.receiver.received.length === 9;
    });
    held.letGo();
    await Promise.all(tests);
    expect(held.mostAtOnce).toBeLessThanOrEqual(PER_ENDPOINT);
    const sent = held.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(sent).size).toBe(9);
  });

  it('may be repeated with their key after a refusal; a replay needs no slot', async () => {
    const [partner, held] = [await createPartner(app.admin), await hanging()];
    const id = await register(partner, held.url);
    const [answered, tried] = [randomUUID(), randomUUID()];
    const first = testSend(partner, id, answered);
    await held.receiver.waitFor(1);
    held.letGo();
    const before = await first;
    const sends = Array.from({ length: PER_ENDPOINT }, () => testSend(partner, id));
    await held.receiver.waitFor(1 + PER_ENDPOINT);
    expectError(await testSend(partner, id, tried), 429, 'rate_limited');
    expectReplay(await testSend(partner, id, answered), before);
    held.letGo();
    await Promise.all(sends);
    const again = testSend(partner, id, tried);
    await held.receiver.waitFor(2 + PER_ENDPOINT);
    held.letGo();
    expect((await again).body.data.status).toBe('delivered');
    expect((await again).headers.get('idempotency-replayed')).toBeNull();
    expectReplay(await testSend(partner, id, tried), await again);
    expect((await partner.api.get(log)).body.data).toHaveLength(2 + PER_ENDPOINT);
  });
});
