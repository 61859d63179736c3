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

/** Amounts of each holder: of a partner, or, by null, of all together. */
type HeldAmounts = ReadonlyMap<string | null, Amounts>;

const NOTHING: Amounts = new Map();

/** Funds of the shared market by vault, cash in its idle vault, as the books had them at a moment. */
@Injectable()
export class HeldBooks {
  constructor(
    private readonly store: Store,
    private readonly past: PastPositions,
    private readonly market: MarketService,
  ) {}

  /** Of one partner. In a snapshot. */
  async ofPartner(partnerId: string, at: Date): Promise<Amounts> {
    const quotes = await this.past.quotesAt(BASE_MARKET, at);
    return (await this.amounts(quotes, partnerId, false)).get(null) ?? NOTHING;
  }

  /**
   * Of all, together or by partner. `inFlight`: what executors had taken and not reported, and steps of share prices that the books take in later. In a
   * snapshot.
   */
  async byHolder(at: Date, byPartner: boolean): Promise<{ books: HeldAmounts; inFlight: HeldAmounts }> {
    const quotes = await this.past.quotesAt(BASE_MARKET, at);
    const books = await this.amounts(quotes, null, byPartner);
    const inFlight = await this.taken(at, byPartner);
    await this.addSteps(inFlight, books, quotes);
    return { books, inFlight };
  }

  /** Positions at the index of the moment, and reported gains that wait. */
  private async amounts(quotes: Quotes, partnerId: string | null, byPartner: boolean): Promise<Sums> {
    const amounts: Sums = new Map();
    for (const [holder, byVault] of await this.shares(quotes, partnerId, byPartner))
      for (const [vaultId, shares] of byVault)
        if (shares !== 0n) add(amounts, holder, vaultId, valueOf(shares, quotes.quoteOf(vaultId).index));
    for (const { holder, vaultId, amount } of await this.store.query(queries.SUM_WAITING, [
      ...([BASE_MARKET, quotes.now, partnerId, byPartner] as const),
    ]))
      add(amounts, holder, vaultId, amount);
    return amounts;
  }

  /** Shares now, less what positions that changed since have now, and with what they had. */
  private async shares(quotes: Quotes, partnerId: string | null, byPartner: boolean): Promise<HeldAmounts> {
    const shares: Sums = new Map();
    const values = [BASE_MARKET, partnerId, byPartner] as const;
    for (const row of await this.store.query(queries.SUM_SHARES, [...values]))
      add(shares, row.holder, row.vaultId, row.shares);
    const changed =
      partnerId === null
        ? await this.store.query(queries.FIND_CHANGED, [quotes.now])
        : await this.store.query(queries.FIND_CHANGED_OF_PARTNER, [quotes.now, partnerId]);
    const ids = changed.map(({ positionId }) => positionId);
    for await (const positions of this.past.at(ids, quotes))
      for (const { now, then } of positions) {
        const holder = byPartner ? now.partnerId : null;
        add(shares, holder, now.vaultId, -now.shares);
        if (then) add(shares, holder, then.vaultId, then.shares);
      }
    return shares;
  }

  /**
   * Adds steps of share prices, a loss or a rise, that were read by now and that the index of the moment had not taken in: the chain shows them hours
   * before the books do. What a step is depends on the books, so that the usual yield of an hour is none.
   */
  private async addSteps(sums: Sums, books: HeldAmounts, quotes: Quotes): Promise<void> {
    const { vaults } = await this.market.look(BASE_MARKET);
    for (const [holder, amounts] of books)
      for (const [vaultId, amount] of amounts) {
        const target = vaults.get(vaultId)?.state.price?.target;
        if (target === undefined) continue;
        const change = floorDivide(amount * target, quotes.quoteOf(vaultId).index) - amount;
        const size = change < 0n ? -change : change;
        if (isBeyondRounding(size, amount)) add(sums, holder, vaultId, size);
      }
  }

  /**
   * Amounts that executors had taken and not reported at a moment, wherever they may be: of a move, in its vaults and in cash between them; of a
   * withdrawal, in its vaults and in cash.
   */
  private async taken(at: Date, byPartner: boolean): Promise<Sums> {
    const amounts: Sums = new Map();
    const values = [BASE_MARKET, at, byPartner] as const;
    const moves = await this.store.query(queries.SUM_MOVES, [...values]);
    for (const { holder, asset, fromVaultId, toVaultId, isCash, amount } of moves) {
      const places = new Set([idleVaultId(asset), toVaultId, ...(isCash ? [] : [fromVaultId])]);
      for (const vaultId of places) add(amounts, holder, vaultId, amount);
    }
    for (const { holder, asset, vaultId, amount } of await this.store.query(queries.SUM_PAYOUTS, [...values]))
      for (const place of new Set([idleVaultId(asset), vaultId])) add(amounts, holder, place, amount);
    return amounts;
  }
}

type Sums = Map<string | null, Map<string, bigint>>;

function add(sums: Sums, holder: string | null, vaultId: string, amount: bigint): void {
  const amounts = sums.get(holder) ?? new Map<string, bigint>();
  sums.set(holder, amounts.set(vaultId, (amounts.get(vaultId) ?? 0n) + amount));
}
