import { integer, jsonb, orNull, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { Fact } from '../../outbound/alerts/alert.js';

const KNOWN = {
  kind: text<Fact['kind']>(),
  subject: text(),
  why: text(),
  since: time(),
  until: orNull(time()),
};

/** Open facts of a market, and those that ended before everybody concerned was notified of the end. */
export const FIND = statement(
  'alerts.find',
  { values: [text()], row: KNOWN },
  `SELECT kind, subject, why, since, until FROM alerts WHERE market_id = $1`,
);

export const BEGIN = statement(
  'alerts.begin',
  { values: [text(), jsonb<string>()], row: KNOWN },
  `INSERT INTO alerts (market_id, kind, subject, why, since)
   SELECT $1, kind, subject, why, since FROM jsonb_to_recordset($2) AS new(kind text, subject text, why text, since timestamptz)
   ON CONFLICT DO NOTHING
   RETURNING kind, subject, why, since, until`,
);

/** Ends open facts of market $1 that are listed in $2 (JSON), at $3. */
export const END = statement(
  'alerts.end',
  { values: [text(), jsonb<string>(), time()], row: KNOWN },
  `UPDATE alerts a SET until = greatest($3, a.since) FROM jsonb_to_recordset($2) AS old(kind text, subject text)
    WHERE a.market_id = $1 AND a.kind = old.kind AND a.subject = old.subject AND a.until IS NULL
   RETURNING a.kind, a.subject, a.why, a.since, a.until`,
);

export const FORGET = statement(
  'alerts.forget',
  { values: [text(), text<Fact['kind']>(), text()], row: {} },
  `DELETE FROM alerts WHERE market_id = $1 AND kind = $2 AND subject = $3 AND until IS NOT NULL`,
);

/** The next $4 partners with funds in vault $3 that were not notified of fact $2, marked as notified. */
export const TAKE_CONCERNED = statement(
  'alerts.take_concerned',
  { values: [text(), text<Fact['kind']>(), text(), integer()], row: { partnerId: text() } },
  `INSERT INTO alerted_partners (market_id, kind, subject, partner_id)
   SELECT $1, $2, $3, held.partner_id
     FROM (SELECT DISTINCT b.partner_id FROM book_shares b
            WHERE b.market_id = $1 AND b.book = 'routed' AND b.vault_id = $3 AND b.positions > 0
              AND NOT EXISTS (SELECT FROM alerted_partners t
                               WHERE t.market_id = $1 AND t.kind = $2 AND t.subject = $3 AND t.partner_id = b.partner_id)
            ORDER BY b.partner_id LIMIT $4::int) AS held
   ON CONFLICT DO NOTHING
   RETURNING partner_id AS "partnerId"`,
);

/** The next $4 partners that were notified of a fact and not yet of its end. */
export const TAKE_TOLD = statement(
  'alerts.take_told',
  { values: [text(), text<Fact['kind']>(), text(), integer()], row: { partnerId: text() } },
  `DELETE FROM alerted_partners t USING (
     SELECT partner_id FROM alerted_partners WHERE market_id = $1 AND kind = $2 AND subject = $3
      ORDER BY partner_id LIMIT $4::int FOR UPDATE) AS next
    WHERE t.market_id = $1 AND t.kind = $2 AND t.subject = $3 AND t.partner_id = next.partner_id
   RETURNING t.partner_id AS "partnerId"`,
);

/** Creates the owner of the administrators' endpoints, once. $1 its id. */
export const OWN = statement(
  'alerts.own',
  { values: [text(), time()], row: {} },
  `INSERT INTO partners (id, name, status, performance_fee_bps, revenue_share_bps, metadata, created_at, updated_at)
   VALUES ($1, 'The deployment', 'active', 0, 0, '{}', $2, $2) ON CONFLICT DO NOTHING`,
);
