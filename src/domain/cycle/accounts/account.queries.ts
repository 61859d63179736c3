import { bool, nothing, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Scenario } from '../../markets/simulation/simulated-market.js';

/** Columns of an account's market that its owner changes. */
@Entity('markets')
export class AccountMarket {
  @PrimaryColumn('text') id: string;
  @Column('text', { nullable: true }) ownerId: string | null;
  /** null: the id. */
  @Column('text', { nullable: true }) seed: string | null;
  @Column('int') hoursAhead: number;
  @Column('timestamptz', { nullable: true }) tickedHour: Date | null;
  @Column('timestamptz', { nullable: true }) begunHour: Date | null;
  @Column('timestamptz', { nullable: true }) routedHour: Date | null;
  @Column('text', { nullable: true }) scenario: Scenario['name'] | null;
  @Column('timestamptz', { nullable: true }) scenarioFrom: Date | null;
}

/** Looks for the row first: an INSERT that conflicts would wait for a transaction that holds the row. */
export const BEGIN = statement(
  'accounts.begin',
  { values: [text(), text()], row: {} },
  `INSERT INTO markets (id, owner_id) SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM markets WHERE id = $1) ON CONFLICT DO NOTHING`,
);

/** Exclusive lock: waits for deposits and withdrawals in progress, and blocks new ones until commit. */
export const STOP_TRANSFERS = statement(
  'accounts.stop_transfers',
  { values: [text()], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended('transfers of ' || current_schema() || '.' || $1, 0))`,
);

/**
 * Shared lock: the account's clock stands still until commit. `stopped` is false while it is being advanced. Any number of transfers hold the lock
 * together. $2: the wall clock's hour; an account more than an hour behind its own clock is about to be caught up.
 */
export const STOP_TIME = statement(
  'accounts.stop_time',
  { values: [text(), time()], row: { stopped: bool() } },
  `SELECT pg_try_advisory_xact_lock_shared(hashtextextended('transfers of ' || current_schema() || '.' || $1, 0))
          AND NOT EXISTS (SELECT FROM markets
                           WHERE id = $1 AND ticked_hour < $2::timestamptz + (hours_ahead - 1) * interval '1 hour') AS stopped`,
);

/** Whether a transaction advances the account. One that is about to waits for this statement at most. */
export const IS_MOVING = statement(
  'accounts.is_moving',
  { values: [text()], row: { moving: bool() } },
  `SELECT NOT pg_try_advisory_xact_lock_shared(hashtextextended('transfers of ' || current_schema() || '.' || $1, 0)) AS moving`,
);

/** Whether an account holds funds, or has an open order whose funds were withdrawn. Otherwise its hours contain only yields. */
export const HOLDS_ANYTHING = statement(
  'accounts.holds_anything',
  { values: [text()], row: { holds: bool() } },
  `SELECT EXISTS (SELECT FROM vault_shares WHERE market_id = $1 AND shares > 0)
          OR EXISTS (SELECT FROM move_orders WHERE market_id = $1 AND ended_at IS NULL) AS holds`,
);

/** Simulated markets that hold funds and lag their clock. $2: the wall clock's hour. */
export const FIND_BEHIND = statement(
  'accounts.find_behind',
  { values: [text(), time(), rowCount()], row: { partnerId: text() } },
  `SELECT m.owner_id AS "partnerId" FROM markets m
    WHERE m.owner_id > $1 AND m.ticked_hour < $2::timestamptz + m.hours_ahead * interval '1 hour'
      AND EXISTS (SELECT FROM vault_shares v WHERE v.market_id = m.id AND v.shares > 0)
    ORDER BY m.owner_id LIMIT $3`,
);

/** Lets the transaction delete the market; a trigger refuses it otherwise. */
export const FORGET = statement(
  'accounts.forget',
  { values: [text()], row: { set_config: text() } },
  `SELECT set_config('vaultline.forgotten_market', $1, true)`,
);

/** Blocks fan-outs: afterwards none finds an event to deliver. */
export const LOCK_EVENTS = statement(
  'accounts.lock_events',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM events WHERE partner_id = $1 AND NOT fanned_out ORDER BY id FOR UPDATE`,
);

/**
 * Locks endpoints before deliveries, in the order of a claim: the other order could deadlock with a claim that holds a delivery and waits for the
 * endpoint. No delivery to them is claimed until commit.
 */
