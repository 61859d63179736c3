import { Client } from 'pg';
import type { TestApp } from '../support/app.js';

/**
 * Holds, in a session of its own, the lock that every move of an account's clock needs: an advance or a reset that has begun cannot end before the
 * lock is released, however fast the machine is.
 */
export class HeldAccounts {
  private constructor(private readonly client: Client) {}

  static async hold(app: TestApp, accountIds: readonly string[]): Promise<HeldAccounts> {
    const client = new Client({ connectionString: app.database.url, application_name: 'outside' });
    await client.connect();
    for (const id of accountIds)
      await client.query(
        `SELECT pg_advisory_lock_shared(hashtextextended('transfers of sandbox.' || $1, 0))`,
        [id],
      );
    return new HeldAccounts(client);
  }

  letGo(): Promise<void> {
    return this.client.end();
  }
}

/** The number of connections of deployments that wait for a lock. @param like a pattern of their statements */
export async function lockWaits({ database }: TestApp, like = '%'): Promise<number> {
  const [row] = await database.query<{ waits: number }>(
    'sandbox',
    `SELECT count(*)::int AS waits FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'vaultline-sandbox' AND wait_event_type = 'Lock'
        AND query LIKE $1`,
    [like],
  );
  return row!.waits;
}
