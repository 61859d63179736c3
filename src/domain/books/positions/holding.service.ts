import { Injectable } from '@nestjs/common';
import { Meter } from '../../kernel/meter.js';
import { integer, listOf, text, whole } from '../../kernel/store/column.js';
import { type RowFrom, statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { type Quotes, quotesOf } from './quotes.js';

/** What a user has in an asset. */
export interface Balance {
  asset: string;
  /** Micro-units, the sum of the values of its open positions. */
  value: bigint;
  /** Micro-units that can be withdrawn now: the value less what open withdrawals reserve; null in a report as of a past moment. */
  available: bigint | null;
  /** Number of open positions. */
  positions: number;
}

/** What a user has. */
export interface Holdings {
  /** Numbers of positions. */
  open: number;
  closed: number;
  /** Micro-units, the sum of the floors by vault, over all assets at par. */
  netTvl: bigint;
  /** By asset; none without an open position. */
  balances: Balance[];
}

/** Positions of users $1 by vault. The value is that of `valueOf` with the vault's index, rounded down for each position. */
const SUM_HOLDINGS = statement(
  'positions.sum_holdings',
  {
    values: [listOf(text()), listOf(text()), listOf(whole())],
    row: {
      userId: text(),
      asset: text(),
      vaultId: text(),
      shares: whole(),
      value: whole(),
      open: integer(),
      closed: integer(),
    },
  },
  `SELECT p.user_id AS "userId", p.asset, p.vault_id AS "vaultId", sum(p.shares) AS shares,
          coalesce(sum(div(p.shares * quote.index, 1e30)), 0) AS value,
          (count(*) - count(p.closed_at))::int AS open, count(p.closed_at)::int AS closed
     FROM positions p LEFT JOIN unnest($2::text[], $3::numeric[]) AS quote(vault_id, index) ON quote.vault_id = p.vault_id
    WHERE p.user_id = ANY($1)
    GROUP BY p.user_id, p.asset, p.vault_id ORDER BY p.user_id, p.asset, p.vault_id`,
);

/** What open withdrawals of users $1 reserve, by asset, at indexes $3 of vaults $2: of a position, at most its value. */
const SUM_RESERVED = statement(
  'positions.sum_reserved',
  {
    values: [listOf(text()), listOf(text()), listOf(whole())],
    row: { userId: text(), asset: text(), reserved: whole() },
  },
  `SELECT user_id AS "userId", asset, sum(CASE WHEN is_whole THEN value ELSE least(reserved, value) END) AS reserved
     FROM (SELECT w.user_id, w.asset, bool_or(m.is_whole) AS is_whole, sum(m.amount) AS reserved, min(div(p.shares * quote.index, 1e30)) AS value
             FROM withdrawals w
             JOIN withdrawal_parts m ON m.withdrawal_id = w.id
             JOIN positions p ON p.id = m.position_id
             JOIN unnest($2::text[], $3::numeric[]) AS quote(vault_id, index) ON quote.vault_id = p.vault_id
            WHERE w.user_id = ANY($1) AND w.ended_at IS NULL AND p.closed_at IS NULL
            GROUP BY w.user_id, w.asset, m.position_id) AS held
    GROUP BY user_id, asset`,
);

type HoldingRow = RowFrom<typeof SUM_HOLDINGS>;
type ReservedRow = RowFrom<typeof SUM_RESERVED>;

@Injectable()
export class HoldingService {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly meter: Meter,
  ) {}

  /**
   * Holdings of each of a partner's users.
   * @param view what the caller has read of the market; default: as it is now
   * @throws Error for an open position in a vault that the catalogue no longer lists
   */
  async find(
    partnerId: string,
    userIds: readonly string[],
    view?: MarketView,
  ): Promise<Map<string, Holdings>> {
    view ??= await this.market.look(this.market.marketOf(partnerId));
    const { quoteOf } = quotesOf(view);
    const vaultIds = [...view.vaults.keys()];
    const indexes = vaultIds.map((id) => quoteOf(id).index);
    const rows = await this.store.query(SUM_HOLDINGS, [[...userIds], vaultIds, indexes]);
    this.meter.summed(rows.reduce((sum, { open, closed }) => sum + open + closed, 0));
    const reserved = await this.store.query(SUM_RESERVED, [[...userIds], vaultIds, indexes]);
    const byUser = Map.groupBy(rows, ({ userId }) => userId);
    const reservedByUser = Map.groupBy(reserved, ({ userId }) => userId);
    return new Map(
      userIds.map((id) => [id, holdingsOf(byUser.get(id) ?? [], reservedByUser.get(id) ?? [], quoteOf)]),
    );
  }
}

function holdingsOf(
  rows: readonly HoldingRow[],
  reserved: readonly ReservedRow[],
  quoteOf: Quotes['quoteOf'],
): Holdings {
  // A closed position has no shares, and its vault may have no quote.
  const openRows = rows.filter(({ open }) => open > 0);
  return {
    open: openRows.reduce((count, { open }) => count + open, 0),
    closed: rows.reduce((count, { closed }) => count + closed, 0),
    netTvl: openRows.reduce((sum, row) => sum + valueOf(row.shares, quoteOf(row.vaultId).index), 0n),
    balances: [...Map.groupBy(openRows, ({ asset }) => asset)].map(([asset, ofAsset]) => {
      const value = ofAsset.reduce((sum, row) => sum + row.value, 0n);
      // Read a moment later, in which a part may have been paid.
      const held = reserved.find((row) => row.asset === asset)?.reserved ?? 0n;
      return {
        asset,
        value,
        available: held < value ? value - held : 0n,
        positions: ofAsset.reduce((count, { open }) => count + open, 0),
      };
    }),
  };
}
