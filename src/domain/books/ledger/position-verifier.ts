import { type BookSums, addChange, contribution } from '../positions/books.js';
import type { CampaignTerms } from '../positions/points.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import { type Checkpoint, type Covered, type Covering, pagesOf } from './checkpoint.js';
import { PAGE_OF_CHANGED } from './checkpoint.queries.js';
import * as queries from './ledger-verifier.queries.js';
import type { OrderSums } from './order-check.js';
import { Replaying, REPLAYED, type Replay } from './replay.js';
import { campaignTermsOf } from './past-positions.js';

/** Rows that one statement reads: some tens of milliseconds, far below the statement timeout. `changed`: positions, or revenue accounts, since a checkpoint. */
export const PAGE = { positions: 1_000, rows: 10_000, changed: 2_000 };

/** Entries of a position that were replayed: all of them, or those since the checkpoint. */
class Replayed {
  readonly replaying: Replaying;
  /** Entries other than accruals without decision and transfer. */
  readonly others: StoredEntry[] = [];
  read: Covering;
  /** Whether the entries that the checkpoint covers are still those that it did. */
  isIntact: boolean;

  /** @param from where its replay begins; null: at its first entry @param covered what the checkpoint has of it */
  constructor(
    id: string,
    terms: readonly CampaignTerms[],
    isIdle: (vaultId: string) => boolean,
    readonly from: Covered | null = null,
    readonly covered?: Covering,
  ) {
    this.replaying = new Replaying(terms, isIdle, from);
    this.read = from ?? { id, entries: 0, lastAt: null, lastId: null, digest: 0n };
    this.isIntact = from !== null || !covered;
  }

  take(entry: StoredEntry): void {
    const { id: lastId, at: lastAt, type, decisionId, txHash, voids } = entry;
    const { id, entries, digest } = this.read;
    this.replaying.take(entry);
    this.read = { id, entries: entries + 1, lastAt, lastId, digest: digest + entry.digest };
    if (lastId === this.covered?.lastId)
      this.isIntact = this.read.entries === this.covered.entries && this.read.digest === this.covered.digest;
    if (type !== 'yield_accrual' || decisionId !== null || txHash !== null || voids !== null)
      this.others.push(entry);
  }
}

/** Positions against their entries, page by page: all of them, or those that changed since the checkpoint, by their entries since. */
export class PositionVerifier {
  positions = 0;
  entries = 0;
  transfers = 0;

  /** @param books receives what follows from the ledger @param orders receives the entries of moves */
  constructor(
    private readonly store: Store,
    private readonly isIdle: (vaultId: string) => boolean,
    private readonly books: BookSums,
    private readonly orders: OrderSums,
    private readonly differs: Differs,
    private readonly checkpoint: Checkpoint,
  ) {}

  async verify(): Promise<void> {
    const { isFull } = this.checkpoint;
    const [page, most] = isFull
      ? ([queries.PAGE_OF_POSITIONS, PAGE.positions] as const)
      : ([PAGE_OF_CHANGED, PAGE.changed] as const);
    const read = (last: StoredPosition | undefined): Promise<StoredPosition[]> =>
      this.store.query(page, [last?.id ?? '', most]);
    let after = '';
    for await (const rows of pagesOf(read, most)) {
      const ids = rows.map(({ id }) => id);
      const terms = await campaignTermsOf(this.store, rows);
      const covered = await this.checkpoint.covered(ids);
      const replayed = new Map(
        rows.map((row) => {
          const known = covered.get(row.id);
          return [row.id, new Replayed(row.id, terms(row), this.isIdle, isFull ? null : known, known)];
        }),
      );
      const end = rows.length === most ? ids.at(-1)! : '~';
      if (isFull) await this.take(this.entriesOf(after, end), replayed);
      else await this.takeSince(ids, covered, replayed);
      for (const row of rows) await this.check(row, replayed.get(row.id)!, isFull ? null : terms(row));
      await this.checkpoint.coverPositions([...replayed.values()].map((one) => one.read));
      after = end;
    }
    if (!isFull) return;
    const settlements = pagesOf(
      (last: { id: string } | undefined) =>
        this.store.query(queries.PAGE_OF_SETTLEMENTS, [last?.id ?? '', PAGE.rows]),
      PAGE.rows,
    );
    for await (const rows of settlements) this.checkTransfers(rows);
  }

