import { Matches } from 'class-validator';
import {
  type Invoice,
  INVOICE_ENDS,
  INVOICE_STATUSES,
  type InvoiceEnd,
  type InvoiceStatus,
  periodOf,
} from '../../domain/reporting/invoice.js';
import { toUnits } from '../../domain/kernel/money.js';
import type { InvoiceFilter, InvoiceSettlement } from '../../domain/reporting/invoice.service.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { defined } from '../../http/defined.js';
import { ChoiceField, field, TextField, TimestampField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';

const STATUSES =
  "`open`: not received yet. `paid`: the fee was received and the partner's part paid out, both outside of these books. `void`: taken back; nothing is owed.";

export class InvoiceDto {
  @Shown.id('inv') id: string;
  @Shown.kind('invoice') object: 'invoice';
  @Shown.id('ptn', 'Partner whose fees it has.') partner_id: string;
  @Shown.text('The closed month.', '2026-01') period: string;
  @Shown.asset('Asset of all amounts.') asset: string;
  @Shown.amount(
    'Performance fee of the month: `performance_fee` of its statement. Negative where more was taken back by voids than charged.',
    0.4,
  )
  fee: number;
  @Shown.amount("The partner's part of the fee.", 0.16) partner_revenue: number;
  @Shown.amount("The protocol's part of the fee.", 0.24) protocol_revenue: number;
  @Shown.choice(INVOICE_STATUSES, STATUSES, 'open') status: InvoiceStatus;
  @ShownOrNull.text('Reference of the payment or reason of the void; null: open.', null)
  reference: string | null;
  @ShownOrNull.time('Value date of the payment or void; null: open.', { example: null }) at: string | null;
  @ShownOrNull.time('When that was entered; null: open.', { example: null }) settled_at: string | null;
  @Shown.time('When it was written, with the closing of its month.') created_at: string;
}

export const invoiceView = viewOf(InvoiceDto, ({ month, fee, partnerRevenue }: Invoice) => ({
  period: periodOf(month),
  protocol_revenue: toUnits(fee - partnerRevenue),
}));

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

export class InvoicesQuery extends PageQuery {
  @ChoiceField({ description: 'Only invoices of this status.', of: INVOICE_STATUSES, optional: true })
  status?: InvoiceStatus;

  @field(
    { description: 'Only invoices of this month.', optional: true, example: '2026-01' },
    { type: String, pattern: MONTH.source },
    Matches(MONTH, { message: 'must be a month, YYYY-MM' }),
  )
  period?: string;
}

export const invoicesFilter = ({ status, period }: InvoicesQuery): InvoiceFilter =>
  defined({ status, month: period === undefined ? undefined : new Date(`${period}-01T00:00:00.000Z`) });

export class SettleInvoiceInputDto {
  @ChoiceField({
    description:
      "`paid`: the fee was received and the partner's part paid out. `void`: the fee is taken back. Both are final.",
    of: INVOICE_ENDS,
    example: 'paid',
  })
  status: InvoiceEnd;

  @TextField({
    description: 'Reference of the payment, or reason of the void.',
    max: 200,
    example: 'SEPA 2026-02-03 / 4711',
  })
  reference: string;

  @TimestampField({
    description: 'Value date, in a day that is not closed and not in the future. Default: now.',
    optional: true,
  })
  at?: string;
}

export const settlementOf = ({ status, reference, at }: SettleInvoiceInputDto): InvoiceSettlement => ({
  status,
  reference,
  ...defined({ at: at === undefined ? undefined : new Date(at) }),
});
