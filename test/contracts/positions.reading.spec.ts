import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/domain/kernel/clock.js';
import type { Api } from '../support/api.js';
import { expectError } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';

describe.each(eitherContract('partner'))('%s contract: reading positions', (contract) => {
  let market: TestMarket;
  let own: TestPartner;
  let other: TestPartner;
  let users: string[];
  /** Positions by their owner's index in `users`, newest first. */
  const made: any[][] = [[], [], []];
  let second: string;
  beforeAll(async () => {
    market = await startMarket(contract);
    own = market.partner;
    other = await createPartner(market.app.admin);
    users = [await market.createUser(own), await market.createUser(own), await market.createUser(other)];
    second = market.app.settings.constants.assets[1]!;
    // All positions are of one instant, so that the id is the tie-break.
    const instant = market.now();
    market.app.application.get(Clock).now = () => instant;
    for (let n = 0; n < 12; n++) {
      const position = await market.deposit(users[n % 3]!, n + 1, n % 2 ? second : 'USDC');
      made[n % 3]!.unshift(position);
    }
    market.app.application.get(Clock).now = () => market.now();
    await market.withdraw(made[0]![0].id, null);
    market.holdClock();
  });
  afterAll(() => market.close());

  const ids = (positions: any[]): string[] => positions.map(({ id }) => id);
  const newestFirst = (...owners: number[]): string[] =>
    ids(owners.flatMap((owner) => made[owner]!))
      .sort()
      .reverse();
  const listed = async (api: Api, query = ''): Promise<string[]> => {
    const { status, body } = await api.get(`/positions?${query}`);
    expect([status, body.object]).toEqual([200, 'list']);
    return ids(body.data);
  };
  it('shows a partner its own, newest first, and a live write key all of them; the scope read alone is refused', async () => {
    expect(await listed(own.api)).toEqual(newestFirst(0, 1));
    expect(await listed(other.api)).toEqual(newestFirst(2));
    const { protocol, reader, app } = market;
    if (contract === 'partner') expect(await listed(protocol)).toEqual(newestFirst(0, 1, 2));
    else expectError(await protocol.get('/positions'), 403, 'partner_key_required');
    const bound = await app.admin.post('/keys', { label: 'b', scopes: ['read'], partner_id: own.id });
    const unboundCode = contract === 'partner' ? 'insufficient_scope' : 'partner_key_required';
    for (const path of ['/positions', `/positions/${made[0]![0].id}`]) {
      expectError(await reader.get(path), 403, unboundCode);
      expectError(await app.admin.as(bound.body.data.secret).get(path), 403, 'insufficient_scope');
    }
  });

  it('filters by status, alone and combined', async () => {
    const closed = made[0]![0].id;
    expect(await listed(own.api, 'status=closed')).toEqual([closed]);
    expect(await listed(own.api, 'status=active')).toEqual(newestFirst(0, 1).filter((id) => id !== closed));
    const { asset } = made[0]![0];
    expect(await listed(own.api, `user_id=${users[0]}&status=closed&asset=${asset}`)).toEqual([closed]);
    expect(await listed(own.api, `user_id=${users[1]}&status=closed`)).toEqual([]);
    expect(await listed(own.api, `asset=${asset === 'USDC' ? second : 'USDC'}&status=closed`)).toEqual([]);
  });
});
