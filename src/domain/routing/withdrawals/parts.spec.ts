import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { divide, leavingOrder, shortfallParts } from './parts.js';

const UNIT = 1_000_000n;
const source = (positionId: string, vaultId: string, units: bigint) => ({
  positionId,
  vaultId,
  amount: units * UNIT,
});
const SOURCES = [source('pos_a', 'idle', 100n), source('pos_b', 'A', 300n), source('pos_c', 'B', 250n)];

describe('the parts of a withdrawal', () => {
  it.each<[string, bigint | null, (readonly [string, bigint])[] | null]>([
    ['350 are 100 of cash and 250 of the 300 in A', 350n, [['pos_a', 100n], ['pos_b', 250n]]], // prettier-ignore
    ['420 are 100, 300, and 20 of B', 420n, [['pos_a', 100n], ['pos_b', 300n], ['pos_c', 20n]]], // prettier-ignore
    ['100 are all of the cash', 100n, [['pos_a', 100n]]],
    ['everything is every position', null, [['pos_a', 100n], ['pos_b', 300n], ['pos_c', 250n]]], // prettier-ignore
    ['more than there is are none', 651n, null],
  ])('The parts of a withdrawal of %s', (_, amount, expected) => {
    const parts = divide(SOURCES, amount === null ? null : amount * UNIT);
    expect(parts?.map(({ positionId, amount: part }) => [positionId, part / UNIT]) ?? null).toEqual(expected);
  });

  it('The parts of a withdrawal sum to its amount, and only the last is a part of a position', () => {
    const available = fc.array(fc.bigInt(0n, 10n ** 12n), { maxLength: 12 });
    fc.assert(
      fc.property(available, fc.bigInt(1n, 10n ** 13n), (amounts, asked) => {
        const sources = amounts.map((amount, index) => ({ positionId: `${index}`, vaultId: 'A', amount }));
        const parts = divide(sources, asked);
        const all = amounts.reduce((sum, amount) => sum + amount, 0n);
        if (parts === null) return expect(asked).toBeGreaterThan(all);
        expect(parts.reduce((sum, { amount }) => sum + amount, 0n)).toBe(asked);
        for (const { positionId, amount } of parts.slice(0, -1))
          expect(amount).toBe(amounts[Number(positionId)]);
        for (const { amount } of parts) expect(amount).toBeGreaterThan(0n);
      }),
    );
  });

  it('The parts of a withdrawal come from cash first, then from what is unknown, then from the lowest rate', () => {
    const vaults = [
      { vaultId: 'high', isCash: false, rate: 0.05 },
      { vaultId: 'low', isCash: false, rate: 0.03 },
      { vaultId: 'lost', isCash: false, rate: -0.2 },
      { vaultId: 'unknown', isCash: false, rate: null },
      { vaultId: 'also low', isCash: false, rate: 0.03 },
      { vaultId: 'idle', isCash: true, rate: null },
    ];
    expect(leavingOrder(vaults)).toEqual(['idle', 'unknown', 'lost', 'also low', 'low', 'high']);
  });

  it('The parts of a withdrawal that are in vaults bear a shortfall in proportion, each paying something; cash pays in full', () => {
    const parts = [
      { isCash: true, amount: 100n },
      { isCash: false, amount: 300n },
      { isCash: false, amount: 20n },
    ];
    expect(shortfallParts(0n, parts)).toEqual([0n, 0n, 0n]);
    expect(shortfallParts(32n, parts)).toEqual([0n, 30n, 2n]);
    expect(shortfallParts(318n, parts)).toEqual([0n, 299n, 19n]);
    expect(shortfallParts(319n, parts)).toBeNull();
    expect(shortfallParts(1n, [{ isCash: true, amount: 100n }])).toBeNull();
  });
});
