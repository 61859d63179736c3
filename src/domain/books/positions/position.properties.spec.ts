import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BEGIN, flow, OPENING, TERMS } from '../../../../test/support/position.js';
import { addHours } from '../../kernel/clock.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { bookValue, type Entry, open, type Position, type Quote } from './position.js';
import { accrue, move, type Step, withdraw } from './steps.js';

/** Up to 1e12 units. */
const amount = fc.bigInt({ min: 1n, max: 10n ** 18n });
/** From a tenth of the initial index to a thousand times of it. */
const index = fc.bigInt({ min: 10n ** 17n, max: 10n ** 21n });
/** Vaults a, b and the lending vault. */
const indexes = fc.record({ a: index, b: index, lend: index });
type Indexes = { a: bigint; b: bigint; lend: bigint };
const happening = fc.oneof(
  fc.record({ kind: fc.constant('accrue' as const), at: indexes }),
  fc.record({
    kind: fc.constant('move' as const),
    at: indexes,
    cost: fc.bigInt({ min: 0n, max: 10n ** 7n }),
  }),
  // Ten-thousandths of the value; more than the whole is refused.
  fc.record({
    kind: fc.constant('withdraw' as const),
    at: indexes,
    part: fc.integer({ min: 0, max: 11_000 }),
  }),
);

/** Lifecycle of a position, step by step, with an accrual before each step as in the engine. */
class Life {
  readonly entries: Entry[] = [];
  private hour = 0;

  constructor(public position: Position) {}

  quoteAt(at: Indexes, vaultId = this.position.vaultId): Quote {
    const index = vaultId === 'vlt_a' ? at.a : vaultId === 'vlt_b' ? at.b : at.lend;
    return { vaultId, index, apy: 0.05 };
  }

  valueAt(at: Indexes): bigint {
    return valueOf(this.position.shares, this.quoteAt(at).index);
  }

  accrue(at: Indexes): void {
    this.take(accrue(this.position, addHours(BEGIN, ++this.hour), this.quoteAt(at), TERMS));
  }

  /** @param cost micro-units */
  move(at: Indexes, cost = 0n): void {
    const to = this.quoteAt(at, this.position.vaultId === 'vlt_a' ? 'vlt_b' : 'vlt_a');
    const [at_, from] = [addHours(BEGIN, this.hour), this.quoteAt(at)];
    this.take(
      move(this.position, { at: at_, from, to, toIdle: false, late: false, cost, decisionId: 'dec_b' }),
    );
  }

  withdraw(at: Indexes, paid: bigint): void {
    const { lendingVaultId, originVaultId } = this.position;
    const baselines = {
      lending: this.quoteAt(at, lendingVaultId).index,
      hold: this.quoteAt(at, originVaultId!).index,
    };
    this.take(
      withdraw(
        this.position,
        paid,
        flow(at.a, { at: addHours(BEGIN, this.hour), vault: this.quoteAt(at), baselines }),
      ),
    );
  }

  private take({ position, entry }: Step): void {
    this.position = position;
    if (entry) this.entries.push(entry);
  }
}

const beginning = (deposit: bigint, at: Indexes, vaultId = 'vlt_a'): Life => {
  const index = vaultId === 'vlt_lend' ? at.lend : at.a;
  const baselines = { lending: at.lend, hold: index };
  const vault = { vaultId, index, apy: 0.05 };
  return new Life(open(OPENING, deposit, false, null, flow(index, { vault, baselines })).position);
};

describe('a position after any operations', () => {
  const lives = (check: (life: Life, at: Indexes) => void): void =>
    fc.assert(
      fc.property(amount, indexes, fc.array(happening, { maxLength: 12 }), (deposit, first, happenings) => {
        const life = beginning(deposit, first);
        for (const happening of happenings) {
          if (life.position.status === 'closed') break;
          life.accrue(happening.at);
          check(life, happening.at);
          if (happening.kind === 'move') life.move(happening.at, happening.cost);
          if (happening.kind !== 'withdraw') continue;
          const value = life.valueAt(happening.at);
          const paid = (value * BigInt(happening.part)) / 10_000n;
          if (paid > 0n && paid <= value) life.withdraw(happening.at, paid);
          else expect(() => life.withdraw(happening.at, paid)).toThrow(RangeError);
        }
      }),
    );

  it('A position after any operations has accruals less costs equal to value + withdrawn - deposited, to the micro-unit', () => {
    lives(({ entries, position }, at) => {
      const accruals = entries.filter(({ type }) => type === 'yield_accrual');
      const sum = accruals.reduce((total, entry) => total + entry.amount, 0n);
      expect(sum).toBe(position.accrued);
      const { index } = new Life(position).quoteAt(at);
      const costs = entries.reduce((total, { cost }) => total + cost, 0n);
      expect(costs).toBe(position.costs);
      expect(sum - costs).toBe(valueOf(position.shares, index) + position.withdrawn - position.deposited);
    });
  });

  it('A position after any operations never pays out more than its value, and has no negative book, nor shares once closed', () => {
    lives(({ position, entries }) => {
      expect(bookValue(position)).toBeGreaterThanOrEqual(0n);
      const paid = entries.filter(({ type }) => type === 'withdrawal');
      expect(paid.reduce((sum, entry) => sum + entry.amount, 0n)).toBe(position.withdrawn);
      expect(entries.every((entry) => entry.amount > 0n || entry.type === 'yield_accrual')).toBe(true);
      const books = [position.shares, position.lendingShares, position.holdShares];
      expect(books.every((shares) => (position.status === 'closed' ? shares === 0n : shares >= 0n))).toBe(
        true,
      );
    });
  });

  it('A position after any operations loses nothing by rounding in a move, and at most one micro-unit in a withdrawal', () => {
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
          expect(life.valueAt(at)).toBe(before);
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

  it('A position after any operations equals its hold book if never moved, and its lending book too if in the lending vault', () => {
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

  it('A position after any operations reduces its baseline by the withdrawn fraction, to within two micro-units, and settles the difference', () => {
    fc.assert(
      fc.property(
        amount,
        indexes,
        indexes,
        fc.bigInt({ min: 1n, max: 10_000n }),
        (deposit, first, at, part) => {
          const life = beginning(deposit, first);
          life.accrue(at);
          const value = life.valueAt(at);
          const paid = (value * part) / 10_000n;
          if (paid === 0n) return;
          const baseline = (): bigint => valueOf(life.position.lendingShares, at.lend);
          const before = baseline();
          life.withdraw(at, paid);
          const fromBaseline = paid - life.position.settledLending;
          const off = fromBaseline * value - before * paid;
          // Tolerance: the fraction rounds up by one share, and the payment rounds down; together less than two micro-units.
          expect(off < 2n * value && off > -2n * value).toBe(true);
          expect([0n, 1n]).toContain(before - fromBaseline - baseline());
        },
      ),
    );
  });
});
