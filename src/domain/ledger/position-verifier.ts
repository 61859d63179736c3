import type { BookSums } from '../positions/book-sums.js';
import { contribution } from '../positions/books.js';
import type { CampaignTerms } from '../positions/points.js';
import { toPosition } from '../positions/position.store.js';
import type { RowFrom } from '../store/statement.js';
import type { Store } from '../store/store.js';
import { type EntryRun, RunReplay } from './entry-runs.js';
import { PAGE_OF_RUNS, PAGE_OF_TRANSFERS } from './ledger-runs.queries.js';
import { FIND_TERMS_OF_CAMPAIGNS, PAGE_OF_ENTRIES, PAGE_OF_POSITIONS } from './ledger-verifier.queries.js';
import type { OrderSums } from './order-check.js';
import { Pages } from './pages.js';
import {
  checkPosition,
  type Differs,
  type StoredEntry,
  type StoredPosition,
  toEntry,
} from './position-check.js';
import { replay, Replaying } from './replay.js';
import { noteTransfers, type TransferRow } from './transfer-check.js';

/** Rows that one statement reads: some tens of milliseconds, far below the statement timeout. */
export const PAGE = { positions: 2_000, rows: 10_000 };

/**
 * Positions against their entries: a merge join of both, ordered by position id. Entries are read as lists of what a position follows from. Where a
 * position does not follow from them, its entries are read again as a whole, to name what differs.
 */
export class PositionVerifier {
  positions = 0;
  entries = 0;
  /** Recorded transfers. */
  transfers = 0;
  /** True when one of these is without position or entry, or is voided and not taken back. */
  strayTransfer = false;
  /** Terms of the campaigns of a page of positions. */
  private terms = new Map<string, CampaignTerms[]>();

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
  ) {}

  async verify(): Promise<void> {
    const [runs, transfers] = [this.runs(), this.recorded()];
    for await (const page of this.pages())
      for (const position of page) await this.join(position, runs, await this.ownOf(position.id, transfers));
    await this.orphansBefore(null, runs);
    await this.ownOf(null, transfers);
  }

  private async join(
    position: StoredPosition,
    runs: Pages<EntryRun>,
    transfers: readonly TransferRow[],
  ): Promise<void> {
    await this.orphansBefore(position.id, runs);
    const terms = this.terms.get(position.campaignId ?? '') ?? [];
    const made = new RunReplay(new Replaying(terms, this.isIdle));
    for (let run = await runs.peek(); run?.positionId === position.id; run = await runs.peek()) {
      made.take(run);
      runs.take();
    }
    this.positions++;
    this.entries += made.entries;
    if (!noteTransfers(position.id, made.others, transfers)) this.strayTransfer = true;
    this.orders.add(position, made.others);
    let isBorneOut = made.isSound;
    if (isBorneOut) checkPosition(position, made.replay, made, this.isIdle, () => (isBorneOut = false));
    if (isBorneOut) this.books.add(contribution(position));
    else await this.name(position, terms);
  }

  /** @returns transfers of a position; null: of none after the last one */
  private async ownOf(positionId: string | null, transfers: Pages<TransferRow>): Promise<TransferRow[]> {
    const own: TransferRow[] = [];
    for (
      let transfer = await transfers.peek();
      transfer !== undefined && (positionId === null || transfer.positionId <= positionId);
      transfer = await transfers.peek()
    ) {
      if (transfer.positionId === positionId) own.push(transfer);
      else this.strayTransfer = true;
      this.transfers++;
      transfers.take();
    }
    return own;
  }

  /** Entries of no position, of ids up to a position's. */
  private async orphansBefore(id: string | null, runs: Pages<EntryRun>): Promise<void> {
    for (
      let run = await runs.peek();
      run !== undefined && (id === null || run.positionId < id);
      run = await runs.peek()
    ) {
      this.entries += run.entries;
      runs.take();
      // A page may end between the entries of a position.
      if ((await runs.peek())?.positionId === run.positionId) continue;
      for await (const entry of this.entriesOf(run.positionId))
        this.differs(`entry ${entry.id}`, `is of ${run.positionId}, which is not there`);
    }
  }

  /** Names what differs, by the whole entries. */
  private async name(position: StoredPosition, terms: readonly CampaignTerms[]): Promise<void> {
    const entries: StoredEntry[] = [];
    for await (const entry of this.entriesOf(position.id)) entries.push(entry);
    const made = replay(entries, terms, this.isIdle);
    checkPosition(
      position,
      made,
      { others: entries, lastAt: entries.at(-1)?.at ?? position.accruedAt },
      this.isIdle,
      this.differs,
    );
    if (made.state) this.books.add(contribution({ ...position, ...made.state }));
  }

  /** Positions by id, a page at a time, with the terms of their campaigns. */
  private async *pages(): AsyncGenerator<StoredPosition[]> {
    let after = '';
    let coming = this.store.query(PAGE_OF_POSITIONS, [after, PAGE.positions]);
    for (let isFull = true; isFull;) {
      const rows = await coming;
      isFull = rows.length === PAGE.positions;
      const campaignIds = new Set(rows.flatMap(({ campaignId }) => campaignId ?? []));
      if (campaignIds.size > 0) {
        const terms = await this.store.query(FIND_TERMS_OF_CAMPAIGNS, [[...campaignIds]]);
        this.terms = Map.groupBy(terms, ({ campaignId }) => campaignId);
      }
      yield rows.map(toStored);
      if (!isFull) return;
      after = rows.at(-1)!.id;
      coming = this.store.query(PAGE_OF_POSITIONS, [after, PAGE.positions]);
    }
  }

  private runs(): Pages<EntryRun> {
    return new Pages<EntryRun>(
      (after) =>
        this.store.query(PAGE_OF_RUNS, [
          ...(after ? ([after.positionId, after.lastAt, after.lastId] as const) : FIRST),
          PAGE.rows,
        ]),
      (rows) => rows.reduce((sum, { entries }) => sum + entries, 0) === PAGE.rows,
    );
  }

  private recorded(): Pages<TransferRow> {
    return new Pages(
      (after: TransferRow | undefined) =>
        this.store.query(PAGE_OF_TRANSFERS, [
          ...(after ? ([after.positionId, new Date(after.recordedAt), after.id] as const) : FIRST),
          PAGE.rows,
        ]),
      (rows) => rows.length === PAGE.rows,
    );
  }

  private async *entriesOf(positionId: string): AsyncGenerator<StoredEntry> {
    const entries = new Pages(
      (after: StoredEntry | undefined) =>
        this.store
          .query(PAGE_OF_ENTRIES, [positionId, after?.at ?? '-infinity', after?.id ?? '', PAGE.rows])
          .then((rows) => rows.map(toEntry)),
      (rows) => rows.length === PAGE.rows,
    );
    for (let entry = await entries.peek(); entry !== undefined; entry = await entries.peek()) {
      yield entry;
      entries.take();
    }
  }
}

const FIRST = ['', '-infinity', ''] as const;

function toStored({
  openedAt,
  activeAt,
  closedAt,
  accruedAt,
  usersPartnerId,
  ...row
}: RowFrom<typeof PAGE_OF_POSITIONS>): StoredPosition {
  const times = {
    openedAt: new Date(openedAt),
    activeAt: null,
    closedAt: null,
    accruedAt: new Date(accruedAt),
  };
  const position = toPosition({ ...row, ...times }) as StoredPosition;
  if (activeAt !== null) position.activeAt = new Date(activeAt);
  if (closedAt !== null) position.closedAt = new Date(closedAt);
  position.usersPartnerId = usersPartnerId;
  return position;
}
