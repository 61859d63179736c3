import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
const HOOK = { url: 'http://127.0.0.1:9999/hook' };

/** Well-formed requests that conflict with stored records. */
describe.each(eitherContract('sandbox'))('%s contract: conflicts', (contract) => {
  let app: TestApp;
  let one: TestPartner;
  let two: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
    one = await createPartner(app.admin);
    two = await createPartner(app.admin);
  });
  afterAll(() => app.close());

  const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort();

  /** The partners within which an external id is unique, for an id that the first partner has. */
  const within = (): TestPartner[] => (contract === 'partner' ? [one, two] : [one]);

  it('external_id_taken: one of two concurrent requests succeeds, in the live contract across partners', async () => {
    for (let round = 0; round < 15; round++) {
      const body = { external_id: `race:${round}` };
      const [asker = one, rival = one] = within();
      const answers = await Promise.all([asker, rival].map(({ api }) => api.post('/users', body)));
      expect(statuses(answers)).toEqual([201, 409]);
      expectError(
        answers.find(({ status }) => status === 409)!,
        409,
        'external_id_taken',
      );
    }
  });

  it('wallet_taken: one of two concurrent requests with the same wallets in opposite order succeeds', async () => {
    for (let round = 10; round < 25; round++) {
      const wallets = ['a', 'b', 'c'].map((letter) => `0x${letter.repeat(20)}${String(round).repeat(10)}`);
      const answers = await Promise.all([
        one.api.post('/users', { external_id: `one:${round}`, wallets }),
        one.api.post('/users', { external_id: `two:${round}`, wallets: wallets.toReversed() }),
      ]);
      expect(statuses(answers)).toEqual([201, 409]);
      expectError(
        answers.find(({ status }) => status === 409)!,
        409,
        'wallet_taken',
      );
    }
  });

  it('webhook_limit_reached: 60 concurrent registrations leave 50; a deletion frees one; the limit is per partner', async () => {
    const { api } = await createPartner(app.admin);
    const answers = await Promise.all(Array.from({ length: 60 }, () => api.post('/webhooks', HOOK)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(10);
    refused.forEach((answer) => expectError(answer, 409, 'webhook_limit_reached'));
    const { body } = await api.get('/webhooks');
    expect(body.data).toHaveLength(50);
    await api.delete(`/webhooks/${body.data[7].id}`);
    expect((await api.post('/webhooks', HOOK)).status).toBe(201);
    expectError(await api.post('/webhooks', HOOK), 409, 'webhook_limit_reached');
    expect((await one.api.post('/webhooks', HOOK)).status).toBe(201);
  });
});
