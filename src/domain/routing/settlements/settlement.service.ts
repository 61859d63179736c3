import { Injectable } from '@nestjs/common';
import { EXPLORERS, type TokenContract } from '../../../config/chains.js';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Chains } from '../../markets/chain/chains.js';
import { DomainError, invalid, notFound } from '../../kernel/domain-error.js';
import { isId, newId } from '../../kernel/identifier.js';
import type { LedgerEntry } from '../../books/ledger/ledger.service.js';
import { type Page, type PageRequest, toPage } from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import {
  type Settlement,
  type SettlementReason,
  SettlementRecord,
  type SettlementStatus,
  type ShownSettlement,
} from './settlement.js';
import type { SettlementRow, ShownSettlementRow } from './settlement.queries.js';
import * as queries from './settlement.queries.js';

export interface SettlementFilter {
  /** Only this partner's; null: any. A position has to be the partner's. */
  partnerId: string | null;
  positionId?: string;
  status?: SettlementStatus;
  open: boolean;
}

/** `whole`: the transfer is of all positions of a split deposit. */
type ReportedTransfer = Pick<
  SettlementRecord,
  'positionId' | 'depositId' | 'partnerId' | 'asset' | 'chain'
> & {
  txHash: string;
  whole: boolean;
  /** The withdrawal that it pays; absent: it is of the position. */
  withdrawalId?: string;
  /** Key that reports it; absent: it does not matter. */
  keyId?: string | null;
  at: Date;
};

