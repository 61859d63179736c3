import type { BookSums } from '../positions/book-sums.js';
import { addChange, contribution } from '../positions/books.js';
import type { CampaignTerms } from '../positions/points.js';
import type { Position } from '../positions/position.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import { type Checkpoint, pagesOf } from './checkpoint.js';
import { FIND_CHECKED, PAGE_OF_CHANGED } from './checkpoint.queries.js';
import * as queries from './ledger-verifier.queries.js';
import type { OrderSums } from './order-check.js';
import { checkPosition, type Differs, type StoredEntry, type StoredPosition } from './position-check.js';
import { Replaying } from './replay.js';

/** Rows that one statement reads: some tens of milliseconds, far below the statement timeout. `changed`: positions, or revenue accounts, since a checkpoint. */
export const PAGE = { positions: 1_000, rows: 10_000, changed: 2_000 };

/** Entries of a position that were replayed: all of them, or those since the checkpoint. */
class Replayed {
  readonly replaying: Replaying;
  /** Entries other than accruals without decision and transfer. */
  readonly others: StoredEntry[] = [];

  /** @param lastAt time of the newest entry that was replayed before; null: none was */
  constructor(
    terms: readonly CampaignTerms[],
    isIdle: (vaultId: string) => boolean,
    readonly from: Position | null = null,
    public lastAt: Date | null = null,
  ) {
    this.replaying = new Replaying(terms, isIdle, from);
  }

  take(entry: StoredEntry): void {
    const { type, decisionId, txHash, voids } = entry;
    this.replaying.take(entry);
    this.lastAt = entry.at;
    if (type !== 'yield_accrual' || decisionId !== null || txHash !== null || voids !== null)
      this.others.push(entry);
  }
}

/** Positions against their entries, page by page: all of them, or those that changed since the checkpoint, by their entries since. */
export class PositionVerifier {
  positions = 0;
  entries = 0;
  transfers = 0;

  /**
   * @param books receives what follows from the ledger
   * @param orders receives the entries of moves
   */
  constructor(
    private readonly store: Store,
    private readonly isIdle: (vaultId: string) => boolean,
    private readonly books: BookSums,
    private readonly orders: OrderSums,
    private readonly differs: Differs,
    private readonly checkpoint: Checkpoint | null,
  ) {}

  async verify(): Promise<void> {
    if (this.checkpoint?.isFull === false) return this.verifySince();
    let after = '';
    for await (const rows of pagesOf(
      (last: StoredPosition | undefined) =>
        this.store.query(queries.PAGE_OF_POSITIONS, [last?.id ?? '', PAGE.positions]),
      PAGE.positions,
    )) {
      const terms = await this.termsOf(rows);
      const replayed = new Map(rows.map((row) => [row.id, new Replayed(terms(row), this.isIdle)]));
      const end = rows.length === PAGE.positions ? rows.at(-1)!.id : '~';
      await this.take(this.entriesOf(after, end), replayed);
      for (const row of rows) await this.check(row, replayed.get(row.id)!, null);
      await this.checkpoint?.coverPositions([...replayed.keys()]);
      after = end;
    }
    const settlements = pagesOf(
      (last: { id: string } | undefined) =>
        this.store.query(queries.PAGE_OF_SETTLEMENTS, [last?.id ?? '', PAGE.rows]),
      PAGE.rows,
    );
    for await (const rows of settlements) this.checkTransfers(rows);
  }

