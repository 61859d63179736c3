import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { checkPeriod } from '../../kernel/domain-error.js';
import { Clock, hourOf } from '../../kernel/clock.js';
import { type Page, type PageRequest, toPage } from '../../kernel/store/page.js';
import { rowsText } from '../../kernel/store/column.js';
import { Store } from '../../kernel/store/store.js';
import type { Block } from '../../markets/chain/chain-provider.js';
import { Chains } from '../../markets/chain/chains.js';
import { PastPositions } from '../../books/ledger/past-positions.js';
import { type Holding, readHoldings } from '../../markets/vaults/holdings.js';
import { HeldBooks } from './held-books.js';
import { booksAt, coverageOf, type Reserve, type UnknownReserve } from './reserve.js';
import { BASE_MARKET } from '../../markets/hours/market.service.js';
import { type AccountsByHolder, Custody } from '../../tenants/partners/custody.js';
import { type HeldSource, type PlannedReserve, planReserves } from './reserve-plan.js';
import * as queries from './reserve.queries.js';

export interface ReservesReading {
  /** Of this hour, by vault. */
  reserves: Reserve[];
  /** The last known reserve of each vault, by partner, before it. */
  before: Reserve[];
}

export interface OwnReserve {
  reserve: Reserve;
  /** The partner's part of its books, micro-units. */
  ownBooks: bigint;
}

/** Who sees reserves: a partner those of its own accounts, and of vaults that it has funds in where accounts are shared. */
export interface ReservesViewer {
  /** null: not a partner. */
  partnerId: string | null;
  /** Sees those of each partner's accounts as well. */
  isAdministrator: boolean;
}

export interface ReservesFilter {
  viewer: ReservesViewer;
  /** Only of the accounts of this partner. */
  partnerId?: string;
  chain?: string;
  asset?: string;
  vaultId?: string;
  from?: Date;
  to?: Date;
}

/** What to read for a holder. */
type HolderReserve = PlannedReserve & Pick<Reserve, 'partnerId'>;

/** A chain at one block, and what its custody accounts hold by source; null: no finalized block. */
type ChainHoldings = ReadonlyMap<string, { block: Block; holdings: ReadonlyMap<HeldSource, Holding> } | null>;

