import type { TestApp } from './app.js';
import { schemaOf } from './database.js';
import { until } from './until.js';

const OPEN = `
SELECT FROM events WHERE NOT fanned_out AND ($1::text IS NULL OR partner_id = $1)
UNION ALL SELECT FROM deliveries WHERE status IN ('queued', 'pending') AND ($1::text IS NULL OR partner_id = $1)
UNION ALL SELECT FROM webhook_endpoints WHERE drained_by IS NOT NULL AND ($1::text IS NULL OR partner_id = $1)
LIMIT 1`;

/**
 * Waits until nothing of a deployment is on its way any more: every event is fanned out, every delivery has ended, and no endpoint is being worked on.
 *
 * @param partnerId only what is this partner's
 */
export const untilSettled = (app: TestApp, partnerId: string | null = null): Promise<void> =>
  until(
    async () => (await app.database.query(schemaOf(app.settings.contract), OPEN, [partnerId])).length === 0,
  );

/** Waits until the tick that a process begins with has ended: in a test that moves the clock it would follow, in the middle of the test. */
export const untilTicked = (app: TestApp): Promise<void> => {
  const schema = schemaOf(app.settings.contract);
  const going = `SELECT FROM ${schema}_jobs.jobs WHERE key = 'tick' AND (attempts = 0 OR locked_at IS NOT NULL)`;
  return until(async () => (await app.database.query(schema, going)).length === 0);
};
