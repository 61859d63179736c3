import type { RowFrom } from '../../kernel/store/statement.js';
import { pagesOf } from '../../kernel/store/pages.js';
import type { Store } from '../../kernel/store/store.js';
import { addChange, type BookSums } from '../positions/books.js';
import type { EntryIndexes } from './entry-indexes.js';
import { checkGains, type Gain } from './gain-check.js';
import { campaignTermsOf } from './past-positions.js';
import * as queries from './position-check.queries.js';
import { PositionCheck, type StoredEntry, type StoredPosition } from './position-check.js';
import { checkSpanning, PartnerTermsOf, type TermsSpan } from './terms-check.js';
import type { ReportDifference } from './verification.js';

/** Rows that one statement reads: some tens of milliseconds, far below the statement timeout. */
export const PAGE = { positions: 1_000, rows: 10_000 };

/** After all ids. */
const END = '~';

/** Positions against their entries, page by page. */
export class PositionVerifier {
  positions = 0;
  entries = 0;
  transfers = 0;

  /** @param seventh of the partners; null: all @param books receives what follows from the ledger */
  constructor(
    private readonly store: Store,
    private readonly seventh: number | null,
    private readonly isIdle: (vaultId: string) => boolean,
    private readonly indexes: EntryIndexes,
    private readonly books: BookSums,
    private readonly differs: ReportDifference,
  ) {}

  async verify(): Promise<void> {
    const read = (last: StoredPosition | undefined): Promise<StoredPosition[]> =>
      this.store.query(queries.PAGE_OF_POSITIONS, [last?.id ?? '', PAGE.positions, this.seventh]);
    let after = '';
    for await (const rows of pagesOf(read, PAGE.positions)) {
      const end = rows.length === PAGE.positions ? rows.at(-1)!.id : END;
      await this.replay(rows, after, end);
      after = end;
    }
    const settlements = pagesOf(
      (last: { id: string } | undefined) =>
        this.store.query(queries.PAGE_OF_SETTLEMENTS, [last?.id ?? '', PAGE.rows, this.seventh]),
      PAGE.rows,
    );
    for await (const rows of settlements) this.checkTransfers(rows);
  }

  private async replay(rows: readonly StoredPosition[], after: string, end: string): Promise<void> {
    const terms = await campaignTermsOf(this.store, rows);
    const partnerTerms = await PartnerTermsOf.read(
      this.store,
      rows.map(({ partnerId }) => partnerId),
    );
    const replays = new Map(
      rows.map((row) => [row.id, new PositionCheck(row, terms(row), this.isIdle)] as const),
    );
    for await (const entries of this.entriesBetween(after, end))
      await this.take(entries, replays, partnerTerms);
    for (const replay of replays.values()) this.check(replay);
  }

  private async take(
    entries: readonly StoredEntry[],
    replays: ReadonlyMap<string, PositionCheck>,
    terms: PartnerTermsOf,
  ): Promise<void> {
    this.entries += entries.length;
    const [spans, gains]: [TermsSpan[], Gain[]] = [[], []];
    await this.indexes.read(entries, replays);
    for (const entry of entries) {
      const replay = replays.get(entry.positionId);
      if (!replay) {
        this.orphan(entry);
        continue;
      }
      this.indexes.check(entry, replay.position);
      spans.push(...replay.spanning(entry, terms));
      if (entry.decisionId !== null && replay.addsToPosition(entry)) gains.push(entry);
      replay.take(entry);
    }
    await checkSpanning(this.store, spans, this.differs);
    await checkGains(this.store, gains, this.differs);
  }

  private orphan({ id, positionId }: Pick<StoredEntry, 'id' | 'positionId'>): void {
    const where = this.seventh === null ? 'is not there' : 'its partner does not have';
    this.differs(`entry ${id}`, `is of ${positionId}, which ${where}`);
  }

  private check(replay: PositionCheck): void {
    this.positions++;
    const { position, problems } = replay;
    const { broken, state } = replay.replaying;
    replay.compare();
    broken.report(position.id, this.differs);
    problems.report(position.id, this.differs);
    if (state) addChange(this.books, null, { ...position, ...state });
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

  /** Entries of positions after a position and up to another, in their order. */
  private entriesBetween(after: string, end: string): AsyncGenerator<StoredEntry[]> {
    const first = { positionId: after, at: 'infinity' as const, id: '' };
    return pagesOf((last: StoredEntry | undefined) => {
      const { positionId, at, id } = last ?? first;
      return this.store.query(queries.PAGE_OF_ENTRIES, [positionId, at, id, end, PAGE.rows, this.seventh]);
    }, PAGE.rows);
  }
}
