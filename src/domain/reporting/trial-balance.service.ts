import { Injectable } from '@nestjs/common';
import { ADDED, datedAfter, datedUntil } from '../books/ledger/ledger.queries.js';
import { PastPositions } from '../books/ledger/past-positions.js';
import { Catalogue } from '../kernel/catalogue/catalogue.js';
import { addHours, dayOf } from '../kernel/clock.js';
import { checkPeriod, invalid } from '../kernel/domain-error.js';
import { Meter } from '../kernel/meter.js';
import { orNull, rowCount, text, time, whole } from '../kernel/store/column.js';
import { type RowFrom, statement } from '../kernel/store/statement.js';
import { Store } from '../kernel/store/store.js';
import { MarketService } from '../markets/hours/market.service.js';
import { FIND_SPAN } from './closing.queries.js';
import { type ClosedBook, ClosingService } from './closing.service.js';
import { FIND_ENDS } from './invoice.queries.js';
import { type Account, ACCOUNTS, bookingsOfInvoice } from './journal.js';

/** An account of the journal in an asset. Balances are debits less credits, micro-units: those of an asset add up to 0. */
export interface AccountBalance {
  asset: string;
  account: Account;
  opening: bigint;
  debits: bigint;
  credits: bigint;
  closing: bigint;
}

export interface TrialBalance {
  from: Date;
  asOf: Date;
  accounts: AccountBalance[];
}

type Turnover = RowFrom<typeof FIND_TURNOVER>;

const CHANGE = `CASE type WHEN 'withdrawal' THEN -amount WHEN 'rebalance' THEN 0 ELSE amount END`;
const INCOME = 'fee - partner_revenue';
const TAKEN = {
  received: `greatest(${CHANGE}, 0)`,
  paid: `greatest(-(${CHANGE}), 0)`,
  costs: ADDED.costs,
  fee: 'greatest(fee, 0)',
  feeBack: 'greatest(-fee, 0)',
  income: `greatest(${INCOME}, 0)`,
  incomeBack: `greatest(${INCOME}, 0) - (${INCOME})`,
  part: 'greatest(partner_revenue, 0)',
  partBack: 'greatest(-partner_revenue, 0)',
};

/** Sides of the journal's lines of a partner's entries of a period, by asset. $1 partner, $2 its beginning, $3 its end. No id is older than its entry's date. */
const FIND_TURNOVER = statement(
  'trial_balances.find_turnover',
  {
    values: [text(), time(), time()],
    row: {
      asset: text(),
      entries: rowCount(),
      received: whole(),
      paid: whole(),
      costs: whole(),
      fee: whole(),
      feeBack: whole(),
      income: whole(),
      incomeBack: whole(),
      part: whole(),
      partBack: whole(),
    },
    // The share of entries in the period, and of partitions.
    isPlannedAnew: true,
  },
  `SELECT asset, count(*) AS entries, ${Object.entries(TAKEN)
    .map(([name, taken]) => `sum(${taken}) AS "${name}"`)
    .join(', ')}
     FROM ledger_entries e
    WHERE partner_id = $1 AND id >= booked_id('evt_00000000000000000000000000', $2)
      AND ${datedAfter('$2')} AND ${datedUntil('$3')}
    GROUP BY asset`,
);

/**
 * Ends of the last closings of partner $1 before $2 and $3: those moments, unless nothing was held and no day closed for a while. What was booked between a
 * closing and such a while is in the next closing. A time before all entries: there is no closing.
 */
const FIND_BOUNDS = statement(
  'trial_balances.find_bounds',
  { values: [text(), time(), time()], row: { begun: time(), ended: time() } },
  `SELECT ${['$2', '$3']
    .map(
      (moment) =>
        `coalesce((SELECT max(day) + interval '24 hours' FROM closed_books WHERE partner_id = $1 AND day < ${moment}), 'epoch')`,
    )
    .join(' AS begun, ')} AS ended`,
);

const FIND_FIRST_ENTRY = statement(
  'trial_balances.find_first_entry',
  { values: [text()], row: { firstAt: orNull(time()) } },
  'SELECT min(first_at) AS "firstAt" FROM book_totals WHERE partner_id = $1',
);

/** The journal of closed days by account: balances of their closings, and the sums of its debits and credits in between. */
@Injectable()
export class TrialBalances {
  constructor(
    private readonly store: Store,
    private readonly closings: ClosingService,
    private readonly catalogue: Catalogue,
    private readonly past: PastPositions,
    private readonly market: MarketService,
    private readonly meter: Meter,
  ) {}

