import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobQueue } from '../../src/domain/outbound/webhooks/event.service.js';
import type { Batches } from '../../src/domain/kernel/store/batches.js';
import { startApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';

const KEPT_HOURS = 168;

/** Jobs of an unknown task, which no worker takes. */
const ADD = `SELECT live_jobs.add_job('nobodys', '{}', job_key => $1) AS job`;

describe('jobs', () => {
  let app: TestApp;
  const remove = (batches?: Batches): Promise<number> =>
    app.application.get(JobQueue).removeFailed(KEPT_HOURS, batches);
  const keys = async (): Promise<string[]> => {
    const rows = await app.sql<{ key: string }>(
      `SELECT key FROM live_jobs.jobs WHERE task_identifier = 'nobodys' ORDER BY key`,
    );
    return rows.map(({ key }) => key);
  };
  /** A job that failed for the last time a number of hours ago. */
  const fail = async (key: string, hours: number): Promise<void> => {
    await app.sql(ADD, [key]);
    await app.sql(
      `UPDATE live_jobs._private_jobs SET attempts = max_attempts, run_at = now() - $2 * interval '1 hour' WHERE key = $1`,
      [key, hours],
    );
  };

  beforeAll(async () => {
    app = await startApp('partner');
  });
  afterAll(() => app.close());

  it('Jobs that failed for good are kept for a week; waiting and running ones stay', async () => {
    await fail('a week ago', KEPT_HOURS);
    await fail('sooner', KEPT_HOURS - 0.01);
    await fail('runs', 2 * KEPT_HOURS);
    await app.sql(
      `UPDATE live_jobs._private_jobs SET locked_at = now(), locked_by = 'somebody' WHERE key = 'runs'`,
    );
    await app.sql(ADD, ['waits']);
    await app.sql(
      `UPDATE live_jobs._private_jobs SET run_at = now() - interval '1 year' WHERE key = 'waits'`,
    );
    expect(await remove()).toBe(1);
    expect(await keys()).toEqual(['runs', 'sooner', 'waits']);
  });

  it('Jobs of the schedule delete what is due', async () => {
    await fail('last', 2 * KEPT_HOURS);
    await app.sql(
      `INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
       VALUES ('evt_old', NULL, 'system.status', '{}', now() - interval '31 days', true)`,
    );
    await app.sql(
      `INSERT INTO idempotency_claims (key_id, scope, route, key, fingerprint, claimed_at)
       SELECT min(id), 's', 'r', 'k', '', now() - interval '2 days' FROM api_keys`,
    );
    await app.sql(`SELECT live_jobs.add_job('sweep'), live_jobs.add_job('prune')`);
    await until(
      async () =>
        (
          await app.sql(
            `SELECT FROM live_jobs.jobs WHERE key = 'last' UNION ALL SELECT FROM events UNION ALL SELECT FROM idempotency_claims`,
          )
        ).length === 0,
    );
  });
});
