import { statement } from '../store/statement.js';

/** Oldest first. */
export const FIND_PARTNER_TERMS = statement(
  'positions.find_partner_terms',
  `SELECT partner_id AS "partnerId", from_at AS "fromAt", revenue_share_bps AS "shareBps"
     FROM partner_terms WHERE partner_id = ANY($1) ORDER BY partner_id, from_at`,
);

/** Until commit its terms do not change: what is counted by them is counted before, or after, a change. */
export const HOLD_CAMPAIGN = statement(
  'positions.hold_campaign',
  `SELECT id FROM campaigns WHERE id = $1 FOR SHARE`,
);

/** Oldest first. */
export const FIND_CAMPAIGN_TERMS = statement(
  'positions.find_campaign_terms',
  `SELECT from_at AS "fromAt", status = 'active' AS active, multiplier_hundredths AS "multiplierHundredths", starts_at AS "startsAt",
          ends_at AS "endsAt"
     FROM campaign_terms WHERE campaign_id = $1 ORDER BY from_at`,
);

/** What the vaults' indexes were at the beginning of each of the hours, and what they grew by in it; the APY is the newest where the hour had none. */
export const FIND_INDEXES = statement(
  'positions.find_indexes',
  `SELECT s.vault_id AS "vaultId", s.hour, s.share_index AS index, s.factor, coalesce(s.apy, v.last_apy) AS apy
     FROM snapshots s JOIN vault_states v ON v.market_id = s.market_id AND v.vault_id = s.vault_id
    WHERE s.market_id = $1 AND s.vault_id = ANY($2) AND s.hour = ANY($3) AND v.last_apy IS NOT NULL`,
);
