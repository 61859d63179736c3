import { type BookSums, addChange, contribution } from '../positions/books.js';
import type { CampaignTerms } from '../positions/points.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import { type Checkpoint, type CheckpointRow, type CheckpointSpan, pagesOf } from './checkpoint.js';
import { PAGE_OF_CHANGED } from './checkpoint.queries.js';
import * as queries from './ledger-verifier.queries.js';
import { inBooks, PositionReplay, REPLAYED } from './replay.js';
import { campaignTermsOf } from './past-positions.js';
import { checkGains, type Gain } from './gain-check.js';
import { checkSpanning, PartnerTermsOf, type TermsSpan } from './terms-check.js';
import { type ReportDifference, Problems, textOf } from './verification.js';

/** Rows that one statement reads: some tens of milliseconds, far below the statement timeout. `changed`: positions, or revenue accounts, since a checkpoint. */
export const PAGE = { positions: 1_000, rows: 10_000, changed: 2_000 };

/** Entries of a position that are replayed: all of them, or those since the checkpoint. It holds none of them. */
class ReplayedBooks {
  readonly replaying: PositionReplay;
  readonly problems = new Problems();
  /** Entry by which the funds came where they are: the last move, or the deposit. */
  came: StoredEntry | null = null;
  read: CheckpointSpan;
  /** Whether the entries that the checkpoint covers are still those that it did. */
  isIntact: boolean;

  /** @param from where its replay begins; null: at its first entry @param covered what the checkpoint has of it */
  constructor(
    private readonly position: StoredPosition,
    terms: readonly CampaignTerms[],
    private readonly isIdle: (vaultId: string) => boolean,
    readonly from: CheckpointRow | null = null,
    readonly covered?: CheckpointSpan,
  ) {
    this.replaying = new PositionReplay(terms, isIdle, from);
    this.read = from ?? { id: position.id, entries: 0, lastAt: null, lastId: null, digest: 0n };
    this.isIntact = from !== null || !covered;
  }

  take(entry: StoredEntry): void {
    const { id: lastId, at: lastAt, type, voids } = entry;
    const { id, entries, digest } = this.read;
    this.check(entry);
    this.replaying.take(entry);
    if (type === 'rebalance' || (type === 'deposit' && voids === null && this.came === null))
      this.came = entry;
    this.read = { id, entries: entries + 1, lastAt, lastId, digest: digest + entry.digest };
    if (lastId === this.covered?.lastId)
      this.isIntact = this.read.entries === this.covered.entries && this.read.digest === this.covered.digest;
  }

  /** Changes of terms that an accrual spans. */
  spanning({ id: entryId, at, type, voids }: StoredEntry, terms: PartnerTermsOf): TermsSpan[] {
    const { state } = this.replaying;
    const { lastAt } = this.read;
    if (type !== 'yield_accrual' || voids !== null || !state || lastAt === null) return [];
    const { id: positionId, marketId, partnerId } = this.position;
    const { vaultId, shares } = state;
    const spanned = { positionId, entryId, marketId, vaultId, shares, inBooks: inBooks(state) };
    return terms.changesBetween(partnerId, lastAt, at).map((change) => ({ ...spanned, change }));
  }

  /** Whether the next entry brings the position more than it was opened with: yield, or what a later deposit has. */
  isMore({ type, voids }: StoredEntry): boolean {
    return type === 'yield_accrual' || (type === 'deposit' && voids === null && this.read.entries > 0);
  }

  /** What an entry says beside its amounts. */
  private check(entry: StoredEntry): void {
    const { problems, position } = this;
    const { id, type, txHash, voids, strayOf } = entry;
    if (entry.partnerId !== position.partnerId)
      problems.add(`entry ${id} is of ${entry.partnerId}, and the position of ${position.partnerId}`);
    if (!entry.isBooked) problems.add(`entry ${id} was booked at another time than its id says`);
    if (txHash !== null && entry.settledPositionId !== position.id)
      problems.add(`entry ${id} is of the transfer ${txHash}, which is not recorded with the position`);
    if (voids !== null && !entry.isVoided)
      problems.add(`entry ${id} takes back the transfer ${voids}, which is not voided`);
    if (strayOf !== null)
      problems.add(`entry ${id} is by the decision of ${strayOf}, at none of its reports`);
    if (!this.isMore(entry) && voids === null && type !== 'withdrawal') this.checkDecision(entry);
  }

  /** A deposit or a move follows its decision, or is cash on its way. */
  private checkDecision({ id, type, asset, vaultId, fromVaultId, decisionId, decision }: StoredEntry): void {
    const { problems, position, isIdle } = this;
    if (!decision)
      return problems.add(
        `entry ${id} is a ${type} by the decision ${textOf(decisionId)}, which is not there`,
      );
    const { partnerId, from, to } = decision;
    const isOther = partnerId !== position.partnerId || decision.asset !== asset;
    const isTo = vaultId === to || isIdle(vaultId);
    const isFrom = fromVaultId === null || fromVaultId === from || isIdle(fromVaultId);
    if (isOther || !isTo || !isFrom)
      problems.add(
        `entry ${id} is a ${type} from ${textOf(fromVaultId)} to ${vaultId}, ${decisionId} is one of ${partnerId} from ${textOf(from)} to ${textOf(to)}`,
      );
  }
}

