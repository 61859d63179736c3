import { HOUR_MS } from '../../kernel/clock.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import { INDEX_SCALE, indexWithin } from '../../markets/vaults/yield-index.js';
import { FIND_HOURS_OF_ENTRIES } from './index-check.queries.js';
import type { PositionCheck, StoredEntry, StoredPosition } from './position-check.js';
import type { ComparedCounts, ReportDifference } from './verification.js';

type StoredHour = RowFrom<typeof FIND_HOURS_OF_ENTRIES>;

/** Hours beyond which those read before are dropped: some 10 MB. The accruals of a day share those of a midnight. */
const MAX_CACHED_HOURS = 20_000;

/** Indexes and APYs of entries against the hours of their vaults. */
export class EntryIndexes {
  private readonly hours = new Map<string, StoredHour>();
  private indexes = 0;
  private uncompared = 0;

  /** @param marketHours after which the market of an account forgets an hour */
  constructor(
    private readonly store: Store,
    private readonly marketHours: number,
    private readonly differs: ReportDifference,
  ) {}

  get compared(): ComparedCounts {
    return {
      indexes: this.indexes,
      'indexes not compared: their hours are no longer or not yet stored': this.uncompared,
    };
  }

  /** Reads the hours of a page of entries. */
  async read(
    entries: readonly StoredEntry[],
    replays: ReadonlyMap<string, Pick<PositionCheck, 'position'>>,
  ): Promise<void> {
    if (this.hours.size > MAX_CACHED_HOURS) this.hours.clear();
    const wanted = new Map<string, [marketId: string, vaultId: string, hour: Date]>();
    for (const entry of entries) {
      const position = replays.get(entry.positionId)?.position;
      if (!position) continue;
      const hour = hourOf(entry);
      const want = (vaultId: string): void => {
        const key = keyOf(position.marketId, vaultId, hour);
        if (!this.hours.has(key) && !wanted.has(key))
          wanted.set(key, [position.marketId, vaultId, new Date(hour)]);
      };
      want(entry.vaultId);
      if (entry.fromVaultId !== null) want(entry.fromVaultId);
      if (entry.lendingIndex !== null) want(position.lendingVaultId);
      if (entry.holdIndex !== null) want(holdVaultOf(entry, position));
    }
    if (wanted.size === 0) return;
    const requested = [...wanted.values()];
    const rows = await this.store.query(FIND_HOURS_OF_ENTRIES, [
      requested.map(([marketId]) => marketId),
      requested.map(([, vaultId]) => vaultId),
      requested.map(([, , hour]) => hour),
      this.marketHours,
    ]);
    for (const row of rows) this.hours.set(keyOf(row.marketId, row.vaultId, row.hour.getTime()), row);
  }

  /** Compares an entry whose hours were read. */
  check(entry: StoredEntry, position: StoredPosition): void {
    const { vaultId, fromVaultId, fromIndex, lendingIndex, holdIndex } = entry;
    this.checkApy(entry, this.compare(entry, position, 'index', vaultId, entry.shareIndex));
    if (fromVaultId !== null && fromIndex !== null)
      this.compare(entry, position, 'index of the vault it left', fromVaultId, fromIndex);
    if (lendingIndex !== null)
      this.compare(entry, position, 'index of the lending baseline', position.lendingVaultId, lendingIndex);
    if (holdIndex !== null)
      this.compare(entry, position, 'index of the hold baseline', holdVaultOf(entry, position), holdIndex);
  }

  /** @returns the hour of the vault */
  private compare(
    entry: StoredEntry,
    { id, marketId }: StoredPosition,
    what: string,
    vaultId: string,
    index: bigint,
  ): StoredHour {
    const start = hourOf(entry);
    const hour = this.hours.get(keyOf(marketId, vaultId, start))!;
    if (hour.isBeyond) {
      this.uncompared++;
      return hour;
    }
    this.indexes++;
    let should: bigint | null = null;
    if (hour.index !== null) should = indexWithin(hour.index, hour.factor!, entry.at.getTime() - start);
    // A vault that had no hour yet has the index with which it begins.
    else if (hour.isBeforeAll) should = INDEX_SCALE;
    if (index !== should)
      this.differs(
        id,
        `entry ${entry.id}: ${what} is ${index}, but according to the hour of its vault it is ${should ?? 'unknown'}`,
      );
    return hour;
  }

  /** An APY is one of the two that were observed last. */
  private checkApy({ id, positionId, apy }: StoredEntry, { index, apys }: StoredHour): void {
    if (index !== null && apy !== null && !apys.includes(apy))
      this.differs(
        positionId,
        `entry ${id}: apy is ${apy}, but according to the hour of its vault it is ${apys.join(' or ')}`,
      );
  }
}

const hourOf = ({ at }: StoredEntry): number => at.getTime() - (at.getTime() % HOUR_MS);

const keyOf = (marketId: string, vaultId: string, hour: number): string => `${marketId} ${vaultId} ${hour}`;

/** Vault of the hold baseline at an entry: until the position's first move, that of its funds. */
const holdVaultOf = ({ at, vaultId }: StoredEntry, { activeAt, originVaultId }: StoredPosition): string =>
  activeAt !== null && activeAt <= at ? originVaultId! : vaultId;
