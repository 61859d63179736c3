import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Catalogue, type FeedSource } from '../../kernel/catalogue/catalogue.js';
import { pagesOf } from '../../kernel/store/pages.js';
import { Store } from '../../kernel/store/store.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { accrueIndex, hourlyFactor, INDEX_SCALE, isStale } from '../../markets/vaults/yield-index.js';
import * as queries from './index-check.queries.js';
import { LedgerVerifier } from './ledger-verifier.js';
import type { ComparedCounts, ReportDifference, VerifiedPart } from './verification.js';

const PAGE = 20_000;

type Hour = RowFrom<typeof queries.PAGE_OF_HOURS>;
type Kind = FeedSource['kind'] | 'unknown';

/** Hours of one vault in a market, oldest first. */
class VaultHours {
  private before: Hour | null = null;
  private observation: { lastApy: number | null; observedHour: Date | null } = {
    lastApy: null,
    observedHour: null,
  };

  /** @param isPriced whether a share price may have set its index and growth */
  constructor(
    private readonly kind: Kind,
    private readonly isPriced: boolean,
    private readonly differs: ReportDifference,
  ) {}

  contains({ marketId, vaultId }: Hour): boolean {
    return this.before?.marketId === marketId && this.before.vaultId === vaultId;
  }

  take(hour: Hour): void {
    const subject = `snapshots ${hour.marketId} ${hour.vaultId} ${hour.hour.toISOString()}`;
    const { before } = this;
    const grown = before ? accrueIndex(before.index, before.factor) : INDEX_SCALE;
    const isFirst = before === null && hour.isLoose;
    if (!isFirst && !before?.isLoose && !this.mayFollow(hour, grown))
      this.differs(subject, `its index is ${hour.index}, but according to the hour before it is ${grown}`);
    const factors = this.possibleFactors(hour);
    if (before && !before.isLoose && factors && !factors.some((factor) => isNear(factor, hour.factor)))
      this.differs(subject, `it grows by ${hour.factor}, but according to its observations by ${factors[0]}`);
    if (hour.apy !== null) this.observation = { lastApy: hour.apy, observedHour: hour.hour };
    this.before = hour;
  }

  /** An index follows from the hour before, but for a loss. */
  private mayFollow({ index, factor }: Hour, grown: bigint): boolean {
    if (index === grown) return true;
    const isPriceLoss = this.isPriced && factor === 0n;
    return index < grown && this.before !== null && (isPriceLoss || this.kind === 'simulated');
  }

  /** Growth by the newest observation: of the hour before for a feed, of the hour for a simulation. null: not known here. */
  private possibleFactors({ apy, hour }: Hour): bigint[] | null {
    if (this.isPriced || this.kind === 'unknown') return null;
    const now =
      this.kind === 'defillama' || apy === null ? this.observation : { lastApy: apy, observedHour: hour };
    return now.lastApy === null || isStale(now, hour) ? [0n] : [hourlyFactor(now.lastApy)];
  }
}

/** Mathematical libraries may differ in the last digit. */
const isNear = (a: bigint, b: bigint): boolean => a - b <= 1n && b - a <= 1n;

/** Indexes: each hour of a vault follows from the one before and its observations. */
@Injectable()
export class IndexVerifier implements VerifiedPart {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly settings: DomainSettings,
    ledger: LedgerVerifier,
  ) {
    ledger.parts.push(this);
  }

  private get retentionHours(): number {
    return this.settings.constants.retention.ownMarketHours;
  }

  async verify(differs: ReportDifference): Promise<ComparedCounts> {
    const kinds = new Map<string, Kind>(this.catalogue.vaults.map(({ id, feed }) => [id, feed.kind]));
    const priced = new Set((await this.store.query(queries.FIND_PRICED, [])).map(({ vaultId }) => vaultId));
    const read = (last: Hour | undefined): Promise<Hour[]> =>
      this.store.query(queries.PAGE_OF_HOURS, [
        ...([last?.marketId ?? '', last?.vaultId ?? '', last?.hour ?? '-infinity'] as const),
        ...([PAGE, this.retentionHours] as const),
      ]);
    let count = 0;
    let vault: VaultHours | null = null;
    for await (const rows of pagesOf(read, PAGE)) {
      count += rows.length;
      for (const row of rows) {
        if (!vault?.contains(row)) {
          const kind = kinds.get(row.vaultId) ?? 'unknown';
          vault = new VaultHours(kind, kind === 'chain' || priced.has(row.vaultId), differs);
        }
        vault.take(row);
      }
    }
    for (const { marketId, vaultId, is, should } of await this.store.query(queries.FIND_STATE_DIFFERENCES, [
      [...kinds.keys()],
    ]))
      differs(
        `vault_states ${marketId} ${vaultId}`,
        `its index and growth are ${is}, but according to its newest hour ${should || 'none'}`,
      );
    return { 'hours of vaults': count };
  }
}
