import { integer, nothing, numeric, orNull, text, time, jsonb, whole } from '../../kernel/store/column.js';
import type { Policy } from '../../tenants/policies/policy.js';
import { policyOf } from '../../tenants/policies/policy.service.js';
import { statement } from '../../kernel/store/statement.js';

/** Whether an open withdrawal reserves some of a position. */
export const isReserved = (positionId: string): string =>
  `EXISTS (SELECT FROM withdrawal_parts w WHERE w.position_id = ${positionId} AND w.is_reserved)`;

/** Locks a market until commit, so that an hour is evaluated once. */
export const LOCK_ROUTED_HOUR = statement(
  'routing.lock_market',
  { values: [text()], row: { tickedHour: orNull(time()), routedHour: orNull(time()) } },
  `SELECT ticked_hour AS "tickedHour", routed_hour AS "routedHour" FROM markets WHERE id = $1 FOR NO KEY UPDATE`,
);

/** Routed funds of a market, one row for each partner, asset and vault; without funds in transit, which are in cash, and positions that withdrawals reserve. */
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
       FROM (SELECT partner_id, asset, vault_id, shares FROM positions WHERE market_id = $1 AND transit_id IS NOT NULL
              UNION ALL
             SELECT partner_id, asset, vault_id, shares FROM positions
              WHERE market_id = $1 AND transit_id IS NULL AND closed_at IS NULL AND id IN (SELECT position_id FROM withdrawal_parts WHERE is_reserved)) AS fixed
      GROUP BY partner_id, asset, vault_id
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
             FROM (SELECT id, shares FROM positions p
                    WHERE partner_id = $1 AND vault_id = $2 AND status <> 'closed' AND shares <= $3 AND transit_id IS NULL AND NOT ${isReserved('p.id')}
                    ORDER BY shares DESC, id LIMIT ${LARGEST}) AS largest) AS summed
    WHERE together <= $3`,
);

export const SET_ROUTED_HOUR = statement(
  'routing.set_routed_hour',
  { values: [text(), time()], row: {} },
  `UPDATE markets SET routed_hour = $2 WHERE id = $1`,
);

export const FIND_HELD = statement(
  'routing.find_held',
  { values: [text()], row: { vaultId: text(), shares: numeric() } },
  `SELECT vault_id AS "vaultId", sum(shares) AS shares FROM vault_shares WHERE market_id = $1 GROUP BY vault_id`,
);

/** Lock until commit that serialises deposits which may fill a market's vaults of an asset. */
export const LOCK_ROOM = statement(
  'routing.lock_room',
  { values: [text(), text()], row: { pg_advisory_xact_lock: nothing() } },
  `SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`,
);
