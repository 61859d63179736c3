import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward.migration.js';

/** Withdrawals by user, over its positions. */
export class Withdrawals1200000000070 extends ForwardMigration {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [WITHDRAWALS, PARTS, SETTLEMENTS]) await runner.query(sql);
  }
}

/**
 * is_whole: everything that the positions are worth when it is paid. amount: what leaves the positions; of a whole one that is open, their value when it
 * was requested. positions: number of its parts. cost: part of the amount that the vaults did not pay out. bound_value: value that bounds what the reports of its key may fall short of.
 * Micro-units. taken_by, paid_by: key or session; null: the server.
 */
const WITHDRAWALS = `
CREATE TABLE withdrawals (
  id text COLLATE "C" PRIMARY KEY,
  market_id text COLLATE "C" NOT NULL REFERENCES markets,
  partner_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  is_whole boolean NOT NULL,
  amount numeric(40, 0) NOT NULL CHECK (amount > 0),
  cost numeric(40, 0) NOT NULL DEFAULT 0 CHECK (cost >= 0 AND cost < amount),
  positions int NOT NULL CHECK (positions > 0),
  wallet text,
  status text NOT NULL CHECK (status IN ('requested', 'taken', 'paid', 'failed', 'lapsed')),
  requested_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  taken_at timestamptz(3),
  taken_by text COLLATE "C" CHECK (taken_by IS NULL OR taken_at IS NOT NULL),
  paid_at timestamptz(3),
  paid_by text COLLATE "C" CHECK (paid_by IS NULL OR paid_at IS NOT NULL),
  bound_value numeric(40, 0) CHECK (bound_value IS NULL OR paid_at IS NOT NULL),
  tx_hash text CHECK (tx_hash ~ '^0x[0-9a-f]{64}$'),
  chain text,
  ended_at timestamptz(3),
  failure text CHECK (failure IN ('reported', 'voided')),
  note text,
  CHECK ((status IN ('paid', 'failed', 'lapsed')) = (ended_at IS NOT NULL)),
  CHECK ((status = 'failed') = (failure IS NOT NULL)),
  CHECK (status <> 'paid' OR paid_at IS NOT NULL),
  CHECK (status <> 'taken' OR taken_at IS NOT NULL)
);
CREATE INDEX withdrawals_by_time ON withdrawals (requested_at, id);
CREATE INDEX withdrawals_by_partner ON withdrawals (partner_id, requested_at, id);
CREATE INDEX withdrawals_by_user ON withdrawals (user_id, requested_at, id);
CREATE INDEX withdrawals_by_status ON withdrawals (status, requested_at, id);
CREATE INDEX withdrawals_open ON withdrawals (user_id, asset) WHERE ended_at IS NULL;
CREATE INDEX withdrawals_expiring ON withdrawals (expires_at) WHERE ended_at IS NULL AND taken_at IS NULL;
CREATE INDEX withdrawals_paid_by ON withdrawals (paid_by, asset, paid_at) WHERE paid_by IS NOT NULL;
`;

/**
 * Parts of a withdrawal in the order in which its positions pay. vault_id: where the funds were when it was requested; once paid, what they were paid
 * from. While a part is reserved, its position is not moved.
 */
const PARTS = `
CREATE TABLE withdrawal_parts (
  withdrawal_id text COLLATE "C" NOT NULL REFERENCES withdrawals,
  place int NOT NULL CHECK (place > 0),
  position_id text COLLATE "C" NOT NULL,
  vault_id text COLLATE "C" NOT NULL,
  amount numeric(40, 0) NOT NULL CHECK (amount >= 0),
  cost numeric(40, 0) NOT NULL DEFAULT 0 CHECK (cost >= 0),
  is_whole boolean NOT NULL,
  is_reserved boolean NOT NULL,
  PRIMARY KEY (withdrawal_id, place)
);
CREATE INDEX withdrawal_parts_of_position ON withdrawal_parts (position_id);
CREATE INDEX withdrawal_parts_reserved ON withdrawal_parts (position_id) WHERE is_reserved;
`;

/** withdrawal_id: payment of a withdrawal, whose transfer is of all its parts; position_id is the first of them. */
const SETTLEMENTS = `
ALTER TABLE settlements ADD COLUMN withdrawal_id text COLLATE "C";
CREATE INDEX settlements_by_withdrawal ON settlements (withdrawal_id) WHERE withdrawal_id IS NOT NULL;
`;
