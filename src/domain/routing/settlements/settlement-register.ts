import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { DomainError, invalid } from '../../kernel/domain-error.js';
import { newId } from '../../kernel/identifier.js';
import { Store } from '../../kernel/store/store.js';
import { chainsOf } from './settlement.js';
import { SettlementRecord } from './settlement.entity.js';
import * as queries from './settlement.queries.js';

export interface ReportedTransfer {
  txHash: string;
  /** Chain of the settlement; null: not named. */
  chain: string | null;
  positionId: string;
  /** Deposit that was split into several positions, of which this is one; null: none was. */
  depositId: string | null;
  /** Whether the transfer is of all these positions. */
  whole: boolean;
  partnerId: string;
  asset: string;
  at: Date;
}

/** Register of transfers: one record for each transfer, also when two reports arrive at once. */
@Injectable()
export class SettlementRegister {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
  ) {}

  /**
   * Records a transfer in its transaction. It is checked against its chain afterwards.
   * @throws DomainError `validation_failed` (chain), `settlement_already_recorded`, `settlement_unresolved`
   */
  async record({
    txHash,
    chain,
    positionId,
    depositId,
    whole,
    partnerId,
    asset,
    at,
  }: ReportedTransfer): Promise<void> {
    const [found] = await this.store.query(queries.RECORD, [
      txHash,
      positionId,
      at,
      newId('settlement', at),
      partnerId,
      asset,
      this.chainOf(asset, chain),
      depositId,
      whole ? depositId : null,
    ]);
    const { recorded, blocking } = found!;
    if (recorded !== null) return;
    const known = await this.store.repository(SettlementRecord).findOneBy({ txHash });
    if (known)
      throw new DomainError(
        'settlement_already_recorded',
        `The transfer ${txHash} is recorded already, with position ${known.positionId}. Nothing was changed.`,
      );
    throw new DomainError(
      'settlement_unresolved',
      `A transfer of this position is not what the chain says. Nothing was changed: resolve ${blocking} first, by POST /settlements/${blocking}/resolve.`,
    );
  }

  /** The named chain, or the asset's only one. @throws DomainError `validation_failed` for a chain that the asset is not on */
  private chainOf(asset: string, named: string | null): string | null {
    const chains = chainsOf(this.settings, asset);
    if (named === null) return chains.length === 1 ? chains[0]! : null;
    if (!chains.includes(named))
      throw invalid('chain', `must be one of ${chains.join(', ')}, where ${asset} is`);
    return named;
  }
}
