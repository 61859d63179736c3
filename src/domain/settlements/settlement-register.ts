import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { DomainError, invalid } from '../domain-error.js';
import { newId } from '../identifier.js';
import { Store } from '../store/store.js';
import { chainsOf } from './settlement.js';
import * as queries from './settlement.queries.js';

/** A transfer that is being reported. */
export interface ReportedTransfer {
  /** In lower case. */
  txHash: string;
  /** On which it settled; null: not named. */
  chain: string | null;
  positionId: string;
  partnerId: string;
  asset: string;
  at: Date;
}

/** Where transfers are recorded: one transfer, one record, also of two that arrive at once. */
@Injectable()
export class SettlementRegister {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /**
   * In the transaction of the transfer. It is checked against its chain afterwards.
   *
   * @throws DomainError `validation_failed` (chain), `settlement_already_recorded`, `settlement_unresolved`
   */
  async record({ txHash, chain, positionId, partnerId, asset, at }: ReportedTransfer): Promise<void> {
    const [found] = await this.store.query(queries.RECORD, [
      txHash,
      positionId,
      at,
      newId('settlement', at),
      partnerId,
      asset,
      this.chainOf(asset, chain),
    ]);
    const { recorded, blocking } = found!;
    if (recorded !== null) return;
    const [known] = await this.store.query(queries.FIND_BY_HASH, [txHash]);
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

  /** The one that was named, or the only one there is. @throws DomainError `validation_failed` for one that the asset is not on */
  private chainOf(asset: string, named: string | null): string | null {
    const chains = chainsOf(this.settings, asset);
    if (named === null) return chains.length === 1 ? chains[0]! : null;
    if (!chains.includes(named))
      throw invalid('chain', `must be one of ${chains.join(', ')}, where ${asset} is`);
    return named;
  }
}
