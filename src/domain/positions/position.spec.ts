import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GRAINS_PER_POINT, type PointTime, pointsOf } from './points.js';
import {
  accrue,
  bookValue,
  type Entry,
  type Flow,
  move,
  open,
  type Opening,
  type Position,
  type Step,
  withdraw,
} from './position.js';
import { valueOf } from './shares.js';

const HOUR_MS = 3_600_000;
const ONE = 10n ** 18n;
const begin = new Date('2026-03-01T00:00:00.000Z');
const later = (hours: number): Date => new Date(begin.getTime() + hours * HOUR_MS);
const terms = { performanceFeeBps: 1_000, partnerShareBps: 4_000 };
const noTime: PointTime = { campaign: 0n, plain: 0n };

const opening: Opening = {
  id: 'pos_a',
  marketId: 'base',
  partnerId: 'ptn_a',
  userId: 'usr_a',
  asset: 'USDC',
  lendingVaultId: 'vlt_lend',
  slot: 3,
  campaignId: null,
};

const quote = (index = ONE, vaultId = 'vlt_a') => ({ vaultId, index, apy: 0.05 });
const flow = (index = ONE, over: Partial<Flow> = {}): Flow => ({
  at: begin,
  vault: quote(index),
  baselines: { lending: index, hold: index },
  time: noTime,
  txHash: null,
  ...over,
});
const opened = (amount: bigint, index = ONE, over: Partial<Flow> = {}): Position =>
  open(opening, amount, 'dec_a', flow(index, over)).position;

describe('a deposit', () => {
  it('of 123456789 micro-units at 1.234567890123456789 buys 99999999990000000000 shares, worth 123456788', () => {
    const index = 1234567890123456789n;
    const { position, entry } = open(opening, 123456789n, 'dec_a', flow(index));
    expect(position.shares).toBe(99999999990000000000n);
    expect(valueOf(position.shares, index)).toBe(123456788n);
    expect(entry).toMatchObject({
      type: 'deposit',
      amount: 123456789n,
      shareIndex: index,
      decisionId: 'dec_a',
    });
  });

  it('goes into three books at once, each at its own index', () => {
    const baselines = { lending: 2n * ONE, hold: ONE };
    const position = opened(10n, ONE, { baselines });
    const unit = 10n ** 12n;
    expect(position).toMatchObject({
      status: 'active',
      vaultId: 'vlt_a',
      originVaultId: 'vlt_a',
      lendingVaultId: 'vlt_lend',
      shares: 10n * unit,
      lendingShares: 5n * unit,
      holdShares: 10n * unit,
      deposited: 10n,
      withdrawn: 0n,
      accrued: 0n,
    });
  });

  it('that buys no share is none', () => {
    expect(() => opened(1n, 10n ** 30n + 1n)).toThrow(RangeError);
    expect(() => opened(0n)).toThrow(RangeError);
  });
});

describe('an accrual', () => {
  it('posts what the shares are worth more than the books say, and nothing where that is nothing', () => {
    const position = opened(1_000_000n);
    const earned = accrue(position, later(1), quote((ONE * 105n) / 100n), terms);
    expect(earned.entry).toMatchObject({
      type: 'yield_accrual',
      amount: 50_000n,
      feeBps: 1_000,
      shareBps: 4_000,
    });
    expect(bookValue(earned.position)).toBe(1_050_000n);
    const again = accrue(earned.position, later(2), quote((ONE * 105n) / 100n), terms);
    expect(again).toEqual({ position: { ...earned.position, accruedAt: later(2) }, entry: null });
  });

  it('settles revenue on 10,000,001 micro-units at 1000 and 4000 bps: a fee of 1,000,001, of which the partner has 400,000', () => {
    const position = opened(100_000_000n);
    const { position: after } = accrue(position, later(1), quote(ONE + ONE / 10n + ONE / 10n ** 8n), terms);
    expect(after).toMatchObject({
      accrued: 10_000_001n,
      highWaterMark: 10_000_001n,
      fee: 1_000_001n,
      partnerRevenue: 400_000n,
    });
  });

  it('of a loss is below zero; there is no fee again before the loss is made good', () => {
    const position = opened(1_000_000n);
    const up = accrue(position, later(1), quote((ONE * 110n) / 100n), terms).position;
    const down = accrue(up, later(2), quote((ONE * 105n) / 100n), terms);
    expect(down.entry?.amount).toBe(-50_000n);
    const back = accrue(down.position, later(3), quote((ONE * 110n) / 100n), terms).position;
    expect([up.fee, down.position.fee, back.fee]).toEqual([10_000n, 10_000n, 10_000n]);
    expect(accrue(back, later(4), quote((ONE * 112n) / 100n), terms).position.fee).toBe(12_000n);
  });
});

