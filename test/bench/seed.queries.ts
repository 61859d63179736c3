const digit = (bits: string): string =>
  `substr('0123456789abcdefghjkmnpqrstvwxyz', ((${bits}) & 31)::int + 1, 1)`;
const digits = (number: string, count: number): string =>
  Array.from({ length: count }, (_, index) => digit(`${number} >> ${5 * (count - 1 - index)}`)).join(' || ');

/**
 * TypeIDs ordered by time: a number stands in place of the random part. Only the last digit is scattered, because it selects the slot of a position.
 */
export const FUNCTIONS = `
CREATE FUNCTION pg_temp.millis(at timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (extract(epoch FROM at) * 1000)::bigint $$;
CREATE FUNCTION pg_temp.time_digits(millis bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT ${digits('millis', 10)} $$;
CREATE FUNCTION pg_temp.number_digits(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'e0080000' || ${digits('n', 7)} || ${digit('hashint8(n)')} $$;
CREATE FUNCTION pg_temp.within(hour snapshots, at timestamptz) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT hour.share_index + div(hour.share_index * hour.factor * (pg_temp.millis(at) % 3600000), 3600000e18) $$;
CREATE FUNCTION pg_temp.id(prefix text, at timestamptz, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT prefix || '_' || pg_temp.time_digits(pg_temp.millis(at)) || pg_temp.number_digits(n) $$`;

/** $1 from, $2 until. */
export const PARTITIONS = `SELECT prepare_ledger(month) FROM generate_series($1::timestamptz, $2::timestamptz, interval '1 month') AS month`;

/** $1 the vaults: `{ id, asset, lending, apy, factor }`: the id of the asset's lending baseline, the yield in all hours, and an hour's growth by it. */
export const VAULTS = `
CREATE TEMP TABLE bench_vaults AS
SELECT (place - 1)::int AS place, vault->>'id' AS id, vault->>'asset' AS asset, vault->>'lending' AS lending,
       (vault->>'apy')::float8 AS apy, (vault->>'factor')::numeric AS factor
  FROM json_array_elements($1::json) WITH ORDINALITY AS listed(vault, place)`;

/** $1 market, $2 its first hour, $3 its newest. A vault yields the same in all hours, which it begins to earn in the second. */
export const SNAPSHOTS = `
WITH RECURSIVE market AS (
  INSERT INTO markets (id, ticked_hour, routed_hour) VALUES ($1, $3, $3)
), grown AS (
  SELECT id, apy, $2::timestamptz AS hour, 1e18::numeric AS index, 0::numeric AS growth, factor FROM bench_vaults
  UNION ALL
  SELECT id, apy, hour + interval '1 hour', index + div(index * growth, 1e18), factor, factor FROM grown WHERE hour < $3::timestamptz
)
INSERT INTO snapshots (market_id, vault_id, hour, apy, tvl, share_index, factor)
SELECT $1, id, hour, apy, 1000000000000000, index, growth FROM grown`;

/** $1 market, $2 its newest hour, $3 the end of the day up to which all yield is posted. */
export const STATES = `
WITH posted AS (INSERT INTO statements (market_id, day_end, done_at) VALUES ($1, $3, $3))
INSERT INTO vault_states (market_id, vault_id, share_index, factor, last_apy, last_tvl, observed_hour)
SELECT market_id, vault_id, share_index, factor, apy, tvl, hour FROM snapshots WHERE market_id = $1 AND hour = $2`;

/** The daily closings of days. $1 market, $2 first day, $3 last day. */
export const DAYS = `
CREATE TEMP TABLE bench_days AS
SELECT vault_id, (hour::date - $2::date)::int AS day, hour AS at, pg_temp.time_digits(pg_temp.millis(hour)) AS digits,
       share_index AS index, apy
  FROM snapshots WHERE market_id = $1 AND hour = date_trunc('day', hour, 'UTC') AND hour BETWEEN $2 AND $3`;

/** $1 how many, $2 since when, $3 share in basis points. Every tenth runs a campaign. */
export const PARTNERS = `
CREATE TEMP TABLE bench_partners AS
SELECT n, pg_temp.id('ptn', $2, n) AS id, CASE WHEN n % 10 = 0 THEN pg_temp.id('cmp', $2, n) END AS campaign_id
  FROM generate_series(0, $1 - 1) AS n`;
