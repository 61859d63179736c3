import { Injectable } from '@nestjs/common';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';
import { hourOf } from '../../kernel/clock.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { indexWithin, valueOf } from '../../markets/vaults/yield-index.js';
import type { Position } from '../positions/position.js';
import { type Quotes, quotesOf } from '../positions/quotes.js';
import { FIND_CHANGES_BEFORE, FIND_PAST_QUOTES, FIND_POSITIONS } from './ledger.queries.js';
import { FIND_TERMS_OF_CAMPAIGNS } from './ledger-verifier.queries.js';
import { replay } from './replay.js';
import type { CampaignTerms } from '../positions/points.js';

/** Positions and vaults as they were at a moment, before anything dated at it or later. */
@Injectable()
export class PastPositions {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
  ) {}

  /** Quotes of a market's vaults at a moment: by its hours, or as projected beyond the newest. */
  async quotesAt(marketId: string, at: Date): Promise<Quotes> {
    const view = await this.market.look(marketId, at);
    if (view.hour === null || at >= view.hour) return quotesOf(view);
    const rows = await this.hoursAt(marketId, at);
    const passed = at.getTime() - hourOf(at).getTime();
    const known = new Map(
      rows.map(({ vaultId, index, factor, apy }) => [
        vaultId,
        { index: indexWithin(index, factor, passed), apy },
      ]),
    );
    return {
      now: at,
      quoteOf: (vaultId) => {
        const quote = known.get(vaultId);
        if (!quote) throw new Error(`${vaultId} has no index at ${at.toISOString()}.`);
        return quote;
      },
    };
  }

  /** Stored hour of each of a market's vaults at a moment; none where the market has forgotten it. */
  hoursAt(marketId: string, at: Date): Promise<RowFrom<typeof FIND_PAST_QUOTES>[]> {
    return this.store.query(FIND_PAST_QUOTES, [marketId, hourOf(at)]);
  }

  /**
   * Replays positions up to a moment, without accruals, which move no shares: `accrued` is the value beyond the rest.
   * @returns by id, without those opened later
   */
  async at(ids: readonly string[], quotes: Quotes): Promise<Map<string, Position>> {
    if (ids.length === 0) return new Map();
    const positions = await this.store.query(FIND_POSITIONS, [[...ids]]);
    const termsOf = await campaignTermsOf(this.store, positions);
    const idle = new Set(this.catalogue.vaults.filter(isIdle).map(({ id }) => id));
    const rows = await this.store.query(FIND_CHANGES_BEFORE, [[...ids], quotes.now]);
    const entries = Map.groupBy(rows, ({ positionId }) => positionId);
    return new Map(
      positions.flatMap((position): [string, Position][] => {
        const { state } = replay(entries.get(position.id) ?? [], termsOf(position), (id) => idle.has(id));
        if (!state) return [];
        const value = state.shares === 0n ? 0n : valueOf(state.shares, quotes.quoteOf(state.vaultId).index);
        const accrued = value + state.withdrawn + state.costs - state.deposited;
        return [[position.id, { ...position, ...state, accrued, transitId: null, accruedAt: quotes.now }]];
      }),
    );
  }
}

/** Finds the terms of the campaigns of positions, oldest first. */
export async function campaignTermsOf(
  store: Store,
  positions: readonly Pick<Position, 'campaignId'>[],
): Promise<(position: Pick<Position, 'campaignId'>) => readonly CampaignTerms[]> {
  const ids = [...new Set(positions.flatMap(({ campaignId }) => campaignId ?? []))];
  const terms = ids.length > 0 ? await store.query(FIND_TERMS_OF_CAMPAIGNS, [ids]) : [];
  const byCampaign = Map.groupBy(terms, ({ campaignId }) => campaignId);
  return ({ campaignId }) => byCampaign.get(campaignId ?? '') ?? [];
}
