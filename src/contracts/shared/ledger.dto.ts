import { explorerUrl } from '../../config/chains.js';
import { toUnits } from '../../domain/books/positions/amount.js';
import { type LedgerEntry, noteOf } from '../../domain/books/ledger/ledger-entry.js';
import { ENTRY_TYPES } from '../../domain/books/positions/position.js';
import { type RoundedRate, roundRate } from '../../domain/kernel/rate.js';
import { LimitTextField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { said } from '../../http/answer/said.js';
import { Shown } from '../../http/answer/shown.js';

/** Shared declaration of the ledger operation; only live transfers have a settlement. */
export const LEDGER_OPERATION = {
  summary: "Read an end-user's ledger",
  description:
    'Deposits, withdrawals, rebalances and accruals of yield over all positions of one of your end-users, newest first. Entries never change. ' +
    'Yield is posted before each movement, and at the end of each UTC day.',
  access: { scopes: ['partner:read'], partner: true },
} as const;

/** The document has this list's `limit` as a string. */
export class LedgerQuery extends PageQuery {
  @LimitTextField() declare limit?: string;
}

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
  @Shown.time('When it was posted.') at: string;
  @Shown.text('Transaction of a reported deposit or withdrawal; null of other entries.', null, {
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
  tx_hash: entry.txHash,
  chain,
  explorer_url: entry.txHash === null ? null : explorerUrl(chain, entry.txHash),
});
