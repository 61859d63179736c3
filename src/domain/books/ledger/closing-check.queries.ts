import { integer, orNull, text } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { ADDED, CHANGE } from './ledger.queries.js';
import { hasPartnerOfSeventh, isOfSeventh } from './partner-sevenths.js';

/** Sums of a closing that are sums of entries. */
const CLOSED = Object.keys(ADDED);

/**
 * Closings that are not the sums of the entries of the partner's users up to their moment, dated before it or accruals of that midnight itself; and those
 * whose books for reports have other sums; of seventh $1 of the partners. The last row stands for `more` others.
 */
export const FIND_CLOSING_DIFFERENCES = statement(
  'ledger.find_closing_differences',
  { values: [orNull(integer())], row: { subject: text(), problem: text(), more: integer() } },
  `WITH entered AS (
     SELECT e.partner_id, e.asset, date_trunc('day', CASE WHEN ${CHANGE} THEN e.at ELSE e.at - interval '1 millisecond' END, 'UTC') AS day,
            ${Object.entries(ADDED)
              .map(([name, added]) => `${added} AS ${name}`)
              .join(', ')}
       FROM ledger_entries e JOIN users u ON u.id = e.user_id AND u.partner_id = e.partner_id WHERE ${hasPartnerOfSeventh('e.partner_id', '$1')}
   ), days AS (
     SELECT partner_id, asset, day, ${CLOSED.map((name) => `sum(${name}) AS ${name}`).join(', ')}, false AS closed
       FROM entered GROUP BY partner_id, asset, day
     UNION ALL
     SELECT c.partner_id, c.asset, c.day, ${CLOSED.map(() => '0').join(', ')}, true FROM daily_closings c WHERE ${isOfSeventh('c.partner_id', '$1')}
   ), summed AS (
     SELECT partner_id, asset, day, closed, ${CLOSED.map((name) => `sum(${name}) OVER w AS ${name}`).join(', ')}
       FROM days WINDOW w AS (PARTITION BY partner_id, asset ORDER BY day, closed)
   ), differences AS (
   SELECT format('daily_closings %s %s %s', s.partner_id, s.asset, to_char(s.day AT TIME ZONE 'UTC', 'YYYY-MM-DD')) AS subject,
          format('says %s, by the ledger it is %s', is_said, should) AS problem
     FROM summed s JOIN daily_closings c USING (partner_id, asset, day)
    CROSS JOIN LATERAL (SELECT ROW(${CLOSED.map((name) => `c.${name}`).join(', ')})::text AS is_said,
                               ROW(${CLOSED.map((name) => `s.${name}`).join(', ')})::text AS should) AS both_of
    WHERE s.closed AND is_said <> should
   UNION ALL
   SELECT format('closed_books %s %s %s', c.partner_id, c.asset, to_char(c.day AT TIME ZONE 'UTC', 'YYYY-MM-DD')), format('says %s, the closing is %s', is_said, should)
     FROM daily_closings c LEFT JOIN closed_books b USING (partner_id, day)
    CROSS JOIN LATERAL (
      SELECT ARRAY(SELECT coalesce((SELECT (sums ->> name)::numeric FROM jsonb_array_elements(books -> 'totals' || (books -> 'revenue')) AS sums
                                     WHERE sums ->> 'asset' = c.asset AND sums ? name), 0)
                     FROM unnest('{deposited,withdrawn,accrued,costs,settledLending,settledHold,fee,partnerRevenue,carriedLoss}'::text[]) AS name)::text AS is_said,
             ARRAY[c.deposits, c.withdrawals, c.accrued, c.costs, c.settled_lending, c.settled_hold, c.fee, c.partner_revenue, c.carried_loss]::text AS should
    ) AS both_of
    WHERE ${isOfSeventh('c.partner_id', '$1')} AND is_said <> should
   )
   SELECT subject, problem, (CASE WHEN row_number() OVER (ORDER BY subject) = 1000 THEN count(*) OVER () - 1000 ELSE 0 END)::int AS more
     FROM differences ORDER BY subject LIMIT 1000`,
);
