import type { Constants } from '../../src/config/constants.js';
import type { StoredBytes, StoredKind } from '../../src/domain/store/storage-quota.js';
import type { Answer } from '../support/api.js';
import { expectError } from '../support/expected-error.js';
import type { TestDatabase } from '../support/database.js';

export const MIB = 1024 * 1024;

/** Bounds on stored data that a test can reach, in MiB a partner. */
export const bounded =
  (mib: Partial<Record<StoredKind, number>>) =>
  (constants: Constants): void => {
    for (const [kind, most] of Object.entries(mib))
      Object.assign(constants.storage, { [`${kind}MibPerPartner`]: most });
  };

/** Notes of 4,000 bytes. */
export const NOTES = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [`note ${index}`, 'n'.repeat(493)]),
);

/** Fills a partner's storage with about so many bytes of day-old events, as after long use. */
export async function prefillTraffic(
  database: TestDatabase,
  schema: 'live' | 'sandbox',
  partnerId: string,
  bytes: number,
): Promise<void> {
  await database.query(
    schema,
    `INSERT INTO events (id, partner_id, type, envelope, recorded_at, fanned_out)
     SELECT 'evt_' || md5($1 || n), $1, 'system.status', to_json(repeat('x', 10000)), now() - interval '20 hours', true
       FROM generate_series(1, $2::int / 10386) AS n`,
    [partnerId, Math.round(bytes)],
  );
}

/** Fills a partner's storage with end-users. */
export async function prefillRecords(
  database: TestDatabase,
  schema: 'live' | 'sandbox',
  partnerId: string,
  bytes: number,
): Promise<void> {
  await database.query(
    schema,
    `INSERT INTO users (id, partner_id, external_id, label, metadata, status, created_at, updated_at)
     SELECT 'usr_' || md5($1 || n), $1, md5($1 || n), 'Prefilled', json_build_object('note', repeat('x', 4000))::jsonb, 'active', now(), now()
       FROM generate_series(1, $2::int / 4726) AS n`,
    [partnerId, Math.round(bytes)],
  );
}

/** Sends until a request is refused for lack of room. @returns the number of accepted requests, and the refusal */
export async function fill(
  send: (index: number) => Promise<Answer>,
  most = 300,
): Promise<{ taken: number; refusal: Answer }> {
  for (let taken = 0; taken < most; taken++) {
    const answer = await send(taken);
    if (answer.status === 201 || answer.status === 200) continue;
    expectError(answer, 409, 'quota_exceeded');
    return { taken, refusal: answer };
  }
  throw new Error(`${most} requests were taken, and none refused.`);
}

/** The bytes that are counted as stored by a partner. */
export async function storedBy(
  database: TestDatabase,
  schema: 'live' | 'sandbox',
  partnerId: string,
): Promise<StoredBytes> {
  const [row] = await database.query<StoredBytes>(
    schema,
    `SELECT sum(records)::float8 AS records, sum(traffic)::float8 AS traffic, sum(book)::float8 AS book FROM stored_bytes WHERE partner_id = $1`,
    [partnerId],
  );
  return row!;
}
