import { Injectable } from '@nestjs/common';
import type { CustodyAccounts } from '../../../config/chains.js';
import { DomainSettings } from '../../../config/domain-settings.js';
import { DomainError, invalid } from '../../kernel/domain-error.js';
import { jsonb, nothing, text } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';

const FIND_ACCOUNTS = statement(
  'custody.find_accounts',
  { values: [], row: { id: text(), custodyAccounts: jsonb<CustodyAccounts>() } },
  `SELECT id, custody_accounts AS "custodyAccounts" FROM partners WHERE custody_accounts <> '{}'`,
);

/** Accounts are set one after the other, so that no two partners get the same. */
const LOCK = statement(
  'custody.lock',
  { values: [], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended('custody accounts of ' || current_schema(), 0))`,
);

/** Accounts by the partner whose funds they hold; null: everybody's. */
export type AccountsByHolder = ReadonlyMap<string | null, CustodyAccounts>;

/** Which accounts hold whose funds: with shared custody those of the settings everybody's, with separate custody those of a partner its own. */
@Injectable()
export class Custody {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
  ) {}

  get isSeparate(): boolean {
    return this.settings.constants.routing.custody === 'separate';
  }

  /** Whose accounts hold a partner's funds. */
  holderOf(partnerId: string): string | null {
    return this.isSeparate ? partnerId : null;
  }

  async accounts(): Promise<AccountsByHolder> {
    if (!this.isSeparate) return new Map([[null, this.settings.custodyAccounts]]);
    const rows = await this.store.query(FIND_ACCOUNTS, []);
    return new Map(rows.map(({ id, custodyAccounts }) => [id, custodyAccounts]));
  }

  /**
   * Checks accounts that a partner is to have, in the transaction that sets them. An address belongs to one partner on all chains, because one key
   * signs for it on each.
   * @throws DomainError `custody_shared`, `validation_failed` (an account is shared, or another partner's)
   */
  async requireFree(partnerId: string, accounts: CustodyAccounts): Promise<void> {
    if (Object.keys(accounts).length === 0) return;
    if (!this.isSeparate)
      throw new DomainError(
        'custody_shared',
        'One custody holds the funds of all partners here. Nothing was changed: set routing.custody to separate first, or name the accounts in CUSTODY_ACCOUNTS_<CHAIN>.',
      );
    await this.store.query(LOCK, []);
    const taken = new Map<string, string>();
    for (const account of Object.values(this.settings.custodyAccounts).flat())
      taken.set(account, 'an account of CUSTODY_ACCOUNTS_<CHAIN>');
    for (const [id, theirs] of await this.accounts())
      if (id !== partnerId)
        for (const account of Object.values(theirs).flat()) taken.set(account, `an account of ${id}`);
    for (const [chain, listed] of Object.entries(accounts))
      for (const [place, account] of listed.entries()) {
        const owner = taken.get(account);
        if (owner !== undefined)
          throw invalid(
            `custody_accounts.${chain}.${place}`,
            `is ${owner} already: each holds the funds of one partner`,
          );
      }
  }
}

/** Accounts that hold the funds of a holder on a chain. */
export const accountsOn = (
  accounts: AccountsByHolder,
  holder: string | null,
  chain: string,
): ReadonlySet<string> => {
  const byChain = accounts.get(holder) as Readonly<Record<string, readonly string[]>> | undefined;
  return new Set(byChain?.[chain]);
};
