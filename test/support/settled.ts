import { Dispatcher } from '../../src/domain/outbound/webhooks/dispatcher.js';
import type { TestApp } from './app.js';
import { schemaOf } from './database.js';
import { until } from './until.js';

/** What hundreds of jobs, or a month of a market's hours, take on a busy machine. */
const LONGEST_MS = 60_000;

/** Waits until a deployment has no work in progress: no job is due or running, every event is fanned out, and every delivery has ended. */
export async function untilSettled(app: TestApp): Promise<void> {
  const schema = schemaOf(app.settings.contract);
  const open = `
    SELECT FROM ${schema}_jobs.jobs WHERE run_at <= now() AND (attempts < max_attempts OR locked_at IS NOT NULL)
    UNION ALL SELECT FROM events WHERE NOT fanned_out
    UNION ALL SELECT FROM deliveries WHERE status IN ('queued', 'pending')
    LIMIT 1`;
  // A dispatch reads its queue a moment after the job that triggered it has ended.
  const woken = app.application.get(Dispatcher)['drains'];
  await until(async () => (await app.sql(open)).length === 0 && woken.size === 0, LONGEST_MS);
}

/** Waits for the tick at a process's start: in a test that moves the clock, that tick would otherwise run in the middle of the test. */
export const untilTicked = (app: TestApp): Promise<void> => {
  const schema = schemaOf(app.settings.contract);
  const going = `SELECT FROM ${schema}_jobs.jobs WHERE key = 'tick' AND (attempts = 0 OR locked_at IS NOT NULL)`;
  return until(async () => (await app.sql(going)).length === 0, LONGEST_MS);
};