export const LOCK_ENDPOINTS = statement(
  'accounts.lock_endpoints',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM webhook_endpoints WHERE partner_id = $1 ORDER BY id FOR NO KEY UPDATE`,
);

const deletion = (name: string, sql: string) => statement(name, { values: [text()], row: {} }, sql);

/**
 * Requires LOCK_ENDPOINTS. The order matters: a delivery that is claimed between the two is found by the second. Deliveries queued for a deleted
 * endpoint are removed by the retention.
 */
export const DELETE_DELIVERIES = [
  `DELETE FROM deliveries d USING webhook_endpoints w WHERE w.partner_id = $1 AND d.webhook_id = w.id AND d.status = 'queued'`,
  `DELETE FROM deliveries WHERE partner_id = $1 AND status <> 'queued'`,
].map((sql, index) => deletion(`accounts.delete_deliveries.${index}`, sql));

/** Limit on events that a reset deletes, because others wait for its locks; the rest is pruned later. */
const EVENTS_OF_A_RESET = 10_000;
const OLDEST_EVENTS = `ARRAY(SELECT id FROM events WHERE partner_id = $1 ORDER BY recorded_at, id LIMIT ${EVENTS_OF_A_RESET})`;

/**
 * Runs after the deliveries are deleted, and deletes no more events than other senders can wait for. The rest is pruned later; the partner no longer
 * sees events raised before this transaction.
 */
export const DELETE_EVENTS = [
  `DELETE FROM undelivered WHERE event_id = ANY(${OLDEST_EVENTS})`,
  // Index lookups for each event: a join would read the deliveries of all partners.
  `DELETE FROM events e WHERE e.id = ANY(${OLDEST_EVENTS}) AND e.fanned_out
      AND (SELECT d.id FROM deliveries d WHERE d.event_id = e.id LIMIT 1) IS NULL
      AND (SELECT u.event_id FROM undelivered u WHERE u.event_id = e.id LIMIT 1) IS NULL`,
  `UPDATE partners SET events_from = now() WHERE id = $1`,
].map((sql, index) => deletion(`accounts.delete_events.${index}`, sql));

/**
 * An account's own records except keys, users, campaigns, endpoints and deliveries, in the order of their references. Its market has the partner's
 * id.
 */
export const DELETE_ALL = [
  `DELETE FROM ledger_entries e USING positions p WHERE p.partner_id = $1 AND e.position_id = p.id`,
  `DELETE FROM withdrawal_parts p USING withdrawals w WHERE w.partner_id = $1 AND p.withdrawal_id = w.id`,
  `DELETE FROM withdrawals WHERE partner_id = $1`,
  `DELETE FROM move_order_positions m USING move_orders o WHERE o.partner_id = $1 AND m.order_id = o.id`,
  `DELETE FROM move_orders WHERE partner_id = $1`,
  `DELETE FROM decisions WHERE partner_id = $1`,
  `DELETE FROM decision_markets WHERE market_id = $1`,
  `DELETE FROM positions WHERE partner_id = $1`,
  `DELETE FROM revenue_accounts WHERE partner_id = $1`,
  `DELETE FROM book_shares WHERE partner_id = $1`,
  `DELETE FROM book_totals WHERE partner_id = $1`,
  `DELETE FROM book_revenue WHERE partner_id = $1`,
  `DELETE FROM book_points WHERE partner_id = $1`,
  `DELETE FROM vault_shares WHERE market_id = $1`,
  `DELETE FROM statements WHERE market_id = $1`,
  `DELETE FROM daily_closings WHERE partner_id = $1`,
  `DELETE FROM closed_books WHERE partner_id = $1`,
  `DELETE FROM closed_months WHERE partner_id = $1`,
  `DELETE FROM invoice_entries WHERE partner_id = $1`,
  `DELETE FROM invoices WHERE partner_id = $1`,
  `DELETE FROM ledger_heads WHERE partner_id = $1`,
  `DELETE FROM snapshots WHERE market_id = $1`,
  `DELETE FROM vault_states WHERE market_id = $1`,
  `DELETE FROM signals WHERE market_id = $1`,
  `DELETE FROM regimes WHERE market_id = $1`,
  `DELETE FROM blended_points WHERE market_id = $1`,
  `DELETE FROM yield_thresholds WHERE market_id = $1`,
  `DELETE FROM alerts WHERE market_id = $1`,
  // Marked, not deleted: a delivery queued at this moment must still find its event.
  `UPDATE events SET fanned_out = true WHERE partner_id = $1 AND NOT fanned_out`,
  // Terms set in a simulated future that no longer exists: the newest apply from the wall clock's now.
  `DELETE FROM partner_terms t WHERE t.partner_id = $1
      AND t.from_at < (SELECT max(from_at) FROM partner_terms WHERE partner_id = $1)`,
  `UPDATE partner_terms SET from_at = least(from_at, clock_timestamp()) WHERE partner_id = $1`,
  `DELETE FROM campaign_terms t USING campaigns c WHERE c.partner_id = $1 AND t.campaign_id = c.id
      AND t.from_at < (SELECT max(from_at) FROM campaign_terms WHERE campaign_id = c.id)`,
  `UPDATE campaign_terms t SET from_at = least(t.from_at, clock_timestamp()) FROM campaigns c
    WHERE c.partner_id = $1 AND t.campaign_id = c.id`,
].map((sql, index) => deletion(`accounts.delete_all.${index}`, sql));
