import {
  columnsOf,
  integer,
  json,
  listOf,
  numeric,
  orNull,
  rowCount,
  small,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { PositionStatus } from './position.js';
import type { RevenueAccountRow } from './settled-revenue.js';

export const POSITION = {
  id: text(),
  marketId: text(),
  partnerId: text(),
  userId: text(),
  asset: text(),
  status: text<PositionStatus>(),
  vaultId: text(),
  transitId: orNull(text()),
  originVaultId: orNull(text()),
  lendingVaultId: text(),
  slot: small(),
  shares: numeric(),
  lendingShares: numeric(),
  holdShares: numeric(),
  deposited: numeric(),
  withdrawn: numeric(),
  accrued: numeric(),
  costs: numeric(),
  settledLending: numeric(),
  settledHold: numeric(),
  withdrawals: integer(),
  depositId: orNull(text()),
  campaignId: orNull(text()),
  campaignMoment: numeric(),
  plainMoment: numeric(),
  capitalMoment: numeric(),
  openedAt: time(),
  activeAt: orNull(time()),
  closedAt: orNull(time()),
  accruedAt: time(),
};
export const COLUMNS = columnsOf(POSITION, 'p');

/** Position that a writer looks for: its size then, and its part of an order. */
const HELD = { id: text(), shares: numeric(), part: orNull(numeric()) };

/**
 * Looks for positions, and locks their revenue accounts until commit, by user and asset: the index finds them in that order, however many there are.
 * What it found of a position was true before the lock.
 */
const held = (positions: string, part = 'NULL::numeric'): string =>
  `WITH found AS MATERIALIZED (
     SELECT p.id, p.user_id, p.asset, p.shares, ${part} AS part FROM ${positions}
   ), accounts AS MATERIALIZED (
     SELECT FROM (SELECT DISTINCT user_id, asset FROM found ORDER BY user_id, asset) AS own
      CROSS JOIN LATERAL (SELECT FROM revenue_accounts a WHERE a.user_id = own.user_id AND a.asset = own.asset FOR NO KEY UPDATE) AS account
   )
   SELECT id, shares, part FROM found WHERE (SELECT count(*) FROM accounts) >= 0`;

/** $2: only of this partner; null: of any. */
export const LOCK = statement(
  'positions.hold',
  { values: [text(), orNull(text())], row: HELD },
  held('positions p WHERE p.id = $1 AND ($2::text IS NULL OR p.partner_id = $2)'),
);

/** Positions of a split deposit, by id. */
export const LOCK_DEPOSIT = statement(
  'positions.hold_deposit',
  { values: [text()], row: HELD },
  held('positions p WHERE p.deposit_id = $1 ORDER BY p.id'),
);

/** All open positions of a partner, by id. */
export const LOCK_OF_PARTNER = statement(
  'positions.hold_of_partner',
  { values: [text()], row: HELD },
  held('positions p WHERE p.partner_id = $1 AND p.closed_at IS NULL ORDER BY p.id'),
);

export const LOCK_NEXT = statement(
  'positions.hold_next',
  { values: [text(), text(), rowCount()], row: HELD },
  held('positions p WHERE p.market_id = $1 AND p.closed_at IS NULL AND p.id > $2 ORDER BY p.id LIMIT $3'),
);

/** The next $5 open positions of a partner in a vault, by id, opened until $4; none that is in transit. */
export const LOCK_IN_VAULT = statement(
  'positions.hold_in_vault',
  { values: [text(), text(), text(), time(), rowCount()], row: HELD },
  held(`positions p
      WHERE p.partner_id = $1 AND p.vault_id = $2 AND p.closed_at IS NULL AND p.id > $3 AND p.opened_at <= $4 AND p.transit_id IS NULL
      ORDER BY p.id LIMIT $5`),
);

/** The same by size: those after the position with $6 shares and id $3, with at most $7 shares. */
export const LOCK_LARGEST = statement(
  'positions.hold_largest',
  { values: [text(), text(), text(), time(), rowCount(), numeric(), numeric()], row: HELD },
  held(`positions p
      WHERE p.partner_id = $1 AND p.vault_id = $2 AND p.status <> 'closed' AND p.opened_at <= $4 AND p.shares <= $7 AND p.transit_id IS NULL
        AND (p.shares < $6 OR (p.shares = $6 AND p.id > $3))
      ORDER BY p.shares DESC, p.id LIMIT $5`),
);

/** The next $4 positions of a market that are in transit by a decision, by id. */
export const LOCK_IN_TRANSIT = statement(
  'positions.hold_in_transit',
  { values: [text(), text(), text(), rowCount()], row: HELD },
  held('positions p WHERE p.market_id = $1 AND p.transit_id = $2 AND p.id > $3 ORDER BY p.id LIMIT $4'),
);

/** Open positions of an order, by id, each with its payments of the order so far. */
export const LOCK_ORDERED = statement(
  'positions.hold_ordered',
  { values: [text()], row: HELD },
  held(
    `move_order_positions m JOIN positions p ON p.id = m.position_id WHERE m.order_id = $1 AND p.closed_at IS NULL ORDER BY p.id`,
    'm.cost',
  ),
);

/** Open positions with a part of an order's gain that waits for review, by id. */
export const LOCK_WAITING = statement(
  'positions.hold_waiting',
  { values: [text()], row: HELD },
  held(
    `move_order_positions m JOIN positions p ON p.id = m.position_id
      WHERE m.order_id = $1 AND m.waiting > 0 AND p.closed_at IS NULL ORDER BY p.id`,
    'm.waiting',
  ),
);

/** Positions in the order of their ids given. */
export const FIND = statement(
  'positions.find',
  { values: [listOf(text())], row: POSITION },
  `SELECT ${COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY AS held(id, place) JOIN positions p ON p.id = held.id ORDER BY held.place`,
);

/** Ends the transit of all positions of a decision where they are: in cash. Returns their shares. */
export const RELEASE = statement(
  'positions.release',
  { values: [text(), text()], row: { shares: numeric() } },
  `WITH held AS MATERIALIZED (
     ${held('positions p WHERE p.market_id = $1 AND p.transit_id = $2')}
   ), released AS (
     UPDATE positions p SET transit_id = NULL FROM held WHERE p.id = held.id AND p.transit_id = $2 RETURNING p.shares
   )
   SELECT coalesce(sum(shares), 0) AS shares FROM released`,
);

/** Inputs of settling positions $1 of one market: terms of their partners, oldest first; their revenue accounts; the newest posted day end. */
export const FIND_REVENUE = statement(
  'positions.find_revenue',
  {
    values: [listOf(text())],
    row: {
      terms: json<{ partnerId: string; fromAt: string; feeBps: number; shareBps: number }[]>(),
      accounts: json<RevenueAccountRow[]>(),
      stated: orNull(time()),
    },
  },
  `WITH held AS MATERIALIZED (
     SELECT DISTINCT partner_id, user_id, asset, market_id FROM positions WHERE id = ANY($1)
   )
   SELECT
     (SELECT coalesce(json_agg(t), '[]') FROM (
        SELECT partner_id AS "partnerId", from_at AS "fromAt", performance_fee_bps AS "feeBps", revenue_share_bps AS "shareBps"
          FROM partner_terms WHERE partner_id IN (SELECT partner_id FROM held) ORDER BY partner_id, from_at) AS t) AS terms,
     (SELECT coalesce(json_agg(a), '[]') FROM (
        SELECT user_id AS "userId", asset, partner_id AS "partnerId", settled, round(date_part('epoch', settled_at) * 1000) AS "settledAt", carried_loss::text AS "carriedLoss", sums,
               total_fee::text AS "totalFee", total_partner::text AS "totalPartner"
          FROM revenue_accounts WHERE (user_id, asset) IN (SELECT user_id, asset FROM held)
         ORDER BY user_id, asset) AS a) AS accounts,
     (SELECT max(day_end) FROM statements WHERE market_id = (SELECT market_id FROM held LIMIT 1) AND done_at IS NOT NULL) AS stated`,
);

/**
 * Stores positions, their entries and the changes of the books in one round trip. $11 time of booking; $12 1, or 0 where the transaction goes on with
 * a booking; $13 partners. It locks the partners' heads until commit and books now, or a millisecond after the newest booking, and never in a closed
 * day: entries become visible in the order of their ids, so a reader that continues after the last one misses none.
 */
export const SAVE = statement(
  'positions.save',
  {
    values: [
      json<string>(),
      json<string>(),
      json<string>(),
      json<string>(),
      json<string>(),
      json<string>(),
      json<string>(),
      time(),
      json<string>(),
      json<string>(),
      time(),
      integer(),
      listOf(text()),
    ],
    row: {},
  },
  `WITH opened AS (
     INSERT INTO positions (id, market_id, partner_id, user_id, asset, status, vault_id, transit_id, origin_vault_id, lending_vault_id, slot, shares,
            lending_shares, hold_shares, deposited, withdrawn, accrued, costs, settled_lending, settled_hold, withdrawals, campaign_id,
            campaign_moment, plain_moment, capital_moment, opened_at, active_at, closed_at, accrued_at, deposit_id)
     SELECT id, "marketId", "partnerId", "userId", asset, status, "vaultId", "transitId", "originVaultId", "lendingVaultId", slot, shares,
            "lendingShares", "holdShares", deposited, withdrawn, accrued, costs, "settledLending", "settledHold", withdrawals, "campaignId",
            "campaignMoment", "plainMoment", "capitalMoment", "openedAt", "activeAt", "closedAt", "accruedAt", "depositId"
       FROM json_to_recordset($1) AS new(id text, "marketId" text, "partnerId" text, "userId" text, asset text, status text, "vaultId" text,
            "transitId" text, "originVaultId" text, "lendingVaultId" text, slot smallint, shares numeric, "lendingShares" numeric, "holdShares" numeric,
            deposited numeric, withdrawn numeric, accrued numeric, costs numeric, "settledLending" numeric, "settledHold" numeric,
            withdrawals int, "campaignId" text, "campaignMoment" numeric, "plainMoment" numeric, "capitalMoment" numeric,
            "openedAt" timestamptz, "activeAt" timestamptz, "closedAt" timestamptz, "accruedAt" timestamptz, "depositId" text)
   ), changed AS (
     UPDATE positions p
        SET status = new.status, vault_id = new."vaultId", transit_id = new."transitId", origin_vault_id = new."originVaultId", shares = new.shares,
            lending_shares = new."lendingShares", hold_shares = new."holdShares", deposited = new.deposited, withdrawn = new.withdrawn, accrued = new.accrued,
            costs = new.costs, settled_lending = new."settledLending", settled_hold = new."settledHold", withdrawals = new.withdrawals,
            campaign_moment = new."campaignMoment", plain_moment = new."plainMoment", capital_moment = new."capitalMoment",
            active_at = new."activeAt", closed_at = new."closedAt", accrued_at = new."accruedAt"
       FROM json_to_recordset($2) AS new(id text, status text, "vaultId" text, "transitId" text, "originVaultId" text, shares numeric, "lendingShares" numeric,
            "holdShares" numeric, deposited numeric, withdrawn numeric, accrued numeric, costs numeric, "settledLending" numeric, "settledHold" numeric,
            withdrawals int, "campaignMoment" numeric, "plainMoment" numeric, "capitalMoment" numeric, "activeAt" timestamptz,
            "closedAt" timestamptz, "accruedAt" timestamptz)
      WHERE p.id = new.id
   ), head AS (
     INSERT INTO ledger_heads AS h (partner_id, recorded_at)
     SELECT partner, $11::timestamptz FROM unnest($13::text[]) AS booking(partner) ORDER BY partner COLLATE "C"
     ON CONFLICT (partner_id) DO UPDATE SET recorded_at =
       booked_after(greatest(excluded.recorded_at, h.recorded_at + $12::int * interval '1 millisecond'), $8, h.closed_until)
     RETURNING partner_id, recorded_at
   ), entered AS (
     INSERT INTO ledger_entries (id, at, recorded_at, type, partner_id, user_id, position_id, asset, vault_id, from_vault_id, amount, cost, apy,
            share_index, from_index, lending_index, hold_index, fee_bps, share_bps, revenue_place, user_value, fee, partner_revenue, carried_loss,
            decision_id, tx_hash, voids)
     SELECT booked_id(id, recorded_at), at, recorded_at, type, partner_id, "userId", "positionId", asset, "vaultId", "fromVaultId", amount, cost, apy,
            "shareIndex", "fromIndex", "lendingIndex", "holdIndex", "feeBps", "shareBps", "revenuePlace", "userValue", fee, "partnerRevenue",
            "carriedLoss", "decisionId", "txHash", voids
       FROM json_to_recordset($3) AS new(id text, at timestamptz, type text, "partnerId" text, "userId" text, "positionId" text, asset text,
            "vaultId" text, "fromVaultId" text, amount numeric, cost numeric, apy float8, "shareIndex" numeric, "fromIndex" numeric,
            "lendingIndex" numeric, "holdIndex" numeric, "feeBps" int, "shareBps" int, "revenuePlace" bigint, "userValue" numeric, fee numeric,
            "partnerRevenue" numeric, "carriedLoss" numeric, "decisionId" text, "txHash" text, voids text)
       JOIN head ON partner_id = "partnerId"
   ), accounts AS (
     INSERT INTO revenue_accounts (user_id, asset, partner_id)
     SELECT DISTINCT "userId", asset, "partnerId"
       FROM json_to_recordset($1) AS new("userId" text, asset text, "partnerId" text)
     ON CONFLICT (user_id, asset) DO NOTHING
   ), settled AS (
     UPDATE revenue_accounts a
        SET settled = new.settled, settled_at = $8, carried_loss = new."carriedLoss", sums = new.sums, total_fee = new."totalFee",
            total_partner = new."totalPartner"
       FROM json_to_recordset($9) AS new("userId" text, asset text, settled bigint, "carriedLoss" numeric, sums jsonb, "totalFee" numeric,
            "totalPartner" numeric)
      WHERE a.user_id = new."userId" AND a.asset = new.asset
   ), shares AS (
     INSERT INTO book_shares (partner_id, asset, book, vault_id, slot, market_id, shares, positions, since)
     SELECT "partnerId", asset, book, "vaultId", slot, "marketId", shares, positions, $8
       FROM json_to_recordset($4) AS new("partnerId" text, asset text, book text, "vaultId" text, slot smallint, "marketId" text,
            shares numeric, positions int)
      ORDER BY "partnerId" COLLATE "C", asset, book, "vaultId" COLLATE "C", slot
     ON CONFLICT (partner_id, asset, book, vault_id, slot) DO UPDATE
        SET shares = book_shares.shares + excluded.shares, positions = book_shares.positions + excluded.positions,
            since = CASE WHEN book_shares.positions = 0 THEN excluded.since ELSE book_shares.since END
   ), totals AS (
     INSERT INTO book_totals AS t (partner_id, asset, slot, deposited, withdrawn, deposits, withdrawals, accrued, costs, settled_lending,
            settled_hold, principal, capital_moment, opened, closed, first_at)
     SELECT "partnerId", asset, slot, deposited, withdrawn, deposits, withdrawals, accrued, costs, "settledLending", "settledHold",
            principal, "capitalMoment", opened, closed, "firstAt"
       FROM json_to_recordset($5) AS new("partnerId" text, asset text, slot smallint, deposited numeric, withdrawn numeric, deposits bigint,
            withdrawals bigint, accrued numeric, costs numeric, "settledLending" numeric, "settledHold" numeric, principal numeric,
            "capitalMoment" numeric, opened bigint, closed bigint, "firstAt" timestamptz)
      ORDER BY "partnerId" COLLATE "C", asset, slot
     ON CONFLICT (partner_id, asset, slot) DO UPDATE
        SET deposited = t.deposited + excluded.deposited, withdrawn = t.withdrawn + excluded.withdrawn,
            deposits = t.deposits + excluded.deposits, withdrawals = t.withdrawals + excluded.withdrawals,
            accrued = t.accrued + excluded.accrued, costs = t.costs + excluded.costs,
            settled_lending = t.settled_lending + excluded.settled_lending, settled_hold = t.settled_hold + excluded.settled_hold,
            principal = t.principal + excluded.principal, capital_moment = t.capital_moment + excluded.capital_moment,
            opened = t.opened + excluded.opened, closed = t.closed + excluded.closed, first_at = least(t.first_at, excluded.first_at)
   ), revenue AS (
     INSERT INTO book_revenue AS t (partner_id, asset, slot, fee, partner_revenue, carried_loss)
     SELECT "partnerId", asset, slot, fee, "partnerRevenue", "carriedLoss"
       FROM json_to_recordset($10) AS new("partnerId" text, asset text, slot smallint, fee numeric, "partnerRevenue" numeric, "carriedLoss" numeric)
      ORDER BY "partnerId" COLLATE "C", asset, slot
     ON CONFLICT (partner_id, asset, slot) DO UPDATE
        SET fee = t.fee + excluded.fee, partner_revenue = t.partner_revenue + excluded.partner_revenue,
            carried_loss = t.carried_loss + excluded.carried_loss
   ), points AS (
     INSERT INTO book_points AS t (partner_id, asset, campaign_id, slot, principal, campaign_moment, plain_moment)
     SELECT "partnerId", asset, "campaignId", slot, principal, "campaignMoment", "plainMoment"
       FROM json_to_recordset($6) AS new("partnerId" text, asset text, "campaignId" text, slot smallint, principal numeric,
            "campaignMoment" numeric, "plainMoment" numeric)
      ORDER BY "partnerId" COLLATE "C", asset, "campaignId" COLLATE "C", slot
     ON CONFLICT (partner_id, asset, campaign_id, slot) DO UPDATE
        SET principal = t.principal + excluded.principal, campaign_moment = t.campaign_moment + excluded.campaign_moment,
            plain_moment = t.plain_moment + excluded.plain_moment
   )
   INSERT INTO vault_shares AS t (market_id, vault_id, slot, shares)
   SELECT "marketId", "vaultId", slot, shares
     FROM json_to_recordset($7) AS new("marketId" text, "vaultId" text, slot smallint, shares numeric)
    WHERE (SELECT count(*) FROM head) >= 0
    ORDER BY "marketId" COLLATE "C", "vaultId" COLLATE "C", slot
   ON CONFLICT (market_id, vault_id, slot) DO UPDATE SET shares = t.shares + excluded.shares`,
);
