import { SheetAccount } from './golden.account.js';
import { at } from './golden.history.js';
import { indexAt, roundedUp, SCALE, worth } from './golden.market.js';
import { partsOf } from './golden.sheet.js';

/**
 * Two and a half days more, of another partner with two users, Dora and Eve, after the forty: nothing is open, then cedar alone, on another chain and paying out three
 * hours late, and then all but cedar. All that is given; `computeTrouble` is what must come of it. Hours are of this history.
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

/** A unit to go in or out of each vault. */
const UNIT = 1_000_000n;
export interface TroubledPosition {
  /** Micro-units. */
  value: bigint;
  deposited: bigint;
  withdrawn: bigint;
  accrued: bigint;
  costs: bigint;
  /** Of the three books, 18 decimals. */
  shares: bigint[];
  settled: { lending: bigint; hold: bigint };
  /** What a ledger shows of it beside accruals, oldest first: type, micro-units, cost. */
  movements: [string, bigint, bigint][];
}

/** Cell by cell, in the order in which it happens. */
export function computeTrouble(): { dora: TroubledPosition; eve: TroubledPosition; fees: bigint } {
  const moment = hourOfTrouble;
  const bought = (amount: bigint, vault: 'anchor' | 'brook' | 'cedar', hours: number): bigint =>
    roundedUp(amount * SCALE, indexAt(vault, moment(hours)));
  const { deposited, placed, paid, joined, left, arrived, ended } = TROUBLE;
  const [ofDora, ofEve] = [new SheetAccount(4_000n), new SheetAccount(4_000n)];

  // Dora: cash, then cedar, which takes 1 to go in. Lending is anchor; hold is cash until there is a vault, and comes into it whole.
  let lendingD = bought(deposited.amount, 'anchor', deposited.at);
  let sharesD = bought(deposited.amount - UNIT, 'cedar', placed);
  let holdD = bought(deposited.amount, 'cedar', placed);
  ofDora.lose(UNIT);

  // 200 are paid, and the same part of both baselines, and of the loss that is carried.
  const before = worth(sharesD, 'cedar', moment(paid.at));
  const firstYield = before - (deposited.amount - UNIT);
  ofDora.earn(firstYield);
  ofDora.leave(paid.amount, before);
  const parts = {
    lending: roundedUp(lendingD * paid.amount, before),
    hold: roundedUp(holdD * paid.amount, before),
  };
  const settledD = {
    lending: paid.amount - worth(parts.lending, 'anchor', moment(paid.at)),
    hold: paid.amount - worth(parts.hold, 'cedar', moment(paid.at)),
  };
  lendingD -= parts.lending;
  holdD -= parts.hold;
  sharesD -= roundedUp(paid.amount * SCALE, indexAt('cedar', moment(paid.at)));

  // Eve comes into cedar.
  const sharesE = bought(joined.amount, 'cedar', joined.at);
  const lendingE = bought(joined.amount, 'anchor', joined.at);

  // Midnight, and six hours later both leave, for 1 together.
  const midnight = { dora: worth(sharesD, 'cedar', moment(24)), eve: worth(sharesE, 'cedar', moment(24)) };
  ofDora.earn(midnight.dora - (before - paid.amount));
  ofEve.earn(midnight.eve - joined.amount);
  const leaving = [worth(sharesD, 'cedar', moment(left)), worth(sharesE, 'cedar', moment(left))] as const;
  ofDora.earn(leaving[0] - midnight.dora);
  ofEve.earn(leaving[1] - midnight.eve);
  const exit = partsOf(UNIT, leaving);
  const cash = [leaving[0] - exit[0]!, leaving[1] - exit[1]!] as const;
  // Three hours on, entry and bridge, for 4.
  const entry = partsOf(UNIT + BRIDGE, cash);
  const arriving = [cash[0] - entry[0]!, cash[1] - entry[1]!] as const;
  ofDora.lose(exit[0]!);
  ofDora.lose(entry[0]!);
  ofEve.lose(exit[1]!);
  ofEve.lose(entry[1]!);
  const sharesInBrook = arriving.map((amount) => bought(amount, 'brook', arrived));

  // All of Eve is paid: what is settled is all there is.
  const paidE = worth(sharesInBrook[1]!, 'brook', moment(ended));
  ofEve.earn(paidE - arriving[1]);
  ofEve.leave(paidE, paidE);
  const settledE = {
    lending: paidE - worth(lendingE, 'anchor', moment(ended)),
    hold: paidE - worth(sharesE, 'cedar', moment(ended)),
  };

  // The second midnight, and what grew since.
  const posted = worth(sharesInBrook[0]!, 'brook', moment(48));
  ofDora.earn(posted - arriving[0]);
  const value = worth(sharesInBrook[0]!, 'brook', moment(TROUBLE_END));
  const costsD = UNIT + exit[0]! + entry[0]!;
  const costsE = exit[1]! + entry[1]!;
  return {
    dora: {
      value,
      deposited: deposited.amount,
      withdrawn: paid.amount,
      accrued: posted + paid.amount + costsD - deposited.amount,
      costs: costsD,
      shares: [sharesInBrook[0]!, lendingD, holdD],
      settled: settledD,
      movements: [
        ['deposit', deposited.amount, 0n],
        ['rebalance', deposited.amount - UNIT, UNIT],
        ['withdrawal', paid.amount, 0n],
        ['rebalance', cash[0], exit[0]!],
        ['rebalance', arriving[0], entry[0]!],
      ],
    },
    eve: {
      value: 0n,
      deposited: joined.amount,
      withdrawn: paidE,
      accrued: paidE + costsE - joined.amount,
      costs: costsE,
      shares: [0n, 0n, 0n],
      settled: settledE,
      movements: [
        ['deposit', joined.amount, 0n],
        ['rebalance', cash[1], exit[1]!],
        ['rebalance', arriving[1], entry[1]!],
        ['withdrawal', paidE, 0n],
      ],
    },
    fees: ofDora.fee + ofEve.fee,
  };
}
