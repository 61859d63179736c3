import { Client } from 'pg';
import { withDomain } from '../../../src/cli/context.js';
import { loadSettings } from '../../../src/config/settings.js';
import { type Database, decisionTroubles, troubles } from '../../engine/audit.js';
import { differencesOf } from '../../support/differences.js';
import { deliveryTroubles, type DeliveryEnds, untilDelivered } from './delivery.audit.js';
import type { Hooks } from './hooks.js';
import type { Load } from './load.js';
import { writeTroubles } from './write.audit.js';

/** Accepted outcomes of deliveries. Default: each was delivered. */
export type { DeliveryEnds as Ends } from './delivery.audit.js';

/**
 * Checks every invariant after a settled load, whatever faults there were: the rules of the books and the ledger; each acknowledged write exists
 * exactly once; no other write exists; and each event was sent to each endpoint as often as its record says, by the receiver's count. Waits until
 * every delivery has ended.
 *
 * @param ends accepted outcomes of deliveries
 * @returns a sentence for each rule that is broken
 */
export async function audit(
  databaseUrl: string,
  load: Load,
  hooks: Hooks,
  ends: DeliveryEnds = {},
): Promise<string[]> {
  return onDatabase(databaseUrl, async (database) => {
    await untilDelivered(database, load);
    const partnerIds = load.accounts.map(({ partnerId }) => partnerId);
    return [
      ...load.journal.troubles(),
      ...(await troubles(database)),
      ...(await decisionTroubles(database, partnerIds)),
      ...(await verifierTroubles(databaseUrl)),
      ...(await writeTroubles(database, load)),
      ...(await deliveryTroubles(database, load, hooks, ends)),
    ].slice(0, 20);
  });
}

/** Runs SQL in the schema of the partner contract's deployment. Integers of any size are returned as strings. */
export async function onDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, options: '-c search_path=live -c timezone=UTC' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work({ sql: async (text, values) => (await client.query(text, values)).rows });
  } finally {
    await client.end();
  }
}

/** The differences that `vaultline ledger verify` prints. */
export async function verifierTroubles(databaseUrl: string): Promise<string[]> {
  const settings = loadSettings({
    CONTRACT: 'partner',
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  });
  let found: string[] = [];
  await withDomain(settings, async (context) => {
    found = await differencesOf(context);
  });
  return found;
}