@Injectable()
export class SettlementService {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly chains: Chains,
  ) {}

  async get(id: string, partnerId: string | null): Promise<Settlement> {
    const [row] = isId('settlement', id) ? await this.store.query(queries.FIND, [id, partnerId]) : [];
    if (!row) throw notFound('settlement');
    return this.toSettlement(row);
  }

  async list(filter: SettlementFilter, { limit, after }: PageRequest): Promise<Page<Settlement>> {
    const { partnerId, positionId = null, status = null, open } = filter;
    const page = [after?.at ?? 'infinity', after?.id ?? '', open, limit + 1] as const;
    const rows = await this.store.query(queries.LIST, [...page, partnerId, status, positionId]);
    const { items, next } = toPage(rows, limit, ({ reportedAt, id }) => ({ at: reportedAt, id }));
    return { items: items.map((row) => this.toSettlement(row)), next };
  }

  /** For each position, the settlement that blocks further transfers, or else the one of its latest transfer; one statement for any number. */
  async findByPositions(positionIds: readonly string[]): Promise<Map<string, ShownSettlement>> {
    if (positionIds.length === 0) return new Map();
    const rows = await this.store.query(queries.FIND_OF_POSITIONS, [positionIds]);
    return new Map(rows.map((row) => [row.positionId, this.toShownSettlement(row)]));
  }

  /** Settlements of payments, by withdrawal; one statement for any number. */
  async findByWithdrawals(withdrawalIds: readonly string[]): Promise<Map<string, ShownSettlement>> {
    if (withdrawalIds.length === 0) return new Map();
    const rows = await this.store.query(queries.FIND_OF_WITHDRAWALS, [withdrawalIds]);
    return new Map(rows.map((row) => [row.withdrawalId, this.toShownSettlement(row)]));
  }

  /** Settlements of the transfers among ledger entries, by entry id; one statement for any number. */
  async findByEntries(entries: readonly LedgerEntry[]): Promise<Map<string, ShownSettlement>> {
    const transfers = entries.filter(({ type, txHash }) => type !== 'rebalance' && txHash !== null);
    if (transfers.length === 0) return new Map();
    const rows = await this.store.query(queries.FIND_OF_TRANSFERS, [
      transfers.map(({ positionId }) => positionId),
      transfers.map(({ at }) => at),
      transfers.map(({ txHash }) => txHash!),
    ]);
    const byTransfer = new Map(
      rows.map((row) => [`${row.positionId} ${row.txHash}`, this.toShownSettlement(row)]),
    );
    return new Map(
      transfers.flatMap(({ id, positionId, txHash }) => {
        const settlement = byTransfer.get(`${positionId} ${txHash}`);
        return settlement ? [[id, settlement] as const] : [];
      }),
    );
  }

  /**
   * Records a transfer in its transaction: one record for each, also when two reports arrive at once. It is checked against its chain afterwards.
   * @returns its chain; null: not known
   * @throws DomainError `validation_failed` (chain), `settlement_already_recorded`, `settlement_unresolved`
   */
  async record(transfer: ReportedTransfer): Promise<string | null> {
    const {
      txHash,
      chain,
      positionId,
      depositId,
      whole,
      partnerId,
      asset,
      at,
      withdrawalId = null,
      keyId = null,
    } = transfer;
    const settlementChain = this.chainOf(asset, chain);
    const [row] = await this.store.query(queries.RECORD, [
      txHash,
      positionId,
      at,
      newId('settlement', at),
      partnerId,
      asset,
      settlementChain,
      depositId,
      whole ? depositId : null,
      withdrawalId,
      keyId,
    ]);
    const { recorded, blocking } = row!;
    if (recorded !== null) return settlementChain;
    const existing = await this.store.repository(SettlementRecord).findOneBy({ txHash });
    if (existing)
      throw new DomainError(
        'settlement_already_recorded',
        `The transfer ${txHash} is already recorded, for position ${existing.positionId}. Nothing was changed.`,
      );
    throw unresolved(blocking!);
  }

  /** The named chain, or the asset's only one by the catalogue, where it has vaults and a contract. @throws DomainError `validation_failed` for a chain that the asset is not on */
  private chainOf(asset: string, named: string | null): string | null {
    const { vaults, tokens } = this.settings;
    const entries = [...vaults, ...tokens].filter((entry) => entry.asset === asset);
    const chains = [...new Set(entries.flatMap(({ chain }) => chain ?? []))];
    if (named === null) return chains.length === 1 ? chains[0]! : null;
    if (!chains.includes(named))
      throw invalid('chain', `must be one of ${chains.join(', ')}, the chains of ${asset}`);
    return named;
  }

  private toSettlement(row: SettlementRow): Settlement {
    return { ...row, ...this.toShownSettlement(row) };
  }

  /** A settlement that was never checked shows why. */
  private toShownSettlement(row: Omit<ShownSettlementRow, 'positionId'>): ShownSettlement {
    const { id, status, checkedAt, resolution, txHash, chain } = row;
    const isNew = status === 'unchecked' && checkedAt === null;
    const reason = isNew ? this.obstacleOf(row) : row.reason;
    const block = row.block === null ? null : Number(row.block);
    return { id, status, reason, block, checkedAt, resolution, txHash, chain };
  }

  /** Reason why a transfer cannot be checked, or was not yet. */
  private obstacleOf({ asset, chain }: { asset: string; chain: string | null }): SettlementReason {
    if (chain === null) return 'chain_not_named';
    if (tokenOf(this.settings, asset, chain) === null) return 'token_unknown';
    return this.chains.providers.has(chain) ? 'not_checked_yet' : 'no_rpc_url';
  }
}

export const unresolved = (settlementId: string): DomainError =>
  new DomainError(
    'settlement_unresolved',
    `A transfer of this position contradicts the chain. Nothing was changed: resolve ${settlementId} first, by POST /settlements/${settlementId}/resolve.`,
  );

export const tokenOf = (
  { tokens }: Pick<DomainSettings, 'tokens'>,
  asset: string,
  chain: string,
): TokenContract | null => {
  const token = tokens.find((entry) => entry.asset === asset && entry.chain === chain);
  return token ? { ...token, address: token.address.toLowerCase() } : null;
};

/** Page that shows a transfer to people. @returns null for a chain that is not known, or has no explorer */
export function explorerUrl(chain: string | null, txHash: string): string | null {
  const explorer = EXPLORERS.get(chain);
  return explorer === undefined ? null : explorer + txHash;
}
