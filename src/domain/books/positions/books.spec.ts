import { describe, expect, it } from '@jest/globals';
import { newId, slotOf } from '../../kernel/identifier.js';
import { BOOK_KINDS, BOOK_TABLES, type BookRows, BookSums } from './book-sums.js';
import { bookChange, contribution, revenueContribution } from './books.js';
import { newAccount, settleYield } from './revenue.js';
import { type Flow, move, open, type Position, withdraw } from './position.js';

const INDEX = 10n ** 18n;
const at = new Date(Date.UTC(2026, 2, 1));
const quote = (vaultId: string, index = INDEX) => ({ vaultId, index, apy: 0.05 });
const flow = (vaultId: string): Flow => ({
  at,
  vault: quote(vaultId),
  baselines: { lending: INDEX, hold: INDEX },
  time: { campaign: 3n, plain: 2n },
  txHash: null,
});
const opening = {
  id: 'pos_a',
  marketId: 'm',
  partnerId: 'ptn_a',
  userId: 'usr_a',
  asset: 'USDC',
  lendingVaultId: 'vlt_lend',
  slot: 7,
  campaignId: null,
  depositId: null,
};
const opened = (amount: bigint): Position => open(opening, amount, false, null, flow('vlt_a')).position;

/** Sums of books that are numbers; all others are whole micro-units. */
const COUNTS = new Set<string>(['positions', 'deposits', 'withdrawals', 'opened', 'closed']);

describe('the books', () => {
  it('include a new position in its three books, totals, points and vault', () => {
    const rows = contribution(opened(5n));
    const shares = 5n * 10n ** 12n;
    expect(
      rows.shares.map(({ book, vaultId, shares: own, positions }) => [book, vaultId, own, positions]),
    ).toEqual([
      ['routed', 'vlt_a', shares, 1],
      ['lending', 'vlt_lend', shares, 0],
      ['hold', 'vlt_a', shares, 0],
    ]);
    expect(rows.totals).toMatchObject([
      {
        deposited: 5n,
        deposits: 1,
        principal: 5n,
        capitalMoment: 5n * BigInt(at.getTime()),
        opened: 1,
        closed: 0,
        slot: 7,
        firstAt: at,
      },
    ]);
    expect(rows.points).toMatchObject([
      { campaignId: '', principal: 5n, campaignMoment: 15n, plainMoment: 10n },
    ]);
    expect(rows.vaults).toEqual([{ marketId: 'm', vaultId: 'vlt_a', slot: 7, shares }]);
  });

  it('change by the difference of a position', () => {
    const before = opened(5n);
    const transit = {
      at,
      from: quote('vlt_a'),
      to: quote('vlt_b'),
      toIdle: false,
      late: false,
      decisionId: 'dec_a',
    };
    const moved = move(before, { ...transit, cost: 0n }).position;
    const change = bookChange([{ before, after: moved }], []);
    expect(change.shares.map(({ book, vaultId, positions }) => [book, vaultId, positions])).toEqual([
      ['routed', 'vlt_b', 1],
      ['routed', 'vlt_a', -1],
    ]);
    expect(change.totals).toEqual([]);
    const charged = move(before, { ...transit, cost: 2n }).position;
    expect(bookChange([{ before, after: charged }], []).totals).toMatchObject([{ costs: 2n, accrued: 0n }]);
    const closed = withdraw(before, 5n, flow('vlt_a')).position;
    expect(bookChange([{ before, after: closed }], []).totals).toMatchObject([
      { deposited: 0n, withdrawn: 5n, withdrawals: 1, opened: 0, closed: 1 },
    ]);
  });

  it('have a pending position’s routed and hold book in the idle vault until its first move', () => {
    const pending = open(opening, 5n, true, null, flow('vlt_idle')).position;
    const places = (rows: ReturnType<typeof contribution>) =>
      rows.shares.map(({ book, vaultId, shares }) => [book, vaultId, shares / 10n ** 12n]);
    expect(places(contribution(pending))).toEqual([
      ['routed', 'vlt_idle', 5n],
      ['lending', 'vlt_lend', 5n],
      ['hold', 'vlt_idle', 5n],
    ]);
    const to = quote('vlt_a');
    const transit = {
      at,
      from: quote('vlt_idle'),
      to,
      toIdle: false,
      late: false,
      cost: 1n,
      decisionId: 'dec_a',
    };
    const active = move(pending, transit).position;
    expect(places(contribution(active))).toEqual([
      ['routed', 'vlt_a', 4n],
      ['lending', 'vlt_lend', 5n],
      ['hold', 'vlt_a', 5n],
    ]);
  });

  it('include the settled revenue of each user, and change by its difference', () => {
    const before = newAccount({ userId: newId('user', at), asset: 'USDC', partnerId: 'ptn_a' });
    const terms = { performanceFeeBps: 1_000, partnerShareBps: 4_000 };
    const after = settleYield(before, 10_000_001n, terms);
    const slot = slotOf(before.userId);
    const fee = { fee: 1_000_001n, partnerRevenue: 400_000n, carriedLoss: 0n };
    const sum = { partnerId: 'ptn_a', asset: 'USDC', slot, ...fee };
    expect(revenueContribution(after).revenue).toEqual([sum]);
    expect(bookChange([], [{ before, after }]).revenue).toEqual([sum]);
    expect(bookChange([], [{ before: after, after: settleYield(after, 9n, terms) }]).revenue).toEqual([]);
  });

  it('equal the sum over all positions, however it was reached', () => {
    const steps = [opened(5n), opened(11n), opened(7n)];
    const after = steps.map((position) => withdraw(position, 3n, flow('vlt_a')).position);
    const sums = new BookSums();
    sums.add(
      bookChange(
        steps.map((position) => ({ before: null, after: position })),
        [],
      ),
    );
    sums.add(
      bookChange(
        steps.map((before, index) => ({ before, after: after[index]! })),
        [],
      ),
    );
    const whole = new BookSums();
    after.forEach((position) => whole.add(contribution(position)));
    expect(sums.nonZero).toEqual(whole.nonZero);
  });

  it.each(BOOK_KINDS)('add every sum of a row: %s', (kind) => {
    const [keys, sums] = [BOOK_TABLES[kind].keys, BOOK_TABLES[kind].sums].map(Object.keys) as [
      string[],
      string[],
    ];
    const row: Record<string, unknown> = { firstAt: at };
    for (const name of keys) row[name] = 'x';
    // Values that differ, so that no sum may stand for another one.
    sums.forEach((name, place) => (row[name] = COUNTS.has(name) ? place + 1 : BigInt(place + 1)));
    const one = { shares: [], totals: [], revenue: [], points: [], vaults: [], [kind]: [row] } as BookRows;
    const [twice] = new BookSums().add(one).add(one).nonZero[kind] as unknown as Record<string, unknown>[];
    expect(sums.map((name) => Number(twice![name]))).toEqual(sums.map((_, place) => 2 * (place + 1)));
    expect(new BookSums().add(one).add(one, -1).nonZero[kind]).toEqual([]);
  });
});
