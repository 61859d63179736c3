import { explorerUrl } from '../../config/chains.js';
import { exactOf, toUnits } from '../../domain/books/positions/amount.js';
import { type LedgerEntry, noteOf } from '../../domain/books/ledger/ledger-entry.js';
import type { LedgerFilter } from '../../domain/books/ledger/ledger.service.js';
import { ENTRY_TYPES, type EntryType } from '../../domain/books/positions/position.js';
import { type RoundedRate, roundRate } from '../../domain/kernel/rate.js';
import { defined } from '../../http/defined.js';
import { queryTime } from '../../http/request/field-rules.js';
import { momentAsked } from './as-of.js';
import {
  AssetField,
  ChoiceField,
  IdFilterField,
  LimitTextField,
  QueryTimeField,
} from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { said } from '../../http/answer/said.js';
import { Shown } from '../../http/answer/shown.js';

/** Shared declaration of the ledger operation; only live transfers have a settlement. */
export const LEDGER_OPERATION = {
  summary: "Read an end-user's ledger",
  description:
    'Deposits, withdrawals, rebalances and accruals of yield over all positions of one of your end-users, newest first. Entries never change. ' +
    'They are in the order of booking: with `after`, the id of the last entry that you have, you get the ones booked since, oldest first, and miss none. ' +
    'Yield is posted before each movement, and at the end of each UTC day.',
  access: { scopes: ['partner:read'], partner: true },
} as const;

/** Filters of entries. The document has the limit of a user's list as a string. */
class LedgerFilters extends PageQuery {
  @QueryTimeField({
    description: 'Only entries dated at this moment or later. A date stands for its beginning.',
    edge: 'start',
    example: '2026-01-01',
    extension: true,
  })
  from?: string;

  @QueryTimeField({
    description: 'Only entries dated before this moment. A date stands for its end.',
    edge: 'end',
    example: '2026-01-31',
    extension: true,
  })
  to?: string;

  @ChoiceField({
    description: 'Only entries of this type.',
    of: ENTRY_TYPES,
    optional: true,
    extension: true,
  })
  type?: EntryType;

  @AssetField({ description: 'Only entries of this asset.', optional: true, extension: true }) asset?: string;

  @IdFilterField({
    description: 'Only entries of this position.',
    kind: 'position',
    example: undefined,
    extension: true,
  })
  position_id?: string;

  @IdFilterField({
    description: 'Only entries booked after this one, oldest first.',
    kind: 'event',
    example: undefined,
    extension: true,
  })
  after?: string;
}

export class LedgerQuery extends LedgerFilters {
  @LimitTextField() declare limit?: string;
}

/** The same over all end-users. */
export class PartnerLedgerQuery extends LedgerFilters {
  @IdFilterField({ description: 'Only entries of this end-user.', kind: 'user', extension: true })
  user_id?: string;
}

export const ledgerAsked = (query: LedgerFilters, userId?: string): LedgerFilter =>
  defined({
    userId,
    positionId: query.position_id,
    asset: query.asset,
    type: query.type,
    from: query.from === undefined ? undefined : queryTime(query.from)!,
    to: momentAsked(query.to),
    after: query.after,
  });

/** Filters as a part of a list's identity. */
export const ledgerIdentity = ({ from, to, type, asset, position_id, after }: LedgerFilters) =>
  [from, to, type, asset, position_id, after] as const;