  /**
   * @param asOf end of the period; absent: of the last closed day @param from its beginning; absent: of the month of its last day
   * @throws DomainError `validation_failed` (as_of, from)
   */
  async readAt(partnerId: string, asOf?: Date, from?: Date): Promise<TrialBalance> {
    const closedUntil = await this.closedUntil(partnerId);
    const to = asOf ?? closedUntil;
    if (!isMidnight(to) || to > closedUntil)
      throw invalid(
        'as_of',
        `must be the end of a closed UTC day; the last one ended at ${closedUntil.toISOString()}`,
      );
    if (from && !isMidnight(from)) throw invalid('from', 'must be the beginning of a UTC day');
    checkPeriod(from, to);
    const lastDay = addHours(to, -24);
    const monthStart = new Date(Date.UTC(lastDay.getUTCFullYear(), lastDay.getUTCMonth(), 1));
    return this.read(partnerId, { from: from ?? monthStart, to });
  }

  /** End of the last closed day; without one, the midnight before a partner's first entry: there is nothing before it. */
  private async closedUntil(partnerId: string): Promise<Date> {
    const [span] = await this.store.query(FIND_SPAN, [partnerId]);
    if (span!.last !== null) return addHours(span!.last, 24);
    const [begun] = await this.store.query(FIND_FIRST_ENTRY, [partnerId]);
    return dayOf(begun!.firstAt ?? (await this.market.now(this.market.marketOf(partnerId))));
  }

  /**
   * A row for each account and asset of the deployment.
   * @param period whole days that are closed
   * @throws Error where the entries of the period do not lead from one closing to the other
   */
  async read(partnerId: string, { from, to }: { from: Date; to: Date }): Promise<TrialBalance> {
    const [bounds] = await this.store.query(FIND_BOUNDS, [partnerId, from, to]);
    const { begun, ended } = bounds!;
    const [closingOf, turnover, ends] = await this.past.runInTurn(partnerId, () =>
      Promise.all([
        this.closings.readBefore(partnerId, [from, to]),
        this.store.query(FIND_TURNOVER, [partnerId, begun, ended]),
        this.store.query(FIND_ENDS, [partnerId, to]),
      ]),
    );
    this.meter.summed(turnover.reduce((sum, { entries }) => sum + entries, 0));
    const accounts = this.catalogue.assets.flatMap((asset) => {
      const [opening, closing] = [balancesOf(closingOf(asset, from)), balancesOf(closingOf(asset, to))];
      const sides = sidesOf(turnover.find((row) => row.asset === asset));
      for (const end of ends)
        if (end.asset === asset)
          for (const { account, debit } of bookingsOfInvoice(end)) {
            closing[account] += debit;
            if (end.at < from) opening[account] += debit;
            else if (debit > 0n) sides[account][0] += debit;
            else sides[account][1] -= debit;
          }
      return ACCOUNTS.map((account): AccountBalance => {
        const [debits, credits] = sides[account];
        const row = { asset, account, opening: opening[account], debits, credits, closing: closing[account] };
        if (row.opening + debits - credits !== row.closing)
          throw new Error(
            `${account} of ${partnerId} in ${asset} does not lead from the closing of ${from.toISOString()} to that of ${to.toISOString()}.`,
          );
        return row;
      });
    });
    return { from, asOf: to, accounts };
  }
}

const isMidnight = (at: Date): boolean => at.getTime() === dayOf(at).getTime();

function balancesOf(closing: ClosedBook | undefined): Record<Account, bigint> {
  const { deposits, withdrawals, accrued, costs, fee, partnerRevenue } = closing ?? NO_CLOSING;
  const value = deposits - withdrawals + accrued - costs;
  return {
    vaults: value,
    end_users: -value,
    costs_of_moves: 0n,
    fees_receivable: fee,
    fee_income: partnerRevenue - fee,
    owed_to_partner: -partnerRevenue,
    settled_outside: 0n,
  };
}

/** Nothing is booked before the first closing. */
const NO_CLOSING = { deposits: 0n, withdrawals: 0n, accrued: 0n, costs: 0n, fee: 0n, partnerRevenue: 0n };

/** Debits and credits by account. */
function sidesOf(turnover: Turnover | undefined): Record<Account, [debits: bigint, credits: bigint]> {
  const of = (name: keyof typeof TAKEN): bigint => turnover?.[name] ?? 0n;
  const [received, paid, costs] = [of('received'), of('paid'), of('costs')];
  return {
    vaults: [received, paid + costs],
    end_users: [paid + costs, received],
    costs_of_moves: [costs, costs],
    fees_receivable: [of('fee'), of('feeBack')],
    fee_income: [of('incomeBack'), of('income')],
    owed_to_partner: [of('partBack'), of('part')],
    settled_outside: [0n, 0n],
  };
}
