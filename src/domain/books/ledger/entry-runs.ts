import { itemsOf } from '../../kernel/store/column.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { EntryJson, PAGE_OF_RUNS } from './ledger-runs.queries.js';
import { type StoredEntry, toEntry } from './position-check.js';
import type { Replay, Replaying } from './replay.js';

export type EntryRun = RowFrom<typeof PAGE_OF_RUNS>;

/** Replay of one position by lists of what it follows from. What breaks a rule is not named: the whole entries are read for that. */
export class RunReplay {
  /** Entries other than plain accruals. */
  readonly others: StoredEntry[] = [];
  entries = 0;
  private breaks = false;

  /** @param newestAt time of the newest entry that was replayed before; null: none was */
  constructor(
    private readonly replaying: Replaying,
    private newestAt: Date | null = null,
  ) {}

  take(run: EntryRun): void {
    const { replaying } = this;
    const amounts = itemsOf(run.amounts);
    const indexes = itemsOf(run.indexes);
    const vaultIds = run.vaultIds === null ? null : itemsOf(run.vaultIds);
    const others = run.others ?? [];
    let other = 0;
    for (let place = 0; place < run.entries; place++) {
      const amount = amounts[place]!;
      if (amount === 'NULL') {
        const entry = entryOf(others[other++]!);
        this.others.push(entry);
        replaying.take(entry);
      } else {
        const vaultId = vaultIds === null ? run.vaultId! : vaultIds[place]!;
        this.breaks ||= !replaying.takeAccrual(BigInt(amount), BigInt(indexes[place]!), vaultId);
      }
    }
    const { state } = replaying;
    this.breaks ||= run.userId !== state?.userId || run.asset !== state.asset;
    this.entries += run.entries;
    this.newestAt = run.lastAt;
  }

  get replay(): Replay {
    return this.replaying;
  }

  get lastAt(): Date {
    return this.newestAt ?? new Date(0);
  }

  /** True while there is an entry, and none breaks a rule. */
  get isSound(): boolean {
    return this.newestAt !== null && !this.breaks && this.replaying.broken.length === 0;
  }
}

/** What is recorded of its transfer is not known yet. */
function entryOf(fields: EntryJson): StoredEntry {
  const [id, at, type, userId, positionId, asset, vaultId, fromVaultId, amount, cost, shareIndex, ...more] =
    fields;
  const [fromIndex, lendingIndex, holdIndex, decisionId, txHash, voids] = more;
  return toEntry({
    id,
    at,
    type,
    userId,
    positionId,
    asset,
    vaultId,
    fromVaultId,
    amount,
    cost,
    shareIndex,
    fromIndex,
    lendingIndex,
    holdIndex,
    decisionId,
    txHash,
    voids,
    settledPositionId: null,
    isVoided: null,
  });
}
