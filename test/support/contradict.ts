import type { TestApp } from './app.js';
import { schemaOf } from './database.js';

/** Makes the chain contradict the latest transfer of a live position, without a chain. @returns the id of its settlement */
export async function contradict(
  { database }: Pick<TestApp, 'database'>,
  positionId: string,
): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    schemaOf('partner'),
    `UPDATE settlements SET status = 'not_found', chain = coalesce(chain, 'ethereum'), checked_at = now() WHERE position_id = $1
        AND recorded_at = (SELECT max(recorded_at) FROM settlements WHERE position_id = $1) RETURNING id`,
    [positionId],
  );
  return row!.id;
}

/** Makes the chain contradict the report that a move arrived, without a chain: it found a unit less. */
export async function contradictArrival(
  { database }: Pick<TestApp, 'database'>,
  moveId: string,
): Promise<void> {
  await database.query(
    schemaOf('partner'),
    `UPDATE report_checks SET status = 'mismatch', reason = 'wrong_amount', block = 1, found_amount = amount - 1000000, checked_at = now(), due_at = NULL
      WHERE order_id = $1 AND step = 'settled'`,
    [moveId],
  );
}
