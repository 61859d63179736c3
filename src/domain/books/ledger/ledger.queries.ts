import {
  bool,
  columnsOf,
  listOf,
  double,
  json,
  moment,
  orNull,
  rowCount,
  text,
  time,
  whole,
} from '../../kernel/store/column.js';
import { TRIED, tried } from '../../kernel/store/page.js';
import { statement } from '../../kernel/store/statement.js';
import { COLUMNS } from '../positions/position-store.queries.js';
import { ENTRY, type EntryType, POSITION } from '../positions/position.js';

/** Entries that change more of a position than what it accrued; the words of index `ledger_changes`. */
export const CHANGE = `(type <> 'yield_accrual' OR decision_id IS NOT NULL OR voids IS NOT NULL)`;

/** Entries from a moment on, by value date. Accruals of that very moment belong to what ends there, as those of a midnight to the day before it. */
export const datedAfter = (moment: string): string => `e.at >= ${moment} AND (e.at > ${moment} OR ${CHANGE})`;
/** The others: those of the periods that end at a moment. */
export const datedUntil = (moment: string): string => `e.at <= ${moment} AND NOT (${datedAfter(moment)})`;

const { at, type, vaultId, fromVaultId, amount, cost, decisionId, txHash, voids } = ENTRY;
const { fee, partnerRevenue, carriedLoss, feeBps, shareBps, apy } = ENTRY;
const { shareIndex, fromIndex, lendingIndex, holdIndex } = ENTRY;

/** What an entry is about. */
const BOOKED = {
  id: text(),
  userId: text(),
  positionId: text(),
  asset: text(),
  at,
  type,
  vaultId,
  fromVaultId,
  amount,
  cost,
  decisionId,
  txHash,
  voids,
};
/** Transfer of an entry: of a reported move, the one that reached the entry's vault. */
const TRANSFER = `coalesce(e.tx_hash, (
            SELECT CASE WHEN e.vault_id = o.to_vault_id THEN coalesce(o.settled_tx_hash, o.redeemed_tx_hash) ELSE o.redeemed_tx_hash END
              FROM move_orders o WHERE o.decision_id = e.decision_id AND e.type IN ('rebalance', 'deposit')))`;

export const LISTED = {
  ...BOOKED,
  recordedAt: time(),
  fee,
  partnerRevenue,
  carriedLoss,
  feeBps,
  shareBps,
  apy,
};

/**
 * Entries in the order of booking, newest first, or oldest first from one on. $1 owner, $2 id to continue after, $3 rows, $4 type, $5 asset, $6 position,
 * $7 and $8 period, as `datedAfter` has it; $9 booked until, which lets the planner skip partitions of later months; $10 whether the owner is a user.
 */
const list = (name: string, order: 'ASC' | 'DESC') =>
  statement(
    `ledger.${name}`,
    {
      values: [
        text(),
        text(),
        rowCount(),
        orNull(text<EntryType>()),
        orNull(text()),
        orNull(text()),
        moment(),
        moment(),
        moment(),
        bool(),
      ],
      row: { ...LISTED, ...TRIED },
      // A plan for any period sorts all entries for each page.
      isPlannedAnew: true,
    },
    `SELECT ${columnsOf({ ...LISTED, ...TRIED }, 'e').replace('e.tx_hash', TRANSFER)} FROM (${tried(
      `SELECT * FROM ledger_entries e
    WHERE (($10::boolean AND e.user_id = $1) OR (NOT $10::boolean AND e.partner_id = $1)) AND e.id ${order === 'DESC' ? '<' : '>'} $2
      AND ($6::text IS NULL OR e.position_id = $6) AND ${datedAfter('$7')} AND ${datedUntil('$8')} AND e.at <= $9
    ORDER BY e.id ${order}`,
      `id ${order}`,
      '($4::text IS NULL OR type = $4) AND ($5::text IS NULL OR asset = $5)',
    )} LIMIT $3) AS e ORDER BY e.id ${order}`,
  );

export const LIST = list('list', 'DESC');
export const LIST_ONWARDS = list('list_onwards', 'ASC');

/**
 * Entries of partner $1 from moment $2 to $3, in the order of booking, behind id $4; $5 rows. No id is older than its entry's date.
 */
export const LIST_PERIOD = statement(
  'ledger.list_period',
  { values: [text(), time(), time(), text(), rowCount()], row: LISTED, isPlannedAnew: true },
  `SELECT ${columnsOf(LISTED)} FROM ledger_entries e
    WHERE partner_id = $1 AND id > greatest($4, booked_id('evt_00000000000000000000000000', $2))
      AND ${datedAfter('$2')} AND ${datedUntil('$3')}
    ORDER BY id LIMIT $5`,
);

