import { bytes, integer, rowCount, text } from '../store/column.js';
import { statement } from '../store/statement.js';

/** Of two concurrent canaries, the first one stays. */
export const SEAL_CANARY = statement(
  'secrets.seal_canary',
  { values: [bytes()], row: {} },
  `INSERT INTO secrets_canary (sealed, sealed_at) VALUES ($1, clock_timestamp()) ON CONFLICT DO NOTHING`,
);

/** The oldest and the newest secrets, $1 of each. */
export const SAMPLE_ENDPOINTS = statement(
  'secrets.sample_endpoints',
  { values: [rowCount()], row: { id: text(), sealed: bytes() } },
  `(SELECT id, secret_sealed AS sealed FROM webhook_endpoints ORDER BY id LIMIT $1)
   UNION (SELECT id, secret_sealed FROM webhook_endpoints ORDER BY id DESC LIMIT $1)`,
);

export const SAMPLE_ANSWERS = statement(
  'secrets.sample_answers',
  { values: [rowCount()], row: { keyId: text(), route: text(), key: text(), sealed: bytes() } },
  `SELECT key_id AS "keyId", route, key, coalesce(answer, packed) AS sealed FROM idempotency_claims
    WHERE coalesce(answer, packed) IS NOT NULL ORDER BY claimed_at DESC LIMIT $1`,
);

export const REMOVE_ENDPOINTS = statement(
  'secrets.remove_endpoints',
  { values: [], row: { removed: integer() } },
  `WITH gone AS (DELETE FROM webhook_endpoints RETURNING id) SELECT count(*)::int AS removed FROM gone`,
);

/** Claims stay without an answer: a retry is told that its effect is in progress, and does not repeat it. */
export const REMOVE_ANSWERS = statement(
  'secrets.remove_answers',
  { values: [], row: { removed: integer() } },
  `WITH gone AS (UPDATE idempotency_claims SET answer = NULL, packed = NULL WHERE coalesce(answer, packed) IS NOT NULL RETURNING key)
   SELECT count(*)::int AS removed FROM gone`,
);
