import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Capital, projectedUplift, type RealizedGain, realizedUplift } from './uplift.js';

const NOW = new Date('2026-03-11T12:00:00.000Z');
const msAgo = (days: number): bigint => BigInt(NOW.getTime() - days * 86_400_000);
const since = (days: number, principal: bigint, moment: bigint): Capital => ({
  principal,
  moment,
  firstAt: new Date(Number(msAgo(days))),
});
const of = (over: Partial<RealizedGain>): RealizedGain => ({
  routedValue: 0n,
  baselineValue: 0n,
  settledUplift: 0n,
  costs: 0n,
  capital: { principal: 0n, moment: 0n, firstAt: null },
  ...over,
});

describe('realised uplift', () => {
  const earned = { routedValue: 1_050n, baselineValue: 1_000n };
  it.each<[string, Partial<RealizedGain>, object]>(
    // prettier-ignore
    [
      ['is routed value less baseline plus the settled uplift', { routedValue: 550n, baselineValue: 525n, settledUplift: 25n }, { uplift: 50n }],
      ['may be negative', { settledUplift: -50n }, { uplift: -50n }],
      ['is net of costs, beside the gross figure', { ...earned, costs: 7n }, { uplift: 50n, grossUplift: 57n }],
      ['of 50 over 1,000 is 5 %', { ...earned, capital: since(10, 1_000n, 1_000n * msAgo(10)) }, { upliftPct: 0.05 }],
      // The whole principal was withdrawn after five of ten days.
      ['of 50 over 1,000 for half of the time is 10 %', { ...earned, capital: since(10, 0n, 1_000n * (msAgo(10) - msAgo(5))) }, { upliftPct: 0.1 }],
      ['has no fraction without capital', {}, { uplift: 0n, grossUplift: 0n, upliftPct: null }],
      ['has no fraction without time', { capital: since(0, 5n, 5n * msAgo(0)) }, { upliftPct: null }],
    ],
  )('Realised uplift %s', (_, realized, uplift) =>
    expect(realizedUplift(of(realized), NOW)).toMatchObject(uplift),
  );
});

describe('projected uplift', () => {
  it.each([
    [0.052, 0.04, 120_000_000n],
    [0.04, 0.052, -120_000_000n],
    [null, 0.04, null],
    [0.04, null, null],
  ])('Projected uplift of 10,000 for a year at %p against %p is %p', (routed, baseline, uplift) =>
    expect(projectedUplift(10_000_000_000n, routed, baseline)).toBe(uplift),
  );

  it('Projected uplift is 0 for a value at its own rate', () =>
    fc.assert(
      fc.property(fc.bigInt(), fc.double({ min: -1, max: 5, noNaN: true }), (value, rate) =>
        expect(projectedUplift(value, rate, rate)).toBe(0n),
      ),
    ));
});
