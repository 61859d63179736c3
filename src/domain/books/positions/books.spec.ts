import { describe, expect, it } from '@jest/globals';
import { addHours } from '../../kernel/clock.js';
import { newId, slotOf } from '../../kernel/identifier.js';
import {
  BOOK_KINDS,
  BOOK_TABLES,
  type BookRows,
  BookSums,
  bookChange,
  contribution,
  revenueContribution,
} from './books.js';
import { newAccount, chargeYield } from './revenue.js';
import {
  BEGIN,
  flow,
  ONE,
  opened as openedWith,
  pending as pendingWith,
  quote,
  TERMS,
} from '../../../../test/support/position.js';
import type { Position } from './position.js';
import { move, withdraw } from './steps.js';

const at = BEGIN;
const time = { campaign: 3n, plain: 2n };
const opened = (amount: bigint) => openedWith(amount, ONE, { time });
const moved = (position: Position, from: string, cost = 0n) =>
  move(position, {
    ...{
      at,
      from: quote(ONE, from),
      to: quote(ONE, from === 'vlt_a' ? 'vlt_b' : 'vlt_a'),
      decisionId: 'dec_a',
    },
    ...{ toIdle: false, late: false, cost },
  }).position;
const withdrawn = (position: Position, amount: bigint) =>
  withdraw(position, amount, flow(ONE, { time })).position;

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
        slot: 3,
        firstAt: at,
      },
    ]);
    expect(rows.points).toMatchObject([
      { campaignId: '', principal: 5n, campaignMoment: 15n, plainMoment: 10n },
    ]);
    expect(rows.vaults).toEqual([{ marketId: 'base', vaultId: 'vlt_a', slot: 3, shares }]);
  });

  it('change by the difference of a position', () => {
    const before = opened(5n);
    const change = bookChange([{ before, after: moved(before, 'vlt_a') }], []);
    expect(change.shares.map(({ book, vaultId, positions }) => [book, vaultId, positions])).toEqual([
      ['routed', 'vlt_b', 1],
      ['routed', 'vlt_a', -1],
    ]);
    expect(change.totals).toEqual([]);
    const totalsOf = (after: Position) => bookChange([{ before, after }], []).totals;
    expect(totalsOf(moved(before, 'vlt_a', 2n))).toMatchObject([{ costs: 2n, accrued: 0n }]);
    expect(totalsOf(withdrawn(before, 5n))).toMatchObject([
      { deposited: 0n, withdrawn: 5n, withdrawals: 1, opened: 0, closed: 1 },
    ]);
    const accrued = { ...before, accrued: 3n, accruedAt: addHours(at, 1) };
    const posted = bookChange([{ before, after: accrued }], []);
    expect(posted).toMatchObject({ shares: [], totals: [{ accrued: 3n }], points: [], vaults: [] });
  });

  it('have a pending position’s routed and hold book in the idle vault until its first move', () => {
    const pending = pendingWith(5n);
    const places = (position: Position) =>
      contribution(position).shares.map(({ book, vaultId, shares }) => [book, vaultId, shares / 10n ** 12n]);
    expect(places(pending)).toEqual([
      ['routed', 'vlt_idle', 5n],
      ['lending', 'vlt_lend', 5n],
      ['hold', 'vlt_idle', 5n],
    ]);
    expect(places(moved(pending, 'vlt_idle', 1n))).toEqual([
      ['routed', 'vlt_a', 4n],
      ['lending', 'vlt_lend', 5n],
      ['hold', 'vlt_a', 5n],
    ]);
  });

  it('include the settled revenue of each user, and change by its difference', () => {
    const before = newAccount({ userId: newId('user', at), asset: 'USDC', partnerId: 'ptn_a' });
    const after = chargeYield(before, 10_000_001n, TERMS);
    const slot = slotOf(before.userId);
    const fee = { fee: 1_000_001n, partnerRevenue: 400_000n, carriedLoss: 0n };
    const sum = { partnerId: 'ptn_a', asset: 'USDC', slot, ...fee };
    expect(revenueContribution(after)).toEqual(sum);
    expect(bookChange([], [{ before, after }]).revenue).toEqual([sum]);
    expect(bookChange([], [{ before: after, after: chargeYield(after, 9n, TERMS) }]).revenue).toEqual([]);
  });

  it('equal the sum over all positions, however it was reached', () => {
    const before = [opened(5n), opened(11n), opened(7n)];
    const after = before.map((position) => withdrawn(position, 3n));
    const sums = new BookSums();
    sums.add(
      bookChange(
        before.map((position) => ({ before: null, after: position })),
        [],
      ),
    );
    sums.add(
      bookChange(
        before.map((position, index) => ({ before: position, after: after[index]! })),
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
