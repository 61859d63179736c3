import { integer, listOf, numeric, rowCount, text, time } from '../kernel/store/column.js';
import { statement } from '../kernel/store/statement.js';

const DAY_END = { dayEnd: time() };

/** The newest day whose statement is posted and whose closings are not written yet. */
export const FIND_DUE = statement(
  'closings.find_due',
  { values: [text()], row: DAY_END },
  `SELECT day_end AS "dayEnd" FROM statements
    WHERE market_id = $1 AND closed_at IS NULL AND done_at IS NOT NULL ORDER BY day_end DESC LIMIT 1`,
);

/** Lock by which one process writes them; no row when another has. */
export const LOCK = statement(
  'closings.lock',
  { values: [text(), time()], row: DAY_END },
  `SELECT day_end AS "dayEnd" FROM statements WHERE market_id = $1 AND day_end = $2 AND closed_at IS NULL FOR UPDATE`,
);

/** Partners with current or past holdings in a market, by id. $2 id to continue after, $3 rows. */
export const FIND_PARTNERS = statement(
  'closings.find_partners',
  { values: [text(), text(), integer()], row: { partnerId: text() } },
  `SELECT DISTINCT partner_id AS "partnerId" FROM book_shares
    WHERE market_id = $1 AND book = 'routed' AND partner_id > $2 ORDER BY partner_id LIMIT $3::int`,
);

/** Whole numbers are text. */
const CLOSING = {
  asset: text(),
  day: time(),
  asOf: time(),
  netTvl: text(),
  deposits: text(),
  withdrawals: text(),
  costs: text(),
  revenue: text(),
  grains: text(),
  lendingValue: text(),
  holdValue: text(),
  settledLending: text(),
  settledHold: text(),
};

/** $1 day, $2 moment; then one array for each column. */
export const INSERT = statement(
  'closings.insert',
  {
    values: [
      time(),
      time(),
      listOf(text()),
      listOf(text()),
      listOf(numeric()),
      listOf(numeric()),
      listOf(numeric()),
      listOf(numeric()),
      listOf(numeric()),
      listOf(numeric()),
      listOf(numeric()),
      listOf(numeric()),
      listOf(numeric()),
      listOf(numeric()),
    ],
    row: {},
  },
  `INSERT INTO daily_closings (day, as_of, partner_id, asset, net_tvl, deposits, withdrawals, costs, revenue, grains, lending_value, hold_value,
                               settled_lending, settled_hold)
   SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::numeric[],
                                $11::numeric[], $12::numeric[], $13::numeric[], $14::numeric[])
   ON CONFLICT DO NOTHING`,
);

/** Skips earlier days, whose closing figures can no longer be known. */
export const CLOSE = statement(
  'closings.close',
  { values: [text(), time(), time()], row: {} },
  `UPDATE statements SET closed_at = $3 WHERE market_id = $1 AND day_end <= $2 AND closed_at IS NULL AND done_at IS NOT NULL`,
);

/** Closings of a partner in assets $2, between two days inclusive; oldest first. */
export const READ = statement(
  'closings.read',
  { values: [text(), listOf(text()), time(), time(), rowCount()], row: CLOSING },
  `SELECT asset, day, as_of AS "asOf", net_tvl::text AS "netTvl", deposits::text, withdrawals::text, costs::text, revenue::text, grains::text,
          lending_value::text AS "lendingValue", hold_value::text AS "holdValue", settled_lending::text AS "settledLending",
          settled_hold::text AS "settledHold"
     FROM daily_closings WHERE partner_id = $1 AND asset = ANY($2) AND day >= $3 AND day <= $4 ORDER BY day, asset LIMIT $5`,
);
