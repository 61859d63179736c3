import type { Scenario } from '../simulation/simulated-market.js';
import {
  bool,
  columnsOf,
  integer,
  nothing,
  orNull,
  rowCount,
  type RowOf,
  text,
  time,
} from '../store/column.js';
import { statement } from '../store/statement.js';

/** Asks first: an insertion that meets its row would wait for whoever is changing it. */
export const BEGIN = statement(
  'accounts.begin',
  { values: [text(), text()], row: {} },
  `INSERT INTO markets (id, owner_id) SELECT $1, $2 WHERE NOT EXISTS (SELECT FROM markets WHERE id = $1) ON CONFLICT DO NOTHING`,
);

const STORED = {
  tickedHour: orNull(time()),
  hoursAhead: integer(),
  scenario: orNull(text<Scenario['name']>()),
  scenarioFrom: orNull(time()),
};
const ACCOUNT = { ...STORED, seed: text() };
export type AccountRow = RowOf<typeof ACCOUNT>;
const ACCOUNT_COLUMNS = `${columnsOf(STORED)}, coalesce(seed, id) AS seed`;

export const FIND = statement(
  'accounts.find',
  { values: [text()], row: ACCOUNT },
  `SELECT ${ACCOUNT_COLUMNS} FROM markets WHERE id = $1`,
);

/** No row where another transaction moves its time. */
export const LOCK_IF_FREE = statement(
  'accounts.lock_if_free',
  { values: [text()], row: ACCOUNT },
  `SELECT ${ACCOUNT_COLUMNS} FROM markets WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED`,
);

/** Waits for deposits and withdrawals that are under way, and lets no new one begin until commit. */
export const STOP_TRANSFERS = statement(
  'accounts.stop_transfers',
  { values: [text()], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended('transfers of ' || current_schema() || '.' || $1, 0))`,
);

/**
 * Until commit its time is not moved, unless it is being moved now. Any number of transfers hold this together. $2: the wall's hour; an account that lies
 * more than an hour behind its now is on its way there.
 */
export const STOP_TIME = statement(
  'accounts.stop_time',
  { values: [text(), time()], row: { stopped: bool() } },
  `SELECT pg_try_advisory_xact_lock_shared(hashtextextended('transfers of ' || current_schema() || '.' || $1, 0))
          AND NOT EXISTS (SELECT FROM markets
                           WHERE id = $1 AND ticked_hour < $2::timestamptz + (hours_ahead - 1) * interval '1 hour') AS stopped`,
);

/** Whether a transaction moves its time. Whoever is about to waits for this one statement at most. */
export const IS_MOVING = statement(
  'accounts.is_moving',
  { values: [text()], row: { moving: bool() } },
  `SELECT NOT pg_try_advisory_xact_lock_shared(hashtextextended('transfers of ' || current_schema() || '.' || $1, 0)) AS moving`,
);

export const HOLDS_ANYTHING = statement(
  'accounts.holds_anything',
  { values: [text()], row: { holds: bool() } },
  `SELECT EXISTS (SELECT FROM vault_shares WHERE market_id = $1 AND shares > 0) AS holds`,
);

export const MOVE_AHEAD = statement(
  'accounts.move_ahead',
  { values: [text(), integer()], row: {} },
  `UPDATE markets SET hours_ahead = hours_ahead + $2 WHERE id = $1`,
);

export const BEND = statement(
  'accounts.bend',
  { values: [text(), text(), time()], row: {} },
  `UPDATE markets SET scenario = $2, scenario_from = $3 WHERE id = $1`,
);

/** Simulated markets that hold funds and lie behind their now. $2: the wall's hour. */
export const FIND_BEHIND = statement(
  'accounts.find_behind',
  { values: [text(), time(), rowCount()], row: { partnerId: text() } },
  `SELECT m.owner_id AS "partnerId" FROM markets m
    WHERE m.owner_id > $1 AND m.ticked_hour < $2::timestamptz + m.hours_ahead * interval '1 hour'
      AND EXISTS (SELECT FROM vault_shares v WHERE v.market_id = m.id AND v.shares > 0)
    ORDER BY m.owner_id LIMIT $3`,
);

/** Names the market that the rest of the transaction may forget. */
export const FORGET = statement(
  'accounts.forget',
  { values: [text()], row: { set_config: text() } },
  `SELECT set_config('vaultline.forgotten_market', $1, true)`,
);

/** From here on a fan-out finds no event to queue deliveries of: of one that was fanned out, none are queued. */
export const LOCK_EVENTS = statement(
  'accounts.lock_events',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM events WHERE partner_id = $1 AND NOT fanned_out ORDER BY id FOR UPDATE`,
);

/**
 * The order of a claim, which locks endpoints before their deliveries: whoever took deliveries first would wait for one that a claim has, while this waits for
 * the next. Until commit no delivery to them is claimed.
 */
