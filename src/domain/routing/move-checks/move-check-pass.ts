import { sum } from '../../kernel/money.js';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock, HOUR_MS } from '../../kernel/clock.js';
import { rowsText } from '../../kernel/store/column.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import type { Hex } from '../../markets/chain/chain-provider.js';
import type { ReceiptLook } from '../../markets/chain/chain-pass.js';
import { AlertEvents } from '../../outbound/alerts/alert-events.service.js';
import { accountsOn, Custody } from '../../tenants/partners/custody.js';
import { contractOf } from '../orders/order-calls.js';
import { dueAfter, type SettlementStatus } from '../settlements/settlement.js';
import { tokenOf } from '../settlements/settlement.service.js';
import { checkAlert, type CheckedStep, type MoveCheck } from './move-check.js';
import { isUnexplained, type MoveFinding, moveFindings, type ReportedTransaction } from './move-finding.js';
import * as queries from './move-check.queries.js';
import type { VaultContract } from './vault-entries.js';

export type DueCheck = RowFrom<typeof queries.TAKE_DUE>;

/** Limits of a pass: checks of a partner and in all, and until when they are leased. */
export interface PassLimits {
  perPartner: number;
  total: number;
  leasedUntil: Date;
}

export interface ChangedCheck {
  orderId: string;
  step: CheckedStep;
  txHash: string;
  keyId: string;
  partnerId: string;
  before: SettlementStatus;
  status: SettlementStatus;
  reason: string | null;
}

interface TransactionOfAsset {
  txHash: string;
  asset: string;
  partnerId: string;
}

/** A transaction may serve several orders, and an order have several transactions. */
const checkKey = ({ orderId, step, txHash }: Pick<MoveCheck, 'orderId' | 'step' | 'txHash'>): string =>
  `${orderId} ${step} ${txHash}`;

