import { Injectable } from '@nestjs/common';
import { checkPeriod, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { findFitting, type Page, type PageRequest, toPage } from '../../kernel/store/page.js';
import { Meter } from '../../kernel/meter.js';
import { pagesOf } from '../../kernel/store/pages.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import type { EntryType } from '../positions/position.js';
import { PositionService } from '../positions/position.service.js';
import * as queries from './ledger.queries.js';
import { formatAmount } from '../../kernel/money.js';
import type { RowOf } from '../../kernel/store/column.js';

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

/** Rows of one statement: few enough for the young generation of the heap. */
const ROWS_AT_ONCE = 200;

/** Reads the ledger; its entries are written by transfers, moves and accruals. */
@Injectable()
export class LedgerService {
  constructor(
    private readonly store: Store,
    private readonly positions: PositionService,
    private readonly catalogue: Catalogue,
    private readonly meter: Meter,
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
    const rows = await findFitting(
      (last: RowFrom<typeof queries.LIST> | undefined, wanted) =>
        this.store.query(isForward ? queries.LIST_ONWARDS : queries.LIST, [
          userId ?? partnerId,
          last?.id ?? after?.id ?? filter.after ?? 'evt_~',
          wanted,
          type ?? null,
          asset ?? null,
          positionId ?? null,
          from,
          to,
          isForward ? 'infinity' : (last?.recordedAt ?? after?.at ?? 'infinity'),
          userId !== undefined,
        ]),
      limit + 1,
      (tried) => this.meter.summed(tried),
    );
    const entries = rows.map(({ fits: _, place: __, ...row }): LedgerEntry => ({
      ...row,
      chain: row.decisionId === null ? null : (this.chainOf(row.vaultId) ?? this.chainOf(row.fromVaultId)),
    }));
    return toPage(entries, limit, ({ recordedAt, id }) => ({ at: recordedAt, id }));
  }

  /** What a partner's entries of a period hold themselves, in the order of booking; some at a time. The period is closed: no entry is added meanwhile. */
  readPeriod(partnerId: string, from: Date, to: Date): AsyncGenerator<BookedEntry[]> {
    return pagesOf(
      (last: BookedEntry | undefined) =>
        this.store.query(queries.LIST_PERIOD, [partnerId, from, to, last?.id ?? '', ROWS_AT_ONCE]),
      ROWS_AT_ONCE,
    );
  }

  private chainOf(vaultId: string | null): string | null {
    return this.catalogue.vaults.find(({ id }) => id === vaultId)?.chain ?? null;
  }

  private async checkEntry(partnerId: string, id: string): Promise<void> {
    const rows = isId('event', id) ? await this.store.query(queries.FIND_ENTRY, [partnerId, id]) : [];
    if (rows.length === 0) throw notFound('ledger entry');
  }
}

/** Entry as it was booked. */
export type BookedEntry = RowOf<typeof queries.LISTED>;

/** Entry of a user's ledger. It is never changed. `at`: value date, when it has its effect. */
export interface LedgerEntry extends BookedEntry {
  /** Chain of a move's transfer: of the vault that it reached, or left for cash. null for other entries: their settlement has it. */
  chain: string | null;
}

/** Entry in one plain sentence, and a second one that names its day, where it was booked on a later one. */
export function noteOf(entry: LedgerEntry): string {
  const day = entry.at.toISOString().slice(0, 10);
  const isLate = entry.recordedAt.toISOString().slice(0, 10) > day;
  return `${sentenceOf(entry)}${isLate ? ` Of ${day}.` : ''}`;
}

function sentenceOf(entry: LedgerEntry): string {
  const { type, amount, cost, asset, vaultId, fromVaultId, decisionId, voids } = entry;
  const sum = `${formatAmount(amount < 0n ? -amount : amount)} ${asset}`;
  if (voids !== null) return voidNoteOf(type, sum, vaultId, voids);
  switch (type) {
    case 'deposit':
      return `Deposited ${sum} into ${vaultId}.`;
    case 'withdrawal':
      return `Withdrew ${sum} from ${vaultId}.`;
    case 'rebalance':
      if (fromVaultId === vaultId)
        return `Cost of ${formatAmount(cost)} ${asset}: ${vaultId} paid out less than was withdrawn.`;
      return `Moved ${sum} from ${fromVaultId} to ${vaultId}${cost > 0n ? ` at a cost of ${formatAmount(cost)} ${asset}` : ''}${decisionId ? ` by decision ${decisionId}` : ''}.`;
    case 'yield_accrual':
      if (decisionId !== null) return `Gain of ${sum} on the move by decision ${decisionId}.`;
      return `${amount < 0n ? 'Loss' : 'Yield'} of ${sum} accrued.`;
  }
}

/** Note of an entry that reverses a transfer that did not settle as reported. */
function voidNoteOf(type: EntryType, sum: string, vaultId: string, txHash: string): string {
  if (type === 'yield_accrual')
    return `Void of the transfer ${txHash}: the yield or cost of ${sum} that came of it is taken back.`;
  const [what, done] =
    type === 'withdrawal'
      ? ['deposit', `taken out of ${vaultId} again; nothing was paid.`]
      : ['withdrawal', `put back into ${vaultId}.`];
  return `Void of the ${what} ${txHash}, which did not settle as it was reported: ${sum} ${done}`;
}
