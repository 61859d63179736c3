import { Injectable } from '@nestjs/common';
import { checkPeriod, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { type Page, type PageRequest, toPage } from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import type { EntryType } from '../positions/position.js';
import { PositionService } from '../positions/position.service.js';
import type { LedgerEntry } from './ledger-entry.js';
import * as queries from './ledger.queries.js';

export interface LedgerFilter {
  userId?: string;
  positionId?: string;
  asset?: string;
  type?: EntryType;
  from?: Date;
  to?: Date;
  /** Booked after this entry: oldest first. Absent: newest first. */
  after?: string;
}

/** Reads the ledger; its entries are written by transfers, moves and accruals. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly store: Store,
    private readonly positions: PositionService,
    private readonly catalogue: Catalogue,
  ) {}

  /**
   * In the order of booking.
   * @throws DomainError `not_found` for a user, position or entry that the partner does not have, `validation_failed` (asset, from)
   */
  async list(
    partnerId: string,
    filter: LedgerFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<LedgerEntry>> {
    const { userId, positionId, asset, type, from = '-infinity', to = 'infinity' } = filter;
    checkPeriod(filter.from, filter.to);
    if (asset !== undefined) this.catalogue.requireAsset(asset);
    await this.positions.checkOwner(partnerId, { userId, positionId });
    if (filter.after !== undefined) await this.checkEntry(partnerId, filter.after);
    const isForward = filter.after !== undefined;
    const rows = await this.store.query(isForward ? queries.LIST_ONWARDS : queries.LIST, [
      userId ?? partnerId,
      after?.id ?? filter.after ?? 'evt_~',
      limit + 1,
      type ?? null,
      asset ?? null,
      positionId ?? null,
      from,
      to,
      isForward || after === null ? 'infinity' : after.at,
      userId !== undefined,
    ]);
    const entries = rows.map((row): LedgerEntry => ({
      ...row,
      chain: row.decisionId === null ? null : (this.chainOf(row.vaultId) ?? this.chainOf(row.fromVaultId)),
    }));
    return toPage(entries, limit, ({ recordedAt, id }) => ({ at: recordedAt, id }));
  }

  private chainOf(vaultId: string | null): string | null {
    return this.catalogue.vaults.find(({ id }) => id === vaultId)?.chain ?? null;
  }

  private async checkEntry(partnerId: string, id: string): Promise<void> {
    const found = isId('event', id) ? await this.store.query(queries.FIND_ENTRY, [partnerId, id]) : [];
    if (found.length === 0) throw notFound('ledger entry');
  }
}
