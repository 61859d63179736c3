import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Decisions, the moves and orders that execute them, and the transfers that settle on chains. */
export class Routing1100000000004 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [DECISIONS, MOVES, ORDERS, SETTLEMENTS]) await runner.query(sql);
  }
}

/**
 * record: the whole decision with its inputs, enough to repeat it. json, not jsonb, to keep the order of its fields. record_bytes: its size, by which
 * a page ends before it reads large values; without it, PostgreSQL would have to decompress a json to know its length. blocked: reason of a hold,
 * beside its record, because each hour looks at the reasons of three days, and a record of 40 KB is decompressed and parsed to find one.
 */
const DECISIONS = `
CREATE TABLE decisions (
  id text COLLATE "C" PRIMARY KEY,
  market_id text COLLATE "C" NOT NULL,
  partner_id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('route', 'rebalance', 'hold')),
  asset text NOT NULL,
  user_id text COLLATE "C",
  position_id text COLLATE "C",
  positions int NOT NULL CHECK (positions >= 0),
  from_vault_id text COLLATE "C",
  to_vault_id text COLLATE "C",
  hour timestamptz(3) NOT NULL,
  record json NOT NULL,
  at timestamptz(3) NOT NULL,
  record_bytes int,
  blocked text
);
CREATE INDEX decisions_by_partner ON decisions (partner_id, at, id);
CREATE INDEX decisions_by_hour ON decisions (market_id, hour) WHERE kind <> 'route';
-- Who may delete a decision stands with the accounts.
CREATE TRIGGER decisions_are_final BEFORE UPDATE ON decisions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER decisions_stay BEFORE TRUNCATE ON decisions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`;

/**
 * Moves: position by position in the order of ids, up to after_id so far. amount_moved and cost_taken: amount moved and cost charged so far. amount:
 * amount to move, cost: its cost, promised: expected gain after the horizon less the cost; micro-units. room: for a partial move, the shares that may
 * still move; its positions go largest first, after after_shares and after_id. due_hour: when the outcome is known. leg: 1 leaves the vault; 2, for a
 * vault that pays out late, continues from cash at arrives_hour. evicts: the source vault must be left, so the move goes before others.
 */
const MOVES = `
CREATE TABLE moves (
  decision_id text COLLATE "C" NOT NULL REFERENCES decisions,
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  partner_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  from_vault_id text COLLATE "C" NOT NULL,
  to_vault_id text COLLATE "C" NOT NULL,
  decided_at timestamptz(3) NOT NULL,
  after_id text COLLATE "C" NOT NULL DEFAULT '',
  moved int NOT NULL DEFAULT 0,
  amount_moved numeric(40, 0) NOT NULL DEFAULT 0,
  cost_taken numeric(40, 0) NOT NULL DEFAULT 0,
  done_at timestamptz(3),
  amount numeric(40, 0) CHECK (amount > 0),
  cost numeric(40, 0) CHECK (cost >= 0),
  room numeric(60, 0) CHECK (room >= 0),
  after_shares numeric(60, 0),
  promised numeric(40, 0),
  due_hour timestamptz(3),
  realised numeric(40, 0),
  realised_hour timestamptz(3),
  leg smallint NOT NULL DEFAULT 1 CHECK (leg IN (1, 2)),
  evicts boolean NOT NULL DEFAULT false,
  arrives_hour timestamptz(3),
  PRIMARY KEY (decision_id, leg),
  CHECK ((leg = 2) = (arrives_hour IS NOT NULL))
);
CREATE INDEX moves_open ON moves (market_id, decision_id) WHERE done_at IS NULL;
CREATE INDEX moves_due ON moves (market_id, due_hour) WHERE realised_hour IS NULL AND due_hour IS NOT NULL;
CREATE INDEX moves_by_market ON moves (market_id);
`;

/**
 * Moves that executors execute: an order each. position_id: position of a received deposit that is to enter its vault; null: held funds move.
 * amount: value when the order was created; for a settled one, the amount that arrived. redeemed_value and settled_value: book value when either was
 * reported. cost, gain: differences from it, over both reports. redeemed_by, settled_by: key of each report, by which deviations are summed.
 * review_gain: reported gain that waits, or waited, outside the books. review_since: time of its report. review_booked: the part of it that was
 * booked. Micro-units. batch_id: orders of one hour between the same two vaults, which one transaction executes. A group has one open order in its vault at a time.
 */