export const PARTNER_ROWS = `
WITH partner AS (
  INSERT INTO partners (id, name, status, performance_fee_bps, revenue_share_bps, metadata, created_at, updated_at)
  SELECT id, 'Bench ' || n, 'active', 1000, $2, '{}', $1, $1 FROM bench_partners
), terms AS (
  INSERT INTO partner_terms (partner_id, from_at, performance_fee_bps, revenue_share_bps) SELECT id, $1, 1000, $2 FROM bench_partners
), campaign AS (
  INSERT INTO campaigns (id, partner_id, name, status, multiplier_hundredths, starts_at, metadata, created_at, updated_at)
  SELECT campaign_id, id, 'Bench', 'active', 150, $1, '{}', $1, $1 FROM bench_partners WHERE campaign_id IS NOT NULL
)
INSERT INTO campaign_terms (campaign_id, from_at, status, multiplier_hundredths, starts_at)
SELECT campaign_id, $1, 'active', 150, $1 FROM bench_partners WHERE campaign_id IS NOT NULL`;

/** $1 how many, $2 partners, $3 since when. */
export const USERS = `
CREATE TEMP TABLE bench_users AS
SELECT n, pg_temp.id('usr', $3, n) AS id, n % $2 AS partner FROM generate_series(0, $1 - 1) AS n`;
export const USER_ROWS = `
INSERT INTO users (id, partner_id, external_id, label, metadata, status, created_at, updated_at)
SELECT u.id, p.id, 'bench:' || u.n, 'Bench', '{}', 'active', $1, $1 FROM bench_users u JOIN bench_partners p ON p.n = u.partner`;

/** $1 how many, $2 users, $3 first day, $4 days over which they are opened, $5 market. Deposits of 20 to 180 units; a partner uses four vaults. */
export const POSITIONS = `
CREATE TEMP TABLE bench_positions AS
SELECT p.n, pg_temp.id('pos', p.opened_at, p.n) AS id, u.id AS user_id, partner.id AS partner_id, partner.campaign_id, v.id AS vault_id, v.asset,
       v.lending AS lending_vault_id, hashint8(p.n) & 15 AS slot, p.opened_at, p.opened_day, p.amount, own.apy, within.own AS index,
       within.lending AS lending_index, div(p.amount * 1e30 + within.own - 1, within.own) AS shares,
       div(p.amount * 1e30 + within.lending - 1, within.lending) AS lending_shares,
       row_number() OVER account AS account_place, count(*) OVER whole AS account_positions, max(p.opened_day) OVER whole AS account_day
  FROM (SELECT n, $3::timestamptz + opened AS opened_at, extract(day FROM opened)::int AS opened_day,
               20000000 + (hashint8extended(n, 1) & 2147483647) % 160000000::numeric AS amount
          FROM generate_series(0::bigint, $1 - 1) AS n,
               LATERAL (SELECT justify_hours(floor(n::float8 / $1 * $4 * 86400000) * interval '1 ms') AS opened) AS t) AS p
  JOIN bench_users u ON u.n = p.n % $2
  JOIN bench_partners partner ON partner.n = u.partner
  JOIN bench_vaults v ON v.place = (partner.n * 7 + p.n / $2 + p.n % 4) % (SELECT count(*) FROM bench_vaults)
  JOIN snapshots own ON own.market_id = $5 AND own.vault_id = v.id AND own.hour = date_trunc('hour', p.opened_at)
  JOIN snapshots lending ON lending.market_id = $5 AND lending.vault_id = v.lending AND lending.hour = own.hour
 CROSS JOIN LATERAL (SELECT pg_temp.within(own.*, p.opened_at) AS own, pg_temp.within(lending.*, p.opened_at) AS lending) AS within
WINDOW whole AS (PARTITION BY u.id, v.asset), account AS (whole ORDER BY p.n)
 ORDER BY p.n`;

