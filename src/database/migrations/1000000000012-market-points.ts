import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A market's points by the vaults' own TVL. Those that were weighed by what the service held told it to every reader. */
export class MarketPoints1000000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE blended_points ADD COLUMN vaults int CHECK (vaults >= 0)`);
    await runner.query(`ALTER TABLE blended_points DISABLE TRIGGER blended_points_are_final`);
    await runner.query(WEIGH_ANEW);
    await runner.query(`ALTER TABLE blended_points ENABLE TRIGGER blended_points_are_final`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * Points are made again from the snapshots of their hour. The catalogue is not in the database: the newest decision on an asset names its vaults, and
 * which of them were active. Nothing was ever held of an asset without a decision. A point that cannot be made again keeps no number of vaults: it is not
 * shown, and neither is one that a replica of the version before still writes.
 */
const WEIGH_ANEW = `
WITH newest AS (SELECT DISTINCT ON (asset) asset, record FROM decisions ORDER BY asset, at DESC, id DESC),
vault AS (
  SELECT asset, candidate->>'vaultId' AS id
    FROM newest, json_array_elements(record->'inputs'->'candidates') AS candidate
   WHERE (candidate->>'active')::boolean
),
seen AS (
  SELECT s.market_id, vault.asset, s.hour, s.apy, s.tvl, coalesce(s.tvl > 0, false) AS sized,
         bool_or(coalesce(s.tvl > 0, false)) OVER (PARTITION BY s.market_id, vault.asset, s.hour) AS any_sized
    FROM snapshots s JOIN vault ON vault.id = s.vault_id
   WHERE s.apy IS NOT NULL
),
made AS (
  SELECT market_id, asset, hour, sum(apy * CASE WHEN sized THEN tvl ELSE 1 END) / sum(CASE WHEN sized THEN tvl ELSE 1 END) AS apy,
         sum(tvl) AS tvl, count(*) AS vaults
    FROM seen WHERE sized OR NOT any_sized
   GROUP BY market_id, asset, hour
)
UPDATE blended_points p SET apy = made.apy, tvl = made.tvl, vaults = made.vaults
  FROM made WHERE made.market_id = p.market_id AND made.asset = p.asset AND made.hour = p.hour`;