const ORDERS = `
CREATE TABLE move_orders (
  id text COLLATE "C" PRIMARY KEY,
  decision_id text COLLATE "C" NOT NULL UNIQUE REFERENCES decisions,
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  partner_id text COLLATE "C" NOT NULL,
  position_id text COLLATE "C",
  batch_id text COLLATE "C",
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
  taken_by text COLLATE "C" CHECK (taken_by IS NULL OR taken_at IS NOT NULL),
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
  redeemed_by text COLLATE "C",
  settled_by text COLLATE "C",
  review_status text CHECK (review_status IN ('pending_review', 'approved', 'rejected')),
  review_gain numeric(40, 0) CHECK (review_gain > 0),
  review_since timestamptz(3),
  review_booked numeric(40, 0),
  reviewed_at timestamptz(3),
  review_note text,
  CHECK ((status IN ('settled', 'failed')) = (ended_at IS NOT NULL)),
  CHECK ((status = 'failed') = (failure IS NOT NULL)),
  CHECK ((redeemed_at IS NULL) = (redeemed_tx_hash IS NULL) AND (redeemed_at IS NULL) = (redeemed_amount IS NULL)),
  CHECK ((settled_at IS NULL) = (settled_tx_hash IS NULL) AND (settled_at IS NULL) = (settled_amount IS NULL)),
  CHECK (review_booked BETWEEN 0 AND review_gain),
  CHECK ((review_status IS NULL) = (review_gain IS NULL) AND (review_status IS NULL) = (review_since IS NULL)),
  CHECK ((review_status IN ('approved', 'rejected')) IS TRUE = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (review_booked IS NULL)),
  CHECK (review_status IS DISTINCT FROM 'rejected' OR review_booked = 0)
);
CREATE UNIQUE INDEX move_orders_of_group ON move_orders (partner_id, from_vault_id) WHERE status IN ('requested', 'redeeming') AND position_id IS NULL;
CREATE INDEX move_orders_open ON move_orders (market_id, id) WHERE ended_at IS NULL;
CREATE INDEX move_orders_by_time ON move_orders (requested_at, id);
CREATE INDEX move_orders_by_partner ON move_orders (partner_id, requested_at, id);
CREATE INDEX move_orders_by_status ON move_orders (status, requested_at, id);
CREATE INDEX move_orders_by_review ON move_orders (review_status, requested_at, id) WHERE review_status IS NOT NULL;
CREATE INDEX move_orders_of_position ON move_orders (position_id, requested_at, id) WHERE position_id IS NOT NULL;
CREATE INDEX move_orders_of_batch ON move_orders (batch_id, id) WHERE batch_id IS NOT NULL;
CREATE INDEX move_orders_redeemed_by ON move_orders (redeemed_by, asset, redeemed_at) WHERE redeemed_by IS NOT NULL;
CREATE INDEX move_orders_settled_by ON move_orders (settled_by, asset, settled_at) WHERE settled_by IS NOT NULL;

-- Its positions, while it is open. cost: the position's cost of the first report. waiting: the position's part of a gain until its review.
CREATE TABLE move_order_positions (
  order_id text COLLATE "C" NOT NULL REFERENCES move_orders,
  position_id text COLLATE "C" NOT NULL,
  cost numeric(40, 0) NOT NULL DEFAULT 0 CHECK (cost >= 0),
  waiting numeric(40, 0) NOT NULL DEFAULT 0 CHECK (waiting >= 0),
  PRIMARY KEY (order_id, position_id)
);
`;

/**
 * Chain status of each reported transfer, which is recorded once. tx_hash becomes null when the transfer is voided: its hash can then be reported
 * again. chain null: it is not known. block: block of the transaction. found_amount: amount moved according to the chain. due_at: time of the next
 * check; null: never. resolution: of a contradicted one. deposit_id: of a deposit that was split, whose transfer is of all its positions; position_id
 * is the first of them.
 */
const SETTLEMENTS = `
CREATE TABLE settlements (
  tx_hash text COLLATE "C" CONSTRAINT settlements_tx_hash_once UNIQUE CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  position_id text COLLATE "C" NOT NULL,
  deposit_id text COLLATE "C",
  recorded_at timestamptz(3) NOT NULL,
  id text COLLATE "C" PRIMARY KEY,
  partner_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  chain text,
  status text NOT NULL DEFAULT 'unchecked' CHECK (status IN ('unchecked', 'seen', 'confirmed', 'mismatch', 'not_found')),
  reason text,
  block bigint,
  found_amount numeric,
  checked_at timestamptz(3),
  due_at timestamptz(3),
  resolution text CHECK (resolution IN ('accept', 'void')),
  note text,
  resolved_at timestamptz(3),
  voided_tx_hash text COLLATE "C",
  CHECK ((resolution IS NULL) = (resolved_at IS NULL) AND (resolution IS NULL) = (note IS NULL)),
  CHECK ((resolution IS NOT DISTINCT FROM 'void') = (tx_hash IS NULL)),
  CHECK ((voided_tx_hash IS NULL) = (tx_hash IS NOT NULL)),
  CHECK (status NOT IN ('seen', 'confirmed', 'mismatch') OR block IS NOT NULL)
);
CREATE INDEX settlements_by_time ON settlements (recorded_at, id);
CREATE INDEX settlements_by_partner ON settlements (partner_id, recorded_at, id);
CREATE INDEX settlements_by_status ON settlements (status, recorded_at, id);
CREATE INDEX settlements_by_position ON settlements (position_id, recorded_at, id);
CREATE INDEX settlements_by_deposit ON settlements (deposit_id) WHERE deposit_id IS NOT NULL;
CREATE INDEX settlements_unresolved ON settlements (position_id) WHERE status IN ('mismatch', 'not_found') AND resolution IS NULL;
CREATE INDEX settlements_due ON settlements (chain, asset, partner_id, due_at) WHERE due_at IS NOT NULL;
`;