describe('a withdrawal', () => {
  it('of a part burns shares rounded up in each book', () => {
    const index = 3n * ONE;
    const position = withdraw(opened(10n, index), 1n, flow(index)).position;
    expect(position).toMatchObject({ status: 'active', withdrawn: 1n, withdrawals: 1 });
    const left = 3_333_333_333_333n - 333_333_333_334n;
    expect([position.shares, position.lendingShares, position.holdShares]).toEqual([left, left, left]);
  });

  it('of the whole value burns all shares, and closes', () => {
    const index = 1234567890123456789n;
    const { position, entry } = withdraw(opened(123456789n, index), 123456788n, flow(index));
    expect(position).toMatchObject({ status: 'closed', shares: 0n, closedAt: begin });
    expect(entry).toMatchObject({ type: 'withdrawal', amount: 123456788n });
  });

  it('of a whole book leaves no dust in it that would grow, baselines included', () => {
    const index = 1234567890123456789n;
    const { position } = withdraw(opened(123456789n, index), 123456788n, flow(index));
    expect([position.lendingShares, position.holdShares]).toEqual([0n, 0n]);
  });

  it('that a worse baseline could not have paid leaves it a debt', () => {
    const position = opened(1_000_000n);
    const baselines = { lending: ONE / 2n, hold: ONE };
    const { position: after } = withdraw(position, 1_000_000n, flow(ONE, { baselines }));
    expect(after.lendingShares).toBeLessThan(0n);
    expect(valueOf(after.lendingShares, baselines.lending)).toBe(-500_000n);
    expect(after.holdShares).toBe(0n);
  });

  it.each([0n, -1n, 11n])('of %p out of 10 is none', (amount) =>
    expect(() => withdraw(opened(10n), amount, flow())).toThrow(RangeError),
  );
});

describe('a move', () => {
  it('redeems the floor and puts that integer into the other vault; the baselines stay', () => {
    const position = opened(1_000n, 3n * ONE);
    const [from, to] = [quote(3n * ONE), quote(7n * ONE, 'vlt_b')];
    const { position: after, entry } = move(position, later(1), from, to, 'dec_b');
    // 1000 / 3 shares are worth 999.999..., and 999 / 7 shares are 142.714285714285...
    expect(entry).toMatchObject({
      type: 'rebalance',
      amount: 999n,
      vaultId: 'vlt_b',
      fromVaultId: 'vlt_a',
      shareIndex: 7n * ONE,
      fromIndex: 3n * ONE,
      decisionId: 'dec_b',
    });
    expect(after).toEqual({ ...position, vaultId: 'vlt_b', shares: 142_714_285_714_285n });
  });

  it('of less than a micro-unit does not happen', () => {
    const position = opened(1n, 3n * ONE);
    expect(move(position, later(1), quote(3n * ONE), quote(ONE, 'vlt_b'), 'dec_b')).toEqual({
      position,
      entry: null,
    });
  });
});

describe('points', () => {
  it('of 250 USD for 36 hours at 1.5 are 562.5', () => {
    const time = (hours: number): PointTime => ({ campaign: BigInt(hours * HOUR_MS) * 150n, plain: 0n });
    const position = opened(250_000_000n, ONE, { time: time(0) });
    const moment = { campaign: position.campaignMoment, plain: position.plainMoment };
    const { campaign } = pointsOf(position.deposited, moment, time(36));
    expect((campaign * 10n) / GRAINS_PER_POINT).toBe(5_625n);
  });

  it('end with the principal: yield that is taken out too earns none', () => {
    const time = (hours: number): PointTime => ({ campaign: 0n, plain: BigInt(hours * HOUR_MS) * 100n });
    const position = opened(1_000_000n, ONE, { time: time(0) });
    const index = (ONE * 12n) / 10n;
    const accrued = accrue(position, later(24), quote(index), terms).position;
    const { position: closed } = withdraw(accrued, 1_200_000n, flow(index, { time: time(24) }));
    // One unit for one day, and nothing since, whatever the time.
    expect(-closed.plainMoment).toBe(GRAINS_PER_POINT);
  });
});

