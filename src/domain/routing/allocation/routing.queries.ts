import {
  bool,
  integer,
  json,
  nothing,
  numeric,
  orNull,
  small,
  text,
  time,
  jsonb,
  whole,
} from '../../kernel/store/column.js';
import type { Policy } from '../../tenants/policies/policy.js';
import { policyOf } from '../../tenants/policies/policy.service.js';
import { statement } from '../../kernel/store/statement.js';

/** Locks a market until commit, so that an hour is evaluated once. */
export const LOCK_ROUTED_HOUR = statement(
  'routing.lock_market',
  { values: [text()], row: { tickedHour: orNull(time()), routedHour: orNull(time()) } },
  `SELECT ticked_hour AS "tickedHour", routed_hour AS "routedHour" FROM markets WHERE id = $1 FOR NO KEY UPDATE`,
);

/** Routed funds of a market, one row for each partner, asset and vault; without funds in transit, which are in cash. */
export const FIND_GROUPS = statement(
  'routing.find_groups',
  {
    values: [text()],
    row: {
      partnerId: text(),
      asset: text(),
      vaultId: text(),
      shares: numeric(),
      positions: integer(),
      since: time(),
      policy: orNull(jsonb<Policy>()),
    },
  },
  `WITH moving AS (
     SELECT partner_id, asset, vault_id, sum(shares) AS shares, count(*) AS positions
       FROM positions WHERE market_id = $1 AND transit_id IS NOT NULL GROUP BY partner_id, asset, vault_id
   ), held AS (
     SELECT partner_id, asset, vault_id, sum(shares) AS shares, sum(positions) AS positions, min(since) AS since
       FROM book_shares WHERE market_id = $1 AND book = 'routed' AND positions > 0 GROUP BY partner_id, asset, vault_id
   )
   SELECT partner_id AS "partnerId", asset, vault_id AS "vaultId", held.shares - coalesce(moving.shares, 0) AS shares,
          (held.positions - coalesce(moving.positions, 0))::int AS positions, held.since, ${policyOf('held.partner_id')} AS policy
     FROM held LEFT JOIN moving USING (partner_id, asset, vault_id)
    WHERE held.positions > coalesce(moving.positions, 0)
    ORDER BY partner_id, asset, vault_id`,
);

/** Limit on the positions of a partial move, the largest that fit: more go in the next hours. */
const LARGEST = 10_000;

/** A partner's positions in a vault that fit into $3 shares together, the largest first. */
export const FIND_PART = statement(
  'routing.find_part',
  { values: [text(), text(), whole()], row: { positions: integer(), shares: whole() } },
  `SELECT count(*)::int AS positions, coalesce(sum(shares), 0) AS shares
     FROM (SELECT shares, sum(shares) OVER (ORDER BY shares DESC, id) AS together
             FROM (SELECT id, shares FROM positions
                    WHERE partner_id = $1 AND vault_id = $2 AND status <> 'closed' AND shares <= $3 AND transit_id IS NULL
                    ORDER BY shares DESC, id LIMIT ${LARGEST}) AS largest) AS summed
    WHERE together <= $3`,
);

export const INSERT_MOVES = statement(
  'routing.insert_moves',
  { values: [json<string>()], row: {} },
  `INSERT INTO moves (decision_id, leg, market_id, partner_id, asset, from_vault_id, to_vault_id, decided_at, amount, cost, room, after_shares, promised,
          due_hour, evicts, arrives_hour)
   SELECT id, leg, "marketId", "partnerId", asset, "fromVaultId", "toVaultId", at, amount, cost, room, room, promised, "dueHour", evicts, "arrivesHour"
     FROM json_to_recordset($1) AS new(id text, leg smallint, "marketId" text, "partnerId" text, asset text, "fromVaultId" text, "toVaultId" text,
          at timestamptz, amount numeric, cost numeric, room numeric, promised numeric, "dueHour" timestamptz, evicts boolean, "arrivesHour" timestamptz)`,
);

export const SET_ROUTED_HOUR = statement(
  'routing.set_routed_hour',
  { values: [text(), time()], row: {} },
  `UPDATE markets SET routed_hour = $2 WHERE id = $1`,
);

