import { SheetAccount } from './golden.account.js';
import {
  type AssetName,
  END,
  ENTRY_OR_EXIT,
  type Happening,
  HISTORY,
  MOVE,
  type PositionName,
  ROUTES,
  TVL,
  VAULTS,
  type VaultName,
} from './golden.history.js';
import { worth, yieldAt } from './golden.market.js';
import { SheetPosition } from './golden.position.js';

export interface Sheet {
  positions: Record<PositionName, SheetPosition>;
  /** By owner. */
  accounts: Map<string, SheetAccount>;
  days: DayRow[];
  hours: Record<AssetName, HourRow[]>;
}

/** A position at the end of a day, as its statement leaves it. */
export interface DayRow {
  day: number;
  /** Micro-units. */
  values: Partial<Record<PositionName, bigint>>;
}

/** An asset in an hour, before anything moves in it. */
export interface HourRow {
  /** Fraction a year: vaults of the same size. */
  apy: number;
  /** Micro-units. */
  tvl: bigint;
}

export type Book = 'routed' | 'lending' | 'hold';

/** What a book of positions comes to: rounded down once a vault. */
export function bookValue(positions: readonly SheetPosition[], book: Book, moment: number): bigint {
  const vaults = Object.keys(VAULTS) as VaultName[];
  return vaults.reduce((sum, vault) => sum + heldIn(vault, positions, moment, book), 0n);
}

/** The same of one vault. */
export function heldIn(
  vault: VaultName,
  positions: readonly SheetPosition[],
  moment: number,
  book: Book = 'routed',
): bigint {
  const held = positions.map((position) => (book === 'routed' ? position : position[book]));
  const shares = held.reduce((sum, own) => (own.vault === vault ? sum + own.shares : sum), 0n);
  return worth(shares, vault, moment);
}

/** Parts of a cost by value: each rounded down, and what is left a micro-unit each to those that lost most by it. */
export function partsOf(cost: bigint, values: readonly bigint[]): bigint[] {
  const whole = values.reduce((sum, value) => sum + value, 0n);
  const parts = values.map((value) => (cost * value) / whole);
  const left = cost - parts.reduce((sum, part) => sum + part, 0n);
  const lost = values.map((value, place) => ({ place, rest: (cost * value) % whole }));
  const most = lost.toSorted((a, b) => Number(b.rest - a.rest)).slice(0, Number(left));
  for (const { place } of most) parts[place]! += 1n;
  return parts;
}

/**
 * The history by arithmetic on whole numbers, written out apart from the code that it checks. An index is scaled by 1e18, shares have 18
 * decimals; so an amount in micro-units buys `amount * 1e30 / index` shares, rounded up.
 *
 * Every hour in order, and within it: the statement at midnight, the move, then what people do at half past. Positions go by when they were opened.
 */
export function computeSheet(): Sheet {
  const names = Object.keys(ROUTES) as PositionName[];
  const positions = Object.fromEntries(
    names.map((name) => [name, new SheetPosition(name)]),
  ) as Sheet['positions'];
  const all = Object.values(positions);
  const accounts = new Map(all.map(({ owner }) => [owner, new SheetAccount(4_000n)]));
  const accountOf = ({ owner }: SheetPosition): SheetAccount => accounts.get(owner)!;
  const days: DayRow[] = [];
  const hours: Sheet['hours'] = { first: [], second: [] };
  for (let hour = 0; hour <= END; hour++) {
    for (const asset of ['first', 'second'] as const) hours[asset].push(blend(asset, hour));
    if (hour % 24 === 0) {
      post(all, hour);
      const open = all.filter((one) => one.open);
      days.push({
        day: hour / 24,
        values: Object.fromEntries(open.map((one) => [one.name, one.value(hour)])),
      });
    }
    if (hour === MOVE.at) move(hour);
    for (const one of HISTORY.filter((happening) => Math.floor(happening.at) === hour)) happen(one);
  }
  return { positions, accounts, days, hours };

  function blend(asset: AssetName, hour: number): HourRow {
    const vaults = (Object.keys(VAULTS) as VaultName[]).filter((vault) => VAULTS[vault].asset === asset);
    const sum = vaults.reduce((total, vault) => total + yieldAt(vault, hour) / 100, 0);
    return { apy: sum / vaults.length, tvl: BigInt(vaults.length) * TVL };
  }

  function post(own: readonly SheetPosition[], moment: number): void {
    for (const position of own) if (position.open) accountOf(position).earn(position.accrue(moment));
  }

  /** Out of one vault and into another: both cost, once for all that move. */
  function move(moment: number): void {
    const moved = MOVE.positions.map((name) => positions[name]);
    post(moved, moment);
    const cost = 2n * ENTRY_OR_EXIT[VAULTS[MOVE.to].asset];
    const parts = partsOf(
      cost,
      moved.map((position) => position.value(moment)),
    );
    moved.forEach((position, place) => {
      position.move(MOVE.to, parts[place]!, moment);
      accountOf(position).lose(parts[place]!);
    });
  }

  function happen(one: Happening): void {
    if (one.does === 'deposit') positions[one.position].deposit(one.amount, one.at);
    if (one.does === 'withdraw') withdraw(positions[one.position], one.amount, one.at);
    // What was earned before is settled at the share before.
    if (one.does === 'share revenue') {
      post(all, one.at);
      for (const account of accounts.values()) account.begin(BigInt(one.bps));
    }
  }

  function withdraw(position: SheetPosition, amount: bigint | null, moment: number): void {
    post([position], moment);
    const own = all.filter(({ owner }) => owner === position.owner);
    const whole = own.reduce((sum, one) => sum + one.value(moment), 0n);
    accountOf(position).leave(position.withdraw(amount, moment), whole);
  }
}
