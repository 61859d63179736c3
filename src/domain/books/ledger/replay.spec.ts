import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ONE, OPENING, TERMS } from '../../../../test/support/position.js';
import { type CampaignTerms, pointTime } from '../positions/points.js';
import { type Entry, type Flow, open, type Position } from '../positions/position.js';
import { accrue, gain, move, type Step, topUp, withdraw } from '../positions/steps.js';
import { type LedgerLine, type Replay, REPLAYED, PositionReplay } from './replay.js';
import { voidDeposit, type VoidedPosition, voidWithdrawal } from '../positions/void.js';
import { valueOf } from '../../markets/vaults/yield-index.js';

const START = Date.UTC(2026, 2, 1);
const OTHER_TERMS = { performanceFeeBps: 2_000, partnerShareBps: 0 };
const OFFER = { multiplierHundredths: 150, startsAt: new Date(START - 1_000), endsAt: null };
const CAMPAIGN: CampaignTerms[] = [
  { ...OFFER, fromAt: new Date(START - 1_000), active: true },
  { ...OFFER, fromAt: new Date(START + 7_000), active: false },
];

const isIdle = (vaultId: string): boolean => vaultId === 'vlt_idle';

/** Position with one event a second, and the ledger lines that these leave. */
class Story {
  readonly lines: (LedgerLine & Entry)[] = [];
  position!: Position;
  private seconds = 0;

  open(amount: bigint, index = ONE): this {
    const opening = { ...OPENING, campaignId: 'cmp_a' };
    return this.after(open(opening, amount, false, 'dec_a', this.flow('vlt_a', index, index)));
  }

  /** Deposit into the idle vault. */
  pend(amount: bigint): this {
    this.open(amount);
    this.lines.length = 0;
    const { position } = this;
    return this.after(open(position, amount, true, 'dec_a', this.flow('vlt_idle', ONE, ONE)));
  }

  accrue(index: bigint, terms = TERMS): this {
    return this.after(accrue(this.position, this.now(), this.quote(index), terms));
  }

  withdraw(amount: bigint | null, index: bigint, lending = ONE): this {
    this.accrue(index);
    const paid = amount ?? valueOf(this.position.shares, index);
    return this.after(withdraw(this.position, paid, this.flow(this.position.vaultId, index, index, lending)));
  }

  move(to: string, index: bigint, toIndex: bigint, cost = 0n): this {
    this.accrue(index);
    const target = { vaultId: to, index: toIndex, apy: 0.06 };
    const transit = { at: this.now(), from: this.quote(index), to: target, decisionId: 'dec_b' };
    return this.after(move(this.position, { ...transit, toIdle: isIdle(to), late: false, cost }));
  }

  /** Voids the deposit. */
  voidDeposit(index: bigint): this {
    this.accrue(index);
    const accruals = this.lines.filter(({ type }) => type === 'yield_accrual');
    const earned = accruals.map(({ amount, feeBps, shareBps }) => ({
      amount,
      performanceFeeBps: feeBps!,
      partnerShareBps: shareBps!,
    }));
    const flow = this.flow(this.position.vaultId, index, index);
    return this.voided(voidDeposit(this.position, earned, TERMS, { ...flow, voids: '0xd' }));
  }

  /** Voids the latest withdrawal that is not voided. */
  voidWithdrawal(index: bigint, lending = ONE): this {
    const due = this.lines.findLast(({ id, type }) => type === 'withdrawal' && !this.takenBack.has(id));
    if (!due) return this;
    this.takenBack.add(due.id);
    this.accrue(index);
    const flow = this.flow(this.position.vaultId, index, index, lending);
    return this.voided(
      voidWithdrawal(this.position, { amount: due.amount, cost: 0n }, TERMS, { ...flow, voids: due.id }),
    );
  }

  private readonly takenBack = new Set<string>();

  private voided({ position, reversals, entry }: VoidedPosition): this {
    reversals.forEach((reversal) => this.add(reversal));
    return this.after({ position, entry });
  }

  /** Gain of the previous move: what arrived beyond the value. */
  gain(amount: bigint, index: bigint): this {
    this.seconds--;
    const at = { at: this.now(), vault: this.quote(index), decisionId: 'dec_b' };
    return this.after(gain(this.position, amount, at, TERMS));
  }

  /** What arrived of the received deposit beyond what was reported. */
  topUp(amount: bigint, index: bigint, lending = ONE): this {
    this.seconds--;
    return this.after(
      topUp(this.position, amount, this.flow(this.position.vaultId, index, index, lending), 'dec_b'),
    );
  }

  /** The lines, with one of them changed. */
  with(at: number, change: Partial<LedgerLine>): LedgerLine[] {
    return this.lines.map((line, index) => (index === at ? { ...line, ...change } : line));
  }

  private after({ position, entry }: Step): this {
    this.position = position;
    if (entry) this.add(entry);
    this.seconds++;
    return this;
  }

  private add(entry: Entry): void {
    this.lines.push({ ...entry, id: `evt_${this.lines.length + 1}`, userId: 'usr_a', asset: 'USDC' });
  }

