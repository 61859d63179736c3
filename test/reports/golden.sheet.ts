import {
  type AssetName,
  END,
  type Happening,
  HISTORY,
  MOVE,
  type PositionName,
  ROUTES,
  TVL,
  VAULTS,
  type VaultName,
} from './golden.history.js';
import { indexAt, SCALE, worth, yieldAt } from './golden.market.js';

/**
 * The history by arithmetic on whole numbers, written out apart from the code that it checks. An index is scaled by 1e18, shares have 18
 * decimals; so an amount in micro-units buys `amount * 1e30 / index` shares, rounded up.
 */
const FEE_BPS = 1_000n;

/** Neither is below 0. */
const roundedUp = (part: bigint, whole: bigint): bigint => (part + whole - 1n) / whole;

/** One position on its way through the history. */
export class SheetPosition {
  shares = 0n;
  lending = 0n;
  hold = 0n;
  deposited = 0n;
  withdrawn = 0n;
  accrued = 0n;
  fee = 0n;
  partnerRevenue = 0n;
  /** In and out: withdrawals are below 0. */
  readonly flows: { at: number; amount: bigint }[] = [];
  vault: VaultName;
  readonly first: VaultName;
  readonly lendingVault: VaultName;
  opened = Infinity;
  closed = false;

  constructor(readonly name: PositionName) {
    this.vault = this.first = ROUTES[name];
    this.lendingVault = VAULTS[this.first].asset === 'first' ? 'anchor' : 'delta';
  }

  value(moment: number): bigint {
    return worth(this.shares, this.vault, moment);
  }

  deposit(amount: bigint, moment: number): void {
    const bought = (vault: VaultName): bigint => roundedUp(amount * SCALE, indexAt(vault, moment));
    this.shares = bought(this.vault);
    this.lending = bought(this.lendingVault);
    this.hold = bought(this.first);
    this.deposited = amount;
    this.flows.push({ at: moment, amount });
    this.opened = moment;
  }

  /** Posts what was earned since: a tenth of it, rounded up, is the fee, of which the partner has its share, rounded down. */
  accrue(moment: number, shareBps: bigint): void {
    if (this.deposited === 0n || this.closed) return;
    const earned = this.value(moment) - (this.deposited - this.withdrawn + this.accrued);
    const fee = roundedUp(earned * FEE_BPS, 10_000n);
    this.accrued += earned;
    this.fee += fee;
    this.partnerRevenue += (fee * shareBps) / 10_000n;
  }

  /** Of all three books; the whole value takes all shares of the routed one. */
  withdraw(amount: bigint | null, moment: number): void {
    const paid = amount ?? this.value(moment);
    const cost = (vault: VaultName): bigint => roundedUp(paid * SCALE, indexAt(vault, moment));
    this.shares = amount === null ? 0n : this.shares - cost(this.vault);
    this.closed = amount === null;
    this.lending -= cost(this.lendingVault);
    this.hold -= cost(this.first);
    this.withdrawn += paid;
    this.flows.push({ at: moment, amount: -paid });
  }

  move(to: VaultName, moment: number): void {
    this.shares = roundedUp(this.value(moment) * SCALE, indexAt(to, moment));
    this.vault = to;
  }
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

export interface Sheet {
  positions: Record<PositionName, SheetPosition>;
  days: DayRow[];
  hours: Record<AssetName, HourRow[]>;
}

export type Book = 'routed' | 'lending' | 'hold';

/** What a book of positions comes to: rounded down once a vault, also where it is a debt. */
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
  const shares = positions.reduce((sum, position) => {
    if (book === 'routed') return position.vault === vault ? sum + position.shares : sum;
    if (book === 'lending') return position.lendingVault === vault ? sum + position.lending : sum;
    return position.first === vault ? sum + position.hold : sum;
  }, 0n);
  return shares >= 0n ? worth(shares, vault, moment) : -roundedUp(-shares * indexAt(vault, moment), SCALE);
}

/** Every hour in order, and within it: the statement at midnight, the move, then what people do at half past. */
export function computeSheet(): Sheet {
  const names = Object.keys(ROUTES) as PositionName[];
  const positions = Object.fromEntries(
    names.map((name) => [name, new SheetPosition(name)]),
  ) as Sheet['positions'];
  const all = Object.values(positions);
  const days: DayRow[] = [];
  const hours: Sheet['hours'] = { first: [], second: [] };
  let shareBps = 4_000n;
  for (let hour = 0; hour <= END; hour++) {
    for (const asset of ['first', 'second'] as const) hours[asset].push(blend(asset, hour));
    if (hour % 24 === 0) {
      for (const position of all) position.accrue(hour, shareBps);
      const open = all.filter(({ deposited, closed }) => deposited > 0n && !closed);
      days.push({
        day: hour / 24,
        values: Object.fromEntries(open.map((one) => [one.name, one.value(hour)])),
      });
    }
    if (hour === MOVE.at)
      for (const name of MOVE.positions) {
        positions[name].accrue(hour, shareBps);
        positions[name].move(MOVE.to, hour);
      }
    for (const one of HISTORY.filter((happening) => Math.floor(happening.at) === hour))
      shareBps = happen(one);
  }
  return { positions, days, hours };

  function blend(asset: AssetName, hour: number): HourRow {
    const vaults = (Object.keys(VAULTS) as VaultName[]).filter((vault) => VAULTS[vault].asset === asset);
    const sum = vaults.reduce((total, vault) => total + yieldAt(vault, hour) / 100, 0);
    return { apy: sum / vaults.length, tvl: BigInt(vaults.length) * TVL };
  }

  /** @returns the share from then on; what was earned before is settled at the one before */
  function happen(one: Happening): bigint {
    if (one.does === 'share revenue') {
      for (const position of all) position.accrue(one.at, shareBps);
      return BigInt(one.bps);
    }
    if (one.does === 'deposit') positions[one.position].deposit(one.amount, one.at);
    if (one.does === 'withdraw') {
      positions[one.position].accrue(one.at, shareBps);
      positions[one.position].withdraw(one.amount, one.at);
    }
    return shareBps;
  }
}
