import type { RowFrom } from '../../kernel/store/statement.js';
import type { CampaignTerms } from '../positions/points.js';
import type { PAGE_OF_ENTRIES, PAGE_OF_POSITIONS } from './position-check.queries.js';
import { bookedValue, REPLAYED, PositionReplay } from './replay.js';
import type { PartnerTermsOf, TermsSpan } from './terms-check.js';
import { Problems, textOf } from './verification.js';

export type StoredPosition = RowFrom<typeof PAGE_OF_POSITIONS>;
export type StoredEntry = RowFrom<typeof PAGE_OF_ENTRIES>;

/** Compares a stored position with the replay of its entries, which are not kept in memory. */
export class PositionCheck {
  readonly replaying: PositionReplay;
  readonly problems = new Problems();
  /** Entry that brought the funds into their vault: the last move, or the deposit. */
  private came: StoredEntry | null = null;
  private lastAt: Date | null = null;

  constructor(
    readonly position: StoredPosition,
    terms: readonly CampaignTerms[],
    private readonly isIdle: (vaultId: string) => boolean,
  ) {
    this.replaying = new PositionReplay(terms, isIdle);
  }

  take(entry: StoredEntry): void {
    const { type, voids } = entry;
    this.check(entry);
    this.replaying.take(entry);
    if (
      (type === 'rebalance' && entry.decisionId !== null) ||
      (type === 'deposit' && voids === null && this.came === null)
    )
      this.came = entry;
    this.lastAt = entry.at;
  }

  /** Changes of terms that an accrual spans. */
  spanning({ id: entryId, at, type, voids }: StoredEntry, terms: PartnerTermsOf): TermsSpan[] {
    const { lastAt } = this;
    const { state } = this.replaying;
    if (type !== 'yield_accrual' || voids !== null || !state || lastAt === null) return [];
    const { id: positionId, marketId, partnerId } = this.position;
    const changes = terms.changesBetween(partnerId, lastAt, at);
    if (changes.length === 0) return [];
    const { vaultId, shares } = state;
    const spanned = { positionId, entryId, marketId, vaultId, shares, inBooks: bookedValue(state) };
    return changes.map((change) => ({ ...spanned, change }));
  }

  /** Whether the next entry adds to an open position: an accrual, or a deposit after the first. */
  addsToPosition({ type, voids }: StoredEntry): boolean {
    return type === 'yield_accrual' || (type === 'deposit' && voids === null && this.lastAt !== null);
  }

  /** Checks the fields of an entry other than its amounts. */
  private check(entry: StoredEntry): void {
    const { problems, position } = this;
    const { id, type, txHash, voids, strayOf } = entry;
    if (entry.partnerId !== position.partnerId)
      problems.add(`entry ${id} is of ${entry.partnerId}, but the position of ${position.partnerId}`);
    if (!isBookedAt(id, entry.recordedAt.getTime()))
      problems.add(`entry ${id} was booked at a different time than its id says`);
    if (txHash !== null && entry.settledPositionId !== position.id)
      problems.add(`entry ${id} is of the transfer ${txHash}, which is not recorded with the position`);
    if (voids !== null && !entry.isVoided)
      problems.add(`entry ${id} takes back the transfer ${voids}, which is not voided`);
    if (strayOf !== null)
      problems.add(`entry ${id} is by the decision of ${strayOf}, at none of its reports`);
    if (entry.isBorne === false)
      problems.add(
        `entry ${id} is a cost of ${entry.cost} without decision, of no payment to its user and no resolution`,
      );
    if (!this.addsToPosition(entry) && voids === null && type !== 'withdrawal' && entry.isBorne === null)
      this.checkDecision(entry);
  }

  /** Checks that the vaults of a deposit or move are those of its decision, or cash in transit. */
  private checkDecision({ id, type, asset, vaultId, fromVaultId, decisionId, decision }: StoredEntry): void {
    const { problems, position, isIdle } = this;
    if (!decision)
      return problems.add(
        `entry ${id} is a ${type} by the decision ${textOf(decisionId)}, which does not exist`,
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

  /** Compares the stored position with its replay, once all entries were taken. */
  compare(): void {
    const { position, problems, came, lastAt, isIdle } = this;
    const { state } = this.replaying;
    const { transitId, usersPartnerId } = position;
    if (!state) return problems.add('is opened by no entry');
    if (transitId !== null && (came?.decisionId !== transitId || !isIdle(came.vaultId)))
      problems.add(`is in transit by ${transitId}, by which no entry moved it into cash last`);
    for (const name of REPLAYED) {
      const [stored, recomputed] = [position[name], state[name]];
      // Times are compared by their text, with milliseconds.
      if (stored !== recomputed && textOf(stored) !== textOf(recomputed))
        problems.add(`${name} is ${textOf(stored)}, but according to the ledger it is ${textOf(recomputed)}`);
    }
    if (lastAt !== null && position.accruedAt < lastAt)
      problems.add(`accruedAt is ${textOf(position.accruedAt)}, before its last entry at ${textOf(lastAt)}`);
    if (usersPartnerId !== position.partnerId)
      problems.add(`partnerId is ${position.partnerId}, but its user's is ${textOf(usersPartnerId)}`);
  }
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Place of the time in an id: ten base32 digits (48 bits) after the prefix. */
const TIME = { from: 4, digits: 10 };

/** Whether an id contains a time (milliseconds), as the database function `booked_id` writes it. */
function isBookedAt(id: string, time: number): boolean {
  for (let [rest, index] = [time, TIME.from + TIME.digits - 1]; index >= TIME.from; index--) {
    if (id[index] !== DIGITS[rest % 32]) return false;
    rest = Math.floor(rest / 32);
  }
  return true;
}
