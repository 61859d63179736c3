import { Injectable } from '@nestjs/common';
import { addHours, Clock, dayOf } from '../../kernel/clock.js';
import { LedgerPartitions } from '../../markets/hours/ledger-partitions.service.js';
import { MarketPlan } from '../../markets/hours/market-view.js';
import { Store } from '../../kernel/store/store.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { Accruals, changesOf } from './accruals.js';
import type { Quote } from './position.js';
import type { Moment } from './quotes.js';
import { LOCK_NEXT, FIND_INDEXES } from './position.queries.js';
import { PositionStore } from './position.store.js';
import { orNull, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/** Newest hour of a market, and its newest statement. */
const FIND_NEWEST = statement(
  'statements.find_newest',
  { values: [text()], row: { tickedHour: orNull(time()), dayEnd: orNull(time()), doneAt: orNull(time()) } },
  `SELECT m.ticked_hour AS "tickedHour", s.day_end AS "dayEnd", s.done_at AS "doneAt"
     FROM markets m
     LEFT JOIN LATERAL (SELECT day_end, done_at FROM statements WHERE market_id = m.id ORDER BY day_end DESC LIMIT 1) s ON true
    WHERE m.id = $1`,
);

/** Creation of a market's oldest open position, before which nothing was held; ids sort by time. */
const FIND_OLDEST_OPEN = statement(
  'statements.find_oldest_open',
  { values: [text()], row: { openedAt: time() } },
  `SELECT opened_at AS "openedAt" FROM positions WHERE market_id = $1 AND closed_at IS NULL ORDER BY id LIMIT 1`,
);

const BEGIN = statement(
  'statements.begin',
  { values: [text(), time()], row: {} },
  `INSERT INTO statements (market_id, day_end) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
);

/** Lock by which one process at a time posts statements. */
const LOCK = statement(
  'statements.lock',
  { values: [text(), time()], row: { afterId: text(), doneAt: orNull(time()) } },
  `SELECT after_id AS "afterId", done_at AS "doneAt" FROM statements WHERE market_id = $1 AND day_end = $2 FOR UPDATE`,
);

const ADVANCE = statement(
  'statements.advance',
  { values: [text(), time(), orNull(text()), rowCount(), orNull(time())], row: {} },
  `UPDATE statements SET after_id = coalesce($3, after_id), posted = posted + $4, done_at = $5 WHERE market_id = $1 AND day_end = $2`,
);

/** Positions that one transaction locks. */
const BATCH = 2_000;

/**
 * Daily statement: at the end of each UTC day, the yield of every open position is posted to the ledger at the indexes of that moment. It runs in
 * batches, each stored with its progress in one transaction, so any process can resume it and nothing is posted twice.
 */
@Injectable()
export class DailyAccrualService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly catalogue: Catalogue,
    private readonly plan: MarketPlan,
    private readonly ledger: LedgerPartitions,
    private readonly accruals: Accruals,
    private readonly positions: PositionStore,
  ) {}

  /** Posts all due statements of a market, day by day. @returns number of entries added */
  async postDue(marketId: string): Promise<number> {
    let posted = 0;
    for (const dayEnd of await this.due(marketId)) {
      // A missed day may lie in a month without partition. An account's days are posted in its own transaction, where partitions exist.
      if (this.plan.ownerOf(marketId) === null) await this.ledger.prepare(dayEnd);
      await this.store.query(BEGIN, [marketId, dayEnd]);
      const moment = await this.momentAt(marketId, dayEnd);
      for (let batch = await this.postBatch(moment); batch !== null; batch = await this.postBatch(moment)) {
        posted += batch;
      }
    }
    return posted;
  }

  /** Day ends that the market has reached and whose statement is incomplete; for a new market, only the newest. */
  private async due(marketId: string): Promise<Date[]> {
    const [newest] = await this.store.query(FIND_NEWEST, [marketId]);
    if (!newest?.tickedHour) return [];
    const last = dayOf(newest.tickedHour);
    const { dayEnd, doneAt } = newest;
    if (dayEnd !== null && dayEnd > last)
      throw new Error(`${marketId} has a statement of ${dayEnd.toISOString()}, after its newest hour.`);
    const next = dayEnd ? addHours(dayEnd, doneAt ? 24 : 0) : last;
    const days: Date[] = [];
    for (
      let day = next < last ? await this.firstDueDay(marketId, next, last) : next;
      day <= last;
      day = addHours(day, 24)
    )
      days.push(day);
    return days;
  }

  /** The first due day on which anything was held: an idle market may have years without statements. */
  private async firstDueDay(marketId: string, next: Date, last: Date): Promise<Date> {
    const [oldest] = await this.store.query(FIND_OLDEST_OPEN, [marketId]);
    if (!oldest) return last;
    const firstDay = addHours(dayOf(oldest.openedAt), 24);
    return new Date(Math.min(Math.max(firstDay.getTime(), next.getTime()), last.getTime()));
  }

  private async momentAt(marketId: string, dayEnd: Date): Promise<Moment> {
    const vaultIds = this.catalogue.vaults.map(({ id }) => id);
    const rows = await this.store.query(FIND_INDEXES, [marketId, vaultIds, [dayEnd]]);
    const quotes = new Map<string, Quote>(rows.map((row) => [row.vaultId, row]));
    const quoteAt = (vaultId: string): Quote => {
      const quote = quotes.get(vaultId);
      if (!quote) throw new Error(`${vaultId} has no index at ${dayEnd.toISOString()}.`);
      return quote;
    };
    // A day ends on the hour, the only moment that is quoted.
    return { marketId, at: dayEnd, hour: dayEnd, quoteAt };
  }

  /** @returns number of entries added; null when the statement is complete */
  private postBatch(moment: Moment): Promise<number | null> {
    const { marketId, at: dayEnd } = moment;
    return this.store.transaction(async () => {
      const [progress] = await this.store.query(LOCK, [marketId, dayEnd]);
      if (!progress || progress.doneAt) return null;
      const locked = await this.positions.lock(LOCK_NEXT, [marketId, progress.afterId, BATCH]);
      const settled = await this.accruals.settle(locked.positions, moment, locked);
      const changes = changesOf(locked.positions, settled.posted);
      await this.positions.save(changes, settled, dayEnd);
      const entries = changes.reduce((sum, change) => sum + change.entries.length, 0);
      const done = locked.candidates.length < BATCH ? this.clock.now() : null;
      await this.store.query(ADVANCE, [
        marketId,
        dayEnd,
        locked.candidates.at(-1)?.id ?? null,
        entries,
        done,
      ]);
      return entries;
    });
  }
}
