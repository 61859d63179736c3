import { Injectable } from '@nestjs/common';
import { LedgerVerifier } from '../books/ledger/ledger-verifier.js';
import { campaignTermsOf, PastPositions } from '../books/ledger/past-positions.js';
import { PositionReplay } from '../books/ledger/replay.js';
import type { ComparedCounts, ReportDifference, VerifiedPart } from '../books/ledger/verification.js';
import { addChange, BookSums } from '../books/positions/books.js';
import type { CampaignTerms } from '../books/positions/points.js';
import type { Position } from '../books/positions/position.js';
import { addHours, dayOf } from '../kernel/clock.js';
import { Catalogue, isIdle } from '../kernel/catalogue/catalogue.js';
import type { RowFrom } from '../kernel/store/statement.js';
import { pagesOf } from '../kernel/store/pages.js';
import { Store } from '../kernel/store/store.js';
import { MarketService } from '../markets/hours/market.service.js';
import { ClosedDays, type PartnerDays, type StoredDay } from './closed-days.js';
import * as queries from './closing-verifier.queries.js';

const PAGE = { partners: 1_000, positions: 200, changes: 10_000, days: 100 };

type PartnerRow = RowFrom<typeof queries.PAGE_OF_PARTNERS>;

/**
 * Closings: each day that is over has one, and it is the books that the entries up to then make, by replay. It holds the changes of one partner's books
 * at a time, and a page of its positions, entries and days.
 */
@Injectable()
export class ClosingVerifier implements VerifiedPart {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
    private readonly past: PastPositions,
    ledger: LedgerVerifier,
  ) {
    ledger.parts.push(this);
  }

  async verify(differs: ReportDifference, seventh: number | null): Promise<ComparedCounts> {
    const sums = { closings: 0, 'closings whose indexes are not compared: their hours are forgotten': 0 };
    const read = (last: PartnerRow | undefined): Promise<PartnerRow[]> =>
      this.store.query(queries.PAGE_OF_PARTNERS, [last?.partnerId ?? '', PAGE.partners, seventh]);
    let [marketId, closed]: [string | null, number[]] = [null, []];
    const hours = new Map<number, ReadonlyMap<string, bigint>>();
    for await (const partners of pagesOf(read, PAGE.partners))
      for (const { partnerId, closedUntil, closed: end } of partners) {
        if (closedUntil !== null)
          differs(
            `ledger_heads ${partnerId}`,
            `is closed until ${closedUntil}, but its closings end at ${end ?? 'no moment'}`,
          );
        const of = this.market.marketOf(partnerId);
        for (const { subject, problem, more } of await this.store.query(queries.FIND_CLOSING_DIFFERENCES, [
          partnerId,
        ]))
          differs(subject, problem, 1 + more);
        if (of !== marketId) {
          closed = await this.closedDays(of);
          hours.clear();
          marketId = of;
        }
        const days = new ClosedDays(
          partnerId,
          await this.replay(partnerId),
          closed,
          this.catalogue.assets,
          differs,
        );
        for await (const stored of this.storedDays(partnerId))
          for (const day of stored) {
            const dayEnd = addHours(day.day, 24);
            const indexes = hours.get(dayEnd.getTime()) ?? (await this.indexesAt(of, dayEnd));
            hours.set(dayEnd.getTime(), indexes);
            sums.closings++;
            if (indexes.size === 0)
              sums['closings whose indexes are not compared: their hours are forgotten']++;
            days.take(day, dayEnd, indexes);
          }
        days.end();
      }
    return sums;
  }

  private async replay(partnerId: string): Promise<PartnerDays> {
    const idle = new Set(this.catalogue.vaults.filter(isIdle).map(({ id }) => id));
    const changes = new Map<number, BookSums>();
    const terms = new Map<string, readonly CampaignTerms[]>();
    const read = (last: Position | undefined): Promise<Position[]> =>
      this.store.query(queries.PAGE_OF_POSITIONS, [
        ...([partnerId, last?.openedAt ?? '-infinity', last?.id ?? '', PAGE.positions] as const),
      ]);
    for await (const positions of pagesOf(read, PAGE.positions)) {
      const termsOf = await campaignTermsOf(this.store, positions);
      for (const position of positions) terms.set(position.campaignId ?? '', termsOf(position));
      const byId = new Map(
        positions.map((position) => {
          const replaying = new PositionReplay(termsOf(position), (id) => idle.has(id));
          return [position.id, { position, replaying, before: null as Position | null }];
        }),
      );
      for await (const entries of this.changesOf([...byId.keys()]))
        for (const entry of entries) {
          const replayed = byId.get(entry.positionId)!;
          replayed.replaying.take(entry);
          const { state } = replayed.replaying;
          if (!state) continue;
          const dayEnd = addHours(dayOf(entry.at), 24).getTime();
          const after: Position = { ...replayed.position, ...state, slot: 0 };
          let day = changes.get(dayEnd);
          if (!day) changes.set(dayEnd, (day = new BookSums()));
          addChange(day, replayed.before, after);
          replayed.before = after;
        }
    }
    return { changes, terms };
  }

  private async closedDays(marketId: string): Promise<number[]> {
    const rows = await this.store.query(queries.FIND_CLOSED_DAYS, [marketId]);
    return rows.map(({ dayEnd }) => dayEnd.getTime());
  }

  private changesOf(ids: string[]): AsyncGenerator<RowFrom<typeof queries.PAGE_OF_CHANGES>[]> {
    return pagesOf((last: RowFrom<typeof queries.PAGE_OF_CHANGES> | undefined) => {
      const after = [last?.positionId ?? '', last?.at ?? ('-infinity' as const), last?.id ?? ''] as const;
      return this.store.query(queries.PAGE_OF_CHANGES, [ids, ...after, PAGE.changes]);
    }, PAGE.changes);
  }

  private storedDays(partnerId: string): AsyncGenerator<StoredDay[]> {
    return pagesOf(
      (last: StoredDay | undefined) =>
        this.store.query(queries.PAGE_OF_DAYS, [partnerId, last?.day ?? '-infinity', PAGE.days]),
      PAGE.days,
    );
  }

  /** Indexes of a market's vaults at a moment; none where its hour is forgotten. */
  private async indexesAt(marketId: string, at: Date): Promise<ReadonlyMap<string, bigint>> {
    return new Map(
      (await this.past.hoursAt(marketId, at)).map(({ vaultId, index }): [string, bigint] => [vaultId, index]),
    );
  }
}
