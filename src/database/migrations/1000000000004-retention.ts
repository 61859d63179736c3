import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What removing old rows asks for. */
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

-- A row only where an effect has two halves: few.
CREATE INDEX idempotency_claims_by_subject ON idempotency_claims (subject_id) WHERE subject_id IS NOT NULL;
`;

/** run_at: when it would have been tried again, some time after its last failure. A job that runs is locked. */
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
