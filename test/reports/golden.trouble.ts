import { at } from './golden.history.js';

/**
 * Two and a half days more, of another partner with two users, Dora and Eve, after the forty: nothing is open, then cedar alone, on another chain and paying out three
 * hours late, and then all but cedar. All that is given; `TROUBLED` is what must come of it. Hours are of this history.
 */
const BEGINNING = at(41, 0);
export const hourOfTrouble = (hours: number): number => BEGINNING + hours;

/** When it is read. */
export const TROUBLE_END = 60.5;
/** Micro-units: from ethereum to arbitrum and back. */
export const BRIDGE = 3_000_000n;
export const EXIT_DELAY = 3;

export const TROUBLE = {
  /** 1,000 of Dora, while no vault takes anything. */
  deposited: { at: 0.5, amount: 1_000_000_000n },
  /** Cedar opens. */
  placed: 2,
  /** 200 of Dora, out of cedar. */
  paid: { at: 12.5, amount: 200_000_000n },
  /** 500 of Eve, into cedar. */
  joined: { at: 20.5, amount: 500_000_000n },
  /** Cedar is closed, the others open: both leave, and arrive in brook, which is the best. */
  left: 30,
  arrived: 30 + EXIT_DELAY,
  /** All of Eve. */
  ended: 40.5,
} as const;

/**
 * What must come of it, micro-units. Each movement has its type, its amount and its cost. Into cedar it costs 1; both leave for 1, and arrive over the
 * bridge for 4, each paying its part by value. A withdrawal takes the same part of both baselines: lending is anchor, hold is cedar. Shares are those
 * of the three books (routed, lending, hold).
 */
export const TROUBLED = {
  dora: {
    value: 796_272_231n,
    stored: {
      shares: ['788347307281734246658', '795423757649463493366', '796289745571122022431'],
      deposited: '1000000000',
      withdrawn: '200000000',
      accrued: '239499',
      costs: '4075555',
      settled_lending: '-206768',
      settled_hold: '-200200',
    },
    movements: [
      ['deposit', 1_000_000_000n, 0n],
      ['rebalance', 999_000_000n, 1_000_000n],
      ['withdrawal', 200_000_000n, 0n],
      ['rebalance', 798_494_463n, 615_111n],
      ['rebalance', 796_034_019n, 2_460_444n],
    ],
  },
  eve: {
    value: 0n,
    stored: {
      shares: ['0', '0', '0'],
      deposited: '500000000',
      withdrawn: '498137468',
      accrued: '61913',
      costs: '1924445',
      settled_lending: '-1929053',
      settled_hold: '-1907306',
    },
    movements: [
      ['deposit', 500_000_000n, 0n],
      ['rebalance', 499_636_378n, 384_889n],
      ['rebalance', 498_096_822n, 1_539_556n],
      ['withdrawal', 498_137_468n, 0n],
    ],
  },
  /** Of both users and both moves. */
  costs: 6_000_000n,
  accrued: 239_499n + 61_913n,
  /** The performance fee of both. */
  fees: 2_127n,
  settledLending: -206_768n - 1_929_053n,
};
