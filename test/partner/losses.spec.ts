import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { Conformance } from '../support/conformance.js';
import { differencesOf } from '../support/differences.js';
import { newTxHash, startMarket, type TestMarket } from '../support/market.js';
import type { Answer } from '../support/api.js';

const SCALE = 10n ** 18n;
const LOSS = -0.05;
/** Growth of an hour by its formula, and of the index by its floor. */
const FACTOR = BigInt(Math.round(Math.expm1(Math.log1p(LOSS) / 8760) * 1e18));
const grown = (index: bigint): bigint => {
  const [product, quotient] = [index * FACTOR, (index * FACTOR) / SCALE];
  return index + (quotient * SCALE === product ? quotient : quotient - 1n);
};
const micro = (units: number): bigint => BigInt(Math.round(units * 1e6));

/** A yield that falls from 4 % to -5 % a year, as the yield API reports it, down to a partner's statement. */
describe('a vault with a negative yield', () => {
  let market: TestMarket;
  let conformance: Conformance;
  let position: any;
  let vaultId: string;

  const get = async (path: string, api = market.partner.api): Promise<Answer['body']> => {
    const answer = await api.get(path);
    conformance.check('GET', path, answer);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body;
  };
  const cycle = async (hours = 1): Promise<void> => {
    for (let hour = 0; hour < hours; hour++) {
      market.pass(HOUR_MS);
      await market.app.application.get(HourlyCycle).run();
    }
  };
  const snapshots = () =>
    market.app.sql<{ apy: number; index: string; factor: string }>(
      'SELECT apy, share_index AS index, factor FROM snapshots WHERE vault_id = $1 ORDER BY hour',
      [vaultId],
    );
  const observeAll = (apy: number): void =>
    market.setYields(Object.fromEntries(market.app.settings.vaults.map(({ id }) => [id, { apy }])));

  beforeAll(async () => {
    market = await startMarket('partner', { early: true });
    market.holdClock();
    conformance = await Conformance.of('partner');
    const input = { user_id: await market.createUser(), asset: 'USDC', amount: 1_000, tx_hash: newTxHash() };
    const made = await market.protocol.post('/positions', input);
    conformance.check('POST', '/positions', made);
    position = made.body.data;
    vaultId = position.vault_id;
    await cycle();
    observeAll(LOSS);
    await cycle();
  });
  afterAll(() => market?.close());

  it('A vault with a negative yield is observed as it is, and not stale', async () => {
    const { data } = await get('/vaults');
    for (const vault of data)
      expect([vault.id, vault.apy, vault.stale]).toEqual([vault.id, expect.closeTo(LOSS, 9), false]);
  });

  it('A vault with a negative yield lowers its index from the next hour on, by the floor of the hourly factor', async () => {
    const before = (await snapshots()).at(-1)!;
    expect(before.apy).toBeCloseTo(LOSS, 9);
    await cycle(3);
    const after = (await snapshots()).slice(-3);
    // An APR of the source is converted to an APY, in whose last digit libraries may differ.
    for (const { factor } of after) expect(Math.abs(Number(BigInt(factor) - FACTOR))).toBeLessThan(100);
    expect(BigInt(after[0]!.index)).toBeGreaterThan(BigInt(before.index));
    expect(BigInt(after[1]!.index)).toBeLessThan(BigInt(after[0]!.index));
    expect(Number(BigInt(after[2]!.index) - grown(BigInt(after[1]!.index)))).toBeCloseTo(0, -3);
  });

  it('A vault with a negative yield lowers the value of its positions', async () => {
    const value = async () => {
      const { data } = await get(`/partner/user/${position.user_id}/positions`);
      expect(data[0]).toMatchObject({ vault_id: vaultId, apy: expect.closeTo(LOSS, 9) });
      return micro(data[0].value);
    };
    const before = await value();
    await cycle();
    const lost = before - (await value());
    // 1,000 units lose 5,855 micro-units an hour.
    expect(Math.abs(Number(lost) - 5_855)).toBeLessThan(3);
  });

  it('A vault with a negative yield accrues in the ledger as a loss without a fee, which is carried forward', async () => {
    const path = `/positions/${position.id}/withdrawals`;
    const paid = await market.protocol.post(path, { amount: 100, tx_hash: newTxHash() });
    conformance.check('POST', path, paid);
    expect(paid.status).toBe(201);
    const { data } = await get(`/users/${position.user_id}/ledger`);
    const [withdrawal, accrual] = data;
    expect([withdrawal.type, accrual.type]).toEqual(['withdrawal', 'yield_accrual']);
    expect(accrual).toMatchObject({ apy: expect.closeTo(LOSS, 9), fee: 0, partner_revenue: 0 });
    expect(accrual.amount).toBeLessThan(0);
    expect(accrual.carried_loss).toBe(-accrual.amount);
  });

  it('A vault with a negative yield is a loss in the statement of the day, which ties to the ledger', async () => {
    const day = market.now().toISOString().slice(0, 10);
    await cycle(24 - market.now().getUTCHours());
    const { data } = await get(`/partner/statements/${day}`);
    const usdc = data.assets.find(({ asset }: any) => asset === 'USDC');
    expect(usdc.yield).toBeLessThan(0);
    expect(usdc.performance_fee).toBe(0);
    expect(micro(usdc.closing_value)).toBe(
      micro(usdc.opening_value) + micro(usdc.deposits) - micro(usdc.withdrawals) + micro(usdc.yield),
    );
    expect(await differencesOf(market.app.application)).toEqual([]);
  });

  it('A vault with a negative yield is negative in the market series, signals, regime and uplift; only the forecast stays at 0 or more', async () => {
    await cycle(8 * 24);
    const { data: history } = await get('/yield/history/USDC');
    expect(history.points.at(-1).apy).toBeCloseTo(LOSS, 9);
    const { data: signals } = await get('/analytics/signals');
    const signal = signals.find((signal: any) => signal.vault_id === vaultId);
    expect(signal).toMatchObject({
      apy: expect.closeTo(LOSS, 9),
      insufficient_history: false,
      forecast_apy: 0,
    });
    expect(signal.expected_apy).toBeLessThan(0);
    expect(signal.expected_risk_adjusted_apy).toBeLessThanOrEqual(signal.expected_apy);
    const { data: regime } = await get('/analytics/regime');
    expect(JSON.stringify(regime)).toContain('"apy":-0.0');
    const { data: uplift } = await get('/analytics/uplift');
    expect(uplift.projected.routed_apy).toBeLessThan(0);
  });
});
