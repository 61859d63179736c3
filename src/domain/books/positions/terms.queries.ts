import { bool, double, integer, listOf, orNull, text, time, whole } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { POSITION } from './position.js';
import { COLUMNS } from './position-store.queries.js';

export const CAMPAIGN_TERMS = {
  fromAt: time(),
  active: bool(),
  /** 150 means a multiplier of 1.5. */
  multiplierHundredths: integer(),
  startsAt: time(),
  /** Exclusive; null: no end. */
  endsAt: orNull(time()),
};
export const CAMPAIGN_TERMS_COLUMNS = `from_at AS "fromAt", status = 'active' AS active, multiplier_hundredths AS "multiplierHundredths", starts_at AS "startsAt",
          ends_at AS "endsAt"`;

/** Open positions of users $1 in assets $2 with nothing posted at $3 or later, by id; none of $4. */
export const FIND_OTHERS = statement(
  'positions.find_others',
  { values: [listOf(text()), listOf(text()), time(), listOf(text())], row: POSITION },
  `SELECT ${COLUMNS} FROM positions p
    WHERE (p.user_id, p.asset) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND p.closed_at IS NULL AND p.accrued_at < $3 AND p.id <> ALL($4)
    ORDER BY p.id`,
);

/** A user's holdings in an asset, by vault. */
export const FIND_SHARES_OF_USER = statement(
  'positions.find_shares_of_user',
  { values: [text(), text()], row: { vaultId: text(), shares: whole() } },
  `SELECT vault_id AS "vaultId", sum(shares) AS shares FROM positions
    WHERE user_id = $1 AND asset = $2 AND closed_at IS NULL GROUP BY vault_id`,
);

/** Share lock on a campaign until commit: a change of its terms falls wholly before or after. */
export const LOCK_CAMPAIGN = statement(
  'positions.lock_campaign',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM campaigns WHERE id = $1 FOR SHARE`,
);

export const FIND_CAMPAIGN_TERMS = statement(
  'positions.find_campaign_terms',
  { values: [text()], row: CAMPAIGN_TERMS },
  `SELECT ${CAMPAIGN_TERMS_COLUMNS}
     FROM campaign_terms WHERE campaign_id = $1 ORDER BY from_at`,
);

/** Vault indexes at the beginning of each hour, and their growth in it; the APY is the newest observed by then. */
export const FIND_INDEXES = statement(
  'positions.find_indexes',
  {
    values: [text(), listOf(text()), listOf(time())],
    row: { vaultId: text(), hour: time(), index: whole(), factor: whole(), apy: orNull(double()) },
  },
  `SELECT s.vault_id AS "vaultId", s.hour, s.share_index AS index, s.factor, seen.apy
     FROM snapshots s
     LEFT JOIN LATERAL (
       SELECT apy FROM snapshots
        WHERE market_id = s.market_id AND vault_id = s.vault_id AND hour <= s.hour AND apy IS NOT NULL
        ORDER BY hour DESC LIMIT 1) AS seen ON true
    WHERE s.market_id = $1 AND s.vault_id = ANY($2) AND s.hour = ANY($3)`,
);
