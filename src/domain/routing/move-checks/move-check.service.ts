import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { DomainError } from '../../kernel/domain-error.js';
import { Store } from '../../kernel/store/store.js';
import { Chains } from '../../markets/chain/chains.js';
import { type AccountsByHolder, accountsOn, Custody } from '../../tenants/partners/custody.js';
import { contractOf } from '../orders/order-calls.js';
import type { Transaction } from '../orders/transactions.js';
import {
  MoveCheck,
  type CheckReason,
  checkOfReport,
  type ShownCheck,
  type ShownTransaction,
} from './move-check.js';
import * as queries from './move-check.queries.js';

type NewReport = Pick<
  MoveCheck,
  'orderId' | 'step' | 'partnerId' | 'keyId' | 'asset' | 'vaultId' | 'recordedAt'
> & { transactions: readonly Transaction[] };

/** What the chain says of a report. `transactions`: those of a report that named several. */
interface CheckedReport {
  check: ShownCheck;
  transactions?: readonly ShownTransaction[];
}

/** Reports of executors that are to be looked up: records them, shows them, and stops a key whose report the chain contradicts. */
@Injectable()
export class MoveCheckService {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly custody: Custody,
    private readonly chains: Chains,
  ) {}

  /** Records a report, each of its transactions with its amount. What else a transaction serves is checked again with it. */
  async record({ transactions, ...report }: NewReport): Promise<void> {
    const { vaultId, recordedAt } = report;
    const chain = this.settings.vaults.find(({ id }) => id === vaultId)?.chain ?? null;
    await this.checkAgain(
      chain,
      transactions.map(({ txHash }) => txHash),
      recordedAt,
    );
    const checks = transactions.map(({ txHash, amount }, index) => ({
      ...{ ...report, chain, dueAt: recordedAt },
      ...{ txHash, place: index + 1, amount: `${amount}` },
    }));
    await this.store.repository(MoveCheck).insert(checks);
  }

  /** Looks at reports again whose transactions serve something else, too. */
  async checkAgain(chain: string | null, txHashes: readonly string[], at: Date): Promise<void> {
    await this.store.query(queries.CHECK_AGAIN, [chain, [...txHashes], at]);
  }

  /**
   * A key whose report the chain contradicts reports nothing more. The next step of the move, or another move of its batch, may be why: it is taken
   * where its transaction is among those of the report.
   * @param report its hashes, and of which order; null: none
   * @throws DomainError `report_unresolved`
   */
  async requireResolved(
    keyId: string,
    report: { txHashes: readonly string[]; orderId: string } | null,
  ): Promise<void> {
    const [blocking] = await this.store.query(queries.FIND_BLOCKING, [
      keyId,
      [...(report?.txHashes ?? [])],
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

  /** What the chain says of the reports on orders, by order and step. */
  async find(orderIds: readonly string[]): Promise<Map<string, CheckedReport>> {
    if (orderIds.length === 0) return new Map();
    const rows = await this.store.query(queries.FIND_OF_ORDERS, [orderIds]);
    const accounts = await this.custody.accounts();
    const byReport = Map.groupBy(rows, ({ orderId, step }) => reportKey(orderId, step));
    return new Map([...byReport].map(([key, checks]) => [key, this.toReport(checks, accounts)]));
  }

  private toReport(rows: readonly MoveCheck[], accounts: AccountsByHolder): CheckedReport {
    const transactions = rows.map((row) => ({
      ...{ txHash: row.txHash, chain: row.chain, amount: BigInt(row.amount) },
      check: this.toShown(row, accounts),
    }));
    const check = checkOfReport(transactions.map((transaction) => transaction.check));
    return { check, ...(transactions.length > 1 && { transactions }) };
  }

  private toShown(row: MoveCheck, accounts: AccountsByHolder): ShownCheck {
    const { status, checkedAt, resolution, note, resolvedAt, block, foundAmount } = row;
    const isNew = status === 'unchecked' && checkedAt === null;
    const reason = isNew ? this.obstacleOf(row, accounts) : row.reason;
    return {
      ...{ status, reason, checkedAt, resolution, note, resolvedAt },
      block: block === null ? null : Number(block),
      foundAmount: foundAmount === null ? null : BigInt(foundAmount),
    };
  }

  /** Reason why a report cannot be checked, or was not yet. */
  private obstacleOf({ vaultId, partnerId }: MoveCheck, accounts: AccountsByHolder): CheckReason {
    const contract = contractOf(vaultId, this.settings);
    if (contract === null) return 'contract_unknown';
    if (!this.chains.providers.has(contract.chain)) return 'no_rpc_url';
    const held = accountsOn(accounts, this.custody.holderOf(partnerId), contract.chain);
    return held.size === 0 ? 'no_custody_account' : 'not_checked_yet';
  }
}

export const reportKey = (orderId: string, step: string): string => `${orderId} ${step}`;