/** Open legs that can be executed: evictions first, then the oldest. Funds in transit wait for their hour, and for the last of them to leave. */
export const FIND_OPEN_MOVES = statement(
  'routing.find_open_moves',
  {
    values: [text()],
    row: {
      decisionId: text(),
      leg: small<1 | 2>(),
      partnerId: text(),
      fromVaultId: text(),
      toVaultId: text(),
      evicts: bool(),
    },
  },
  `SELECT decision_id AS "decisionId", leg, partner_id AS "partnerId", from_vault_id AS "fromVaultId", to_vault_id AS "toVaultId", evicts
     FROM moves m
    WHERE market_id = $1 AND done_at IS NULL
      AND (leg = 1 OR (arrives_hour <= (SELECT ticked_hour FROM markets WHERE id = $1)
                       AND EXISTS (SELECT FROM moves one WHERE one.decision_id = m.decision_id AND one.leg = 1 AND one.done_at IS NOT NULL)))
    ORDER BY evicts AND leg = 1 DESC, decision_id, leg`,
);

export const FIND_HELD = statement(
  'routing.find_held',
  { values: [text()], row: { vaultId: text(), shares: numeric() } },
  `SELECT vault_id AS "vaultId", sum(shares) AS shares FROM vault_shares WHERE market_id = $1 GROUP BY vault_id`,
);

/** Hour of the next work on moves: at once for funds that can leave, at their arrival for funds in transit, at the due hour for an outcome. */
export const FIND_WAKING = statement(
  'routing.find_waking',
  { values: [text()], row: { wakesAt: orNull(time()) } },
  `SELECT least((SELECT min(CASE leg WHEN 1 THEN decided_at ELSE arrives_hour END) FROM moves WHERE market_id = $1 AND done_at IS NULL),
                (SELECT min(due_hour) FROM moves WHERE market_id = $1 AND realised_hour IS NULL)) AS "wakesAt"`,
);

/**
 * Leg of a move, with the policy of its partner. `amount`, `cost`: at the decision, and in `amountMoved`, `costTaken` how much of them is done; `room`:
 * shares that may still move, `afterShares`: those of the last position looked at; null: all positions move. `late`: the first of two legs.
 */
export const LOCK_MOVE = statement(
  'routing.lock_move',
  {
    values: [text(), integer()],
    row: {
      decisionId: text(),
      leg: small<1 | 2>(),
      marketId: text(),
      partnerId: text(),
      fromVaultId: text(),
      toVaultId: text(),
      decidedAt: time(),
      afterId: text(),
      amount: whole(),
      cost: whole(),
      amountMoved: whole(),
      costTaken: whole(),
      room: orNull(whole()),
      afterShares: orNull(whole()),
      doneAt: orNull(time()),
      evicts: bool(),
      late: bool(),
      policy: orNull(jsonb<Policy>()),
      targetVaultId: text(),
    },
  },
  `SELECT decision_id AS "decisionId", leg, market_id AS "marketId", partner_id AS "partnerId", from_vault_id AS "fromVaultId", to_vault_id AS "toVaultId",
          decided_at AS "decidedAt", after_id AS "afterId", amount, cost, amount_moved AS "amountMoved", cost_taken AS "costTaken", room,
          after_shares AS "afterShares", done_at AS "doneAt", evicts, later.target IS NOT NULL AS late, ${policyOf('moves.partner_id')} AS policy,
          coalesce(later.target, to_vault_id) AS "targetVaultId"
     FROM moves
     LEFT JOIN LATERAL (SELECT two.to_vault_id AS target FROM moves two WHERE two.decision_id = $1 AND two.leg = 2 AND $2 = 1) AS later ON true
    WHERE decision_id = $1 AND leg = $2 FOR UPDATE OF moves`,
);

