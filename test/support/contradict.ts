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
