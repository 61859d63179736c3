import { Injectable } from '@nestjs/common';
import { notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { type Page, type PageRequest, toPage } from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import type { LedgerEntry } from './ledger-entry.js';
import * as queries from './ledger.queries.js';

/** Reads the ledger; its entries are written by transfers, moves and accruals. */
@Injectable()
export class LedgerService {
  constructor(private readonly store: Store) {}

  /**
   * Entries of a user's positions, newest first.
   * @throws DomainError `not_found` for a user that the partner does not have
   */
  async ofUser(partnerId: string, userId: string, { limit, after }: PageRequest): Promise<Page<LedgerEntry>> {
    const rows = isId('user', userId)
      ? await this.store.query(queries.LIST_ENTRIES_OF_USER, [
          userId,
          partnerId,
          after?.at ?? 'infinity',
          after?.id ?? '',
          limit + 1,
        ])
      : [];
    if (rows.length === 0) throw notFound('user');
    const entries = rows
      .filter((row) => row.id !== null)
      .map((row): LedgerEntry => ({ ...row, amount: BigInt(row.amount), cost: BigInt(row.cost) }));
    return toPage(entries, limit, ({ at, id }) => ({ at, id }));
  }
}
