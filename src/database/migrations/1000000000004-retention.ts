import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes and functions for removing old rows. */
export class Retention1000000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT current_schema() AS schema')) as [{ schema: string }];
    await runner.query(INDEXES);
    await runner.query(failedJobs(`"${schema}_jobs"`));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

const INDEXES = `
CREATE INDEX moves_by_market ON moves (market_id);

-- Only effects in two halves have such a row, so there are few.
CREATE INDEX idempotency_claims_by_subject ON idempotency_claims (subject_id) WHERE subject_id IS NOT NULL;
`;

/** run_at: time of the next retry, some time after the last failure. A running job is locked. */
const failedJobs = (jobs: string): string => `
CREATE FUNCTION remove_failed_jobs(kept_hours int, most int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT count(*) FROM ${jobs}.complete_jobs(ARRAY(
      SELECT id FROM ${jobs}.jobs
       WHERE attempts >= max_attempts AND locked_at IS NULL AND run_at < now() - kept_hours * interval '1 hour'
       ORDER BY id LIMIT most)));
END $$;
`;
