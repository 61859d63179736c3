import { limitPage } from '../kernel/store/page.js';
import {
  arrayOf,
  columnsOf,
  double,
  integer,
  json,
  listOf,
  moment,
  orNull,
  rowCount,
  type RowOf,
  text,
  time,
  whole,
} from '../kernel/store/column.js';
import { statement } from '../kernel/store/statement.js';
import type { UserStatus } from '../tenants/users/user.entity.js';
import { SIGNAL } from '../markets/signals/signal.js';
import type { Regime } from '../markets/signals/regime.js';
import type { StoredBooks } from './partner-book.js';

const HOLDINGS = { shares: json<StoredBooks['shares']>(), totals: json<StoredBooks['totals']>() };

/**
 * All sums of partners $1, one row each: a fixed number of elements for each vault, asset and campaign, whatever the number of positions and users.
 */
export const FIND_BOOKS = statement(
  'reporting.find_books',
  {
    values: [listOf(text())],
    row: {
      partnerId: text(),
      ...HOLDINGS,
      revenue: json<StoredBooks['revenue']>(),
      points: json<StoredBooks['points']>(),
      users: integer(),
      performanceFeeBps: integer(),
      revenueShareBps: integer(),
    },
  },
  `SELECT partner.id AS "partnerId",
     (SELECT coalesce(json_agg(s), '[]') FROM (
        SELECT asset, book, vault_id AS "vaultId", sum(shares)::text AS shares, sum(positions)::int AS positions
          FROM book_shares WHERE partner_id = partner.id GROUP BY asset, book, vault_id ORDER BY asset, book, vault_id) AS s) AS shares,
     (SELECT coalesce(json_agg(t), '[]') FROM (
        SELECT asset, sum(deposited)::text AS deposited, sum(withdrawn)::text AS withdrawn, sum(deposits)::int AS deposits,
               sum(withdrawals)::int AS withdrawals, sum(accrued)::text AS accrued, sum(costs)::text AS costs,
               sum(settled_lending)::text AS "settledLending", sum(settled_hold)::text AS "settledHold", sum(principal)::text AS principal,
               sum(capital_moment)::text AS "capitalMoment", sum(opened)::int AS opened, sum(closed)::int AS closed, min(first_at) AS "firstAt"
          FROM book_totals WHERE partner_id = partner.id GROUP BY asset) AS t) AS totals,
     (SELECT coalesce(json_agg(r), '[]') FROM (
        SELECT asset, sum(fee)::text AS fee, sum(partner_revenue)::text AS "partnerRevenue", sum(carried_loss)::text AS "carriedLoss"
          FROM book_revenue WHERE partner_id = partner.id GROUP BY asset) AS r) AS revenue,
     (SELECT coalesce(json_agg(p), '[]') FROM (
        SELECT b.asset, b.campaign_id AS "campaignId", sum(b.principal)::text AS principal, sum(b.campaign_moment)::text AS "campaignMoment",
               sum(b.plain_moment)::text AS "plainMoment",
               (SELECT coalesce(json_agg(json_build_object('fromAt', t.from_at, 'active', t.status = 'active', 'multiplierHundredths',
                         t.multiplier_hundredths, 'startsAt', t.starts_at, 'endsAt', t.ends_at) ORDER BY t.from_at), '[]')
                  FROM campaign_terms t WHERE t.campaign_id = b.campaign_id) AS terms
          FROM book_points b WHERE b.partner_id = partner.id GROUP BY b.asset, b.campaign_id ORDER BY b.asset, b.campaign_id) AS p) AS points,
     (SELECT coalesce(sum(users), 0)::int FROM book_users WHERE partner_id = partner.id) AS users,
     partner.performance_fee_bps AS "performanceFeeBps", partner.revenue_share_bps AS "revenueShareBps"
     FROM partners partner WHERE partner.id = ANY($1)`,
);

/** Funds of partners $1 by vault: shares of their positions. */
export const SUM_FUNDS = statement(
  'reporting.sum_funds',
  {
    values: [listOf(text())],
    row: { partnerId: text(), marketId: text(), vaultId: text(), shares: whole() },
  },
  `SELECT partner_id AS "partnerId", market_id AS "marketId", vault_id AS "vaultId", sum(shares) AS shares FROM book_shares
    WHERE partner_id = ANY($1) AND book = 'routed' GROUP BY partner_id, market_id, vault_id HAVING sum(shares) <> 0`,
);

/** Users of each of the partners $1 that were created at $2 or later. */
export const COUNT_USERS_SINCE = statement(
  'reporting.count_users_since',
  { values: [listOf(text()), time()], row: { partnerId: text(), users: integer() } },
  `SELECT partner_id AS "partnerId", count(*)::int AS users FROM users WHERE partner_id = ANY($1) AND created_at >= $2 GROUP BY partner_id`,
);