export class UserLedgerEvent {
  @Shown.id('evt', 'Id of the entry.') id: string;
  @Shown.kind('ledger_entry') object: 'ledger_entry';
  @Shown.id('usr', 'End-user whose entry it is.') user_id: string;
  @Shown.id('pos', 'Position that it is about.') position_id: string;
  @Shown.asset('Asset of the position.') asset: string;
  @Shown.choice(
    ENTRY_TYPES,
    '`deposit` and `withdrawal`: money came or went. `rebalance`: it was moved to another vault. `yield_accrual`: what was earned since the entry before.',
    'deposit',
  )
  type: (typeof ENTRY_TYPES)[number];
  @Shown.number(
    'How much, in whole asset units. Above 0, but for the accrual of a loss; of a rebalance, what arrived. Deposits and accruals less withdrawals and costs are what the position was worth at its last entry.',
    250,
  )
  amount: number;
  @Shown.number(
    "What a rebalance cost the position beside the amount, in whole asset units: its part of the move's cost, in proportion to value. 0 in other entries.",
    0,
    { extension: true },
  )
  cost: number;
  @Shown.rate(
    "The vault's last observed yield a year at that time, as a fraction: 0.0523 is 5.23 %. During an outage it is that of before. 0 in cash.",
    0.0523,
  )
  apy: RoundedRate;
  @Shown.text(
    'Vault that the amount is in, or was withdrawn from; of a rebalance, that it went to.',
    said('vault'),
  )
  vault_id: string;
  @Shown.text('The entry in a sentence, for people.', `Deposited 250 USDC into ${said('vault')}.`)
  note: string;
  @Shown.id(
    'dec',
    'Decision that chose the vault of a deposit, or the move; of an accrual, the move with which more arrived than was expected. null of other entries.',
    { nullable: true, extension: true },
  )
  decision_id: string | null;
  @Shown.time('Its value date: when it has its effect.') at: string;
  @Shown.time('When it was booked: ids and pages run by it.', { extension: true }) recorded_at: string;
  @Shown.number(
    "What it added to the performance fee, in whole asset units. The sum over entries is the fee of the revenue report, for any end-user, asset and time; an end-user's entries of an asset are taken by `at` and `id`.",
    0.0412,
    { extension: true },
  )
  fee: number;
  @Shown.number("What it added to the partner's part of the fee, in whole asset units.", 0.0164, {
    extension: true,
  })
  partner_revenue: number;
  @Shown.number(
    'What it added to the loss that the end-user carries forward in the asset, in whole asset units; below 0 where it made good.',
    0,
    {
      extension: true,
    },
  )
  carried_loss: number;
  @Shown.text('Hash of its transfer; null where nothing was transferred.', `0x${'5f'.repeat(32)}`, {
    nullable: true,
    extension: true,
  })
  tx_hash: string | null;
  @Shown.text('Chain of that transaction; null where it is not known.', null, {
    nullable: true,
    extension: true,
  })
  chain: string | null;
  @Shown.text('Page that shows it to people; null where none is known of its chain.', null, {
    nullable: true,
    extension: true,
  })
  explorer_url: string | null;
  @Shown.text(
    'The amount to the micro-unit, where a JSON number would not hold it: from 9,000,000,000 units on. Else null.',
    '9000000000.000001',
    {
      nullable: true,
      extension: true,
    },
  )
  amount_exact: string | null;
}

/** @param chain of the entry's transfer */
export const ledgerView = (entry: LedgerEntry, chain: string | null = null): UserLedgerEvent => ({
  id: entry.id,
  object: 'ledger_entry',
  user_id: entry.userId,
  position_id: entry.positionId,
  asset: entry.asset,
  type: entry.type,
  amount: toUnits(entry.amount),
  cost: toUnits(entry.cost),
  // A vault takes funds once its rate is known.
  apy: roundRate(entry.apy)!,
  vault_id: entry.vaultId,
  note: noteOf(entry),
  decision_id: entry.decisionId,
  at: entry.at.toISOString(),
  recorded_at: entry.recordedAt.toISOString(),
  fee: toUnits(entry.fee),
  partner_revenue: toUnits(entry.partnerRevenue),
  carried_loss: toUnits(entry.carriedLoss),
  tx_hash: entry.txHash,
  amount_exact: exactOf(entry.amount),
  chain,
  explorer_url: entry.txHash === null ? null : explorerUrl(chain, entry.txHash),
});
