import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Api } from '../support/api.js';
import { expectError } from '../support/expected-error.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
const REPORTS = ['summary', 'deposits', 'withdrawals', 'tvl', 'yield', 'points', 'revenue', 'users'];

describe.each(['partner', 'sandbox'] as const)('%s contract: whose reports', (contract) => {
  let market: TestMarket;
  let own: TestPartner;
  let stranger: TestPartner;
  let theirs: { user: string; position: string };

  beforeAll(async () => {
    market = await startMarket(contract);
    own = market.partner;
    stranger = await createPartner(market.app.admin);
    await market.deposit(await market.createUser(own), 1000);
    const user = await market.createUser(stranger);
    theirs = { user, position: (await market.deposit(user, 7)).id };
    await market.advance(1);
    market.holdClock();
  });
  afterAll(() => market.close());

  /** An answer without the figures that change from moment to moment. */
  const still = ({ body }: Answer): unknown => {
    const { as_of: _, points: __, total, ...rest } = body.data;
    return {
      ...rest,
      ...(Array.isArray(body.data) ? { list: body.data } : {}),
      ...('campaigns' in rest ? { campaigns: 0 } : { total }),
    };
  };
  const readAll = (api: Api): Promise<unknown[]> =>
    Promise.all(
      REPORTS.map(async (report) => {
        const answer = await api.get(`/partner/${report}`);
        expect([report, answer.status]).toEqual([report, 200]);
        return still(answer);
      }),
    );

  it('have no uplift of a user with the position of another user', async () => {
    // User and position exist, but the position is not of the user.
    const another = await market.createUser(stranger);
    const together = `/analytics/uplift?user_id=${another}&position_id=${theirs.position}`;
    expectError(await stranger.api.get(together), 404, 'not_found');
  });

  it('outlive a partner being disabled: a new key reads what the old one did', async () => {
    const before = await readAll(own.api);
    const { admin } = market.app;
    const path = `/partners/${own.id}`;
    await admin.patch(path, { status: 'disabled' });
    for (const report of REPORTS)
      expectError(await own.api.get(`/partner/${report}`), 401, 'invalid_api_key');
    const newKey = { label: 'new', scopes: ['partner:read'], partner_id: own.id };
    expectError(await admin.post('/keys', newKey), 409, 'partner_disabled');
    await admin.patch(path, { status: 'active' });
    expectError(await own.api.get('/partner/summary'), 401, 'invalid_api_key');
    const { body } = await admin.post('/keys', newKey);
    expect(await readAll(admin.as(body.data.secret))).toEqual(before);
  });
});
