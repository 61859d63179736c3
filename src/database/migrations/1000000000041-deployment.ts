import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an operator sees of a deployment: the processes that it is made of, and how far its queue is behind. */
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

/** sends: how many sends of each outcome the process has seen since its start. */
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

/** Jobs that are due and that nobody has taken up, by task; one that failed for good waits no more. */
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
