import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InvoiceService } from '../../src/domain/reporting/invoice.service.js';
import { bookingsOfInvoice } from '../../src/domain/reporting/journal.js';
import { StatementReports } from '../../src/domain/reporting/statement-report.service.js';
import { TrialBalances } from '../../src/domain/reporting/trial-balance.service.js';
import { differencesOf } from '../support/differences.js';
import { Engine } from '../support/engine.js';

const UNIT = 1_000_000n;
const PAGE = { limit: 100, after: null };
let engine: Engine;

beforeAll(async () => {
  engine = await Engine.start('partner', { now: new Date('2026-01-28T00:00:00.000Z') });
  engine.sights = Object.fromEntries(engine.settings.vaults.map(({ id }) => [id, { apy: 0.05 }]));
  await engine.hours(1);
}, 60_000);
afterAll(() => engine.stop());

it('A month whose end has no closing, because nothing was held any more, has its invoice with the next closing', async () => {
  const partnerId = await engine.createPartner();
  const user = await engine.createUser(partnerId);
  const { id } = await engine.deposit(user, 100_000n * UNIT);
  await engine.skip(30);
  await engine.withdraw(id, null);
  await engine.skip(50 * 24);
  const days = await engine.sql<{ month: Date }>(
    `SELECT DISTINCT date_trunc('month', day_end, 'UTC') AS month FROM statements WHERE day_end IN ('2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z')`,
  );
  expect(days).toEqual([]);
  const { items } = await engine.context.get(InvoiceService).list(partnerId, {}, PAGE);
  const statement = await engine.context.get(StatementReports).read(partnerId, '2026-01');
  const [figures] = statement.assets;
  expect(items.map(({ month, fee, partnerRevenue }) => [month.toISOString(), fee, partnerRevenue])).toEqual([
    ['2026-01-01T00:00:00.000Z', figures!.performanceFee, figures!.partnerRevenue],
  ]);
  expect(figures!.performanceFee).toBeGreaterThan(0n);
  // What was booked after the last closing is in the next one, as in the statement.
  for (const period of ['2026-01', '2026-02', '2026-03']) {
    const { from, to, assets } = await engine.context.get(StatementReports).read(partnerId, period);
    const { accounts } = await engine.context.get(TrialBalances).read(partnerId, { from, to });
    const vaults = accounts.find(({ account, asset }) => account === 'vaults' && asset === 'USDC')!;
    expect([period, vaults.opening, vaults.closing]).toEqual([
      period,
      assets[0]!.openingValue,
      assets[0]!.closingValue,
    ]);
  }
  expect(await differencesOf(engine.context)).toEqual([]);
});

it('An invoice that is paid leaves the protocol’s part settled outside, one that is void nothing; both balance, also where the fee is negative', () => {
  const sumsOf = (status: 'paid' | 'void', fee: bigint, partnerRevenue: bigint): Record<string, bigint> => {
    const sums: Record<string, bigint> = {};
    for (const { account, debit } of bookingsOfInvoice({ status, fee, partnerRevenue }))
      sums[account] = (sums[account] ?? 0n) + debit;
    expect(Object.values(sums).reduce((sum, debit) => sum + debit, 0n)).toBe(0n);
    return sums;
  };
  for (const sign of [1n, -1n]) {
    const [fee, part] = [1_000_001n * sign, 400_000n * sign];
    expect(sumsOf('paid', fee, part)).toEqual({
      settled_outside: 600_001n * sign,
      fees_receivable: -fee,
      owed_to_partner: part,
    });
    expect(sumsOf('void', fee, part)).toEqual({
      fee_income: 600_001n * sign,
      owed_to_partner: part,
      fees_receivable: -fee,
    });
  }
  expect(sumsOf('paid', 1n, 0n)).toEqual({ settled_outside: 1n, fees_receivable: -1n });
});