/** Up to 1e12 units. */
const amount = fc.bigInt({ min: 1n, max: 10n ** 18n });
/** From a tenth to a thousand times the start. */
const index = fc.bigInt({ min: 10n ** 17n, max: 10n ** 21n });
/** Vaults a, b and the lending vault. */
const indexes = fc.record({ a: index, b: index, lend: index });
type Indexes = { a: bigint; b: bigint; lend: bigint };
const happening = fc.oneof(
  fc.record({ kind: fc.constant('accrue' as const), at: indexes }),
  fc.record({ kind: fc.constant('move' as const), at: indexes }),
  // Ten-thousandths of the value; more than all of it is refused.
  fc.record({
    kind: fc.constant('withdraw' as const),
    at: indexes,
    part: fc.integer({ min: 0, max: 11_000 }),
  }),
);

/** What a position goes through, step by step: touched as the engine touches it, accrued first. */
class Life {
  readonly entries: Entry[] = [];
  private hour = 0;

  constructor(public position: Position) {}

  quoteAt(at: Indexes, vaultId = this.position.vaultId) {
    const index = vaultId === 'vlt_a' ? at.a : vaultId === 'vlt_b' ? at.b : at.lend;
    return { vaultId, index, apy: 0.05 };
  }

  valueAt(at: Indexes): bigint {
    return valueOf(this.position.shares, this.quoteAt(at).index);
  }

  accrue(at: Indexes): void {
    this.take(accrue(this.position, later(++this.hour), this.quoteAt(at), terms));
  }

  move(at: Indexes): void {
    const to = this.quoteAt(at, this.position.vaultId === 'vlt_a' ? 'vlt_b' : 'vlt_a');
    this.take(move(this.position, later(this.hour), this.quoteAt(at), to, 'dec_b'));
  }

  withdraw(at: Indexes, paid: bigint): void {
    const { lendingVaultId, originVaultId } = this.position;
    const baselines = {
      lending: this.quoteAt(at, lendingVaultId).index,
      hold: this.quoteAt(at, originVaultId).index,
    };
    const given = flow(ONE, { at: later(this.hour), vault: this.quoteAt(at), baselines });
    this.take(withdraw(this.position, paid, given));
  }

  private take({ position, entry }: Step): void {
    this.position = position;
    if (entry) this.entries.push(entry);
  }
}

const beginning = (deposit: bigint, at: Indexes, vaultId = 'vlt_a'): Life => {
  const index = vaultId === 'vlt_lend' ? at.lend : at.a;
  const baselines = { lending: at.lend, hold: index };
  return new Life(
    open(opening, deposit, null, flow(ONE, { vault: quote(index, vaultId), baselines })).position,
  );
};

