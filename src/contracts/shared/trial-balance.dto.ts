import { type Account, ACCOUNTS } from '../../domain/reporting/journal.js';
import { Shown } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { QueryTimeField } from '../../http/request/query-fields.js';

export const ACCOUNTS_SHOWN =
  "`vaults`: assets in vaults. `end_users`: owed to end-users. `costs_of_moves`: charged to end-users, and paid from vaults. `fees_receivable`: fees settled and not received. `fee_income`: the protocol's part of them. `owed_to_partner`: the partner's part. `settled_outside`: of invoices, paid outside of these books.";

export class TrialBalanceQuery {
  @QueryTimeField({
    description: 'The closing: the end of a closed UTC day. Without it, the last one.',
    edge: 'end',
    example: '2026-01-31',
  })
  as_of?: string;

  @QueryTimeField({
    description:
      'Beginning of the period of `debits` and `credits`, a midnight UTC. Without it, the beginning of the month of the last day.',
    edge: 'start',
    example: '2026-01-01',
  })
  from?: string;
}

export class TrialBalanceAccount {
  @Shown.asset('Asset of all amounts.') asset: string;
  @Shown.choice(ACCOUNTS, ACCOUNTS_SHOWN, 'vaults') account: Account;
  @Shown.amount('Debits less credits before the period: negative for a credit balance.', 1000)
  opening: number;
  @Shown.amount("Debits of the period: the journal's, which equal the credits in each asset.", 504.2)
  debits: number;
  @Shown.amount("Credits of the period: the journal's.", 200.2) credits: number;
  @Shown.amount('Opening + debits - credits. Balances of an asset add up to 0.', 1304) closing: number;
}

export class TrialBalanceDto {
  @Shown.time('Beginning of the period.') from: string;
  @Shown.time('The closing that ends it.') as_of: string;
  @Shown.records(() => TrialBalanceAccount, 'A row per account of the journal and asset of the deployment.')
  accounts: TrialBalanceAccount[];
}

export const trialBalanceView = viewOf(TrialBalanceDto);