  private now = (): Date => new Date(START + this.seconds * 1_000);
  private quote = (index: bigint) => ({ vaultId: this.position.vaultId, index, apy: 0.05 });
  private flow(vaultId: string, index: bigint, hold: bigint, lending = ONE): Flow {
    const at = this.now();
    const time = pointTime(CAMPAIGN, at);
    return { at, vault: { vaultId, index, apy: 0.05 }, baselines: { lending, hold }, time, txHash: null };
  }
}

const fieldsOf = (position: Position) => Object.fromEntries(REPLAYED.map((name) => [name, position[name]]));
function replay(lines: readonly LedgerLine[], terms: readonly CampaignTerms[]): Replay {
  const replaying = new PositionReplay(terms, isIdle);
  lines.forEach((line) => replaying.take(line));
  const { state, broken } = replaying;
  return { state, broken: broken.lines };
}
const brokenRules = (lines: readonly LedgerLine[]): string[] => replay(lines, CAMPAIGN).broken;
/** The replay of a story's entries gives its position, and reports nothing. */
const expectReplayed = ({ lines, position }: Story): void =>
  expect(replay(lines, CAMPAIGN)).toEqual({ state: fieldsOf(position), broken: [] });

describe('a position is replayed from its entries', () => {
  it('A position is replayed from its entries after a move with a gain on arrival', () => {
    const story = new Story()
      .open(100_000_000n)
      .move('vlt_b', ONE + ONE / 20n, 7n * ONE + 3n)
      .gain(31n, 7n * ONE + 3n)
      .withdraw(null, 8n * ONE);
    expectReplayed(story);
    expect(valueOf(story.position.shares, ONE)).toBe(0n);
    const [index] = story.lines.flatMap(({ type, decisionId }, at) =>
      type === 'yield_accrual' && decisionId !== null ? [at] : [],
    );
    // The amount is no yield of the index, and a negative one is no gain.
    expect(brokenRules(story.with(index!, { decisionId: null }))[0]).toContain(
      'accrual is 31, but according to the shares it is 0',
    );
    expect(brokenRules(story.with(index!, { amount: -31n }))[0]).toContain('is a gain of -31');
  });

  it('A position is replayed from its entries after a received deposit with a surplus, which is principal in all three books', () => {
    const story = new Story()
      .pend(100_000_000n)
      .move('vlt_b', ONE, 7n * ONE + 3n)
      .topUp(31n, 7n * ONE + 3n, 2n * ONE);
    const { position } = story;
    expect(position).toMatchObject({ deposited: 100_000_031n, accrued: 0n, costs: 0n });
    expect(valueOf(position.shares, 7n * ONE + 3n)).toBe(100_000_031n);
    expect(position.holdShares).toBe(position.shares);
    expect(valueOf(position.lendingShares, 2n * ONE)).toBe(200_000_031n);
    expectReplayed(story);
    const [second] = brokenRules(story.with(2, { decisionId: null }));
    expect(second).toContain('is a second deposit');
  });

  it('A position is replayed from its entries after any sequence of accruals, moves and withdrawals', () => {
    const index = fc.bigInt({ min: ONE / 2n, max: 3n * ONE });
    const happening = fc.oneof(
      index.map((at) => (story: Story) => story.accrue(at)),
      fc.tuple(index, index, fc.bigInt({ min: 0n, max: 1_000n })).map(
        ([at, to, cost]) =>
          (story: Story) =>
            story.move('vlt_b', at, to, cost),
      ),
      fc
        .tuple(index, index, fc.bigInt({ min: 1n, max: 100n }))
        .map(([at, lending, percent]) => (story: Story) => {
          const amount = (valueOf(story.position.shares, at) * percent) / 100n;
          return amount > 0n && story.position.vaultId === 'vlt_a'
            ? story.withdraw(amount, at, lending)
            : story;
        }),
    );
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        index,
        fc.array(happening),
        (amount, first, rest) => {
          const story = new Story().open(amount, first);
          for (const happens of rest) if (story.position.status === 'active') happens(story);
          expectReplayed(story);
        },
      ),
    );
  });

  it('A position that was pending is replayed from its entries: its hold book starts in its first yield vault, even across an eviction', () => {
    const story = new Story()
      .pend(1_000_000n)
      .withdraw(100_000n, ONE)
      .move('vlt_a', ONE, 2n * ONE, 50_000n)
      .move('vlt_idle', 3n * ONE, ONE, 1_000n)
      .move('vlt_b', ONE, ONE);
    expectReplayed(story);
    expect(story.position).toMatchObject({
      status: 'active',
      vaultId: 'vlt_b',
      originVaultId: 'vlt_a',
      costs: 51_000n,
    });
  });

  it('A position with voids is replayed from its entries: of a voided deposit only the withdrawn amount remains', () => {
    const index = fc.bigInt({ min: ONE / 2n, max: 3n * ONE });
    const percent = fc.bigInt({ min: 1n, max: 120n });
    const happening = fc.oneof(
      index.map((at) => (story: Story) => story.accrue(at, OTHER_TERMS)),
      fc.tuple(index, index).map(
        ([at, lending]) =>
          (story: Story) =>
            story.voidWithdrawal(at, lending),
      ),
      fc.tuple(index, percent).map(([at, part]) => (story: Story) => {
        const amount = (valueOf(story.position.shares, at) * part) / 100n;
        if (amount === 0n) return story;
        return story.withdraw(part < 100n ? amount : null, at);
      }),
    );
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1_000n, max: 10n ** 12n }),
        fc.array(happening, { maxLength: 12 }),
        fc.bigInt({ min: 0n, max: 10n }),
        index,
        (amount, rest, cost, last) => {
          const story = new Story().open(amount);
          for (const happens of rest) happens(story);
          if (story.position.status === 'active') story.move('vlt_b', last, ONE, cost);
          const { deposited, withdrawn, status } = story.position;
          if (status === 'active' && withdrawn < deposited) {
            story.voidDeposit(2n * last);
            const { position } = story;
            expect(position).toMatchObject({ status: 'closed', deposited: withdrawn, withdrawn, shares: 0n });
            expect(position.accrued).toBe(position.costs);
          }
          expectReplayed(story);
        },
      ),
    );
  });

  it('A position is replayed from its entries only with a deposit as its first entry', () => {
    expect(replay([], [])).toEqual({ state: null, broken: [] });
    const { lines } = new Story().open(5_000_000n).accrue(2n * ONE);
    expect(replay(lines.slice(1), [])).toEqual({
      state: null,
      broken: ['entry evt_2 is a yield_accrual before any deposit'],
    });
  });
});

