import { describe, expect, it } from '@jest/globals';
import { itemsOf } from '../../kernel/store/column.js';
import { AccruedSums } from './accrued-sums.js';
import { bookChange } from './books.js';
import { accrue, open, type Position } from './position.js';
import { newAccount, settleYield } from './revenue.js';

const INDEX = 10n ** 18n;
const at = new Date(Date.UTC(2026, 2, 1));
const terms = { performanceFeeBps: 1_000, partnerShareBps: 5_000 };

/** Positions of two partners in two slots, in turns, each with another amount. */
const positions = Array.from({ length: 12 }, (_, n): Position => {
  const opening = {
    id: `pos_${n}`,
    marketId: 'm',
    partnerId: `ptn_${n % 2}`,
    userId: `usr_${n % 5}`,
    asset: 'USDC',
    lendingVaultId: 'vlt_lend',
    slot: n % 4,
    campaignId: null,
    depositId: null,
  };
  const vault = { vaultId: 'vlt_a', index: INDEX, apy: null };
  const baselines = { lending: INDEX, hold: INDEX };
  const time = { campaign: 0n, plain: 0n };
  return open(opening, BigInt(n + 1) * 1_000_000n, false, null, { at, vault, baselines, time, txHash: null })
    .position;
});

describe('sums of accruals', () => {
  it.each([
    ['gains', (INDEX * 11n) / 10n],
    ['losses', (INDEX * 9n) / 10n],
  ])('are the change of the books: %s', (_, index) => {
    const changes = positions.map((before) => ({
      before,
      after: accrue(before, at, { vaultId: 'vlt_a', index, apy: null }, terms).position,
    }));
    const accounts = changes.map(({ before, after }) => {
      const account = newAccount(before);
      return { before: account, after: settleYield(account, after.accrued - before.accrued, terms) };
    });
    const [partnerIds, assets, slots, accrued, ...revenue] = new AccruedSums(changes, accounts).lists.map(
      itemsOf,
    );
    const books = bookChange(changes, accounts);
    expect(books.totals).toHaveLength(4);
    expect(partnerIds).toEqual(books.totals.map(({ partnerId }) => partnerId));
    expect(assets).toEqual(books.totals.map(({ asset }) => asset));
    expect(slots).toEqual(books.totals.map(({ slot }) => String(slot)));
    expect(accrued).toEqual(books.totals.map((sum) => String(sum.accrued)));
    expect(revenue).toEqual([
      books.revenue.map(({ partnerId }) => partnerId),
      books.revenue.map(({ asset }) => asset),
      books.revenue.map(({ slot }) => String(slot)),
      books.revenue.map(({ fee }) => String(fee)),
      books.revenue.map(({ partnerRevenue }) => String(partnerRevenue)),
      books.revenue.map(({ carriedLoss }) => String(carriedLoss)),
    ]);
  });
});
