import { describe, expect, it } from '@jest/globals';
import { sum } from '../../kernel/money.js';
import { areSame, divideReport, divideTransactions, type Transaction } from './transactions.js';

const of = (...amounts: bigint[]): Transaction[] =>
  amounts.map((amount, index) => ({ txHash: `0x${index + 1}`, amount }));

describe('transactions of a report', () => {
  it.each<[string, bigint[], bigint[], bigint[][]]>([
    ['halves', [50n, 50n], [60n, 40n], [[30n, 30n], [20n, 20n]]], // prettier-ignore
    ['thirds', [1n, 1n, 1n], [2n, 1n], [[1n, 1n], [1n]]], // prettier-ignore
    ['a transaction too small for each part', [1n, 99n], [50n, 50n], [[1n, 49n], [50n]]], // prettier-ignore
    ['a part of nothing', [3n, 4n], [7n, 0n], [[3n, 4n], []]], // prettier-ignore
    ['one part', [3n, 4n], [7n], [[3n, 4n]]],
  ])('Transactions are divided in the proportion of the parts: %s', (_, amounts, parts, expected) => {
    expect(
      divideTransactions(of(...amounts), parts).map((shares) => shares.map(({ amount }) => amount)),
    ).toEqual(expected);
  });

  it('Transactions are divided so that the shares of each, and of each part, are its amount to the micro-unit', () => {
    // A linear congruence, so that a failure repeats.
    let seed = 7n;
    const next = (below: bigint): bigint =>
      (seed = (seed * 1_103_515_245n + 12_345n) % 2_147_483_648n) % below;
    for (let round = 0; round < 150; round++) {
      const transactions = of(...Array.from({ length: 1 + (round % 16) }, () => 1n + next(10n ** 9n)));
      const total = sum(transactions.map(({ amount }) => amount));
      const parts = Array.from({ length: round % 9 }, () => next(total / 8n + 1n));
      parts.push(total - sum(parts));
      if (parts.at(-1)! < 0n) continue;
      const divided = divideTransactions(transactions, parts);
      expect(divided.map((shares) => sum(shares.map(({ amount }) => amount)))).toEqual(parts);
      for (const { txHash, amount } of transactions) {
        const shares = divided.map((part) => part.find((share) => share.txHash === txHash)?.amount ?? 0n);
        expect(sum(shares)).toBe(amount);
        for (const [index, share] of shares.entries()) {
          expect(share).toBeGreaterThanOrEqual(0n);
          const exact = (amount * parts[index]!) / total;
          // Each transaction before it may have left a micro-unit in a part.
          expect(share - exact).toBeLessThanOrEqual(17n);
          expect(exact - share).toBeLessThanOrEqual(17n);
        }
      }
    }
  });

  it('A report of several transactions is divided into reports, each with the last transaction that it has a share of', () => {
    const report = { txHash: '0x2', keyId: 'key', transactions: of(99n, 1n) };
    expect(divideReport(report, [50n, 50n])).toEqual([
      { ...report, amount: 50n, txHash: '0x1', transactions: of(50n) },
      { ...report, amount: 50n, transactions: of(49n, 1n) },
    ]);
    const single = { txHash: '0x1', keyId: 'key' };
    expect(divideReport(single, [50n, null])).toEqual([
      { ...single, amount: 50n },
      { ...single, amount: null },
    ]);
  });

  it('Transactions are the same in any order, and as shares of several orders', () => {
    const [first, second] = of(3n, 4n) as [Transaction, Transaction];
    expect(areSame([first, second], [second, first])).toBe(true);
    expect(areSame([{ ...first, amount: 1n }, second, { ...first, amount: 2n }], [first, second])).toBe(true);
    expect(areSame([first, second], [first])).toBe(false);
    expect(areSame([first], [first, second])).toBe(false);
    expect(areSame([first, second], [first, { ...second, amount: 5n }])).toBe(false);
    expect(areSame([first], [{ ...first, txHash: '0x3' }])).toBe(false);
  });
});