describe('the replay reports an entry if', () => {
  const UP = ONE + ONE / 10n;
  const story = (): Story => new Story().open(100_000_000n).accrue(UP);

  it('The replay reports an entry if a void leaves earned yield, or puts back more than was withdrawn', () => {
    const voided = story().voidDeposit(ONE + ONE / 5n);
    const lines = voided.lines.filter((line) => line.voids === null || line.type === 'withdrawal');
    expect(brokenRules(lines)).toEqual([
      `entry ${lines.at(-1)!.id}: amount is 100000000, but according to the books it is 120000000`,
    ]);
    const back = story().withdraw(10_000_000n, UP).voidWithdrawal(UP);
    expect(brokenRules(back.with(back.lines.length - 1, { amount: 10_000_001n }))).toEqual([
      `entry ${back.lines.at(-1)!.id} puts 10000001 back, of 10000000 withdrawn`,
    ]);
  });

  const owed = 'entry evt_3: value in the books is 100000000, but according to the shares it is 110000000';
  const withdrawn = (): Story => story().withdraw(50_000_000n, UP);
  const moved = (): Story => story().move('vlt_b', UP, ONE);
  const closed = (): Story => story().withdraw(null, UP);
  it.each<[string, () => LedgerLine[], string[]]>(
    // prettier-ignore
    [
      ['an accrual differs from the growth of the shares', () => story().with(1, { amount: 12n }), ['entry evt_2: accrual is 12, but according to the shares it is 10000000']],
      ['a withdrawal exceeds the value', () => withdrawn().with(2, { amount: 110_000_001n }), ['entry evt_3 withdraws 110000001, of shares that are worth 110000000']],
      ['yield was not posted before a withdrawal', () => withdrawn().lines.toSpliced(1, 1), [owed]],
      ['yield was not posted before a move', () => moved().lines.toSpliced(1, 1), [owed]],
      ['a move takes along another amount than was there', () => moved().with(2, { amount: 110_000_001n }), ['entry evt_3: amount and cost is 110000001, but according to the shares it is 110000000']],
      ['a move leaves another vault', () => moved().with(2, { fromVaultId: 'vlt_c' }), ['entry evt_3: vault is vlt_c, but according to the entries before it is vlt_a']],
      ['a position is opened twice', () => [...story().lines, { ...story().lines[0]!, id: 'evt_3', decisionId: null }], ['entry evt_3 is a second deposit']],
      ['a position goes on after its end', () => [...closed().lines, { ...closed().lines[1]!, id: 'evt_9', amount: 0n }], ['entry evt_9 is a yield_accrual after the position was closed']],
      ['the hold baseline has another index than its vault', () => story().with(0, { holdIndex: ONE + 1n }), [`entry evt_1: hold index is ${ONE + 1n}, but according to the vault it is ${ONE}`]],
      ["it is another user's, of another asset", () => story().with(1, { userId: 'usr_b', asset: 'USDT' }), ['entry evt_2: user is usr_b, but according to the deposit it is usr_a', 'entry evt_2: asset is USDT, but according to the deposit it is USDC']],
      ['it has no index', () => story().with(1, { shareIndex: 0n }), ['entry evt_2 has an index that is not above 0']],
    ],
  )('The replay reports an entry if %s', (_, lines, broken) => expect(brokenRules(lines())).toEqual(broken));
});