  private async verifySince(): Promise<void> {
    for await (const rows of pagesOf(
      (last: StoredPosition | undefined) => this.store.query(PAGE_OF_CHANGED, [last?.id ?? '', PAGE.changed]),
      PAGE.changed,
    )) {
      const terms = await this.termsOf(rows);
      const ids = rows.map(({ id }) => id);
      const covered = new Map(
        (await this.store.query(FIND_CHECKED, [ids])).map(({ lastAt, lastId, ...row }) => [
          row.id,
          { was: row, lastAt, lastId },
        ]),
      );
      const replayed = new Map(
        rows.map((row) => {
          const { was, lastAt } = covered.get(row.id) ?? {};
          return [row.id, new Replayed(terms(row), this.isIdle, was, lastAt)];
        }),
      );
      const since = [
        ids,
        ids.map((id) => covered.get(id)?.lastAt ?? ('-infinity' as const)),
        ids.map((id) => covered.get(id)?.lastId ?? ''),
      ] as const;
      await this.take([await this.store.query(queries.ENTRIES_SINCE, since)], replayed);
      this.checkTransfers(await this.store.query(queries.SETTLEMENTS_SINCE, since));
      for (const row of rows) await this.check(row, replayed.get(row.id)!, terms(row));
      await this.checkpoint!.coverPositions(ids);
    }
  }

  private async take(
    pages: AsyncIterable<readonly StoredEntry[]> | Iterable<readonly StoredEntry[]>,
    replayed: ReadonlyMap<string, Replayed>,
  ): Promise<void> {
    for await (const rows of pages) {
      this.entries += rows.length;
      for (const row of rows) {
        const own = replayed.get(row.positionId);
        if (own) own.take(row);
        else this.differs(`entry ${row.id}`, `is of ${row.positionId}, which is not there`);
      }
    }
  }

  /** @param whole terms by which all entries are replayed where those since the checkpoint do not explain the position; null: all of them were */
  private async check(
    position: StoredPosition,
    replayed: Replayed,
    whole: readonly CampaignTerms[] | null,
  ): Promise<void> {
    this.positions++;
    this.orders.add(replayed.others);
    let made = replayed;
    let problems = this.problemsOf(position, made);
    if (problems.length > 0 && whole !== null) {
      made = new Replayed(whole, this.isIdle);
      for await (const rows of this.entriesOf(position.id, position.id))
        rows.forEach((row) => made.take(row));
      problems = this.problemsOf(position, made);
    }
    problems.forEach((problem) => this.differs(position.id, problem));
    const { state } = made.replaying;
    if (state) addChange(this.books, replayed.from, { ...position, ...state });
    else if (replayed.from) this.books.add(contribution(replayed.from), -1);
  }

  private problemsOf(position: StoredPosition, replayed: Replayed): string[] {
    const problems: string[] = [];
    checkPosition(position, replayed.replaying, replayed, this.isIdle, (problem) => problems.push(problem));
    return problems;
  }

  private checkTransfers(rows: readonly RowFrom<typeof queries.PAGE_OF_SETTLEMENTS>[]): void {
    this.transfers += rows.length;
    for (const { txHash, positionId, entered, takenBack } of rows) {
      if (!entered)
        this.differs(`transfer ${txHash}`, `is recorded with ${positionId}, which has no such entry`);
      if (!takenBack)
        this.differs(`transfer ${txHash}`, `is voided, and no entry of ${positionId} takes it back`);
    }
  }

  /** Entries by position, of positions after one, or of it where it is the last one, too. */
  private entriesOf(after: string, end: string): AsyncGenerator<StoredEntry[]> {
    const first = {
      positionId: after,
      at: after === end ? ('-infinity' as const) : ('infinity' as const),
      id: '',
    };
    return pagesOf((last: StoredEntry | undefined) => {
      const { positionId, at, id } = last ?? first;
      return this.store.query(queries.PAGE_OF_ENTRIES, [positionId, at, id, end, PAGE.rows]);
    }, PAGE.rows);
  }

  private async termsOf(
    rows: readonly StoredPosition[],
  ): Promise<(row: StoredPosition) => readonly CampaignTerms[]> {
    const campaignIds = [...new Set(rows.flatMap(({ campaignId }) => campaignId ?? []))];
    const terms =
      campaignIds.length > 0 ? await this.store.query(queries.FIND_TERMS_OF_CAMPAIGNS, [campaignIds]) : [];
    const byCampaign = Map.groupBy(terms, ({ campaignId }) => campaignId);
    return ({ campaignId }) => byCampaign.get(campaignId ?? '') ?? [];
  }
}