describe('whatever happens to a position', () => {
  const lives = (check: (life: Life, at: Indexes) => void): void =>
    fc.assert(
      fc.property(amount, indexes, fc.array(happening, { maxLength: 12 }), (deposit, first, happenings) => {
        const life = beginning(deposit, first);
        for (const one of happenings) {
          if (life.position.status === 'closed') break;
          life.accrue(one.at);
          check(life, one.at);
          if (one.kind === 'move') life.move(one.at);
          if (one.kind !== 'withdraw') continue;
          const value = life.valueAt(one.at);
          const paid = (value * BigInt(one.part)) / 10_000n;
          if (paid > 0n && paid <= value) life.withdraw(one.at, paid);
          else expect(() => life.withdraw(one.at, paid)).toThrow(RangeError);
        }
      }),
    );

  it('its accruals sum to value + withdrawn - deposited, to the micro-unit', () => {
    lives(({ entries, position }, at) => {
      const accruals = entries.filter(({ type }) => type === 'yield_accrual');
      const sum = accruals.reduce((total, entry) => total + entry.amount, 0n);
      expect(sum).toBe(position.accrued);
      const { index } = new Life(position).quoteAt(at);
      expect(sum).toBe(valueOf(position.shares, index) + position.withdrawn - position.deposited);
    });
  });

  it('no more comes out than it is worth, and nothing of it falls below zero', () => {
    lives(({ position, entries }) => {
      expect(position.shares).toBeGreaterThanOrEqual(0n);
      expect(bookValue(position)).toBeGreaterThanOrEqual(0n);
      const paid = entries.filter(({ type }) => type === 'withdrawal');
      expect(paid.reduce((sum, entry) => sum + entry.amount, 0n)).toBe(position.withdrawn);
      expect(entries.every((entry) => entry.amount > 0n || entry.type === 'yield_accrual')).toBe(true);
      expect(position.highWaterMark).toBeGreaterThanOrEqual(position.accrued);
      expect(position.partnerRevenue).toBeLessThanOrEqual(position.fee);
    });
  });

  it('right after a deposit it is worth that, or one micro-unit less', () => {
    fc.assert(
      fc.property(amount, indexes, (deposit, at) => {
        const loss = deposit - beginning(deposit, at).valueAt(at);
        expect(loss === 0n || loss === 1n).toBe(true);
      }),
    );
  });

  it('a touch costs it at most one micro-unit: a move of what it is worth, a withdrawal of what is left', () => {
    fc.assert(
      fc.property(
        amount,
        indexes,
        indexes,
        fc.bigInt({ min: 1n, max: 9_999n }),
        (deposit, first, at, part) => {
          const life = beginning(deposit, first);
          life.accrue(at);
          const before = life.valueAt(at);
          life.move(at);
          expect([0n, 1n]).toContain(before - life.valueAt(at));
          life.accrue(at);
          const moved = life.valueAt(at);
          const paid = (moved * part) / 10_000n;
          if (paid === 0n) return;
          life.withdraw(at, paid);
          expect([0n, 1n]).toContain(moved - paid - life.valueAt(at));
        },
      ),
    );
  });

  it('splitting a deposit never gains: not in value, not in any book', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 2, maxLength: 6 }), indexes, indexes, (parts, first, at) => {
        const whole = beginning(
          parts.reduce((sum, part) => sum + part),
          first,
        );
        const split = parts.map((part) => beginning(part, first));
        const sum = (of: (life: Life) => bigint): bigint =>
          split.reduce((total, life) => total + of(life), 0n);
        expect(sum((life) => life.valueAt(at))).toBeLessThanOrEqual(whole.valueAt(at));
        expect(sum(({ position }) => position.lendingShares)).toBeLessThanOrEqual(
          whole.position.lendingShares,
        );
        expect(sum(({ position }) => position.holdShares)).toBeLessThanOrEqual(whole.position.holdShares);
      }),
    );
  });

  it('one that is never moved has its hold baseline, and in the lending vault both: whatever is withdrawn, to its end', () => {
    const withdrawals = fc.array(fc.record({ at: indexes, part: fc.bigInt({ min: 1n, max: 10_000n }) }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(amount, indexes, withdrawals, fc.boolean(), (deposit, first, parts, inLending) => {
        const life = beginning(deposit, first, inLending ? 'vlt_lend' : 'vlt_a');
        for (const { at, part } of parts) {
          life.accrue(at);
          const paid = (life.valueAt(at) * part) / 10_000n;
          if (paid > 0n) life.withdraw(at, paid);
          const { shares, holdShares, lendingShares } = life.position;
          expect(holdShares).toBe(shares);
          if (inLending) expect(lendingShares).toBe(shares);
        }
      }),
    );
  });

  it('a baseline may owe: it falls by each withdrawal, and by at most one micro-unit more', () => {
    fc.assert(
      fc.property(
        amount,
        indexes,
        indexes,
        fc.bigInt({ min: 1n, max: 10_000n }),
        (deposit, first, at, part) => {
          const life = beginning(deposit, first);
          life.accrue(at);
          const paid = (life.valueAt(at) * part) / 10_000n;
          if (paid === 0n) return;
          const baseline = (): bigint => valueOf(life.position.lendingShares, at.lend);
          const before = baseline();
          life.withdraw(at, paid);
          expect([0n, 1n]).toContain(before - paid - baseline());
        },
      ),
    );
  });
});
