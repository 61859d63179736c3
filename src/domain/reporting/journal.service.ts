import { Injectable } from '@nestjs/common';
import { type LedgerEntry, type LedgerFilter, LedgerService } from '../books/ledger/ledger.service.js';
import { ENTRY_TYPES } from '../books/positions/position.js';
import { type Page, type PageRequest, toPage } from '../kernel/store/page.js';
import { pagesOf } from '../kernel/store/pages.js';
import { Store } from '../kernel/store/store.js';
import { UserService } from '../tenants/users/user.service.js';
import { INVOICE_ENDS, type InvoiceEnd, type InvoiceEntry } from './invoice.js';
import { LIST_ENTRIES, LIST_ENTRIES_ONWARDS } from './invoice.queries.js';

/** Rows of one statement. */
const ENDS_AT_ONCE = 500;

export const typeOfEnd = (end: InvoiceEnd): `invoice_${InvoiceEnd}` => `invoice_${end}`;
/** Types of the journal's entries: those of the ledger, and ends of invoices. */
export const JOURNAL_TYPES = [...ENTRY_TYPES, ...INVOICE_ENDS.map(typeOfEnd)] as const;
export type JournalType = (typeof JOURNAL_TYPES)[number];
export type JournalFilter = Omit<LedgerFilter, 'type'> & { type?: JournalType };

/** `externalId`: the partner's id of the end-user. */
export type JournalRecord =
  { entry: LedgerEntry; externalId: string } | { entry: InvoiceEntry; externalId: null };

/** Entries of the ledger and ends of invoices, in the one order of their booking. */
@Injectable()
export class JournalService {
  constructor(
    private readonly store: Store,
    private readonly ledger: LedgerService,
    private readonly users: UserService,
  ) {}

  /** @throws DomainError as `LedgerService.list` */
  async list(partnerId: string, filter: JournalFilter, page: PageRequest): Promise<Page<JournalRecord>> {
    const { type, ...others } = filter;
    const entryType = ENTRY_TYPES.find((name) => name === type);
    const isOfInvoices = type !== undefined && entryType === undefined;
    // Also checks the other filters.
    const entries = await this.ledger.list(
      partnerId,
      { ...others, ...(entryType && { type: entryType }) },
      isOfInvoices ? { ...page, limit: 1 } : page,
    );
    const ledgerEntries = isOfInvoices ? [] : entries.items;
    const ends = entryType === undefined ? await this.ends(partnerId, filter, page) : [];
    const sign = filter.after === undefined ? -1 : 1;
    const rows = [...ledgerEntries, ...ends].sort((a, b) => (a.id < b.id ? -sign : sign));
    const externalIds = await this.users.findExternalIds(ledgerEntries.map(({ userId }) => userId));
    const records = rows.map((entry): JournalRecord =>
      isEnd(entry) ? { entry, externalId: null } : { entry, externalId: externalIds.get(entry.userId)! },
    );
    const more = !isOfInvoices && entries.next !== null ? 1 : 0;
    return toPage(
      records,
      page.limit,
      ({ entry }) => ({ at: entry.recordedAt, id: entry.id }),
      records.length + more,
    );
  }

  /** Ends of invoices with a value date in a period, in the order of booking; some at a time. */
  readEnds(partnerId: string, from: Date, to: Date): AsyncGenerator<InvoiceEntry[]> {
    return pagesOf(
      (last: InvoiceEntry | undefined) =>
        this.store.query(LIST_ENTRIES_ONWARDS, [
          ...([partnerId, last?.id ?? '', ENDS_AT_ONCE] as const),
          ...([null, null, from, to] as const),
        ]),
      ENDS_AT_ONCE,
    );
  }

  private async ends(
    partnerId: string,
    { userId, positionId, type, asset, from, to, after }: JournalFilter,
    page: PageRequest,
  ): Promise<InvoiceEntry[]> {
    if (userId !== undefined || positionId !== undefined) return [];
    const status = INVOICE_ENDS.find((end) => typeOfEnd(end) === type) ?? null;
    return this.store.query(after === undefined ? LIST_ENTRIES : LIST_ENTRIES_ONWARDS, [
      ...([partnerId, page.after?.id ?? after ?? 'evt_~', page.limit + 1] as const),
      ...([status, asset ?? null, from ?? '-infinity', to ?? 'infinity'] as const),
    ]);
  }
}

export const isEnd = (entry: LedgerEntry | InvoiceEntry): entry is InvoiceEntry => 'invoiceId' in entry;