export const DEPOSITS = `
INSERT INTO ledger_entries (id, at, recorded_at, type, partner_id, user_id, position_id, asset, vault_id, amount, cost, apy, share_index, lending_index, hold_index, tx_hash, decision_id)
SELECT 'evt' || substr(p.id, 4), opened_at, opened_at, 'deposit', partner_id, user_id, p.id, p.asset, vault_id, amount, 0, apy, index, lending_index, index,
       '0x' || md5(p.id) || md5(user_id || n), d.id
  FROM bench_positions p JOIN bench_decisions d USING (partner_id, vault_id)`;

/** A decision for the deposits of a partner in a vault: a thousandth of what there would be. */
export const DECISIONS = `
CREATE TEMP TABLE bench_decisions AS
SELECT pg_temp.id('dec', min(opened_at), min(n)) AS id, partner_id, vault_id, asset, min(opened_at) AS at FROM bench_positions GROUP BY partner_id, vault_id, asset`;
/** $1 market, $2 records by vault. */
export const DECISION_ROWS = `
INSERT INTO decisions (id, market_id, partner_id, kind, asset, positions, to_vault_id, hour, record, at)
SELECT id, $1, partner_id, 'route', asset, 1, vault_id, ($2::json -> vault_id ->> 'snapshotHour')::timestamptz, $2::json -> vault_id, at FROM bench_decisions`;

export const SETTLEMENTS = `
INSERT INTO settlements (id, tx_hash, position_id, recorded_at, partner_id, asset, due_at)
SELECT 'set' || substr(id, 4), '0x' || md5(id) || md5(user_id || n), id, opened_at, partner_id, asset, opened_at FROM bench_positions`;

/**
 * The accrual number $1 of $2 of each position; the last accrual is at the end of the day $3. $4 positions; $5, $6 the terms. Positions of an account
 * accrue on the same days, so that its entries are settled by time and id.
 */
export const ACCRUALS = `
INSERT INTO ledger_entries (id, at, recorded_at, type, partner_id, user_id, position_id, asset, vault_id, amount, cost, apy, share_index, fee_bps, share_bps,
       revenue_place, fee, partner_revenue)
SELECT id, at, at, 'yield_accrual', partner_id, user_id, position_id, asset, vault_id, amount, 0, apy, index, $5, $6, place, fee - fee_before,
       div(fee * $6, 10000) - div(fee_before * $6, 10000)
  FROM (SELECT *, div(base * $5 + 9999, 10000) AS fee, div((base - amount) * $5 + 9999, 10000) AS fee_before
          FROM (SELECT *, sum(amount) OVER account + sum(gained - amount) OVER whole AS base
                  FROM (SELECT 'evt_' || now.digits || pg_temp.number_digits($1::bigint * $4 + p.n) AS id, now.at, p.n, p.partner_id, p.user_id,
                               p.id AS position_id, p.asset, p.vault_id, now.apy, now.index, ($1 - 1) * p.account_positions + p.account_place AS place,
                               div(p.shares * now.index, 1e30) - p.amount AS gained,
                               div(p.shares * now.index, 1e30) - CASE WHEN $1 = 1 THEN p.amount ELSE div(p.shares * before.index, 1e30) END AS amount
                          FROM bench_positions p
                          JOIN bench_days now ON now.vault_id = p.vault_id AND now.day = p.account_day + ($3 - p.account_day) * $1 / $2
                          JOIN bench_days before ON before.vault_id = p.vault_id AND before.day = p.account_day + ($3 - p.account_day) * ($1 - 1) / $2) AS own
                WINDOW account AS (PARTITION BY user_id, asset ORDER BY n), whole AS (PARTITION BY user_id, asset)) AS based) AS charged`;

