export const INVOICE_ENDS = ['paid', 'void'] as const;
export type InvoiceEnd = (typeof INVOICE_ENDS)[number];
export const INVOICE_STATUSES = ['open', ...INVOICE_ENDS] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** Fee of a partner's closed month in an asset, micro-units. */
interface MonthlyFee {
  partnerId: string;
  /** Its first moment. */
  month: Date;
  asset: string;
  fee: bigint;
  partnerRevenue: bigint;
}

/** null while it is open. `at`: value date of its end; `settledAt`: when that was entered. */
export interface Invoice extends MonthlyFee {
  id: string;
  status: InvoiceStatus;
  reference: string | null;
  at: Date | null;
  settledAt: Date | null;
  createdAt: Date;
}

/** Entry of the journal that ends an invoice. */
export interface InvoiceEntry extends MonthlyFee {
  id: string;
  invoiceId: string;
  status: InvoiceEnd;
  reference: string;
  at: Date;
  recordedAt: Date;
}

/** `YYYY-MM` of a month's first moment. */
export const periodOf = (month: Date): string => month.toISOString().slice(0, 7);
