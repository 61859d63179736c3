import { Injectable } from '@nestjs/common';
import { LedgerVerifier } from '../books/ledger/ledger-verifier.js';
import { isOfSeventh } from '../books/ledger/partner-sevenths.js';
import type { ComparedCounts, ReportDifference, VerifiedPart } from '../books/ledger/verification.js';
import { integer, orNull, rowCount, text } from '../kernel/store/column.js';
import { statement } from '../kernel/store/statement.js';
import { Store } from '../kernel/store/store.js';
import { feesOfMonths } from './invoice.queries.js';

/**
 * Invoices of seventh $1 of the partners that are not the fees of their months, and fees without an invoice, unless those of their month are still to be
 * written; the last row stands for `more` others.
 */
const FIND_DIFFERENCES = statement(
  'invoices.find_differences',
  { values: [orNull(integer())], row: { subject: text(), problem: text(), more: integer() } },
  `WITH fees AS (${feesOfMonths(isOfSeventh('partner_id', '$1'))}),
   ended AS (
     SELECT * FROM (SELECT *, max(last_day) OVER (PARTITION BY partner_id) AS closed FROM fees) AS f
      WHERE month + interval '1 month' <= closed + interval '24 hours' AND (fee <> 0 OR partner_revenue <> 0)
   ), differences AS (
   SELECT format('invoices %s %s %s', partner_id, asset, to_char(month AT TIME ZONE 'UTC', 'YYYY-MM')) AS subject,
          CASE WHEN i.id IS NULL THEN format('is not there, but according to the closings the fee is %s and %s of it the partner''s', f.fee, f.partner_revenue)
               ELSE format('says %s and %s, but according to the closings it is %s and %s', i.fee, i.partner_revenue, coalesce(f.fee, 0), coalesce(f.partner_revenue, 0)) END AS problem
     FROM ended f FULL JOIN (SELECT * FROM invoices WHERE ${isOfSeventh('partner_id', '$1')}) AS i USING (partner_id, asset, month)
    WHERE (i.fee, i.partner_revenue) IS DISTINCT FROM (f.fee, f.partner_revenue)
      AND NOT (i.id IS NULL AND EXISTS (
        SELECT FROM statements s WHERE s.day_end >= f.month + interval '1 month' AND s.closed_at IS NOT NULL AND s.invoiced_at IS NULL
           AND NOT EXISTS (SELECT FROM statements n WHERE n.market_id = s.market_id AND n.day_end > s.day_end AND n.invoiced_at IS NOT NULL)))
   UNION ALL
   SELECT format('invoice_entries %s', e.id), format('is of %s, which is not the partner''s invoice', e.invoice_id)
     FROM invoice_entries e LEFT JOIN invoices i ON i.id = e.invoice_id
    WHERE ${isOfSeventh('e.partner_id', '$1')} AND i.partner_id IS DISTINCT FROM e.partner_id
   UNION ALL
   SELECT format('invoice_entries %s', e.id), 'is in no entry of the audit log'
     FROM invoice_entries e
    WHERE ${isOfSeventh('e.partner_id', '$1')} AND (SELECT first = 0 FROM audit_chain)
      AND NOT EXISTS (SELECT FROM audit_entries a WHERE a.subjects @> ARRAY[e.invoice_id])
   )
   SELECT subject, problem, (CASE WHEN row_number() OVER (ORDER BY subject) = 1000 THEN count(*) OVER () - 1000 ELSE 0 END)::int AS more
     FROM differences ORDER BY subject LIMIT 1000`,
);

const COUNT = statement(
  'invoices.count',
  { values: [orNull(integer())], row: { invoices: rowCount() } },
  `SELECT count(*) AS invoices FROM invoices WHERE ${isOfSeventh('partner_id', '$1')}`,
);

/** Verifies that the invoices of a closed month are the fees of its entries, by its closings. */
@Injectable()
export class InvoiceVerifier implements VerifiedPart {
  constructor(
    private readonly store: Store,
    ledger: LedgerVerifier,
  ) {
    ledger.parts.push(this);
  }

  async verify(differs: ReportDifference, seventh: number | null): Promise<ComparedCounts> {
    for (const { subject, problem, more } of await this.store.query(FIND_DIFFERENCES, [seventh]))
      differs(subject, problem, 1 + more);
    const [count] = await this.store.query(COUNT, [seventh]);
    return { invoices: count!.invoices };
  }
}
