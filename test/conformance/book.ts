import type { Caller } from './caller.js';
import { dataOf, rowsOf } from './check.js';

export const micro = (amount: unknown): number => Math.round(Number(amount) * 1e6);
const units = (amount: number): number => amount / 1e6;
export const sum = (rows: readonly any[], field: string): number =>
  rows.reduce((total: number, row) => total + micro(row[field]), 0);

export const entryOf =
  (type: string) =>
  (entry: any): boolean =>
    entry.type === type;

/** What ledger entries add up to, in whole units. */
export function sumsOf(entries: readonly any[]) {
  const [deposits, withdrawals, accruals] = ['deposit', 'withdrawal', 'yield_accrual'].map((type) =>
    entries.filter(entryOf(type)),
  ) as [any[], any[], any[]];
  const costs = sum(entries, 'cost');
  const [paidIn, paidOut, accrued] = [
    sum(deposits, 'amount'),
    sum(withdrawals, 'amount'),
    sum(accruals, 'amount') - costs,
  ];
  const [fee, partner] = [sum(entries, 'fee'), sum(entries, 'partner_revenue')];
  return {
    deposits: units(paidIn),
    deposit_count: deposits.length,
    withdrawals: units(paidOut),
    withdrawal_count: withdrawals.length,
    net_deposits: units(paidIn - paidOut),
    gross: units(accrued + costs),
    accrued: units(accrued),
    costs: units(costs),
    booked: units(paidIn - paidOut + accrued),
    performance_fee: units(fee),
    partner_revenue: units(partner),
    protocol_revenue: units(fee - partner),
    carried_loss: units(sum(entries, 'carried_loss')),
  };
}

/** The books of a partner as of a moment, by its ledger and its positions. */
export class Book {
  private constructor(
    readonly asOf: string,
    /** Oldest first. */
    readonly entries: readonly any[],
    readonly positions: readonly any[],
    readonly assets: readonly string[],
  ) {}

  static async read(caller: Caller, assets: readonly string[], asOf: string): Promise<Book> {
    const entries = rowsOf(await caller.get('/partner/ledger?limit=500'));
    const positions = dataOf(await caller.get(`/positions?limit=500&as_of=${asOf}`), 200);
    const until = entries.filter(({ at }) => at < asOf).reverse();
    return new Book(asOf, until, positions, assets.toSorted());
  }

  /** Of one asset, user or position. */
  only(field: 'asset' | 'user_id' | 'position_id', value: string): Book {
    const entries = this.entries.filter((entry) => entry[field] === value);
    const at = field === 'position_id' ? 'id' : field;
    const positions = this.positions.filter((position) => position[at] === value);
    return new Book(this.asOf, entries, positions, field === 'asset' ? [value] : this.assets);
  }

  get sums() {
    return sumsOf(this.entries);
  }

  byAsset<T extends object>(row: (book: Book) => T): (T & { asset: string })[] {
    return this.assets.map((asset) => ({ asset, ...row(this.only('asset', asset)) }));
  }

  /** What the positions are worth. */
  get value(): number {
    return units(sum(this.positions, 'value'));
  }

  get yield(): number {
    return units(sum(this.positions, 'yield'));
  }

  get counts(): { open: number; closed: number } {
    const closed = this.positions.filter(({ status }) => status === 'closed').length;
    return { open: this.positions.length - closed, closed };
  }

  /** Of the positions that are worth something, by value. null: nothing is, or one of them is unknown. */
  get apy(): number | null {
    const open = this.positions.filter(({ value }) => value > 0);
    if (open.length === 0 || open.some(({ apy }) => apy === null)) return null;
    return open.reduce((total, { value, apy }) => total + value * apy, 0) / this.value;
  }

  /** A point is what a unit of principal earns in a day. One below zero, whose yield was withdrawn too, earns nothing, nor does a closed position. */
  get points(): number {
    const closed = new Set(this.positions.filter(({ status }) => status === 'closed').map(({ id }) => id));
    const daysSince = (at: string): number => (Date.parse(this.asOf) - Date.parse(at)) / 86_400_000;
    const principals = this.entries.filter(({ type }) => /^(deposit|withdrawal)$/.test(type));
    let points = 0;
    for (const [id, entries] of Map.groupBy(principals, ({ position_id }) => position_id)) {
      let [principal, earning] = [0, 0];
      entries.forEach(({ type, amount, at }, index) => {
        principal += type === 'deposit' ? amount : -amount;
        const isClosing = closed.has(id) && index === entries.length - 1;
        const earns = isClosing ? 0 : Math.max(principal, 0);
        points += (earns - earning) * daysSince(at);
        earning = earns;
      });
    }
    return points;
  }
}
