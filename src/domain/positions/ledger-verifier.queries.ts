import { type Statement, statement } from '../store/statement.js';
import { BOOK_FIELDS, type BookKind } from './book-sums.js';
import { COLUMNS } from './position-store.queries.js';

/** The next $2 positions, by id, each with the partner of its user. */
export const PAGE_OF_POSITIONS = statement(
  'ledger.page_of_positions',
  `SELECT ${COLUMNS}, u.partner_id AS "usersPartnerId"
     FROM (SELECT * FROM positions WHERE id > $1 ORDER BY id LIMIT $2) AS p
     LEFT JOIN users u ON u.id = p.user_id
    ORDER BY p.id`,
);

/** The next $4 entries by position, time and id, each with the position that its transfer is recorded with. */
export const PAGE_OF_ENTRIES = statement(
  'ledger.page_of_entries',
  `SELECT id, at, type, user_id AS "userId", position_id AS "positionId", asset, vault_id AS "vaultId", from_vault_id AS "fromVaultId", amount,
          cost, apy, share_index AS "shareIndex", from_index AS "fromIndex", lending_index AS "lendingIndex", hold_index AS "holdIndex",
          fee_bps AS "feeBps", share_bps AS "shareBps", revenue_place AS "revenuePlace", user_value AS "userValue", decision_id AS "decisionId", tx_hash AS "txHash", voids,
          (SELECT s.position_id FROM settlements s
            WHERE s.position_id = e.position_id AND s.recorded_at = e.at AND coalesce(s.tx_hash, s.voided_tx_hash) = e.tx_hash) AS "settledPositionId",
          (SELECT true FROM settlements s WHERE s.position_id = e.position_id AND s.voided_tx_hash = e.voids LIMIT 1) AS "isVoided"
     FROM ledger_entries e
    WHERE (position_id, at, id) > ($1, $2, $3)
    ORDER BY position_id, at, id
    LIMIT $4`,
);

/** The next $3 revenue accounts, by user and asset; both in the order of their bytes, as what was settled in them. */
export const PAGE_OF_ACCOUNTS = statement(
  'ledger.page_of_accounts',
  `SELECT user_id AS "userId", asset, partner_id AS "partnerId", settled, carried_loss AS "carriedLoss", sums, total_fee AS "totalFee", total_partner AS "totalPartner"
     FROM revenue_accounts WHERE (user_id, asset COLLATE "C") > ($1, $2) ORDER BY user_id, asset COLLATE "C" LIMIT $3`,
);

/** The next $5 entries that were settled, by user, asset and place. */
export const PAGE_OF_SETTLED = statement(
  'ledger.page_of_settled',
  `SELECT id, user_id AS "userId", asset, type, amount, cost, fee_bps AS "feeBps", share_bps AS "shareBps", revenue_place::int AS place,
          user_value AS "userValue", voids
     FROM ledger_entries WHERE revenue_place IS NOT NULL AND (user_id, asset COLLATE "C", revenue_place, id) > ($1, $2, $3, $4)
    ORDER BY user_id, asset COLLATE "C", revenue_place, id LIMIT $5`,
);

/** Oldest first. */
export const FIND_TERMS_OF_CAMPAIGNS = statement(
  'ledger.find_terms_of_campaigns',
  `SELECT campaign_id AS "campaignId", from_at AS "fromAt", status = 'active' AS active, multiplier_hundredths AS "multiplierHundredths",
          starts_at AS "startsAt", ends_at AS "endsAt"
     FROM campaign_terms WHERE campaign_id = ANY($1) ORDER BY campaign_id, from_at`,
);

/** The next $2 orders, by id. */
export const PAGE_OF_ORDERS = statement(
  'ledger.page_of_orders',
  `SELECT id, decision_id AS "decisionId", status, redeemed_amount AS "redeemedAmount", settled_amount AS "settledAmount", cost, gain
     FROM move_orders WHERE id > $1 ORDER BY id LIMIT $2`,
);

/** The next $2 recorded transfers, by id, and whether the entry is there that each is of; and of one that was voided, that which takes it back. */
export const PAGE_OF_SETTLEMENTS = statement(
  'ledger.page_of_settlements',
  `SELECT s.id, coalesce(s.tx_hash, s.voided_tx_hash) AS "txHash", s.position_id AS "positionId", e.found IS NOT NULL AS entered,
          s.voided_tx_hash IS NULL OR back.found IS NOT NULL AS "takenBack"
     FROM (SELECT * FROM settlements WHERE id > $1 ORDER BY id LIMIT $2) AS s
     LEFT JOIN LATERAL (
       SELECT true AS found FROM ledger_entries
        WHERE position_id = s.position_id AND at = s.recorded_at AND tx_hash = coalesce(s.tx_hash, s.voided_tx_hash) LIMIT 1) AS e ON true
     LEFT JOIN LATERAL (
       SELECT true AS found FROM ledger_entries
        WHERE position_id = s.position_id AND at = s.resolved_at AND voids = s.voided_tx_hash AND type <> 'yield_accrual' LIMIT 1) AS back
       ON s.voided_tx_hash IS NOT NULL
    ORDER BY s.id`,
);

/** Partners of which another number of users is kept than there are. */
export const FIND_MISCOUNTED_USERS = statement(
  'ledger.find_miscounted_users',
  `SELECT partner_id AS "partnerId", coalesce(kept.users, 0) AS kept, coalesce(there.users, 0) AS there
     FROM (SELECT partner_id, sum(users) AS users FROM book_users GROUP BY partner_id) AS kept
     FULL JOIN (SELECT partner_id, count(*) AS users FROM users GROUP BY partner_id) AS there USING (partner_id)
    WHERE coalesce(kept.users, 0) <> coalesce(there.users, 0)`,
);

export const BOOK_TABLES = {
  shares: 'book_shares',
  totals: 'book_totals',
  revenue: 'book_revenue',
  points: 'book_points',
  vaults: 'vault_shares',
} as const satisfies Record<BookKind, string>;

/** The next rows of a book, by key. Parameters: the key to go on after, and how many. */
export const PAGE_OF_BOOK: Record<BookKind, Statement> = {
  shares: pageOf('shares'),
  totals: pageOf('totals'),
  revenue: pageOf('revenue'),
  points: pageOf('points'),
  vaults: pageOf('vaults'),
};

function pageOf(kind: BookKind): Statement {
  const { keys, sums } = BOOK_FIELDS[kind];
  const firsts = kind === 'totals' ? ['firstAt'] : [];
  const columns = [...keys, ...sums, ...firsts].map((name) => `${columnOf(name)} AS "${name}"`).join(', ');
  const key = keys.map(columnOf).join(', ');
  const after = keys.map((_, place) => `$${place + 1}`).join(', ');
  return statement(
    `ledger.page_of_${BOOK_TABLES[kind]}`,
    `SELECT ${columns} FROM ${BOOK_TABLES[kind]} WHERE (${key}) > (${after}) ORDER BY ${key} LIMIT $${keys.length + 1}`,
  );
}

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
