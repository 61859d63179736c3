import {
  columnsOf,
  integer,
  json,
  numeric,
  orNull,
  rowCount,
  small,
  text,
  time,
} from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import type { PositionStatus } from './position.js';

/** Stored position; whole numbers are text. */
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

/** $2: only of this partner; null: of any. */
export const LOCK_POSITION = statement(
  'positions.lock_position',
  { values: [text(), orNull(text())], row: POSITION },
  `SELECT ${COLUMNS} FROM positions p WHERE p.id = $1 AND ($2::text IS NULL OR p.partner_id = $2) FOR NO KEY UPDATE`,
);

/** Positions of a split deposit, by id. */
export const LOCK_DEPOSIT = statement(
  'positions.lock_deposit',
  { values: [text()], row: POSITION },
  `SELECT ${COLUMNS} FROM positions p WHERE p.deposit_id = $1 ORDER BY p.id FOR NO KEY UPDATE`,
);

/** The next $5 open positions of a partner in a vault, by id, opened until $4; none that is in transit. */
export const LOCK_IN_VAULT = statement(
  'positions.lock_in_vault',
  { values: [text(), text(), text(), time(), rowCount()], row: POSITION },
  `SELECT ${COLUMNS} FROM positions p
    WHERE p.partner_id = $1 AND p.vault_id = $2 AND p.closed_at IS NULL AND p.id > $3 AND p.opened_at <= $4 AND p.transit_id IS NULL
    ORDER BY p.id LIMIT $5 FOR NO KEY UPDATE`,
);

/** The next $4 positions of a market that are in transit by a decision, by id. */
export const LOCK_IN_TRANSIT = statement(
  'positions.lock_in_transit',
  { values: [text(), text(), text(), rowCount()], row: POSITION },
  `SELECT ${COLUMNS} FROM positions p WHERE p.market_id = $1 AND p.transit_id = $2 AND p.id > $3 ORDER BY p.id LIMIT $4 FOR NO KEY UPDATE`,
);

/** Ends the transit of the next $3 positions where they are: in cash. Returns their shares and number. */
export const RELEASE = statement(
  'positions.release',
  { values: [text(), text(), rowCount()], row: { positions: integer(), shares: numeric() } },
  `WITH next AS (
     SELECT id FROM positions WHERE market_id = $1 AND transit_id = $2 ORDER BY id LIMIT $3 FOR NO KEY UPDATE
   ), released AS (
     UPDATE positions p SET transit_id = NULL FROM next WHERE p.id = next.id RETURNING p.shares
   )
   SELECT count(*)::int AS positions, coalesce(sum(shares), 0) AS shares FROM released`,
);

/**
 * Positions of an order at their expected place, by id: in vault $2, in transit by $3 or, when that is null, not in transit. Each with its payments
 * of the order so far.
 */
export const LOCK_ORDERED = statement(
  'positions.lock_ordered',
  { values: [text(), text(), orNull(text())], row: { ...POSITION, paid: numeric() } },
  `SELECT ${COLUMNS}, m.cost AS paid
     FROM move_order_positions m JOIN positions p ON p.id = m.position_id
    WHERE m.order_id = $1 AND p.vault_id = $2 AND p.transit_id IS NOT DISTINCT FROM $3 AND p.closed_at IS NULL
    ORDER BY p.id FOR NO KEY UPDATE OF p`,
);

/** The same by size: those after the position with $6 shares and id $3, with at most $7 shares. */
export const LOCK_LARGEST = statement(
  'positions.lock_largest',
  { values: [text(), text(), text(), time(), rowCount(), numeric(), numeric()], row: POSITION },
  `SELECT ${COLUMNS} FROM positions p
    WHERE p.partner_id = $1 AND p.vault_id = $2 AND p.status <> 'closed' AND p.opened_at <= $4 AND p.shares <= $7 AND p.transit_id IS NULL
      AND (p.shares < $6 OR (p.shares = $6 AND p.id > $3))
    ORDER BY p.shares DESC, p.id LIMIT $5 FOR NO KEY UPDATE`,
);

/** Open positions with a part of an order's gain that waits for review, by id. */
export const LOCK_WAITING = statement(
  'positions.lock_waiting',
  { values: [text()], row: { ...POSITION, waiting: numeric() } },
  `SELECT ${COLUMNS}, m.waiting
     FROM move_order_positions m JOIN positions p ON p.id = m.position_id
    WHERE m.order_id = $1 AND m.waiting > 0 AND p.closed_at IS NULL
    ORDER BY p.id FOR NO KEY UPDATE OF p`,
);

/**
 * Takes the ledger of partners until commit, and their next moment of booking: now, or a millisecond after their newest booking, where that is later.
 * Nothing is booked in a closed day. So entries become visible in the order of their ids, and whoever reads on from the last one misses none.
 */
export const bookedBy = (now: string, at: string, partners: string, step = '1'): string =>
  `INSERT INTO ledger_heads AS h (partner_id, recorded_at)
     SELECT partner, ${now} FROM (${partners}) AS booking(partner) ORDER BY partner COLLATE "C"
     ON CONFLICT (partner_id) DO UPDATE SET recorded_at =
       booked_after(greatest(excluded.recorded_at, h.recorded_at + ${step} * interval '1 millisecond'), ${at}, h.closed_until)
     RETURNING partner_id, recorded_at`;

/**
 * Stores new and changed positions, their entries and the changes of the books, in one round trip. A writer of book rows has already locked all its
 * positions, and this statement writes the rows in one order of tables and keys, so that writers cannot deadlock. $11 moment of booking, $12 1, or 0
 * where the transaction goes on with a booking.
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
     ${bookedBy('$11::timestamptz', '$8', `SELECT DISTINCT "partnerId" FROM json_to_recordset($3) AS new("partnerId" text)`, '$12::int')}
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
    ORDER BY "marketId" COLLATE "C", "vaultId" COLLATE "C", slot
   ON CONFLICT (market_id, vault_id, slot) DO UPDATE SET shares = t.shares + excluded.shares`,
);
