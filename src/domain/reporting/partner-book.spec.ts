import { vaultOf } from '../../../test/support/vault.js';
import { describe, expect, it } from '@jest/globals';
import type { MarketView } from '../markets/hours/market.service.js';
import { toPoints } from '../books/positions/points.js';
import { quotesOf } from '../books/positions/quotes.js';
import { addHours } from '../kernel/clock.js';
import { initialState, nextHour } from '../markets/vaults/vault-state.js';
import { INDEX_SCALE } from '../markets/vaults/yield-index.js';
import {
  type BookShares,
  HeldShares,
  PartnerBook,
  type StoredBooks,
  type ValuedShares,
} from './partner-book.js';
import { NOTHING_RECENT } from '../markets/vaults/recent.js';

const NOW = new Date('2026-03-11T12:00:00.000Z');

/** No further observation of any vault. */
const silence: MarketView['advance'] = (_, before, hour) => nextHour(before, hour, undefined, 'defillama');

/** Index of a vault (scale 1e18), and its last observation, `hoursAgo`. */
interface Known {
  index: bigint;
  apy: number | null;
  hoursAgo?: number;
}

function marketOf(known: Record<string, Known>): MarketView {
  const vaults = Object.entries(known).map(([id, { index, apy, hoursAgo = 0 }]) => {
    const vault = vaultOf({ id });
    const observedHour = apy === null ? null : addHours(NOW, -hoursAgo);
    const state = { ...initialState(id), index, lastApy: apy, observedHour };
    const unknown = { expectedApy: null, riskAdjustedApy: null, ...NOTHING_RECENT, held: 0n, own: 0n };
    return [id, { vault, state, ...unknown }] as const;
  });
  return { marketId: 'base', hour: NOW, now: NOW, advance: silence, vaults: new Map(vaults) };
}

/**
 * Shares worth an amount at an index of one.
 * @param amount micro-units
 */
const sharesOf = (amount: bigint): string => (amount * 10n ** 12n).toString();
const routed = (vaultId: string, shares: string, asset = 'USDC'): BookShares => ({
  asset,
  book: 'routed',
  vaultId,
  shares,
  positions: 1,
});
const stored = (over: Partial<StoredBooks> = {}): StoredBooks => ({
  ...{ shares: [], totals: [], revenue: [], points: [], users: 0 },
  ...{ performanceFeeBps: 1_000, revenueShareBps: 4_000, ...over },
});

const held = (shares: readonly BookShares[], view: MarketView): ValuedShares =>
  new HeldShares(shares, [], quotesOf(view));

describe('shares valued in a market', () => {
  const view = marketOf({
    vlt_a: { index: INDEX_SCALE, apy: 0.04 },
    vlt_b: { index: 2n * INDEX_SCALE, apy: 0.065 },
  });
  const valued = held(
    [
      routed('vlt_a', sharesOf(60_000_000_000n)),
      routed('vlt_b', sharesOf(20_000_000_000n)),
      routed('vlt_b', sharesOf(7n), 'USDT'),
    ],
    view,
  );

  it('are valued at their index, by vault, by asset, or over all assets at par', () => {
    expect(valued.values('routed', 'USDC')).toEqual([
      { vaultId: 'vlt_a', value: 60_000_000_000n },
      { vaultId: 'vlt_b', value: 40_000_000_000n },
    ]);
    expect(valued.value('routed', 'USDC')).toBe(100_000_000_000n);
    expect(valued.value('routed', 'USDT')).toBe(14n);
    expect(valued.value('routed')).toBe(100_000_000_014n);
    expect(valued.value('hold', 'USDT')).toBe(0n);
  });

  it('have an APY of 5.00 % for 60k at 4 % and 40k at 6.5 %', () => {
    expect(valued.apy('USDC')).toBeCloseTo(0.05, 15);
    expect(valued.apy('USDT')).toBe(0.065);
  });

  it('are summed by vault before the value is rounded down', () => {
    const half = 5n * 10n ** 11n;
    const one = held([routed('vlt_a', half.toString())], view);
    const three = held([routed('vlt_a', (3n * half).toString())], view);
    expect(one.value('routed')).toBe(0n);
    expect(three.value('routed')).toBe(1n);
  });

  it('have no APY without holdings, or with a vault that is unobserved or stale for over 24 hours', () => {
    const old = marketOf({
      vlt_a: { index: INDEX_SCALE, apy: 0.04 },
      vlt_b: { index: INDEX_SCALE, apy: 0.065, hoursAgo: 25 },
      vlt_c: { index: INDEX_SCALE, apy: null },
    });
    const heldIn = (...vaultIds: string[]): ValuedShares =>
      held(
        vaultIds.map((id) => routed(id, sharesOf(5n))),
        old,
      );
    expect(heldIn('vlt_a').apy()).toBe(0.04);
    expect(heldIn('vlt_a', 'vlt_b').apy()).toBeNull();
    expect(heldIn('vlt_a', 'vlt_c').apy()).toBeNull();
    expect(heldIn().apy()).toBeNull();
    // No tick since then.
    const later = (hours: number): ValuedShares =>
      held([routed('vlt_a', sharesOf(5n))], { ...old, now: addHours(NOW, hours) });
    expect(later(24).apy()).toBe(0.04);
    expect(later(25).apy()).toBeNull();
  });

  it('of vaults without remaining shares are no holdings, and their APY is not read', () => {
    const left = held([routed('vlt_a', sharesOf(5n)), routed('vlt_gone', '0')], view);
    expect(left.values('routed')).toHaveLength(1);
    expect(left.apy()).toBe(0.04);
  });

  it('in a vault missing from the catalogue cause an error', () => {
    const lost = held([routed('vlt_gone', '1')], view);
    expect(() => lost.value('routed')).toThrow('no longer lists vlt_gone');
  });
});

