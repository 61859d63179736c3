import {
  insertOf,
  json,
  listOf,
  moment,
  orNull,
  rowCount,
  text,
  time,
  whole,
} from '../kernel/store/column.js';
import { statement } from '../kernel/store/statement.js';
import type { InvoiceEnd, InvoiceStatus } from './invoice.js';

const FEE = { partnerId: text(), asset: text(), fee: whole(), partnerRevenue: whole() };

/** Fees of months: what the last closing of each has beyond the one before it. @param closings condition on the closings of partners */
export const feesOfMonths = (closings: string): string => `
   SELECT partner_id, asset, month, last_day, fee - lag(fee, 1, 0::numeric) OVER w AS fee,
          partner_revenue - lag(partner_revenue, 1, 0::numeric) OVER w AS partner_revenue
     FROM (SELECT DISTINCT ON (partner_id, asset, month) partner_id, asset, month, day AS last_day, fee, partner_revenue
             FROM (SELECT *, date_trunc('month', day, 'UTC') AS month FROM daily_closings WHERE ${closings}) AS closing
            ORDER BY partner_id, asset, month, day DESC) AS last
   WINDOW w AS (PARTITION BY partner_id, asset ORDER BY month)`;

/** Fees of partners $1 in the months that end after $2 and not after $3, by asset; without those of 0. */
export const FIND_FEES = statement(
  'invoices.find_fees',
  { values: [listOf(text()), moment(), time()], row: { ...FEE, month: time() } },
  `SELECT partner_id AS "partnerId", asset, month, fee, partner_revenue AS "partnerRevenue"
     FROM (${feesOfMonths('partner_id = ANY($1)')}) AS fees
    WHERE month + interval '1 month' > $2 AND month + interval '1 month' <= $3 AND (fee <> 0 OR partner_revenue <> 0)
    ORDER BY partner_id, month, asset`,
);

export const INSERT = statement(
  'invoices.insert',
  { values: [json<string>()], row: {} },
  `${insertOf('invoices', { id: text(), ...FEE, month: time(), createdAt: time() }, '$1')} ON CONFLICT (partner_id, asset, month) DO NOTHING`,
);

/** Ends of a market's newest closed day, and of the newest by which its months have their invoices. */
export const FIND_PROGRESS = statement(
  'invoices.find_progress',
  { values: [text()], row: { closed: orNull(time()), invoiced: orNull(time()) } },
  `SELECT max(day_end) FILTER (WHERE closed_at IS NOT NULL) AS closed, max(day_end) FILTER (WHERE invoiced_at IS NOT NULL) AS invoiced
     FROM statements WHERE market_id = $1`,
);

export const MARK = statement(
  'invoices.mark',
  { values: [text(), time(), time()], row: {} },
  `UPDATE statements SET invoiced_at = $3 WHERE market_id = $1 AND day_end = $2 AND invoiced_at IS NULL`,
);

const INVOICE = {
  id: text(),
  partnerId: text(),
  month: time(),
  asset: text(),
  fee: whole(),
  partnerRevenue: whole(),
  status: text<InvoiceStatus>(),
  reference: orNull(text()),
  at: orNull(time()),
  settledAt: orNull(time()),
  createdAt: time(),
};

const INVOICES = `SELECT i.id, i.partner_id AS "partnerId", i.month, i.asset, i.fee, i.partner_revenue AS "partnerRevenue",
          coalesce(e.status, 'open') AS status, e.reference, e.at, e.recorded_at AS "settledAt", i.created_at AS "createdAt"
     FROM invoices i LEFT JOIN invoice_entries e ON e.invoice_id = i.id`;

/** Invoices of partner $1, the newest month first, after ($2, $3); $5 status, $6 first moment of the month; null: any. */
export const LIST = statement(
  'invoices.list',
  {
    values: [text(), moment(), text(), rowCount(), orNull(text<InvoiceStatus>()), orNull(time())],
    row: INVOICE,
  },
  `${INVOICES}
    WHERE i.partner_id = $1 AND (i.month, i.id) < ($2, $3) AND ($5::text IS NULL OR coalesce(e.status, 'open') = $5)
      AND ($6::timestamptz IS NULL OR i.month = $6)
    ORDER BY i.month DESC, i.id DESC LIMIT $4`,
);

export const FIND = statement(
  'invoices.find',
  { values: [text(), text()], row: INVOICE },
  `${INVOICES} WHERE i.partner_id = $1 AND i.id = $2`,
);

/** Takes a partner's ledger until commit, to book at $2 or a millisecond after its newest booking. */
export const LOCK_LEDGER = statement(
  'invoices.lock_ledger',
  { values: [text(), time()], row: { recordedAt: time(), closedUntil: orNull(time()) } },
  `UPDATE ledger_heads SET recorded_at = greatest($2, recorded_at + interval '1 millisecond')
    WHERE partner_id = $1 RETURNING recorded_at AS "recordedAt", nullif(closed_until, '-infinity') AS "closedUntil"`,
);

const ENTRY = {
  id: text(),
  invoiceId: text(),
  partnerId: text(),
  status: text<InvoiceEnd>(),
  reference: text(),
  at: time(),
  recordedAt: time(),
};

export const INSERT_ENTRY = statement(
  'invoices.insert_entry',
  { values: [json<string>()], row: {} },
  insertOf('invoice_entries', ENTRY, '$1'),
);

/**
 * Entries of partner $1 in the order of booking after id $2, newest first, or the oldest first where $8; $3 rows, $4 status, $5 asset; null: any; $6 and $7
 * period of their value dates.
 */
const listEntries = (name: string, isForward: boolean) =>
  statement(
    `invoices.${name}`,
    {
      values: [text(), text(), rowCount(), orNull(text<InvoiceEnd>()), orNull(text()), moment(), moment()],
      row: { ...ENTRY, month: time(), asset: text(), fee: whole(), partnerRevenue: whole() },
    },
    `SELECT e.id, e.invoice_id AS "invoiceId", e.partner_id AS "partnerId", e.status, e.reference, e.at, e.recorded_at AS "recordedAt",
            i.month, i.asset, i.fee, i.partner_revenue AS "partnerRevenue"
       FROM invoice_entries e JOIN invoices i ON i.id = e.invoice_id
      WHERE e.partner_id = $1 AND e.id ${isForward ? '>' : '<'} $2 AND ($4::text IS NULL OR e.status = $4) AND ($5::text IS NULL OR i.asset = $5)
        AND e.at >= $6 AND e.at < $7
      ORDER BY e.id ${isForward ? 'ASC' : 'DESC'} LIMIT $3`,
  );

export const LIST_ENTRIES = listEntries('list_entries', false);
export const LIST_ENTRIES_ONWARDS = listEntries('list_entries_onwards', true);

/** Ends of invoices of partner $1 with a value date before $2. */
export const FIND_ENDS = statement(
  'invoices.find_ends',
  {
    values: [text(), time()],
    row: { at: time(), status: text<InvoiceEnd>(), asset: text(), fee: whole(), partnerRevenue: whole() },
  },
  `SELECT e.at, e.status, i.asset, i.fee, i.partner_revenue AS "partnerRevenue"
     FROM invoice_entries e JOIN invoices i ON i.id = e.invoice_id WHERE e.partner_id = $1 AND e.at < $2`,
);