/** $1 market, $2 when campaigns began, $3 up to when yield is posted. */
export const POSITION_ROWS = `
INSERT INTO positions (id, market_id, partner_id, user_id, asset, status, vault_id, origin_vault_id, lending_vault_id, slot, shares, lending_shares,
       hold_shares, deposited, withdrawn, accrued, costs, settled_lending, settled_hold, withdrawals, campaign_id, campaign_moment,
       plain_moment, capital_moment, opened_at, active_at, accrued_at)
SELECT id, $1, partner_id, user_id, asset, 'active', vault_id, vault_id, lending_vault_id, slot, shares, lending_shares, shares, amount, 0,
       coalesce(accrued, 0), 0, 0, 0, 0, campaign_id,
       CASE WHEN campaign_id IS NULL THEN 0 ELSE amount * (pg_temp.millis(opened_at) - pg_temp.millis($2)) * 150 END,
       amount * pg_temp.millis(CASE WHEN campaign_id IS NULL THEN opened_at ELSE $2 END) * 100, amount * pg_temp.millis(opened_at), opened_at, opened_at,
       CASE WHEN accrued IS NULL THEN opened_at ELSE $3 END
  FROM bench_positions
  LEFT JOIN (
    SELECT position_id, sum(amount) AS accrued FROM ledger_entries WHERE type = 'yield_accrual' GROUP BY position_id) AS yield
    ON yield.position_id = id
 ORDER BY n`;

/** Everything that was earned is gain, under terms that never changed. */
export const ACCOUNTS = `
INSERT INTO revenue_accounts (user_id, asset, partner_id, settled, sums, total_fee, total_partner)
SELECT user_id, asset, partner_id, settled,
       CASE WHEN settled = 0 THEN '[]' ELSE jsonb_build_array(jsonb_build_object('performanceFeeBps', fee_bps, 'partnerShareBps', share_bps,
              'base', base::text, 'fee', fee::text, 'partner', div(fee * share_bps, 10000)::text)) END,
       fee, coalesce(div(fee * share_bps, 10000), 0)
  FROM (SELECT p.user_id, p.asset, p.partner_id, count(e.id) AS settled, max(e.fee_bps) AS fee_bps, max(e.share_bps) AS share_bps,
               coalesce(sum(e.amount), 0) AS base, coalesce(div(sum(e.amount) * max(e.fee_bps) + 9999, 10000), 0) AS fee
          FROM positions p LEFT JOIN ledger_entries e ON e.position_id = p.id AND e.type = 'yield_accrual'
         GROUP BY 1, 2, 3) AS account`;

export const BOOKS = {
  book_shares: `
    INSERT INTO book_shares (partner_id, asset, book, vault_id, slot, market_id, shares, positions, since)
    SELECT partner_id, asset, book, vault, slot, market_id, sum(own), count(*) FILTER (WHERE book = 'routed'), min(opened_at)
      FROM positions, LATERAL (VALUES ('routed', vault_id, shares), ('lending', lending_vault_id, lending_shares),
           ('hold', origin_vault_id, hold_shares)) AS one(book, vault, own)
     GROUP BY partner_id, asset, book, vault, slot, market_id`,
  book_totals: `
    INSERT INTO book_totals (partner_id, asset, slot, deposited, withdrawn, deposits, withdrawals, accrued, costs, settled_lending, settled_hold, principal, capital_moment,
           opened, closed, first_at)
    SELECT partner_id, asset, slot, sum(deposited), sum(withdrawn), count(*), sum(withdrawals), sum(accrued), 0, 0, 0, sum(deposited - withdrawn),
           sum(capital_moment), count(*), 0, min(opened_at)
      FROM positions GROUP BY partner_id, asset, slot`,
  book_revenue: `
    INSERT INTO book_revenue (partner_id, asset, slot, fee, partner_revenue, carried_loss)
    SELECT partner_id, asset, (strpos('0123456789abcdefghjkmnpqrstvwxyz', right(user_id, 1)) - 1) % 16, sum(total_fee), sum(total_partner), 0
      FROM revenue_accounts GROUP BY 1, 2, 3`,
  book_points: `
    INSERT INTO book_points (partner_id, asset, campaign_id, slot, principal, campaign_moment, plain_moment)
    SELECT partner_id, asset, coalesce(campaign_id, ''), slot, sum(deposited - withdrawn), sum(campaign_moment), sum(plain_moment)
      FROM positions GROUP BY partner_id, asset, coalesce(campaign_id, ''), slot`,
  vault_shares: `
    INSERT INTO vault_shares (market_id, vault_id, slot, shares)
    SELECT market_id, vault_id, slot, sum(shares) FROM positions GROUP BY market_id, vault_id, slot`,
  book_users: `INSERT INTO book_users (partner_id, slot, users) SELECT partner_id, 0, count(*) FROM users GROUP BY partner_id`,
};