export const ADVANCE_MOVE = statement(
  'routing.advance_move',
  {
    values: [
      text(),
      small(),
      orNull(text()),
      integer(),
      orNull(time()),
      orNull(whole()),
      orNull(whole()),
      whole(),
      whole(),
    ],
    row: {},
  },
  `UPDATE moves SET after_id = coalesce($3, after_id), moved = moved + $4, done_at = $5, after_shares = coalesce($6, after_shares),
          room = coalesce($7, room), amount_moved = amount_moved + $8, cost_taken = cost_taken + $9
    WHERE decision_id = $1 AND leg = $2`,
);

/** Once all have left ($2: hour of the last one), the amount in transit and its arrival are known. When nothing left, nothing arrives. */
export const DEPART = statement(
  'routing.depart',
  { values: [text(), time()], row: {} },
  `UPDATE moves two
      SET amount = CASE WHEN one.amount_moved > one.cost_taken THEN one.amount_moved - one.cost_taken ELSE two.amount END,
          promised = CASE WHEN one.amount_moved < one.amount THEN floor(two.promised * one.amount_moved / one.amount) ELSE two.promised END,
          arrives_hour = two.arrives_hour + late.by, due_hour = two.due_hour + late.by,
          done_at = CASE WHEN one.amount_moved > one.cost_taken THEN NULL ELSE one.done_at END
     FROM moves one JOIN decisions d ON d.id = one.decision_id
    CROSS JOIN LATERAL (SELECT greatest($2::timestamptz - d.hour, interval '0') AS by) AS late
    WHERE one.decision_id = $1 AND one.leg = 1 AND two.decision_id = $1 AND two.leg = 2`,
);

/** Limit on outcomes of one hour. */
const OUTCOMES = 1_000;

/**
 * Outcomes of moves whose horizon has ended, over staying: their amount by the growth of a share in either vault between the two hours, less the
 * cost. Cash is constant. Funds in transit earn from their arrival on. A move whose hours are no longer stored has no outcome.
 */
export const SETTLE_OUTCOMES = statement(
  'routing.settle_outcomes',
  { values: [text()], row: { moves: integer(), promised: whole(), realised: whole() } },
  `WITH due AS (
     SELECT decision_id, leg, market_id, due_hour, arrives_hour FROM moves
      WHERE market_id = $1 AND realised_hour IS NULL AND due_hour <= (SELECT ticked_hour FROM markets WHERE id = $1) ORDER BY due_hour LIMIT ${OUTCOMES} FOR UPDATE SKIP LOCKED
   ), grown AS (
     SELECT decision_id, side.name, after.share_index / before.share_index AS ratio
       FROM due JOIN decisions d ON d.id = decision_id
      CROSS JOIN LATERAL (VALUES ('from', d.from_vault_id, d.hour), ('to', d.to_vault_id, coalesce(due.arrives_hour, d.hour))) AS side(name, vault_id, hour)
       JOIN snapshots before ON before.market_id = due.market_id AND before.vault_id = side.vault_id AND before.hour = side.hour
       JOIN snapshots after ON after.market_id = due.market_id AND after.vault_id = side.vault_id AND after.hour = due.due_hour
   ), settled AS (
     UPDATE moves m
        SET realised_hour = m.due_hour,
            -- Scaled to the moved amount, which is smaller when a move ended early.
            promised = CASE WHEN m.amount_moved < m.amount THEN floor(m.promised * m.amount_moved / m.amount) ELSE m.promised END,
            realised = floor(nullif(m.amount_moved, 0) * ((SELECT ratio FROM grown g WHERE g.decision_id = m.decision_id AND name = 'to')
                                       - (SELECT ratio FROM grown g WHERE g.decision_id = m.decision_id AND name = 'from')))
                         - (SELECT sum(cost_taken) FROM moves paid WHERE paid.decision_id = m.decision_id)
       FROM due WHERE m.decision_id = due.decision_id AND m.leg = due.leg
     RETURNING m.promised, m.realised
   )
   SELECT count(*)::int AS moves, coalesce(sum(promised), 0) AS promised, coalesce(sum(realised), 0) AS realised
     FROM settled WHERE realised IS NOT NULL AND promised IS NOT NULL`,
);

/** Lock until commit that serialises deposits which may fill a market's vaults of an asset. */
export const LOCK_ROOM = statement(
  'routing.lock_room',
  { values: [text(), text()], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`,
);
