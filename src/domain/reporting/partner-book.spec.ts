import { describe, expect, it } from '@jest/globals';
import { vaultOf } from '../../../test/support/vault.js';
import { quotesOf } from '../books/positions/quotes.js';
import { addHours } from '../kernel/clock.js';
import type { MarketView } from '../markets/hours/market.service.js';
import { NOTHING_RECENT } from '../markets/vaults/recent.js';
import { initialState, nextHour } from '../markets/vaults/vault-state.js';
import { INDEX_SCALE } from '../markets/vaults/yield-index.js';
import { NO_BOOKS, PartnerBook, type StoredBooks } from './partner-book.js';
import * as reports from './partner-reports.js';

const NOW = new Date('2026-03-11T12:00:00.000Z');

/** An index, and the last observation of `hoursAgo`; a vault without an APY was never observed. */
type Known = [index: bigint, apy: number | null, hoursAgo?: number];
const MARKET: Record<string, Known> = {
  vlt_a: [INDEX_SCALE, 0.04],
  vlt_b: [2n * INDEX_SCALE, 0.065],
  vlt_old: [INDEX_SCALE, 0.065, 25],
  vlt_new: [INDEX_SCALE, null],
};

/** The market some hours after its last tick. */
function viewAfter(hours: number): MarketView {
  const vaults = Object.entries(MARKET).map(([id, [index, apy, hoursAgo = 0]]) => {
    const observedHour = apy === null ? null : addHours(NOW, -hoursAgo);
    const state = { ...initialState(id), index, lastApy: apy, observedHour };
    const unknown = {
      expectedApy: null,
      riskAdjustedApy: null,
      ...NOTHING_RECENT,
      held: 0n,
      own: 0n,
    };
    return [id, { vault: vaultOf({ id }), state, ...unknown }] as const;
  });
  return {
    marketId: 'base',
    hour: NOW,
    now: addHours(NOW, hours),
    vaults: new Map(vaults),
    scenario: null,
    advance: (_, before, hour) => nextHour(before, hour, undefined, 'defillama'),
  };
}

/** Shares of a vault that are worth micro-units at an index of one. */
const share = (vaultId: string, micro: number, asset = 'USDC') => ({
  asset,
  book: 'routed' as const,
  vaultId,
  positions: 1,
  shares: BigInt(micro * 1e12).toString(),
});
const bookOfShares = (shares: ReturnType<typeof share>[], hours = 0) => bookOf({ shares }, hours);
const bookOf = (over: Partial<StoredBooks>, hours = 0) =>
  new PartnerBook({ ...NO_BOOKS, ...over }, quotesOf(viewAfter(hours)));

describe('shares valued in a market', () => {
  it('Shares valued in a market are valued at their index, by vault and by asset', () => {
    const valued = bookOfShares([share('vlt_a', 600), share('vlt_b', 200), share('vlt_b', 7, 'USDT')]);
    expect(valued.values('routed', 'USDC')).toEqual([
      { vaultId: 'vlt_a', value: 600n },
      { vaultId: 'vlt_b', value: 400n },
    ]);
    expect([valued.value('routed', 'USDC'), valued.value('routed', 'USDT')]).toEqual([1_000n, 14n]);
    expect(valued.value('hold', 'USDT')).toBe(0n);
  });

  it('Shares valued in a market are summed by vault before the value is rounded down', () => {
    expect(bookOfShares([share('vlt_a', 0.5)]).value('routed', 'USDC')).toBe(0n);
    expect(bookOfShares([share('vlt_a', 1.5)]).value('routed', 'USDC')).toBe(1n);
  });

  it.each<[string, string[], number, number | null]>([
    ['of each by its value: 60 % at 4 % and 40 % at 6.5 %', ['vlt_a', 'vlt_a', 'vlt_a', 'vlt_b'], 0, 0.05],
    ['of none without holdings', [], 0, null],
    ['of none with a vault that is stale', ['vlt_a', 'vlt_old'], 0, null],
    ['of none with a vault that was never observed', ['vlt_a', 'vlt_new'], 0, null],
    ['of a vault 24 hours after the last tick', ['vlt_a'], 24, 0.04],
    ['of none 25 hours after it', ['vlt_a'], 25, null],
  ])('Shares valued in a market have the APY %s', (_, vaultIds, hours, apy) => {
    const apyOfBook = bookOfShares(
      vaultIds.map((id) => share(id, 200)),
      hours,
    ).apy('USDC');
    expect(apyOfBook).toEqual(apy === null ? null : expect.closeTo(apy, 15));
  });

  it('Shares valued in a market of vaults without remaining shares are no holdings, and their APY is not read', () => {
    const book = bookOfShares([share('vlt_a', 5), share('vlt_gone', 0)]);
    expect(book.values('routed', 'USDC')).toHaveLength(1);
    expect(book.apy('USDC')).toBe(0.04);
    expect(() => bookOfShares([share('vlt_gone', 1)]).value('routed', 'USDC')).toThrow(
      'no longer lists vlt_gone',
    );
  });
});

it('The share of a vault with less than a micro-unit is null', () => {
  const book = bookOf({ shares: [share('vlt_a', 0.5)] });
  const context = { partnerId: 'ptn_a', book, assets: ['USDC'], pointsPerUsdDay: 1, asOf: NOW };
  expect(reports.tvl(context).assets[0]!.vaults).toEqual([{ vaultId: 'vlt_a', value: 0n, share: null }]);
});