export const LOCK_ENDPOINTS = statement(
  'accounts.lock_endpoints',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM webhook_endpoints WHERE partner_id = $1 ORDER BY id FOR NO KEY UPDATE`,
);

const deletion = (name: string, sql: string) => statement(name, { values: [text()], row: {} }, sql);

/** Behind LOCK_ENDPOINTS. In this order: what was claimed before is found by the second. What is queued for an endpoint that is gone, the sweep finds. */
export const DELETE_DELIVERIES = [
  `DELETE FROM deliveries d USING webhook_endpoints w WHERE w.partner_id = $1 AND d.webhook_id = w.id AND d.status = 'queued'`,
  `DELETE FROM deliveries WHERE partner_id = $1 AND status <> 'queued'`,
].map((sql, index) => deletion(`accounts.delete_deliveries.${index}`, sql));

/** Of a reset, whose locks others wait for: what is left is pruned. */
const EVENTS_OF_A_RESET = 10_000;
const OLDEST_EVENTS = `ARRAY(SELECT id FROM events WHERE partner_id = $1 ORDER BY recorded_at, id LIMIT ${EVENTS_OF_A_RESET})`;

/**
 * Behind them, as many as no other sender waits long for. An event that is left, or that a delivery of this very moment shows, is pruned in its time, and read by nobody: what was raised before
 * this transaction is gone for its partner.
 */
export const DELETE_EVENTS = [
  `DELETE FROM undelivered WHERE event_id = ANY(${OLDEST_EVENTS})`,
  // By their index, event by event: a join would read everybody's deliveries.
  `DELETE FROM events e WHERE e.id = ANY(${OLDEST_EVENTS}) AND e.fanned_out
      AND (SELECT d.id FROM deliveries d WHERE d.event_id = e.id LIMIT 1) IS NULL
      AND (SELECT u.event_id FROM undelivered u WHERE u.event_id = e.id LIMIT 1) IS NULL`,
  `UPDATE partners SET events_from = now() WHERE id = $1`,
].map((sql, index) => deletion(`accounts.delete_events.${index}`, sql));

/**
 * What an account has of its own, but keys, users, campaigns, endpoints and deliveries. In the order in which one refers to the next. Its market has its
 * partner's id.
 */
export const DELETE_ALL = [
  `DELETE FROM ledger_entries e USING positions p WHERE p.partner_id = $1 AND e.position_id = p.id`,
  `DELETE FROM moves WHERE market_id = $1`,
  `DELETE FROM decisions WHERE partner_id = $1`,
  `DELETE FROM positions WHERE partner_id = $1`,
  `DELETE FROM revenue_accounts WHERE partner_id = $1`,
  `DELETE FROM book_shares WHERE partner_id = $1`,
  `DELETE FROM book_totals WHERE partner_id = $1`,
  `DELETE FROM book_revenue WHERE partner_id = $1`,
  `DELETE FROM book_points WHERE partner_id = $1`,
  `DELETE FROM vault_shares WHERE market_id = $1`,
  `DELETE FROM statements WHERE market_id = $1`,
  `DELETE FROM daily_closings WHERE partner_id = $1`,
  `DELETE FROM snapshots WHERE market_id = $1`,
  `DELETE FROM vault_states WHERE market_id = $1`,
  `DELETE FROM signals WHERE market_id = $1`,
  `DELETE FROM regimes WHERE market_id = $1`,
  `DELETE FROM blended_points WHERE market_id = $1`,
  `DELETE FROM yield_thresholds WHERE market_id = $1`,
  `DELETE FROM alerts WHERE market_id = $1`,
  // Not deleted yet: a delivery that is queued at this moment, for an event of this moment, must find it.
  `UPDATE events SET fanned_out = true WHERE partner_id = $1 AND NOT fanned_out`,
  // Terms that were set in a future that is no more: the newest hold from the wall's now on.
  `DELETE FROM partner_terms t WHERE t.partner_id = $1
      AND t.from_at < (SELECT max(from_at) FROM partner_terms WHERE partner_id = $1)`,
  `UPDATE partner_terms SET from_at = least(from_at, clock_timestamp()) WHERE partner_id = $1`,
  `DELETE FROM campaign_terms t USING campaigns c WHERE c.partner_id = $1 AND t.campaign_id = c.id
      AND t.from_at < (SELECT max(from_at) FROM campaign_terms WHERE campaign_id = c.id)`,
  `UPDATE campaign_terms t SET from_at = least(t.from_at, clock_timestamp()) FROM campaigns c
    WHERE c.partner_id = $1 AND t.campaign_id = c.id`,
].map((sql, index) => deletion(`accounts.delete_all.${index}`, sql));

export const BEGIN_ANEW = statement(
  'accounts.begin_anew',
  { values: [text(), orNull(text())], row: {} },
  `UPDATE markets SET ticked_hour = NULL, begun_hour = NULL, routed_hour = NULL, hours_ahead = 0, scenario = NULL, scenario_from = NULL, seed = coalesce($2, seed)
    WHERE id = $1`,
);
