import { type RoundedRate, roundRate } from '../../domain/kernel/money.js';
import { type LedgerEntry, noteOf, type LedgerFilter } from '../../domain/books/ledger/ledger.service.js';
import { JOURNAL_TYPES, type JournalType } from '../../domain/reporting/journal.service.js';
import { ENTRY_TYPES, type EntryType } from '../../domain/books/positions/position.js';
import { explorerUrl } from '../../domain/routing/settlements/settlement.service.js';
import { defined } from '../../http/defined.js';
import { requestedMoment } from './as-of.js';
import { AssetField, ChoiceField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { IdFilterField, LimitTextField, queryTime, QueryTimeField } from '../../http/request/query-fields.js';

/** The contracts add their own `data`: only live transfers have a settlement. */
export const LEDGER_OPERATION = {
  summary: "Read an end-user's ledger",
  description:
    'Ledger entries of one end-user, newest first, in booking order: deposits, withdrawals, rebalances and accruals. Entries are immutable; yield is posted before each movement and at the end of each UTC day. `after` with the id of your last entry returns the entries booked since, oldest first, without a gap.',
  access: { scopes: ['partner:read'], partner: true },
} as const;

class EntryFilters extends PageQuery {
  @QueryTimeField({
    description:
      'Only entries with a value date at or after this moment. An accrual dated exactly then belongs to the period that ends there: midnight ends a day.',
    edge: 'start',
    example: '2026-01-01',
  })
  from?: string;

  @QueryTimeField({
    description:
      'Only entries with a value date before this moment, and accruals dated exactly then: from one midnight to another, exactly the entries of the statement.',
    edge: 'end',
    example: '2026-01-31',
  })
  to?: string;

  @AssetField({ description: 'Only entries of this asset.', optional: true }) asset?: string;

  @IdFilterField({
    description: 'Only entries of this position.',
    kind: 'position',
    example: undefined,
  })
  position_id?: string;

  @IdFilterField({
    description: 'Only entries booked after this one, oldest first.',
    kind: 'event',
    example: undefined,
  })
  after?: string;
}

class LedgerFilters extends EntryFilters {
  @ChoiceField({
    description: 'Only entries of this type.',
    of: ENTRY_TYPES,
    optional: true,
  })
  type?: EntryType;
}

export class LedgerQuery extends LedgerFilters {
  @LimitTextField() declare limit?: string;
}

export class PartnerLedgerQuery extends LedgerFilters {
  @IdFilterField({ description: 'Only entries of this end-user.', kind: 'user' })
  user_id?: string;
}

export class PartnerJournalQuery extends EntryFilters {
  @ChoiceField({ description: 'Only entries of this type.', of: JOURNAL_TYPES, optional: true })
  type?: JournalType;

  @IdFilterField({ description: 'Only entries of this end-user.', kind: 'user' })
  user_id?: string;
}

type Filters<Type> = EntryFilters & { type?: Type };

export const ledgerFilter = <Type extends JournalType>(
  query: Filters<Type>,
  userId?: string,
): Omit<LedgerFilter, 'type'> & { type?: Type } =>
  defined({
    userId,
    positionId: query.position_id,
    asset: query.asset,
    type: query.type,
    from: query.from === undefined ? undefined : queryTime(query.from)!,
    to: requestedMoment(query.to),
    after: query.after,
  });

export const ledgerIdentity = ({ from, to, type, asset, position_id, after }: Filters<JournalType>) =>
  [from, to, type, asset, position_id, after] as const;

export class UserLedgerEvent {
  @Shown.id('evt') id: string;
  @Shown.kind('ledger_entry') object: 'ledger_entry';
  @Shown.id('usr', 'End-user of the entry.') user_id: string;
  @Shown.id('pos', 'Position of the entry.') position_id: string;
  @Shown.asset('Asset of the position.') asset: string;
  @Shown.choice(
    ENTRY_TYPES,
    '`deposit`, `withdrawal`: funds came in or were paid out. `rebalance`: funds moved to another vault; within one vault and without a decision, the cost of a payment that it cut short. `yield_accrual`: yield since the previous entry.',
    'deposit',
  )
  type: (typeof ENTRY_TYPES)[number];
  @Shown.amount(
    "Amount in whole asset units, negative only for the accrual of a loss; for a rebalance, the amount that arrived. Deposits + accruals - withdrawals - costs = the position's value at its last entry.",
    250,
  )
  amount: number;
  @Shown.amount(
    "The position's part of a move's or a payment's cost, in proportion to value; 0 in other entries.",
    0,
    {},
  )
  cost: number;
  @Shown.rate(
    "The vault's last known annual yield at that time, as a fraction: 0.0523 is 5.23 %; 0 in cash.",
    0.0523,
  )
  apy: RoundedRate;
  @Shown.text('Vault of the amount; for a rebalance, the new one.', placeholder('vault'))
  vault_id: string;
  @Shown.text('The entry in a sentence, for people.', `Deposited 250 USDC into ${placeholder('vault')}.`)
  note: string;
  @ShownOrNull.id(
    'dec',
    'Decision that chose the vault of a deposit or the move; for an accrual, the move that brought a surplus. null for other entries.',
  )
  decision_id: string | null;
  @Shown.time('Value date: when it takes effect.') at: string;
  @Shown.time('Booking time, which orders ids and pages.') recorded_at: string;
  @Shown.amount(
    "Performance fee of the entry. Fees of entries sum to the revenue report for any end-user, asset and period; an end-user's entries in an asset settle in the order of `at`, `id`.",
    0.0412,
  )
  fee: number;
  @Shown.amount("The partner's part of that fee.", 0.0164, {})
  partner_revenue: number;
  @Shown.amount("Change of the end-user's carried loss in the asset; negative where it recovers.", 0, {})
  carried_loss: number;
  @ShownOrNull.integer(
    'Performance fee at which an accrual is settled, in basis points; null for other entries.',
    1_000,
  )
  performance_fee_bps: number | null;
  @ShownOrNull.integer("The partner's share of that fee, in basis points; null for other entries.", 4_000, {})
  revenue_share_bps: number | null;
  @ShownOrNull.text(
    'Hash of its transfer; of a rebalance, as its executor reported it: of several, the last one. null without one.',
    `0x${'5f'.repeat(32)}`,
  )
  tx_hash: string | null;
  @ShownOrNull.text('Chain of that transfer; null where unknown.', null)
  chain: string | null;
  @ShownOrNull.text('Explorer page of the transfer; null where the chain has no known explorer.', null, {})
  explorer_url: string | null;
  @ShownOrNull.text(
    'Hash of the transfer that the entry reverses because it did not settle; null for other entries. Statements deduct a voided deposit from `deposits`, and a voided withdrawal from `withdrawals`.',
    null,
  )
  voids: string | null;
}

export const ledgerView = (entry: LedgerEntry, settlementChain?: string | null): UserLedgerEvent =>
  entryView({ ...entry, chain: settlementChain ?? entry.chain });

const entryView = viewOf(UserLedgerEvent, (entry: LedgerEntry) => ({
  // Never null: a vault takes funds only once its rate is known.
  apy: roundRate(entry.apy)!,
  note: noteOf(entry),
  performance_fee_bps: entry.feeBps,
  revenue_share_bps: entry.shareBps,
  chain: entry.txHash === null ? null : entry.chain,
  explorer_url: entry.txHash === null ? null : explorerUrl(entry.chain, entry.txHash),
}));
