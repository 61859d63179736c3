import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Key of each report on a move, by which deviations are summed, and the review of a reported gain. */
export class GainReviews1000000000054 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REPORTS);
    await runner.query(REVIEWS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** null in reports of the version before, which count towards no key. */
const REPORTS = `
ALTER TABLE move_orders ADD COLUMN redeemed_by text COLLATE "C", ADD COLUMN settled_by text COLLATE "C";
CREATE INDEX move_orders_redeemed_by ON move_orders (redeemed_by, asset, redeemed_at) WHERE redeemed_by IS NOT NULL;
CREATE INDEX move_orders_settled_by ON move_orders (settled_by, asset, settled_at) WHERE settled_by IS NOT NULL;
`;

/**
 * review_gain: reported gain that waits, or waited, outside the books. review_since: time of its report. review_booked: the part of it that was
 * booked. waiting: a position's part of it until the review. Micro-units.
 */
const REVIEWS = `
ALTER TABLE move_orders
  ADD COLUMN review_status text CHECK (review_status IN ('pending_review', 'approved', 'rejected')),
  ADD COLUMN review_gain numeric(40, 0) CHECK (review_gain > 0),
  ADD COLUMN review_since timestamptz(3),
  ADD COLUMN review_booked numeric(40, 0) CHECK (review_booked BETWEEN 0 AND review_gain),
  ADD COLUMN reviewed_at timestamptz(3),
  ADD COLUMN review_note text,
  ADD CHECK ((review_status IS NULL) = (review_gain IS NULL) AND (review_status IS NULL) = (review_since IS NULL)),
  ADD CHECK ((review_status IN ('approved', 'rejected')) IS TRUE = (reviewed_at IS NOT NULL) AND (reviewed_at IS NULL) = (review_booked IS NULL)),
  ADD CHECK (review_status IS DISTINCT FROM 'rejected' OR review_booked = 0);
CREATE INDEX move_orders_by_review ON move_orders (review_status, requested_at, id) WHERE review_status IS NOT NULL;
ALTER TABLE move_order_positions ADD COLUMN waiting numeric(40, 0) NOT NULL DEFAULT 0 CHECK (waiting >= 0);
`;