/** An entry of the ledger, or another of the journal. */
export const FIND_ENTRY = statement(
  'ledger.find_entry',
  { values: [text(), text()], row: { id: text() } },
  'SELECT id FROM ledger_entries WHERE partner_id = $1 AND id = $2 UNION ALL SELECT id FROM invoice_entries WHERE partner_id = $1 AND id = $2',
);

/** What an entry adds to the sums of a closing or a statement, by their column. A void reduces what it takes back. */
export const ADDED = {
  deposits: `CASE WHEN type = 'deposit' AND voids IS NULL THEN amount WHEN type = 'withdrawal' AND voids IS NOT NULL THEN -amount ELSE 0 END`,
  withdrawals: `CASE WHEN type = 'withdrawal' AND voids IS NULL THEN amount WHEN type = 'deposit' AND voids IS NOT NULL THEN -amount ELSE 0 END`,
  accrued: `CASE WHEN type = 'yield_accrual' THEN amount ELSE 0 END`,
  costs: 'cost',
  fee: 'fee',
  partner_revenue: 'partner_revenue',
  carried_loss: 'carried_loss',
} as const;

/** Quotes of a market's vaults at an hour: as of its beginning, and the growth in it. An APY that was observed more than a day before is not shown. */
export const FIND_PAST_QUOTES = statement(
  'ledger.find_past_quotes',
  {
    values: [text(), time()],
    row: { vaultId: text(), index: whole(), factor: whole(), apy: orNull(double()) },
  },
  `SELECT s.vault_id AS "vaultId", s.share_index AS index, s.factor, seen.apy
     FROM vault_states v
     JOIN snapshots s ON s.market_id = v.market_id AND s.vault_id = v.vault_id AND s.hour = $2
     LEFT JOIN LATERAL (
       SELECT apy FROM snapshots
        WHERE market_id = s.market_id AND vault_id = s.vault_id AND hour <= s.hour AND hour >= s.hour - interval '24 hours' AND apy IS NOT NULL
        ORDER BY hour DESC LIMIT 1) AS seen ON true
    WHERE v.market_id = $1`,
);

/** Positions $1, by id, and whether anything that is dated at $2 or later changed more of them than what they accrued. */
export const FIND_POSITIONS = statement(
  'ledger.find_positions',
  { values: [listOf(text()), time()], row: { ...POSITION, isChanged: bool() } },
  `SELECT ${COLUMNS}, EXISTS (SELECT FROM ledger_entries WHERE position_id = p.id AND at >= $2 AND ${CHANGE}) AS "isChanged"
     FROM positions p WHERE p.id = ANY($1) ORDER BY p.id`,
);

/** The next $6 positions of users $1 that were opened before $2, by user, time and id. */
export const FIND_IDS = statement(
  'ledger.find_ids',
  {
    values: [listOf(text()), time(), text(), moment(), text(), rowCount()],
    row: { userId: text(), openedAt: time(), id: text() },
  },
  `SELECT user_id AS "userId", opened_at AS "openedAt", id FROM positions
    WHERE user_id = ANY($1) AND opened_at < $2 AND (user_id, opened_at, id) > ($3, $4, $5) ORDER BY user_id, opened_at, id LIMIT $6`,
);

/** What a position follows from. */
export const REPLAYED = { ...BOOKED, shareIndex, fromIndex, lendingIndex, holdIndex };

/** The next $6 changes of positions $1 that are dated before $2, by position, time and id. */
export const FIND_CHANGES_BEFORE = statement(
  'ledger.find_changes_before',
  {
    values: [listOf(text()), time(), text(), moment(), text(), rowCount()],
    row: REPLAYED,
  },
  `SELECT ${columnsOf(REPLAYED)}
     FROM ledger_entries WHERE position_id = ANY($1) AND at < $2 AND ${CHANGE} AND (position_id, at, id) > ($3, $4, $5)
    ORDER BY position_id, at, id LIMIT $6`,
);

/**
 * What was booked of a partner's positions and is dated at $2 or later, but the accruals of that moment itself: the positions of each asset, and what
 * accrued and settled. Ids begin with the time of booking, which never lies before the date.
 */
export const FIND_CHANGED_SINCE = statement(
  'ledger.find_changed_since',
  {
    values: [listOf(text()), time()],
    row: {
      partnerId: text(),
      asset: text(),
      positionIds: json<string[]>(),
      entries: rowCount(),
      accrued: whole(),
      fee: whole(),
      partnerRevenue: whole(),
      carriedLoss: whole(),
    },
  },
  `SELECT partner_id AS "partnerId", asset, json_agg(DISTINCT position_id) AS "positionIds", count(*) AS entries,
          sum(${ADDED.accrued}) AS accrued, sum(fee) AS fee, sum(partner_revenue) AS "partnerRevenue", sum(carried_loss) AS "carriedLoss"
     FROM ledger_entries e
    WHERE partner_id = ANY($1) AND id >= booked_id('evt_00000000000000000000000000', $2) AND ${datedAfter('$2')}
    GROUP BY partner_id, asset`,
);