/** Positions against their entries, page by page: all of them, or those that changed since the checkpoint, by their entries since. */
export class PositionVerifier {
  positions = 0;
  entries = 0;
  transfers = 0;

  /** @param books receives what follows from the ledger */
  constructor(
    private readonly store: Store,
    private readonly isIdle: (vaultId: string) => boolean,
    private readonly books: BookSums,
    private readonly differs: ReportDifference,
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
      const partnerTerms = await PartnerTermsOf.read(
        this.store,
        rows.map(({ partnerId }) => partnerId),
      );
      const covered = await this.checkpoint.covered(ids);
      const replayed = new Map(
        rows.map((row) => {
          const known = covered.get(row.id);
          return [row.id, new ReplayedBooks(row, terms(row), this.isIdle, isFull ? null : known, known)];
        }),
      );
      const end = rows.length === most ? ids.at(-1)! : '~';
      if (isFull) await this.take(this.entriesOf(after, end), replayed, partnerTerms);
      else await this.takeSince(ids, covered, replayed, partnerTerms);
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
    covered: ReadonlyMap<string, CheckpointRow>,
    replayed: ReadonlyMap<string, ReplayedBooks>,
    terms: PartnerTermsOf,
  ): Promise<void> {
    const since = [
      ids,
      ids.map((id) => covered.get(id)?.lastAt ?? ('-infinity' as const)),
      ids.map((id) => covered.get(id)?.lastId ?? ''),
    ] as const;
    await this.take([await this.store.query(queries.ENTRIES_SINCE, since)], replayed, terms);
    this.checkTransfers(await this.store.query(queries.SETTLEMENTS_SINCE, since));
  }

  private async take(
    pages: AsyncIterable<readonly StoredEntry[]> | Iterable<readonly StoredEntry[]>,
    replayed: ReadonlyMap<string, ReplayedBooks>,
    terms: PartnerTermsOf,
  ): Promise<void> {
    for await (const rows of pages) {
      this.entries += rows.length;
      const [spans, gains]: [TermsSpan[], Gain[]] = [[], []];
      for (const row of rows) {
        const position = replayed.get(row.positionId);
        if (position) {
          spans.push(...position.spanning(row, terms));
          if (row.decisionId !== null && position.isMore(row)) gains.push(row);
          position.take(row);
        } else this.differs(`entry ${row.id}`, `is of ${row.positionId}, which is not there`);
      }
      await checkSpanning(this.store, spans, this.differs);
      await checkGains(this.store, gains, this.differs);
    }
  }

  /** @param whole terms by which all entries are replayed where those since the checkpoint do not explain the position; null: all of them were */
  private async check(
    position: StoredPosition,
    replayed: ReplayedBooks,
    whole: readonly CampaignTerms[] | null,
  ): Promise<void> {
    this.positions++;
    const { id } = position;
    const { from, covered, isIntact } = replayed;
    if (!isIntact)
      this.differs(
        id,
        `has other entries until ${textOf(covered!.lastAt)} than it had when they were last verified`,
      );
    let made = replayed;
    checkPosition(position, made, this.isIdle);
    if (made.problems.count + made.replaying.broken.count > 0 && whole !== null) {
      made = new ReplayedBooks(position, whole, this.isIdle);
      for await (const rows of this.entriesOf(id, id)) rows.forEach((row) => made.take(row));
      checkPosition(position, made, this.isIdle);
    }
    made.replaying.broken.report(id, this.differs);
    made.problems.report(id, this.differs);
    const { state } = made.replaying;
    if (state) addChange(this.books, from, { ...position, ...state });
    else if (from) this.books.add(contribution(from), -1);
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

/** The stored position against the one that its entries make. */
function checkPosition(
  position: StoredPosition,
  { replaying: { state }, problems, came, read: { lastAt } }: ReplayedBooks,
  isIdle: (vaultId: string) => boolean,
): void {
  const { transitId, usersPartnerId } = position;
  if (!state) return problems.add('is opened by no entry');
  if (transitId !== null && (came?.decisionId !== transitId || !isIdle(came.vaultId)))
    problems.add(`is in transit by ${transitId}, by which no entry moved it into cash last`);
  for (const name of REPLAYED) {
    const [stored, recomputed] = [position[name], state[name]];
    // Times are compared by their text, with milliseconds.
    if (stored !== recomputed && textOf(stored) !== textOf(recomputed))
      problems.add(`${name} is ${textOf(stored)}, by the ledger it is ${textOf(recomputed)}`);
  }
  if (lastAt !== null && position.accruedAt < lastAt)
    problems.add(`accruedAt is ${textOf(position.accruedAt)}, before its last entry at ${textOf(lastAt)}`);
  if (usersPartnerId !== position.partnerId)
    problems.add(`partnerId is ${position.partnerId}, its user's is ${textOf(usersPartnerId)}`);
}