/** Compares, hourly, what the custody accounts hold with the books. */
@Injectable()
export class ReservesService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly catalogue: Catalogue,
    private readonly chains: Chains,
    private readonly custody: Custody,
    private readonly books: HeldBooks,
    private readonly past: PastPositions,
  ) {}

  /**
   * Reads and stores the reserves of the present hour, once. The chains are read before the books, outside any transaction.
   * @returns null where no funds are real
   * @throws DomainError `service_unavailable` (clock error)
   */
  async read(): Promise<ReservesReading | null> {
    this.clock.requireRight();
    const isReadable = (chain: string): boolean => this.chains.providers.has(chain);
    if (planReserves(this.settings, isReadable).length === 0) return null;
    const readAt = this.clock.now();
    const hour = hourOf(readAt);
    const before = await this.store.query(queries.FIND_KNOWN_BEFORE, [hour]);
    if ((await this.store.query(queries.FIND_HOUR, [hour])).length === 0) {
      const plan = [...(await this.holders())].flatMap(([partnerId, custodyAccounts]) =>
        planReserves({ ...this.settings, custodyAccounts }, isReadable).map((row) => ({ ...row, partnerId })),
      );
      const chains = await this.readChains(plan);
      const read = plan.map((planned) => ({ hour, readAt, ...this.foundOf(planned, chains) }));
      const rows = await this.store.snapshot(() => this.withBooks(read));
      await this.store.query(queries.INSERT, [rowsText(rows.filter((row) => isTelling(row, before)))]);
    }
    return { reserves: await this.store.query(queries.FIND_HOUR, [hour]), before };
  }

  /** Accounts by holder; with separate custody, partners that have funds and no account have none. */
  private async holders(): Promise<AccountsByHolder> {
    const accounts = await this.custody.accounts();
    if (!this.custody.isSeparate) return accounts;
    const holding = await this.store.query(queries.FIND_PARTNERS_WITH_FUNDS, [BASE_MARKET]);
    return new Map([...holding.map(({ partnerId }) => [partnerId, {}] as const), ...accounts]);
  }

  private async readChains(plan: readonly HolderReserve[]): Promise<ChainHoldings> {
    const byChain = Map.groupBy(
      plan.flatMap(({ sources }) => sources),
      ({ chain }) => chain,
    );
    const read = [...byChain].map(async ([chain, sources]) => {
      const pass = await this.chains.pass(chain);
      if (pass === null) return [chain, null] as const;
      const holdings = await readHoldings(pass, sources);
      const bySource = new Map(sources.map((source, index) => [source, holdings[index]!]));
      return [chain, { block: pass.block, holdings: bySource }] as const;
    });
    return new Map(await Promise.all(read));
  }

  private foundOf({ sources, reason, ...planned }: HolderReserve, chains: ChainHoldings) {
    const read = sources.map((source) => ({ source, chain: chains.get(source.chain) ?? null }));
    const blocks = read.flatMap(({ chain }) => (chain === null ? [] : [chain.block]));
    const found = read.map(({ source, chain }): Holding | UnknownReserve =>
      chain === null ? 'no_finalized_block' : chain.holdings.get(source)!,
    );
    const unknown = reason ?? found.find((holding) => typeof holding === 'string') ?? null;
    const oldest = blocks.length === 0 ? null : Math.min(...blocks.map(({ at }) => at.getTime()));
    const held = found.reduce<bigint>(
      (sum, holding) => sum + (typeof holding === 'bigint' ? holding : 0n),
      0n,
    );
    const accounts = sources.flatMap((source) => source.accounts);
    return {
      ...planned,
      block: sources.length === 1 && blocks.length === 1 ? Number(blocks[0]!.number) : null,
      blockAt: oldest === null ? null : new Date(oldest),
      custodyAccounts: [...new Set(accounts)],
      chainHolds: unknown === null ? held : null,
      reason: unknown,
    };
  }

  /** Books at the block of each reserve. In a snapshot. */
  private async withBooks(read: readonly Omit<Reserve, 'books' | 'inFlight'>[]): Promise<Reserve[]> {
    const rows: Reserve[] = [];
    for (const [at, same] of Map.groupBy(read, (reserve) => booksAt(reserve).getTime())) {
      const { books, inFlight } = await this.books.byHolder(new Date(at), this.custody.isSeparate);
      for (const reserve of same) {
        const { partnerId, vaultId } = reserve;
        const amountIn = (amounts: typeof books): bigint => amounts.get(partnerId)?.get(vaultId) ?? 0n;
        rows.push({ ...reserve, books: amountIn(books), inFlight: amountIn(inFlight) });
      }
    }
    return rows;
  }

  /** The newest reading, as somebody who is no partner sees it; empty before the first. */
  newest({ isAdministrator }: Pick<ReservesViewer, 'isAdministrator'>): Promise<Reserve[]> {
    return this.store.query(queries.FIND_NEWEST, [isAdministrator, null]);
  }

  /** The newest reading of the vaults that a partner has funds in, with its own part of the books. */
  async newestOf(partnerId: string): Promise<OwnReserve[]> {
    const reserves = await this.store.query(queries.FIND_NEWEST, [false, partnerId]);
    const read = async (): Promise<OwnReserve[]> => {
      const own: OwnReserve[] = [];
      for (const [at, same] of Map.groupBy(reserves, (reserve) => booksAt(reserve).getTime())) {
        const isShared = same.some((reserve) => reserve.partnerId === null);
        const books = isShared ? await this.books.ofPartner(partnerId, new Date(at)) : null;
        for (const reserve of same) {
          const isOwn = reserve.partnerId !== null;
          const ownBooks = isOwn ? reserve.books : (books?.get(reserve.vaultId) ?? 0n);
          if (isOwn || ownBooks > 0n) own.push({ reserve, ownBooks });
        }
      }
      return own;
    };
    return this.past.runInTurn(partnerId, () => this.store.snapshot(read));
  }

  /** Newest first, by vault within an hour. @throws DomainError `validation_failed` (from after to, asset) */
  async list(
    { viewer, partnerId, chain, asset, vaultId, from, to }: ReservesFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<Reserve>> {
    checkPeriod(from, to);
    if (asset !== undefined) this.catalogue.requireAsset(asset);
    const own = viewer.partnerId === null ? null : await this.vaultsOf(viewer.partnerId);
    const rows = await this.store.query(queries.LIST, [
      ...([after?.at ?? 'infinity', after?.id ?? '', limit + 1, chain ?? null, asset ?? null] as const),
      ...([own, from ?? '-infinity', to ?? 'infinity'] as const),
      ...([viewer.isAdministrator, viewer.partnerId, vaultId ?? null, partnerId ?? null] as const),
    ]);
    return toPage(rows, limit, ({ hour, ...row }) => ({
      at: hour,
      id: `${row.vaultId} ${row.partnerId ?? ''}`,
    }));
  }

  private async vaultsOf(partnerId: string): Promise<string[]> {
    const rows = await this.store.query(queries.FIND_VAULTS_OF_PARTNER, [partnerId]);
    return rows.map(({ vaultId }) => vaultId);
  }

  /**
   * The reading nearest to the end of a closed day, and the lowest coverage of the vaults that a partner had funds in then; null: none within two
   * hours, or none that is known.
   */
  async atClosing(partnerId: string, dayEnd: Date): Promise<{ asOf: Date; coverage: number } | null> {
    const rows = await this.store.query(queries.FIND_AT_CLOSING, [partnerId, dayEnd]);
    const known = rows.flatMap((reserve) => coverageOf(reserve) ?? []);
    return known.length === 0 ? null : { asOf: rows[0]!.readAt, coverage: Math.min(...known) };
  }
}

/**
 * Whether a reading is stored. Most partners are in few vaults: of the others nothing is, once the last stored reading says so, unless their accounts
 * could not be read.
 */
function isTelling(row: Reserve, before: readonly Reserve[]): boolean {
  const isEmpty = (reserve: Reserve): boolean =>
    reserve.books === 0n && reserve.inFlight === 0n && !reserve.chainHolds;
  if (row.partnerId === null || !isEmpty(row)) return true;
  if (row.chainHolds === null) return row.custodyAccounts.length > 0;
  return before.some(
    (last) => last.partnerId === row.partnerId && last.vaultId === row.vaultId && !isEmpty(last),
  );
}
