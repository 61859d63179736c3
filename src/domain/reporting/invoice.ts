import type { RowFrom } from '../kernel/store/statement.js';
import type { LIST, LIST_ENTRIES } from './invoice.queries.js';

export const INVOICE_ENDS = ['paid', 'void'] as const;
export type InvoiceEnd = (typeof INVOICE_ENDS)[number];
export const INVOICE_STATUSES = ['open', ...INVOICE_ENDS] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** Fee of a partner's closed month in an asset, micro-units. `at`: value date of its end; null while it is open. */
export type Invoice = RowFrom<typeof LIST>;

/** Entry of the journal that ends an invoice. */
export type InvoiceEntry = RowFrom<typeof LIST_ENTRIES>;

/** `YYYY-MM` of a month's first moment. */
export const periodOf = (month: Date): string => month.toISOString().slice(0, 7);
