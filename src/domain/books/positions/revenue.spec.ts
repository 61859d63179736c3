import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  newAccount,
  type RevenueAccount,
  type RevenueTerms,
  carryLoss,
  chargeReversal,
  settleWithdrawal,
  chargeYield,
} from './revenue.js';
import { type Position, bareEntry } from './position.js';
import { SettledRevenue } from './settled-revenue.js';
import { RevenueReplay, type SettledLine, sumsInWords } from '../ledger/revenue-replay.js';

const TERMS: RevenueTerms = { performanceFeeBps: 1_000, partnerShareBps: 4_000 };
const OWNER = { userId: 'usr_a', asset: 'USDC', partnerId: 'ptn_a' };
const chargeAll = (amounts: readonly bigint[], terms = TERMS, from = newAccount(OWNER)): RevenueAccount =>
  amounts.reduce((account, amount) => chargeYield(account, amount, terms), from);

describe('revenue of a user in an asset', () => {
  it('Revenue of a user in an asset from 10,000,001 micro-units at 1000 and 4000 bps is a fee of 1,000,001, split into 400,000 and 600,001', () => {
    const { sums, totalFee, totalPartner } = chargeAll([10_000_001n]);
    expect({ base: sums[0]!.base, totalFee, totalPartner, protocol: totalFee - totalPartner }).toEqual({
      base: 10_000_001n,
      totalFee: 1_000_001n,
      totalPartner: 400_000n,
      protocol: 600_001n,
    });
  });

  it('Revenue of a user in an asset is recorded per entry: its addition to fee, partner revenue and carried loss', () => {
    const position = { ...OWNER, id: 'pos_a' } as Position;
    const at = new Date('2026-01-31T00:00:00.000Z');
    const revenue = new SettledRevenue([newAccount(OWNER)]);
    const settled = [10_000_001n, -2_000_000n, 3_000_000n].map((amount) => {
      const entry = bareEntry('yield_accrual', amount, at, { vaultId: 'vlt_a', index: 10n ** 18n, apy: 0 });
      const { fee, partnerRevenue, carriedLoss, revenuePlace } = revenue.accrual(position, entry, TERMS);
      return [revenuePlace, fee, partnerRevenue, carriedLoss];
    });
    expect(settled).toEqual([
      [1, 1_000_001n, 400_000n, 0n],
      [2, 0n, 0n, 2_000_000n],
      [3, 100_000n, 40_000n, -2_000_000n],
    ]);
  });

  it('Revenue of a user in an asset from 31 accruals of 3 micro-units is 10 in total, as from one of 93', () => {
    const days = Array.from({ length: 31 }, () => 3n);
    expect(chargeAll(days).totalFee).toBe(10n);
    expect(chargeAll([93n]).totalFee).toBe(10n);
  });

  it('Revenue of a user in an asset starts once a carried loss, including costs of moves, is recovered', () => {
    const lost = carryLoss(chargeAll([-70n]), 30n);
    expect(lost).toMatchObject({ carriedLoss: 100n, totalFee: 0n });
    expect(chargeAll([99n], TERMS, lost)).toMatchObject({ carriedLoss: 1n, totalFee: 0n });
    expect(chargeAll([130n], TERMS, lost)).toMatchObject({
      carriedLoss: 0n,
      sums: [{ base: 30n }],
      totalFee: 3n,
    });
  });

  it('Revenue of a user in an asset offsets the loss of one position against the gain of another', () => {
    expect(chargeAll([1_000n, -400n, 300n])).toMatchObject({ carriedLoss: 100n, totalFee: 100n });
  });

  it('Revenue of a user in an asset reduces a carried loss by the withdrawn fraction of the value', () => {
    const lost = carryLoss(newAccount(OWNER), 90n);
    expect(settleWithdrawal(lost, 250n, 1_000n).carriedLoss).toBe(68n);
    expect(settleWithdrawal(lost, 1_000n, 1_000n).carriedLoss).toBe(0n);
  });

  it('Revenue of a user in an asset starts new sums with new terms, and does not change earlier ones', () => {
    const before = chargeAll([1_000n]);
    const dearer = chargeYield(before, 1_000n, { performanceFeeBps: 2_000, partnerShareBps: 10_000 });
    expect(dearer.sums).toMatchObject([
      { base: 1_000n, fee: 100n },
      { base: 1_000n, fee: 200n },
    ]);
    expect(dearer).toMatchObject({ totalFee: 300n, totalPartner: 240n });
    expect(chargeAll([1_000n], { performanceFeeBps: 0, partnerShareBps: 4_000 }).totalFee).toBe(0n);
  });

  it('Revenue of a user in an asset continues the sums of earlier terms if another position accrues at those', () => {
    const after = { ...TERMS, partnerShareBps: 5_000 };
    // Two positions of 15 and 25 before the change, and as much after it: each is posted up to the change and then beyond it.
    const account = chargeYield(chargeYield(newAccount(OWNER), 15n, TERMS), 15n, after);
    const both = chargeYield(chargeYield(account, 25n, TERMS), 25n, after);
    expect(both.sums).toEqual([
      { ...TERMS, base: 40n, fee: 4n, partner: 1n },
      { ...after, base: 40n, fee: 4n, partner: 2n },
    ]);
    expect(both).toMatchObject({ totalFee: 8n, totalPartner: 3n });
  });

  it('Revenue of a user in an asset from a voided deposit is removed from the sums at its terms, and restores the loss that it had recovered', () => {
    const gained = chargeYield(chargeYield(newAccount(OWNER), -20n, TERMS), 100n, TERMS);
    expect(gained).toMatchObject({ carriedLoss: 0n, totalFee: 8n });
    const back = chargeReversal(gained, -100n, TERMS);
    expect(back).toMatchObject({ carriedLoss: 20n, totalFee: 0n, totalPartner: 0n });
    expect(chargeReversal(back, 20n, TERMS)).toMatchObject({ carriedLoss: 0n, totalFee: 0n });
  });

  describe('after any settlements', () => {
    const VALUE = 10n ** 15n;
    const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    const happening = fc.oneof(
      fc.record({
        kind: fc.constantFrom('yield', 'reversal'),
        amount,
        feeBps: fc.constantFrom(1_000, 2_000),
      }),
      fc.record({ kind: fc.constant('cost'), amount: fc.bigInt({ min: 1n, max: 10n ** 9n }) }),
      fc.record({ kind: fc.constant('withdrawal'), amount: fc.bigInt({ min: 1n, max: VALUE }) }),
    );
    const line = (place: number, over: Partial<SettledLine>): SettledLine => ({
      id: `evt_${place}`,
      type: 'yield_accrual',
      amount: 0n,
      cost: 0n,
      feeBps: null,
      shareBps: null,
      place,
      userValue: null,
      voids: null,
      ...over,
    });
    /** What an operation does to the account, and the entry that it leaves. */
    const settled = (
      account: RevenueAccount,
      { kind, amount, feeBps }: { kind: string; amount: bigint; feeBps?: number },
    ): [RevenueAccount, Partial<SettledLine>] => {
      if (kind === 'cost')
        return [carryLoss(account, amount), { type: 'rebalance', amount: 1n, cost: amount }];
      if (kind === 'withdrawal')
        return [settleWithdrawal(account, amount, VALUE), { type: 'withdrawal', amount, userValue: VALUE }];
      const settle = kind === 'yield' ? chargeYield : chargeReversal;
      const after = settle(account, amount, { performanceFeeBps: feeBps!, partnerShareBps: 4_000 });
      return [after, { amount, feeBps: feeBps!, shareBps: 4_000, voids: kind === 'yield' ? null : '0xd' }];
    };

    it('The fee is due on gains beyond losses, to the micro-unit, and the account can be replayed from its entries', () => {
      fc.assert(
        fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
          let account = newAccount(OWNER);
          let gained = 0n;
          const lines: SettledLine[] = [];
          for (const happening of happenings) {
            const place = lines.length + 1;
            const [after, entry] = settled(account, happening);
            if ('feeBps' in happening && happening.amount > 0n) gained += happening.amount;
            lines.push(line(place, entry));
            account = { ...after, settled: place };
          }
          expect(account.carriedLoss).toBeGreaterThanOrEqual(0n);
          for (const { base, fee, performanceFeeBps } of account.sums)
            expect(fee).toBe((base * BigInt(performanceFeeBps) + 9_999n) / 10_000n);
          expect(account.totalPartner).toBeLessThanOrEqual(account.totalFee);
          expect(account.sums.reduce((sum, { base }) => sum + base, 0n)).toBeLessThanOrEqual(gained);
          const broken: string[] = [];
          const replaying = new RevenueReplay(OWNER, (problem) => broken.push(problem));
          lines.forEach((line) => replaying.take(line));
          const again = replaying.account;
          expect(sumsInWords(again.sums)).toBe(sumsInWords(account.sums));
          expect({ ...again, sums: account.sums, broken }).toEqual({ ...account, broken: [] });
        }),
      );
    });
  });
});
