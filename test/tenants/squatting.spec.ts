import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Contract } from '../../src/config/environment.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';

const WALLETS = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'];

const setUp = (contract: Contract) => {
  const stage = {} as { app: TestApp; squatter: TestPartner; owner: TestPartner };
  beforeAll(async () => {
    const app = await startApp(contract, {}, undefined, shortMarkets);
    Object.assign(stage, {
      app,
      squatter: await createPartner(app.admin),
      owner: await createPartner(app.admin),
    });
  });
  afterAll(() => stage.app.close());
  return stage;
};

/** A partner that registers names before others, which will need them. */
describe.each(['partner', 'sandbox'] as const)('%s contract: squatting', (contract) => {
  const stage = setUp(contract);

  it('a wallet that another partner registered is free for each of the others', async () => {
    const [wallet] = WALLETS;
    for (const { api } of [stage.squatter, stage.owner]) {
      const external_id = `wallet of ${api.key!.slice(-6)}`;
      const { status, body } = await api.post('/users', { external_id, wallets: [wallet!.toLowerCase()] });
      expect([status, body.data?.wallets]).toEqual([201, [wallet]]);
    }
    const own = await stage.owner.api.post('/users', { external_id: 'second holder', wallets: [wallet] });
    expectError(own, 409, 'wallet_taken');
    expect(own.body.error.message).toBe('One of the wallets belongs to another of your users already.');
  });

  it('and so it is where both ask at the same moment', async () => {
    for (let round = 10; round < 20; round++) {
      const wallets = [`0x${String(round).repeat(20)}`];
      const answers = await Promise.all(
        [stage.squatter, stage.owner].map(({ api, id }) =>
          api.post('/users', { external_id: `at once ${round} ${id}`, wallets }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    }
  });

  it('what one has by name stays its own: the other changes and deletes its namesake alone', async () => {
    const wallets = [WALLETS[1]!];
    const made = async ({ api, id }: TestPartner): Promise<string> =>
      (await api.post('/users', { external_id: `namesake ${id}`, wallets })).body.data.id;
    const [theirs, own] = [await made(stage.squatter), await made(stage.owner)];
    expect((await stage.squatter.api.patch(`/users/${theirs}`, { wallets: [] })).status).toBe(200);
    expect((await stage.squatter.api.delete(`/users/${theirs}`)).status).toBe(200);
    const { body } = await stage.owner.api.get('/partner/users');
    expect(body.data.find(({ id }: { id: string }) => id === own).wallets).toEqual(wallets);
  });
});

describe('partner contract: an external id is unique over all partners', () => {
  const stage = setUp('partner');

  it('so one that another partner has is taken, and free once that one deletes its user', async () => {
    const { data } = (await stage.squatter.api.post('/users', { external_id: 'wanted' })).body;
    const refused = await stage.owner.api.post('/users', { external_id: 'wanted' });
    expectError(refused, 409, 'external_id_taken');
    expect(refused.body.error.message).toContain('unique over all partners');
    expectError(await stage.owner.api.delete(`/users/${data.id}`), 404, 'not_found');
    expect((await stage.squatter.api.delete(`/users/${data.id}`)).status).toBe(200);
    expect((await stage.owner.api.post('/users', { external_id: 'wanted' })).status).toBe(201);
  });
});

describe('sandbox contract: an external id is unique within an account', () => {
  const stage = setUp('sandbox');

  it('so what another account has is free, and what the account has is taken', async () => {
    for (const { api } of [stage.squatter, stage.owner])
      expect((await api.post('/users', { external_id: 'wanted' })).status).toBe(201);
    const refused = await stage.owner.api.post('/users', { external_id: 'wanted' });
    expectError(refused, 409, 'external_id_taken');
    expect(refused.body.error.message).not.toContain('partner');
  });

  it('also of two accounts that ask for it at the same moment', async () => {
    for (let round = 0; round < 15; round++) {
      const answers = await Promise.all(
        [stage.squatter, stage.owner].map(({ api }) => api.post('/users', { external_id: `race:${round}` })),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    }
  });
});
