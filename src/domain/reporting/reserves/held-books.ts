import { Injectable } from '@nestjs/common';
import { idleVaultId } from '../../../config/vault-catalogue.js';
import { PastPositions } from '../../books/ledger/past-positions.js';
import type { Quotes } from '../../books/positions/quotes.js';
import { Store } from '../../kernel/store/store.js';
import { BASE_MARKET, MarketService } from '../../markets/hours/market.service.js';
import { floorDivide, valueOf } from '../../markets/vaults/yield-index.js';
import { isBeyondRounding } from './reserve.js';
import * as queries from './reserve.queries.js';

/** Amounts by vault, micro-units. */
type Amounts = ReadonlyMap<string, bigint>;

/** Funds of the shared market by vault, cash in its idle vault, as the books had them at a moment. */
@Injectable()
export class HeldBooks {
  constructor(
    private readonly store: Store,
    private readonly past: PastPositions,
    private readonly market: MarketService,
  ) {}

  /** Positions at the index of the moment, and reported gains that wait. In a snapshot. @param partnerId null: of all */
  async at(at: Date, partnerId: string | null = null): Promise<Amounts> {
    const quotes = await this.past.quotesAt(BASE_MARKET, at);
    const amounts = new Map<string, bigint>();
    for (const [vaultId, shares] of await this.shares(quotes, partnerId))
      if (shares !== 0n) amounts.set(vaultId, valueOf(shares, quotes.quoteOf(vaultId).index));
    for (const { vaultId, amount } of await this.store.query(queries.SUM_WAITING, [
      BASE_MARKET,
      at,
      partnerId,
    ]))
      add(amounts, vaultId, amount);
    return amounts;
  }

  /** Shares now, less what positions that changed since have now, and with what they had. */
  private async shares(quotes: Quotes, partnerId: string | null): Promise<Amounts> {
    const shares = new Map<string, bigint>();
    for (const row of await this.store.query(queries.SUM_SHARES, [BASE_MARKET, partnerId]))
      add(shares, row.vaultId, row.shares);
    const changed =
      partnerId === null
        ? await this.store.query(queries.FIND_CHANGED, [quotes.now])
        : await this.store.query(queries.FIND_CHANGED_OF_PARTNER, [quotes.now, partnerId]);
    const ids = changed.map(({ positionId }) => positionId);
    for await (const positions of this.past.at(ids, quotes))
      for (const { now, then } of positions) {
        add(shares, now.vaultId, -now.shares);
        if (then) add(shares, then.vaultId, then.shares);
      }
    return shares;
  }

  /**
   * Steps of share prices, a loss or a rise, that were read by now and that the index of a moment had not taken in: the chain shows them hours before the
   * books do. What a step is depends on the books, so that the usual yield of an hour is none. In a snapshot.
   * @param books of that moment
   */
  async steps(at: Date, books: Amounts): Promise<Amounts> {
    const quotes = await this.past.quotesAt(BASE_MARKET, at);
    const { vaults } = await this.market.look(BASE_MARKET);
    const amounts = new Map<string, bigint>();
    for (const [vaultId, amount] of books) {
      const target = vaults.get(vaultId)?.state.price?.target;
      if (target === undefined) continue;
      const change = floorDivide(amount * target, quotes.quoteOf(vaultId).index) - amount;
      const size = change < 0n ? -change : change;
      if (isBeyondRounding(size, amount)) amounts.set(vaultId, size);
    }
    return amounts;
  }

  /**
   * Amounts that executors had taken and not reported at a moment, wherever they may be: of a move, in its vaults and in cash between them; of a
   * withdrawal, in its vaults and in cash.
   */
  async inFlight(at: Date): Promise<Amounts> {
    const amounts = new Map<string, bigint>();
    const moves = await this.store.query(queries.SUM_MOVES, [BASE_MARKET, at]);
    for (const { asset, fromVaultId, toVaultId, isCash, amount } of moves) {
      const places = new Set([idleVaultId(asset), toVaultId, ...(isCash ? [] : [fromVaultId])]);
      for (const vaultId of places) add(amounts, vaultId, amount);
    }
    for (const { asset, vaultId, amount } of await this.store.query(queries.SUM_PAYOUTS, [BASE_MARKET, at]))
      for (const place of new Set([idleVaultId(asset), vaultId])) add(amounts, place, amount);
    return amounts;
  }
}

const add = (amounts: Map<string, bigint>, vaultId: string, amount: bigint): void =>
  void amounts.set(vaultId, (amounts.get(vaultId) ?? 0n) + amount);
