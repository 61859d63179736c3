import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { Conformance } from '../support/conformance.js';
import { expectRefused, TIME } from '../support/fields.js';
import { eitherContract } from '../support/long.js';
import { startMarket, type TestMarket } from '../support/market.js';

const TRANSFER = {
  tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  chain: 'ethereum',
  explorer_url: expect.stringMatching(/^https:\/\/etherscan\.io\/tx\/0x[0-9a-f]{64}$/),
};
/** Fields of an entry in a deployment that reads no chain. */
const UNCHECKED = {
  id: expect.stringMatching(/^set_[0-9a-hjkmnp-tv-z]{26}$/),
  status: 'unchecked',
  reason: 'no_rpc_url',
  block: null,
  checked_at: null,
  resolution: null,
  ...TRANSFER,
};

describe.each(eitherContract('partner'))("%s contract: an end-user's ledger", (contract) => {
  let market: TestMarket;
  let conformance: Conformance;
  let api: Api;
  let user: string;
  let position: any;

  beforeAll(async () => {
    market = await startMarket(contract, { early: true });
    conformance = await Conformance.of(contract);
    ({ api } = market.partner);
    user = await market.createUser();
    const neighbour = await market.createUser();
    await market.deposit(neighbour, 77);
    position = await market.deposit(user, 250.5);
    await market.advance(5);
    await market.withdraw(position.id, 100);
    await market.advance(3);
    await market.withdraw(position.id, null);
  });
  afterAll(() => market.close());

  const ledger = async (query = ''): Promise<any> => {
    const path = `/users/${user}/ledger${query}`;
    const answer = await api.get(path);
    conformance.check('GET', path, answer);
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it("An end-user's ledger has an entry for each transfer, an accrual before each withdrawal, and the newest entry first", async () => {
    const { object, data, meta } = await ledger();
    expect([object, meta]).toEqual(['list', { has_more: false }]);
    expect(data.map(({ type }: any) => type)).toEqual([
      'withdrawal',
      'yield_accrual',
      'withdrawal',
      'yield_accrual',
      'deposit',
    ]);
    for (const entry of data) {
      expect(entry).toEqual({
        id: expect.stringMatching(/^evt_[0-9a-hjkmnp-tv-z]{26}$/),
        object: 'ledger_entry',
        recorded_at: expect.any(String),
        fee: expect.any(Number),
        partner_revenue: expect.any(Number),
        carried_loss: expect.any(Number),
        performance_fee_bps: entry.type === 'yield_accrual' ? 1_000 : null,
        revenue_share_bps: entry.type === 'yield_accrual' ? 4_000 : null,
        user_id: user,
        position_id: position.id,
        asset: 'USDC',
        type: expect.any(String),
        amount: expect.any(Number),
        cost: 0,
        apy: expect.any(Number),
        vault_id: position.vault_id,
        note: expect.any(String),
        decision_id: entry.type === 'deposit' ? expect.stringMatching(/^dec_[0-9a-hjkmnp-tv-z]{26}$/) : null,
        at: TIME,
        voids: null,
        ...(contract === 'partner' && entry.type !== 'yield_accrual'
          ? TRANSFER
          : { tx_hash: null, chain: null, explorer_url: null }),
        ...(contract === 'partner' && { settlement: entry.type === 'yield_accrual' ? null : UNCHECKED }),
      });
    }
    const times = data.map(({ at }: any) => at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it("An end-user's ledger equals the partner’s ledger filtered by user, except for settlements", async () => {
    const answer = await api.get(`/partner/ledger?user_id=${user}`);
    conformance.check('GET', '/partner/ledger', answer);
    const userEntries = (await ledger()).data.map(({ settlement: _, ...entry }: any) => entry);
    expect(answer.body.data).toEqual(userEntries);
  });

  it("An end-user's ledger refuses a period that ends before it starts, as other lists do", async () => {
    const period = 'from=2026-01-02&to=2026-01-01T00:00:00Z';
    for (const path of [
      `/users/${user}/ledger`,
      '/partner/ledger',
      '/partner/journal',
      '/partner/audit',
      '/analytics/decisions',
      '/yield/history/USDC',
    ])
      expectRefused(await api.get(`${path}?${period}`), 'from');
  });
});
