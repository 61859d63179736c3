import { statement } from '../store/statement.js';

export const INSERT_DECISIONS = statement(
  'routing.insert_decisions',
  `INSERT INTO decisions (id, market_id, partner_id, kind, asset, user_id, position_id, positions, from_vault_id, to_vault_id, hour, record, at)
   SELECT id, "marketId", "partnerId", record->>'kind', record->>'asset', "userId", "positionId", positions, record->>'fromVaultId',
          record->>'toVaultId', (record->>'snapshotHour')::timestamptz, record, at
     FROM json_to_recordset($1) AS new(id text, "marketId" text, "partnerId" text, "userId" text, "positionId" text, positions int,
          record json, at timestamptz)`,
);

/** What was decided on funds that were held since the hour $2, oldest first. */
export const FIND_RECENT = statement(
  'routing.find_recent',
  `SELECT partner_id AS "partnerId", asset, kind, from_vault_id AS "fromVaultId", to_vault_id AS "toVaultId", hour,
          record->>'blocked' AS blocked
     FROM decisions WHERE market_id = $1 AND hour >= $2 AND kind <> 'route' ORDER BY hour, id`,
);