/** The part of a pass over a chain that looks up reports of moves. */
@Injectable()
export class MoveCheckPass {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly custody: Custody,
    private readonly clock: Clock,
    private readonly alerts: AlertEvents,
  ) {}

  /** Leases what is due on a chain: reports on vaults whose contract is known, where custody accounts are. */
  async takeDue(
    chain: string,
    assets: readonly string[],
    now: Date,
    limits: PassLimits,
  ): Promise<DueCheck[]> {
    const holders = await this.holdersOn(chain);
    if (holders.length === 0) return [];
    const partnerIds = this.custody.isSeparate ? holders.filter((holder) => holder !== null) : null;
    const vaultIds = this.settings.vaults
      .filter(({ id }) => contractOf(id, this.settings)?.chain === chain)
      .map(({ id }) => id);
    const { perPartner, total, leasedUntil } = limits;
    return this.store.query(queries.TAKE_DUE, [
      ...([chain, assets, now, perPartner, total, leasedUntil, vaultIds] as const),
      partnerIds,
    ]);
  }

  async putOff(due: readonly DueCheck[]): Promise<void> {
    const again = new Date(
      this.clock.now().getTime() + this.settings.constants.settlements.checkSeconds * 1000,
    );
    await this.store.query(queries.PUT_OFF, [
      due.map(({ orderId }) => orderId),
      due.map(({ step }) => step),
      due.map(({ txHash }) => txHash),
      again,
    ]);
  }

  /** Compares reports with the receipts of their transactions. @returns those whose status changed */
  async check(
    chain: string,
    due: readonly DueCheck[],
    looks: ReadonlyMap<Hex, ReceiptLook>,
  ): Promise<ChangedCheck[]> {
    if (due.length === 0) return [];
    const now = this.clock.now();
    const { notFoundHours, checkSeconds } = this.settings.constants.settlements;
    const found = await this.findings(chain, due, looks, now, notFoundHours * HOUR_MS);
    const undecided = due.filter((row) => !found.has(checkKey(row)));
    if (undecided.length > 0) await this.putOff(undecided);
    const conclusive = due.filter((row) => found.has(checkKey(row)));
    const findings = conclusive.map((row) => {
      const { orderId, step, txHash, recordedAt } = row;
      const finding = found.get(checkKey(row))!;
      const ageMs = now.getTime() - recordedAt.getTime();
      return {
        orderId,
        step,
        txHash,
        ...finding,
        dueAt: dueAfter(finding.status, ageMs, now, checkSeconds * 1000),
      };
    });
    const byKey = new Map(conclusive.map((row) => [checkKey(row), row]));
    return this.store.transaction(async () => {
      const stored = await this.store.query(queries.STORE_FINDINGS, [rowsText(findings), now]);
      const changed = stored.filter(({ before, status }) => before !== status);
      const changes = changed.map((check) => {
        const key = checkKey(check);
        return { row: byKey.get(key)!, before: check.before, finding: found.get(key)! };
      });
      await this.notify(changes, now);
      return changes.map(({ row, before, finding: { status, reason } }) => {
        const { orderId, step, txHash, keyId, partnerId } = row;
        return { orderId, step, txHash, keyId, partnerId, before, status, reason };
      });
    });
  }

  /**
   * Of final payments on a chain, the hashes of those in which the custody accounts moved something else than what was reported by their transactions.
   * Where no account is set, nothing is known.
   */
  async findUnexplained(
    chain: string,
    payments: readonly TransactionOfAsset[],
    looks: ReadonlyMap<Hex, ReceiptLook>,
  ): Promise<Set<string>> {
    if (payments.length === 0 || (await this.holdersOn(chain)).length === 0) return new Set();
    const transactions = await this.transactions(chain, payments);
    const unexplained = payments.filter((payment) => {
      const look = looks.get(payment.txHash as Hex);
      const transaction = transactions.get(this.keyOf(payment))!;
      return transaction.accounts.size > 0 && typeof look === 'object' && isUnexplained(look, transaction);
    });
    return new Set(unexplained.map(({ txHash }) => txHash));
  }

  /** Findings of due reports by order, step and transaction; none where providers disagree. */
  private async findings(
    chain: string,
    due: readonly DueCheck[],
    looks: ReadonlyMap<Hex, ReceiptLook>,
    now: Date,
    notFoundMs: number,
  ): Promise<Map<string, MoveFinding>> {
    const transactions = await this.transactions(chain, due);
    const findings = new Map<string, MoveFinding>();
    for (const [key, rows] of Map.groupBy(due, (row) => this.keyOf(row))) {
      const transaction = transactions.get(key)!;
      // The accounts were taken away meanwhile.
      if (transaction.accounts.size === 0) continue;
      const ageMs = now.getTime() - Math.min(...rows.map(({ recordedAt }) => recordedAt.getTime()));
      const { txHash } = rows[0]!;
      const found = moveFindings(looks.get(txHash as Hex) ?? 'disputed', transaction, {
        ageMs,
        notFoundMs,
      });
      found?.forEach((finding, place) => {
        const { orderId, step } = transaction.reports[place]!;
        findings.set(checkKey({ orderId, step, txHash }), finding);
      });
    }
    return findings;
  }

  /** Holders with accounts on a chain. */
  private async holdersOn(chain: string): Promise<(string | null)[]> {
    const accounts = await this.custody.accounts();
    return [...accounts.keys()].filter((holder) => accountsOn(accounts, holder, chain).size > 0);
  }

  /** Reports that are compared together: accounts of one holder moved the funds. */
  private keyOf({ txHash, asset, partnerId }: TransactionOfAsset): string {
    return `${txHash} ${asset} ${this.custody.holderOf(partnerId)}`;
  }

  /** What was reported of each asset by each transaction on a chain, by key. */
  private async transactions(
    chain: string,
    of: readonly TransactionOfAsset[],
  ): Promise<Map<string, ReportedTransaction>> {
    const hashes = [...new Set(of.map(({ txHash }) => txHash))];
    const [accounts, reports, transfers] = await Promise.all([
      this.custody.accounts(),
      this.store.query(queries.FIND_OF_TRANSACTIONS, [chain, hashes]),
      this.store.query(queries.FIND_TRANSFERS, [hashes]),
    ]);
    const [reportsByKey, transfersByKey] = [
      Map.groupBy(reports, (row) => this.keyOf(row)),
      Map.groupBy(transfers, (row) => this.keyOf(row)),
    ];
    return new Map(
      of.map((transaction) => {
        const key = this.keyOf(transaction);
        const held = accountsOn(accounts, this.custody.holderOf(transaction.partnerId), chain);
        const parts = [reportsByKey.get(key) ?? [], transfersByKey.get(key) ?? []] as const;
        return [key, this.transactionOf(chain, transaction.asset, held, ...parts)];
      }),
    );
  }

  private transactionOf(
    chain: string,
    asset: string,
    accounts: ReadonlySet<string>,
    reports: readonly RowFrom<typeof queries.FIND_OF_TRANSACTIONS>[],
    transfers: readonly RowFrom<typeof queries.FIND_TRANSFERS>[],
  ): ReportedTransaction {
    const paidFrom = new Map<string, bigint>();
    for (const { parts } of transfers)
      for (const [vaultId, paid] of Object.entries(parts ?? {}))
        paidFrom.set(vaultId, (paidFrom.get(vaultId) ?? 0n) + BigInt(paid));
    const vaultIds = new Set([...reports.map(({ vaultId }) => vaultId), ...paidFrom.keys()]);
    const contracts = [...vaultIds].flatMap((id): [string, VaultContract][] => {
      const contract = contractOf(id, this.settings);
      return contract ? [[id, contract]] : [];
    });
    return {
      reports,
      transfers: sum(transfers.map(({ amount }) => amount)),
      paidFrom,
      contracts: new Map(contracts),
      token: tokenOf(this.settings, asset, chain)!,
      accounts,
    };
  }

  private async notify(
    changes: readonly { row: DueCheck; before: SettlementStatus; finding: MoveFinding }[],
    at: Date,
  ): Promise<void> {
    const addressed = changes.flatMap(({ row, before, finding }) => {
      const alert = checkAlert({ ...row, status: before }, finding, at);
      return alert === null ? [] : [{ alert, partnerIds: [row.partnerId] }];
    });
    await this.alerts.notifyAll(addressed, at);
  }
}
