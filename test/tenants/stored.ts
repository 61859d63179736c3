import type { Constants } from '../../src/config/constants.js';
import type { StoredBytes, StoredKind } from '../../src/domain/kernel/store/storage-limit.js';
import { StorageUpkeep } from '../../src/jobs/storage-upkeep.js';
import type { Answer } from '../support/api.js';
import type { TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';

export const MIB = 1024 * 1024;

/** Bounds on stored data that a test can reach, in MiB a partner. */
export const bounded =
  (mib: Partial<Record<StoredKind, number>>) =>
  (constants: Constants): void => {
    for (const [kind, most] of Object.entries(mib) as [StoredKind, number][])
      constants.storage[`${kind}MibPerPartner`] = most;
  };

/** A text of 10,000 bytes that PostgreSQL does not compress. */
const TEXT = `(SELECT left(string_agg(gen_random_uuid()::text, ''), 10000) FROM generate_series(1, 280))`;

/** Fills a partner's storage with about so many bytes of day-old events, as after long use. */
export async function prefillTraffic(app: TestApp, partnerId: string, bytes: number): Promise<void> {
  await app.sql(
    `INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
     SELECT 'evt_' || md5($1 || n || clock_timestamp()), $1, 'system.status', to_json(${TEXT}), now() - interval '20 hours', true
       FROM generate_series(1, $2::int / 10386) AS n`,
    [partnerId, Math.round(bytes)],
  );
}

/** Fills a partner's storage with end-users. */
export async function prefillRecords(app: TestApp, partnerId: string, bytes: number): Promise<void> {
  await app.sql(
    `INSERT INTO users (id, partner_id, external_id, label, metadata, status, created_at, updated_at)
     SELECT 'usr_' || md5($1 || n || clock_timestamp()), $1, md5($1 || n || clock_timestamp()), 'Prefilled',
            json_build_object('note', left(${TEXT}, 4000))::jsonb, 'active', now(), now()
       FROM generate_series(1, $2::int / 4726) AS n`,
    [partnerId, Math.round(bytes)],
  );
}

/** Runs the job that counts what is stored, on partners without recent writes, too. */
export async function countStored(app: TestApp): Promise<void> {
  // Notes who wrote here, so that these partners have a row.
  await app.application.get(StorageUpkeep).countStored();
  await app.sql(`UPDATE stored_bytes SET due_at = '-infinity'`);
  await app.application.get(StorageUpkeep).countStored();
}

/**
 * Sends, with a count after every few requests, until one is refused for lack of room.
 * @returns the number of accepted requests, and the refusal
 */
export async function fill(
  app: TestApp,
  send: (index: number) => Promise<Answer>,
  { most = 1_000, between = 10 } = {},
): Promise<{ taken: number; refusal: Answer }> {
  for (let taken = 0; taken < most; taken++) {
    if (taken % between === 0) await countStored(app);
    const answer = await send(taken);
    if (answer.status === 201 || answer.status === 200) continue;
    expectError(answer, 409, 'quota_exceeded');
    return { taken, refusal: answer };
  }
  throw new Error(`${most} requests were taken, and none refused.`);
}

/** The bytes that a partner stored as of the last count. */
export async function storedBy(app: TestApp, partnerId: string): Promise<StoredBytes> {
  const [row] = await app.sql<StoredBytes>(
    `SELECT records::float8 AS records, traffic::float8 AS traffic, book::float8 AS book FROM stored_bytes WHERE partner_id = $1`,
    [partnerId],
  );
  return row!;
}
