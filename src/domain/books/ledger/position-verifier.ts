import type { BookSums } from '../positions/book-sums.js';
import { contribution, rowsNameOf } from '../positions/books.js';
import type { CampaignTerms } from '../positions/points.js';
import { AMOUNTS } from '../positions/position.store.js';
import { itemsOf } from '../../kernel/store/column.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import { type EntryRun, RunReplay } from './entry-runs.js';
import type { Checkpoint } from './checkpoint.js';
import { FIND_CHECKED, PAGE_OF_CHANGED } from './checkpoint.queries.js';
import { PAGE_OF_RUNS, PAGE_OF_TRANSFERS, RUNS_SINCE, TRANSFERS_SINCE } from './ledger-runs.queries.js';
import { FIND_TERMS_OF_CAMPAIGNS, PAGE_OF_ENTRIES, PAGE_OF_POSITIONS } from './ledger-verifier.queries.js';
import type { OrderSums } from './order-check.js';
import { Pages } from './pages.js';
import {
  checkPosition,
  type Differs,
  noteTransfers,
  type StoredEntry,
  type StoredPosition,
  toEntry,
  type TransferRow,
} from './position-check.js';
import { replay, Replaying } from './replay.js';

/** Rows that one statement reads: some tens of milliseconds, far below the statement timeout. */
export const PAGE = { positions: 2_000, rows: 10_000, changed: 2_000 };

interface PositionWithTerms {
  position: StoredPosition;
  terms: CampaignTerms[];
}

/**
 * Positions against their entries: a merge join of both, ordered by position id. Entries are read as lists of what a position follows from. Where a
 * position does not follow from them, its entries are read again as a whole, to name what differs.
 */
export class PositionVerifier {
  positions = 0;
  entries = 0;
  transfers = 0;
  /** True when one of these is without position or entry, or is voided and not taken back. */
  strayTransfer = false;

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
    const covered: string[] = [];
    const [runs, transfers] = [this.runs(), this.recorded()];
    const stored = this.stored();
    for (let next = await stored.peek(); next !== undefined; next = stored.ready ?? (await stored.peek())) {
      await this.join(next, runs, await this.ownOf(next.position.id, transfers));
      stored.take();
      covered.push(next.position.id);
      if (covered.length === PAGE.positions) await this.checkpoint?.coverPositions(covered.splice(0));
    }
    await this.orphansBefore(null, runs);
    await this.ownOf(null, transfers);
    await this.checkpoint?.coverPositions(covered);
  }

  /** Positions that changed since the checkpoint, by their entries since. */
  private async verifySince(): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: RowFrom<typeof PAGE_OF_CHANGED>[] = await this.store.query(PAGE_OF_CHANGED, [
        after,
        PAGE.changed,
      ]);
      const ids = rows.map(({ id }) => id);
      const covered = new Map(
        (await this.store.query(FIND_CHECKED, [ids])).map(({ lastAt, lastId, covered: _, ...row }) => [
          row.id,
          { was: toStored(row), lastAt, lastId },
        ]),
      );
      const since = [
        ids,
        ids.map((id) => covered.get(id)?.lastAt ?? ('-infinity' as const)),
        ids.map((id) => covered.get(id)?.lastId ?? ''),
      ] as const;
      const runs = new Map(
        (await this.store.query(RUNS_SINCE, [...since])).map((run) => [run.positionId, run]),
      );
      const transfers = Map.groupBy(
        await this.store.query(TRANSFERS_SINCE, [...since]),
        ({ positionId }) => positionId,
      );
      for (const { position, terms } of await this.withTerms(rows)) {
        const { was = null, lastAt = null } = covered.get(position.id) ?? {};
        if (was) this.books.addNamed(rowsNameOf(was), contribution(was), -1);
        const made = new RunReplay(new Replaying(terms, this.isIdle, was), lastAt);
        const run = runs.get(position.id);
        if (run) made.take(run);
        const own = transfers.get(position.id) ?? [];
        this.transfers += own.length;
        await this.check({ position, terms }, made, own, lastAt);
      }
      await this.checkpoint!.coverPositions(ids);
      after = rows.length === PAGE.changed ? ids.at(-1) : undefined;
    }
  }

  private async join(
    { position, terms }: PositionWithTerms,
    runs: Pages<EntryRun>,
    transfers: readonly TransferRow[],
  ): Promise<void> {
    await this.orphansBefore(position.id, runs);
    const made = new RunReplay(new Replaying(terms, this.isIdle));
    for (
      let run = runs.ready ?? (await runs.peek());
      run?.positionId === position.id;
      run = runs.ready ?? (await runs.peek())
    ) {
      made.take(run);
      runs.take();
    }
    await this.check({ position, terms }, made, transfers, null);
  }

  /** @param since time of the newest covered entry; null: none is */
  private async check(
    { position, terms }: PositionWithTerms,
    made: RunReplay,
    transfers: readonly TransferRow[],
    since: Date | null,
  ): Promise<void> {
    this.positions++;
    this.entries += made.entries;
    if (!noteTransfers(position.id, made.others, transfers, since)) this.strayTransfer = true;
    this.orders.add(made.others);
    let isBorneOut = made.isSound;
    if (isBorneOut) checkPosition(position, made.replay, made, this.isIdle, () => (isBorneOut = false));
    if (isBorneOut) this.books.addNamed(rowsNameOf(position), contribution(position));
    else await this.name(position, terms);
  }

  /** @returns transfers of a position; null: of none after the last one */
  private async ownOf(positionId: string | null, transfers: Pages<TransferRow>): Promise<TransferRow[]> {
    const own: TransferRow[] = [];
    for (
      let transfer = transfers.ready ?? (await transfers.peek());
      transfer !== undefined && (positionId === null || transfer.positionId <= positionId);
      transfer = transfers.ready ?? (await transfers.peek())
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
      let run = runs.ready ?? (await runs.peek());
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

  /** Positions by id, each with the terms of its campaign. */
  private stored(): Pages<PositionWithTerms> {
    return new Pages(
      (after: PositionWithTerms | undefined) => this.page(after?.position.id ?? ''),
      (page) => page.length === PAGE.positions,
    );
  }

  private async page(afterId: string): Promise<PositionWithTerms[]> {
    return this.withTerms(await this.store.query(PAGE_OF_POSITIONS, [afterId, PAGE.positions]));
  }

  private async withTerms(rows: readonly RowFrom<typeof PAGE_OF_POSITIONS>[]): Promise<PositionWithTerms[]> {
    const campaignIds = [...new Set(rows.flatMap(({ campaignId }) => campaignId ?? []))];
    const terms =
      campaignIds.length > 0 ? await this.store.query(FIND_TERMS_OF_CAMPAIGNS, [campaignIds]) : [];
    const byCampaign = Map.groupBy(terms, ({ campaignId }) => campaignId);
    return rows.map((row) => ({
      position: toStored(row),
      terms: byCampaign.get(row.campaignId ?? '') ?? [],
    }));
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

function toStored(row: RowFrom<typeof PAGE_OF_POSITIONS>): StoredPosition {
  const { amounts, openedAt, activeAt, closedAt, accruedAt, ...others } = row;
  const position = others as unknown as StoredPosition;
  itemsOf(amounts).forEach((amount, place) => (position[AMOUNTS[place]!] = BigInt(amount)));
  position.openedAt = new Date(openedAt);
  position.activeAt = dateOrNull(activeAt);
  position.closedAt = dateOrNull(closedAt);
  position.accruedAt = new Date(accruedAt);
  return position;
}

const dateOrNull = (at: number | null): Date | null => (at === null ? null : new Date(at));
