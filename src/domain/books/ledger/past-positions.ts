import { Injectable } from '@nestjs/common';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';
import { hourOf } from '../../kernel/clock.js';
import { FairSemaphore } from '../../kernel/fair-semaphore.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { pagesOf } from '../../kernel/store/pages.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { indexWithin, valueOf } from '../../markets/vaults/yield-index.js';
import type { RowOf } from '../../kernel/store/column.js';
import type { Position } from '../positions/position.js';
import { type Quotes, quotesOf } from '../positions/quotes.js';
import * as queries from './ledger.queries.js';
import { FIND_TERMS_OF_CAMPAIGNS } from './position-check.queries.js';
import { type ReplayedPosition, PositionReplay } from './replay.js';
import type { CampaignTerms } from '../positions/points.js';

/** Rows of one statement: some milliseconds of the event loop. */
const PAGE = { ids: 5_000, positions: 100, changes: 500 };

/** A position as it is, and as it was; null: it was opened later. */
export interface PastPosition {
  now: Position;
  then: Position | null;
}

/** Positions and vaults as they were at a moment, before anything dated at it or later. */
@Injectable()
export class PastPositions {
  private readonly turns = new FairSemaphore({ share: 1 });

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
    const quotes = new Map(
      rows.map(({ vaultId, index, factor, apy }) => [
        vaultId,
        { index: indexWithin(index, factor, passed), apy },
      ]),
    );
    return {
      now: at,
      quoteOf: (vaultId) => {
        const quote = quotes.get(vaultId);
        if (!quote) throw new Error(`${vaultId} has no index at ${at.toISOString()}.`);
        return quote;
      },
    };
  }

  /** Runs work that reads past positions, one at a time for each owner, so that others get the rest of the database. Not within a transaction. */
  runInTurn<T>(owner: string | null, work: () => Promise<T>): Promise<T> {
    return this.turns.run(work, owner ?? '');
  }

  /** Positions of users as they were at a moment, without those opened later; some at a time. */
  async *readOfUsers(userIds: readonly string[], quotes: Quotes): AsyncGenerator<Position[]> {
    const pages = pagesOf(
      (last: { userId: string; openedAt: Date; id: string } | undefined) =>
        this.store.query(queries.FIND_IDS, [
          ...([[...userIds], quotes.now, last?.userId ?? ''] as const),
          ...([last?.openedAt ?? '-infinity', last?.id ?? '', PAGE.ids] as const),
        ]),
      PAGE.ids,
    );
    for await (const page of pages)
      for await (const some of this.at(
        page.map(({ id }) => id),
        quotes,
      ))
        yield some.flatMap(({ then }) => then ?? []);
  }

  /** Stored hour of each of a market's vaults at a moment; none where the market has forgotten it. */
  hoursAt(marketId: string, at: Date): Promise<RowFrom<typeof queries.FIND_PAST_QUOTES>[]> {
    return this.store.query(queries.FIND_PAST_QUOTES, [marketId, hourOf(at)]);
  }

  /**
   * Positions as they were at a moment, without accruals, which move no shares: `accrued` is the value beyond the rest. Those that changed since are
   * replayed up to it. They come some at a time, and other requests are answered in between.
   */
  async *at(ids: readonly string[], quotes: Quotes): AsyncGenerator<PastPosition[]> {
    for (let next = 0; next < ids.length; next += PAGE.positions) {
      const rows = await this.store.query(queries.FIND_POSITIONS, [
        ids.slice(next, next + PAGE.positions),
        quotes.now,
      ]);
      const replayed = await this.replayed(
        rows.filter(({ isChanged }) => isChanged),
        quotes.now,
      );
      yield rows.map(({ isChanged, ...now }) => {
        const state = isChanged ? replayed.get(now.id) : now;
        return { now, then: state ? valued({ ...now, ...state }, quotes) : null };
      });
    }
  }

  /** States by id, without positions that were opened later. */
  private async replayed(
    positions: readonly Position[],
    until: Date,
  ): Promise<Map<string, ReplayedPosition>> {
    const states = new Map<string, ReplayedPosition>();
    if (positions.length === 0) return states;
    const termsOf = await campaignTermsOf(this.store, positions);
    const idle = new Set(this.catalogue.vaults.filter(isIdle).map(({ id }) => id));
    const replaying = new Map(
      positions.map((position) => [position.id, new PositionReplay(termsOf(position), (id) => idle.has(id))]),
    );
    const pages = pagesOf(
      (last: RowOf<typeof queries.REPLAYED> | undefined) =>
        this.store.query(queries.FIND_CHANGES_BEFORE, [
          ...([[...replaying.keys()], until, last?.positionId ?? ''] as const),
          ...([last?.at ?? '-infinity', last?.id ?? '', PAGE.changes] as const),
        ]),
      PAGE.changes,
    );
    for await (const page of pages) for (const change of page) replaying.get(change.positionId)!.take(change);
    for (const [id, { state }] of replaying) if (state) states.set(id, state);
    return states;
  }
}

function valued(position: Position, { now, quoteOf }: Quotes): Position {
  const { shares, vaultId, withdrawn, costs, deposited } = position;
  const value = shares === 0n ? 0n : valueOf(shares, quoteOf(vaultId).index);
  return { ...position, accrued: value + withdrawn + costs - deposited, transitId: null, accruedAt: now };
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
