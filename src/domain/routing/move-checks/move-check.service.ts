import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { DomainError } from '../../kernel/domain-error.js';
import { Store } from '../../kernel/store/store.js';
import { Chains } from '../../markets/chain/chains.js';
import { contractOf } from '../orders/order-calls.js';
import { MoveCheck, type CheckReason, type ShownCheck } from './move-check.js';
import * as queries from './move-check.queries.js';

type NewCheck = Pick<
  MoveCheck,
  'orderId' | 'step' | 'partnerId' | 'keyId' | 'asset' | 'vaultId' | 'txHash' | 'recordedAt'
> & {
  amount: bigint;
};

/** Reports of executors that are to be looked up: records them, shows them, and stops a key whose report the chain contradicts. */
@Injectable()
export class MoveCheckService {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly chains: Chains,
  ) {}

  /** Records a report in its transaction. What else its transaction serves is checked again with it. */
  async record(report: NewCheck): Promise<void> {
    const { amount, recordedAt, ...rest } = report;
    const { vaultId, txHash } = rest;
    const chain = this.settings.vaults.find(({ id }) => id === vaultId)?.chain ?? null;
    await this.checkAgain(chain, txHash, recordedAt);
    const check = { ...rest, chain, amount: `${amount}`, recordedAt, dueAt: recordedAt };
    await this.store.repository(MoveCheck).insert(check);
  }

  /** Looks at reports again whose transaction serves something else, too. */
  async checkAgain(chain: string | null, txHash: string, at: Date): Promise<void> {
    await this.store.query(queries.CHECK_AGAIN, [chain, txHash, at]);
  }

  /**
   * A key whose report the chain contradicts reports nothing more. The next step of the move, or another move of its batch, may be why: it is taken
   * where its transaction is the same.
   * @param report whose hash it names, of which order; null: none
   * @throws DomainError `report_unresolved`
   */
  async requireResolved(keyId: string, report: { txHash: string; orderId: string } | null): Promise<void> {
    const [blocking] = await this.store.query(queries.FIND_BLOCKING, [
      keyId,
      report?.txHash ?? null,
      report?.orderId ?? null,
    ]);
    if (!blocking) return;
    const { orderId, step } = blocking;
    throw new DomainError(
      'report_unresolved',
      `The chain contradicts a report of this key: that the move ${orderId} was ${step}. Nothing was changed: an administrator resolves it first, by POST /moves/${orderId}/resolve with step ${step}.`,
    );
  }

  /** Numbers of reports that the chain contradicts and nobody has resolved. */
  async countUnresolved(): Promise<Record<'mismatch' | 'not_found', number>> {
    const rows = await this.store.query(queries.COUNT_UNRESOLVED, []);
    const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    return { mismatch: 0, not_found: 0, ...counts };
  }

  /** Checks of orders, by order and step. */
  async find(orderIds: readonly string[]): Promise<Map<string, ShownCheck>> {
    if (orderIds.length === 0) return new Map();
    const rows = await this.store.query(queries.FIND_OF_ORDERS, [orderIds]);
    return new Map(rows.map((row) => [checkKey(row.orderId, row.step), this.toShown(row)]));
  }

  private toShown(row: MoveCheck): ShownCheck {
    const { status, checkedAt, resolution, note, resolvedAt, block, foundAmount } = row;
    const isNew = status === 'unchecked' && checkedAt === null;
    const reason = isNew ? this.obstacleOf(row) : row.reason;
    return {
      ...{ status, reason, checkedAt, resolution, note, resolvedAt },
      block: block === null ? null : Number(block),
      foundAmount: foundAmount === null ? null : BigInt(foundAmount),
    };
  }

  /** Reason why a report cannot be checked, or was not yet. */
  private obstacleOf({ vaultId }: MoveCheck): CheckReason {
    const contract = contractOf(vaultId, this.settings);
    if (contract === null) return 'contract_unknown';
    if (!this.chains.providers.has(contract.chain)) return 'no_rpc_url';
    return accountsOf(this.settings, contract.chain).size === 0 ? 'no_custody_account' : 'not_checked_yet';
  }
}

export const checkKey = (orderId: string, step: string): string => `${orderId} ${step}`;

/** Accounts of a chain that hold the funds, in lower case. */
export const accountsOf = (
  { custodyAccounts }: Pick<DomainSettings, 'custodyAccounts'>,
  chain: string,
): ReadonlySet<string> =>
  new Set((custodyAccounts as Readonly<Record<string, readonly string[] | undefined>>)[chain]);
