import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Markets and the paths of their vaults: yield of each hour, and the index that results. */
export class Markets1000000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MARKETS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const MARKETS = `
CREATE TABLE markets (
  id text COLLATE "C" PRIMARY KEY,
  ticked_hour timestamptz(3) CHECK (date_trunc('hour', ticked_hour, 'UTC') = ticked_hour)
);

-- Newest state of each vault; its path is in the snapshots. last_apy: last observation and its hour; simulated: state of a simulated vault's path.
CREATE TABLE vault_states (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  vault_id text COLLATE "C" NOT NULL,
  share_index numeric(60, 0) NOT NULL CHECK (share_index > 0),
  last_apy double precision,
  last_tvl numeric(40, 0) CHECK (last_tvl >= 0),
  observed_hour timestamptz(3),
  simulated double precision,
  PRIMARY KEY (market_id, vault_id),
  CHECK ((last_apy IS NULL) = (observed_hour IS NULL))
);

-- apy and tvl are null when the feed had no data for the hour: missing data are never 0.
CREATE TABLE snapshots (
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  vault_id text COLLATE "C" NOT NULL,
  hour timestamptz(3) NOT NULL CHECK (date_trunc('hour', hour, 'UTC') = hour),
  apy double precision,
  tvl numeric(40, 0) CHECK (tvl >= 0),
  share_index numeric(60, 0) NOT NULL CHECK (share_index > 0),
  PRIMARY KEY (market_id, vault_id, hour)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER snapshots_are_final BEFORE UPDATE ON snapshots FOR EACH ROW EXECUTE FUNCTION refuse_change();
`;