/** Sums over the positions of user $2, or of position $3; planned for what is given. $1 partner. */
export const FIND_HOLDINGS = statement(
  'reporting.find_holdings',
  { values: [text(), orNull(text()), orNull(text())], row: HOLDINGS, isPlannedAnew: true },
  `WITH own AS (
     SELECT * FROM positions
      WHERE partner_id = $1 AND ($2::text IS NULL OR user_id = $2) AND ($3::text IS NULL OR id = $3))
   SELECT
     (SELECT coalesce(json_agg(s), '[]') FROM (
        SELECT asset, book, "vaultId", sum(shares)::text AS shares, count(*)::int AS positions
          FROM (SELECT asset, 'routed' AS book, vault_id AS "vaultId", shares FROM own
                UNION ALL SELECT asset, 'lending', lending_vault_id, lending_shares FROM own
                UNION ALL SELECT asset, 'hold', coalesce(origin_vault_id, vault_id), hold_shares FROM own) AS books
         GROUP BY asset, book, "vaultId" ORDER BY asset, book, "vaultId") AS s) AS shares,
     (SELECT coalesce(json_agg(t), '[]') FROM (
        SELECT asset, sum(deposited)::text AS deposited, sum(withdrawn)::text AS withdrawn,
               (count(*) FILTER (WHERE deposited > 0))::int AS deposits, sum(withdrawals)::int AS withdrawals,
               sum(accrued)::text AS accrued, sum(costs)::text AS costs,
               sum(settled_lending)::text AS "settledLending", sum(settled_hold)::text AS "settledHold",
               coalesce(sum(greatest(deposited - withdrawn, 0)) FILTER (WHERE closed_at IS NULL), 0)::text AS principal,
               sum(capital_moment)::text AS "capitalMoment", count(*)::int AS opened, count(closed_at)::int AS closed, min(opened_at) AS "firstAt"
          FROM own GROUP BY asset) AS t) AS totals`,
);

/**
 * Page of a partner's users, newest first. $2/$3 keyset position (time, id), $4 rows, $5 only these. A user has some 1,200 bytes beside its texts: twenty wallets, and figures.
 */
export const LIST_USERS = statement(
  'reporting.list_users',
  {
    values: [text(), moment(), text(), rowCount(), orNull(arrayOf(text()))],
    row: {
      id: text(),
      externalId: text(),
      label: text(),
      status: text<UserStatus>(),
      createdAt: time(),
      found: integer(),
      wallets: listOf(text()),
    },
  },
  `SELECT u.id, u.external_id AS "externalId", u.label, u.status, u.created_at AS "createdAt", u.found,
          (SELECT coalesce(array_agg(w.address ORDER BY w.position), '{}') FROM wallets w WHERE w.user_id = u.id) AS wallets
     FROM (${limitPage(
       `SELECT *, 1200 + octet_length(external_id) + octet_length(label) AS bytes
          FROM users WHERE partner_id = $1 AND (created_at, id) < ($2, $3) AND ($5::text[] IS NULL OR id = ANY ($5))
         ORDER BY created_at DESC, id DESC LIMIT $4`,
       'created_at DESC, id DESC',
     )}) AS u
    ORDER BY u.created_at DESC, u.id DESC`,
);

/** Points of an asset's blended yield, oldest first; by hour, or by UTC day ($6): the mean over known hours, and the newest TVL and number of vaults. */
export const FIND_POINTS = statement(
  'reporting.find_points',
  {
    values: [text(), text(), time(), time(), rowCount(), text<'hour' | 'day'>()],
    row: { at: time(), apy: orNull(double()), tvl: orNull(whole()), vaults: integer() },
  },
  `SELECT date_trunc($6, hour, 'UTC') AS at, avg(apy) AS apy, (array_agg(tvl ORDER BY hour DESC))[1] AS tvl,
          (array_agg(vaults ORDER BY hour DESC))[1] AS vaults
     FROM blended_points WHERE market_id = $1 AND asset = $2 AND hour >= $3 AND hour <= $4
    GROUP BY 1 ORDER BY 1 LIMIT $5`,
);

export const FIND_NEWEST_POINT = statement(
  'reporting.find_newest_point',
  { values: [text(), text()], row: { at: time(), apy: orNull(double()) } },
  `SELECT hour AS at, apy FROM blended_points WHERE market_id = $1 AND asset = $2 ORDER BY hour DESC LIMIT 1`,
);

const HOUR_SIGNAL = { hour: time(), vaultId: text(), ...SIGNAL };

export const FIND_SIGNALS = statement(
  'reporting.find_signals',
  { values: [text()], row: HOUR_SIGNAL },
  `SELECT ${columnsOf(HOUR_SIGNAL)} FROM signals WHERE market_id = $1`,
);

const REGIME = {
  asset: text(),
  hour: time(),
  observedHour: orNull(time()),
  regime: text<Regime>(),
  apy: orNull(double()),
  trend: orNull(double()),
  volatility: orNull(double()),
  observations: integer(),
};
export type RegimeRow = RowOf<typeof REGIME>;

export const FIND_REGIMES = statement(
  'reporting.find_regimes',
  { values: [text()], row: REGIME },
  `SELECT ${columnsOf(REGIME)} FROM regimes WHERE market_id = $1`,
);
