import { Dispatcher } from '../../src/domain/webhooks/dispatcher.js';
import type { TestApp } from './app.js';
import { schemaOf } from './database.js';
import { until } from './until.js';

/**
 * Waits until nothing of a deployment is on its way any more: no job is due or runs, every event is fanned out, every delivery has ended, and no
 * endpoint is being worked on.
 *
 * @param partnerId of events, deliveries and endpoints, only what is this partner's
 */
export async function untilSettled(app: TestApp, partnerId: string | null = null): Promise<void> {
  const schema = schemaOf(app.settings.contract);
  const open = `
    SELECT FROM ${schema}_jobs.jobs WHERE run_at <= now() AND (attempts < max_attempts OR locked_at IS NOT NULL)
    UNION ALL SELECT FROM events WHERE NOT fanned_out AND ($1::text IS NULL OR partner_id = $1)
    UNION ALL SELECT FROM deliveries WHERE status IN ('queued', 'pending') AND ($1::text IS NULL OR partner_id = $1)
    UNION ALL SELECT FROM webhook_endpoints WHERE drained_by IS NOT NULL AND ($1::text IS NULL OR partner_id = $1)
    LIMIT 1`;
  // What a job woke takes its lease a moment after the job has ended.
  const woken = app.application.get(Dispatcher)['drains'];
  await until(
    async () =>
      (await app.database.query(schema, open, [partnerId])).length === 0 &&
      (partnerId !== null || woken.size === 0),
  );
}

/** Waits until the tick that a process begins with has ended: in a test that moves the clock it would follow, in the middle of the test. */
export const untilTicked = (app: TestApp): Promise<void> => {
  const schema = schemaOf(app.settings.contract);
  const going = `SELECT FROM ${schema}_jobs.jobs WHERE key = 'tick' AND (attempts = 0 OR locked_at IS NOT NULL)`;
  return until(async () => (await app.database.query(schema, going)).length === 0);
};
