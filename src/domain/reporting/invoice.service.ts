import { Injectable } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { DomainError, invalid, notFound } from '../kernel/domain-error.js';
import { isId, newId } from '../kernel/identifier.js';
import { rowsText } from '../kernel/store/column.js';
import { type Page, type PageRequest, toPage } from '../kernel/store/page.js';
import { Store } from '../kernel/store/store.js';
import { MarketService } from '../markets/hours/market.service.js';
import { PartnerService } from '../tenants/partners/partner.service.js';
import { type Invoice, type InvoiceEnd, type InvoiceStatus, periodOf } from './invoice.js';
import * as queries from './invoice.queries.js';

export interface InvoiceFilter {
  status?: InvoiceStatus;
  /** First moment of the month. */
  month?: Date;
}

export interface InvoiceSettlement {
  status: InvoiceEnd;
  reference: string;
  /** Value date; absent: now. */
  at?: Date;
}

/** Invoices of the fees of closed months, by partner and asset: open, until an administrator enters that they were paid, or voids them. */
@Injectable()
export class InvoiceService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly market: MarketService,
    private readonly partners: PartnerService,
  ) {}

  /**
   * Writes, once, the invoices of partners for the months that end in a period, whose days are closed. A fee of 0 has none.
   * @param from end of the last day by which there are invoices; null: there are none
   */
  async write(partnerIds: readonly string[], from: Date | null, to: Date): Promise<void> {
    const monthStart = Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), 1);
    if (from !== null && from.getTime() >= monthStart) return;
    const fees = await this.store.query(queries.FIND_FEES, [partnerIds, from ?? '-infinity', to]);
    if (fees.length === 0) return;
    const createdAt = this.clock.now();
    const invoices = fees.map((fee) => ({ ...fee, id: newId('invoice', createdAt), createdAt }));
    await this.store.query(queries.INSERT, [rowsText(invoices)]);
  }

  /** Invoices of a partner, the newest month first. @throws DomainError `not_found` for a partner that does not exist */
  async list(
    partnerId: string,
    { status, month }: InvoiceFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<Invoice>> {
    await this.partners.get(partnerId);
    const rows = await this.store.query(queries.LIST, [
      ...([partnerId, after?.at ?? 'infinity', after?.id ?? '', limit + 1] as const),
      ...([status ?? null, month ?? null] as const),
    ]);
    return toPage(rows, limit, ({ month: at, id }) => ({ at, id }));
  }

  /**
   * Enters that an open invoice was paid, or voids it, as an entry of the journal.
   * @throws DomainError `not_found`, `invoice_settled`, `validation_failed` (at: in a closed day, or in the future), `service_unavailable` (clock error)
   */
  async settle(
    partnerId: string,
    id: string,
    { status, reference, at }: InvoiceSettlement,
  ): Promise<Invoice> {
    this.clock.requireRight();
    await this.partners.get(partnerId);
    return this.store.transaction(async () => {
      await this.find(partnerId, id);
      const now = await this.market.now(this.market.marketOf(partnerId));
      // Until commit, no day is closed, and nobody else ends the invoice.
      const [head] = await this.store.query(queries.LOCK_LEDGER, [partnerId, now]);
      const invoice = await this.find(partnerId, id);
      requireOpen(invoice);
      const { recordedAt, closedUntil } = head!;
      const valueDate = at ?? recordedAt;
      if (at && at > now) throw invalid('at', 'must not lie in the future');
      if (closedUntil !== null && valueDate < closedUntil)
        throw invalid(
          'at',
          `must not lie in a closed day: the last one ended at ${closedUntil.toISOString()}`,
        );
      const entry = { id: newId('event', recordedAt), invoiceId: id, partnerId, status, reference };
      await this.store.query(queries.INSERT_ENTRY, [rowsText([{ ...entry, at: valueDate, recordedAt }])]);
      return { ...invoice, status, reference, at: valueDate, settledAt: recordedAt };
    });
  }

  private async find(partnerId: string, id: string): Promise<Invoice> {
    const [invoice] = isId('invoice', id) ? await this.store.query(queries.FIND, [partnerId, id]) : [];
    if (!invoice) throw notFound('invoice');
    return invoice;
  }
}

function requireOpen({ status, at, reference, month, asset }: Invoice): void {
  if (status === 'open') return;
  throw new DomainError(
    'invoice_settled',
    `The invoice of ${periodOf(month)} in ${asset} is ${status} already, with the value date ${at!.toISOString()} and the reference ${JSON.stringify(reference)}.`,
  );
}
