import { Injectable } from '@nestjs/common';
import { integer, listOf, text, whole } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService, type MarketView } from '../../markets/hours/market.service.js';
import { quotesOf } from './quotes.js';

/** What a user has in an asset. */
export interface Balance {
  asset: string;
  /** Micro-units, the sum of the values of its open positions. */
  value: bigint;
  /** Micro-units that can be withdrawn now; null in a report as of a past moment. */
  available: bigint | null;
  /** Number of open positions. */
  positions: number;
}

/** The value of shares is that of `valueOf`, rounded down for each position. */
const SUM_BALANCES = statement(
  'positions.sum_balances',
  {
    values: [listOf(text()), listOf(text()), listOf(whole())],
    row: { userId: text(), asset: text(), value: whole(), positions: integer(), valued: integer() },
  },
  `SELECT p.user_id AS "userId", p.asset, coalesce(sum(div(p.shares * quote.index, 1e30)), 0) AS value,
          count(*)::int AS positions, count(quote.index)::int AS valued
     FROM positions p LEFT JOIN unnest($2::text[], $3::numeric[]) AS quote(vault_id, index) ON quote.vault_id = p.vault_id
    WHERE p.user_id = ANY($1) AND p.closed_at IS NULL
    GROUP BY p.user_id, p.asset ORDER BY p.user_id, p.asset`,
);

@Injectable()
export class BalanceService {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
  ) {}

  /**
   * Balances of users of a partner, by asset; a user without an open position has none.
   * @param view what the caller has read of the market; default: as it is now
   */
  async find(
    partnerId: string,
    userIds: readonly string[],
    view?: MarketView,
  ): Promise<Map<string, Balance[]>> {
    view ??= await this.market.look(this.market.marketOf(partnerId));
    const { quoteOf } = quotesOf(view);
    const vaultIds = [...view.vaults.keys()];
    const indexes = vaultIds.map((id) => quoteOf(id).index);
    const rows = await this.store.query(SUM_BALANCES, [[...userIds], vaultIds, indexes]);
    const balances = new Map<string, Balance[]>(userIds.map((id) => [id, []]));
    for (const { userId, asset, value, positions, valued } of rows) {
      if (valued !== positions)
        throw new Error(`A position of ${userId} is in a vault that the catalogue no longer lists.`);
      balances.get(userId)!.push({ asset, value, available: value, positions });
    }
    return balances;
  }
}
