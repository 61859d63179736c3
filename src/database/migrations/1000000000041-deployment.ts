import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators' view of a deployment: its processes, and the backlog of its queue. */
export class Deployment1000000000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT current_schema() AS schema')) as [{ schema: string }];
    await runner.query(REPLICAS);
    await runner.query(waitingJobs(`"${schema}_jobs"`));
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup instead.');
  }
}

/** sends: number of the process's sends by outcome since its start. */
const REPLICAS = `
CREATE TABLE replicas (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (length(name) <= 253),
  role text NOT NULL,
  version text NOT NULL,
  sends jsonb NOT NULL,
  started_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL
);`;

/** Due jobs that nobody has taken, by task; a job that has failed for good does not count. */
const waitingJobs = (jobs: string): string => `
CREATE FUNCTION waiting_jobs() RETURNS TABLE (task text, waiting int, oldest_seconds float8) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
    SELECT task_identifier, count(*)::int, extract(epoch FROM clock_timestamp() - min(run_at))::float8
      FROM ${jobs}.jobs
     WHERE run_at <= clock_timestamp() AND locked_at IS NULL AND attempts < max_attempts
     GROUP BY task_identifier;
END $$;
`;