  private async takeSince(
    ids: string[],
    covered: ReadonlyMap<string, Covered>,
    replayed: ReadonlyMap<string, Replayed>,
  ): Promise<void> {
    const since = [
      ids,
      ids.map((id) => covered.get(id)?.lastAt ?? ('-infinity' as const)),
      ids.map((id) => covered.get(id)?.lastId ?? ''),
    ] as const;
    await this.take([await this.store.query(queries.ENTRIES_SINCE, since)], replayed);
    this.checkTransfers(await this.store.query(queries.SETTLEMENTS_SINCE, since));
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
    const { id } = position;
    const { from, covered, isIntact } = replayed;
    if (!isIntact)
      this.differs(
        id,
        `has other entries until ${textOf(covered!.lastAt)} than it had when they were last verified`,
      );
    let made = replayed;
    let problems = this.problemsOf(position, made);
    if (problems.length > 0 && whole !== null) {
      made = new Replayed(id, whole, this.isIdle);
      for await (const rows of this.entriesOf(id, id)) rows.forEach((row) => made.take(row));
      problems = this.problemsOf(position, made);
    }
    problems.forEach((problem) => this.differs(id, problem));
    const { state } = made.replaying;
    if (state) addChange(this.books, from, { ...position, ...state });
    else if (from) this.books.add(contribution(from), -1);
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
}

type StoredPosition = RowFrom<typeof queries.PAGE_OF_POSITIONS>;
export type StoredEntry = RowFrom<typeof queries.PAGE_OF_ENTRIES>;

/** Called with each difference: subject and problem. */
export type Differs = (subject: string, problem: string) => void;

/** @param others entries other than accruals without decision and transfer, which may be among them; @param read how far its entries were read */
function checkPosition(
  position: StoredPosition,
  { state, broken }: Replay,
  { others, read: { lastAt } }: { others: readonly StoredEntry[]; read: Pick<Covering, 'lastAt'> },
  isIdle: (vaultId: string) => boolean,
  differs: (problem: string) => void,
): void {
  const { id, transitId, usersPartnerId } = position;
  broken.forEach(differs);
  for (const { id: entryId, txHash, settledPositionId } of others)
    if (txHash !== null && settledPositionId !== id)
      differs(`entry ${entryId} is of the transfer ${txHash}, which is not recorded with the position`);
  for (const { id: entryId, voids, isVoided } of others)
    if (voids !== null && !isVoided)
      differs(`entry ${entryId} takes back the transfer ${voids}, which is not voided`);
  if (!state) return differs('is opened by no entry');
  const came =
    others.findLast(({ type }) => type === 'rebalance') ??
    others.find(({ type, voids }) => type === 'deposit' && voids === null);
  if (transitId !== null && (came?.decisionId !== transitId || !isIdle(came.vaultId)))
    differs(`is in transit by ${transitId}, by which no entry moved it into cash last`);
  for (const [place, { id: entryId, type, voids, decisionId }] of others.entries()) {
    const isMore = type === 'yield_accrual' || (type === 'deposit' && voids === null && place > 0);
    if (!isMore || decisionId === null) continue;
    if (!others.some((one) => one.type === 'rebalance' && one.decisionId === decisionId))
      differs(`entry ${entryId} is a gain by ${decisionId}, by which no entry moved it`);
  }
  for (const name of REPLAYED) {
    const [stored, recomputed] = [position[name], state[name]];
    // Times are compared by their text, with milliseconds.
    if (stored !== recomputed && textOf(stored) !== textOf(recomputed))
      differs(`${name} is ${textOf(stored)}, by the ledger it is ${textOf(recomputed)}`);
  }
  if (lastAt !== null && position.accruedAt < lastAt)
    differs(`accruedAt is ${textOf(position.accruedAt)}, before its last entry at ${textOf(lastAt)}`);
  if (usersPartnerId !== position.partnerId)
    differs(`partnerId is ${position.partnerId}, its user's is ${textOf(usersPartnerId)}`);
}

export const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);