describe("a partner's book", () => {
  const view = marketOf({ vlt_a: { index: (INDEX_SCALE * 11n) / 10n, apy: 0.1 } });

  it('of a new partner is empty', () => {
    const book = new PartnerBook(stored(), quotesOf(view));
    expect(book.totals('USDC')).toMatchObject({ deposited: 0n, withdrawn: 0n, deposits: 0, opened: 0 });
    expect(book.earned('USDC')).toBe(0n);
    expect(book.apy('USDC')).toBeNull();
    expect(book.points(NOW)).toEqual([]);
  });

  it('earned the current value plus withdrawals less deposits', () => {
    const settled = { accrued: '6', costs: '2', settledLending: '-1', settledHold: '3' };
    const capital = { principal: '105', capitalMoment: '7', firstAt: NOW.toISOString() };
    const totals = { deposits: 1, withdrawals: 1, ...settled, ...capital };
    const book = new PartnerBook(
      stored({
        shares: [routed('vlt_a', sharesOf(100n))],
        totals: [{ asset: 'USDC', deposited: '130', withdrawn: '25', ...totals, opened: 1, closed: 0 }],
        revenue: [{ asset: 'USDC', fee: '1', partnerRevenue: '0', carriedLoss: '0' }],
      }),
      quotesOf(view),
    );
    // Value 110, withdrawn 25, deposited 130.
    expect(book.earned('USDC')).toBe(5n);
    expect(book.totals('USDC')).toMatchObject({ deposited: 130n, accrued: 6n, fee: 1n, partnerRevenue: 0n });
    const sums = { costs: 2n, settledLending: -1n, settledHold: 3n, principal: 105n, capitalMoment: 7n };
    expect(book.heldSums('USDC')).toMatchObject({ ...sums, firstAt: NOW });
  });

  it('has 562.5 points for 250 USD at 1.5 over 36 hours, and unmultiplied ones after the campaign', () => {
    const start = addHours(NOW, -36);
    const since = BigInt(start.getTime());
    const from = start.toISOString();
    const campaign = {
      campaignId: 'cmp_a',
      principal: '250000000',
      campaignMoment: '0',
      plainMoment: (250_000_000n * since * 100n).toString(),
      terms: [{ fromAt: from, active: true, multiplierHundredths: 150, startsAt: from, endsAt: null }],
    };
    const off = { ...campaign.terms[0]!, fromAt: NOW.toISOString(), active: false };
    const running = new PartnerBook(stored({ points: [campaign] }), quotesOf(view));
    const ended = new PartnerBook(
      stored({ points: [{ ...campaign, terms: [...campaign.terms, off] }] }),
      quotesOf(view),
    );
    const pointsOf = (book: PartnerBook, at: Date) =>
      book.points(at).map(({ grains }) => [toPoints(grains.campaign), toPoints(grains.plain)]);
    expect(pointsOf(running, NOW)).toEqual([[562.5, 0]]);
    expect(pointsOf(running, addHours(NOW, 24))).toEqual([[937.5, 0]]);
    expect(pointsOf(ended, addHours(NOW, 24))).toEqual([[562.5, 250]]);
    expect(running.points(NOW)).toMatchObject([{ campaignId: 'cmp_a', multiplierHundredths: 150 }]);
  });

  it('has a campaign of null for points without one', () => {
    const none = { campaignId: '', principal: '0', campaignMoment: '0', plainMoment: '0', terms: [] };
    expect(new PartnerBook(stored({ points: [none] }), quotesOf(view)).points(NOW)).toEqual([
      { campaignId: null, multiplierHundredths: 100, grains: { campaign: 0n, plain: 0n } },
    ]);
  });
});
