import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves that executors carry out: an order each, the reports on it, and its positions while it is open. */
export class MoveOrders1000000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ORDERS);
    await runner.query(POSITIONS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/**
 * position_id: position of a received deposit that is to enter its vault; null: held funds move. amount: value when the order was created; for a
 * settled one, the amount that arrived. redeemed_value and settled_value: book value when either was reported. cost, gain: differences from it, over
 * both reports. Micro-units. A group has one open order in its vault at a time.
 */
const ORDERS = `
CREATE TABLE move_orders (
  id text COLLATE "C" PRIMARY KEY,
  decision_id text COLLATE "C" NOT NULL UNIQUE REFERENCES decisions,
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  partner_id text COLLATE "C" NOT NULL,
  position_id text COLLATE "C",
  asset text NOT NULL,
  from_vault_id text COLLATE "C" NOT NULL,
  to_vault_id text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  urgent boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('requested', 'redeeming', 'arriving', 'settled', 'failed')),
  positions int NOT NULL CHECK (positions >= 0),
  amount numeric(40, 0) NOT NULL CHECK (amount > 0),
  expected_cost numeric(40, 0) NOT NULL CHECK (expected_cost >= 0),
  promised numeric(40, 0),
  horizon_hours int NOT NULL CHECK (horizon_hours > 0),
  requested_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  taken_at timestamptz(3),
  redeemed_at timestamptz(3),
  redeemed_tx_hash text,
  redeemed_amount numeric(40, 0) CHECK (redeemed_amount > 0),
  redeemed_value numeric(40, 0) CHECK (redeemed_value > 0),
  settled_at timestamptz(3),
  settled_tx_hash text,
  settled_amount numeric(40, 0) CHECK (settled_amount > 0),
  settled_value numeric(40, 0) CHECK (settled_value > 0),
  cost numeric(40, 0) NOT NULL DEFAULT 0 CHECK (cost >= 0),
  gain numeric(40, 0) NOT NULL DEFAULT 0 CHECK (gain >= 0),
  ended_at timestamptz(3),
  failure text CHECK (failure IN ('lapsed', 'reported', 'refused', 'superseded', 'empty')),
  note text,
  CHECK ((status IN ('settled', 'failed')) = (ended_at IS NOT NULL)),
  CHECK ((status = 'failed') = (failure IS NOT NULL)),
  CHECK ((redeemed_at IS NULL) = (redeemed_tx_hash IS NULL) AND (redeemed_at IS NULL) = (redeemed_amount IS NULL)),
  CHECK ((settled_at IS NULL) = (settled_tx_hash IS NULL) AND (settled_at IS NULL) = (settled_amount IS NULL))
);
CREATE UNIQUE INDEX move_orders_of_group ON move_orders (partner_id, from_vault_id) WHERE status IN ('requested', 'redeeming') AND position_id IS NULL;
CREATE INDEX move_orders_open ON move_orders (market_id, id) WHERE ended_at IS NULL;
CREATE INDEX move_orders_by_time ON move_orders (requested_at, id);
CREATE INDEX move_orders_by_status ON move_orders (status, requested_at, id);
CREATE INDEX move_orders_of_position ON move_orders (position_id, requested_at, id) WHERE position_id IS NOT NULL;

-- Its positions, while it is open. cost: the position's cost of the first report.
CREATE TABLE move_order_positions (
  order_id text COLLATE "C" NOT NULL REFERENCES move_orders,
  position_id text COLLATE "C" NOT NULL,
  cost numeric(40, 0) NOT NULL DEFAULT 0 CHECK (cost >= 0),
  PRIMARY KEY (order_id, position_id)
);`;

/** A received deposit is in transit to its first vault, so a pending position may be in transit. */
const POSITIONS = `
DO $$
DECLARE
  bound text;
BEGIN
  SELECT conname INTO STRICT bound FROM pg_constraint
   WHERE conrelid = 'positions'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%transit_id IS NULL%';
  EXECUTE format('ALTER TABLE positions DROP CONSTRAINT %I', bound);
END $$;
ALTER TABLE positions ADD CONSTRAINT positions_in_transit_are_open CHECK (transit_id IS NULL OR status <> 'closed');`;
