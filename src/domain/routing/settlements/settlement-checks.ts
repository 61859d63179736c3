import { Injectable } from '@nestjs/common';
import type { TokenContract } from '../../../config/chains.js';
import { DomainSettings } from '../../../config/domain-settings.js';
import { AlertEvents } from '../../outbound/alerts/alert-events.service.js';
import type { Hex } from '../../markets/chain/chain-provider.js';
import type { ChainReceipt, ReceiptLook } from '../../markets/chain/chain-pass.js';
import { Chains } from '../../markets/chain/chains.js';
import { Clock, HOUR_MS } from '../../kernel/clock.js';
import { tokenUnits } from '../../kernel/money.js';
import { rowsText } from '../../kernel/store/column.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import {
  CONTRADICTED,
  changeAlert,
  dueAfter,
  findingOn,
  type SettlementReason,
  type SettlementStatus,
} from './settlement.js';
import { tokenOf } from './settlement.service.js';
import * as queries from './settlement.queries.js';
import { tokenTransfers } from '../../markets/chain/receipt.js';
import { type ChangedCheck, MoveCheckPass } from '../move-checks/move-check-pass.js';

export interface ReportToCheck {
  type: 'deposit' | 'withdrawal';
  amount: bigint;
  token: TokenContract;
  /** The user's current wallets, in any letter case. */
  wallets: readonly string[];
  ageMs: number;
}

export interface ChainFinding {
  status: SettlementStatus;
  reason: SettlementReason | null;
  block: bigint | null;
  /** Net amount sent or received by the user's wallets; micro-units, rounded down. null when it was not checked. */
  foundAmount: bigint | null;
}

/** Checks a report by its transaction. As `findingOn`. */
export function findingOf(
  look: ReceiptLook,
  reported: ReportToCheck,
  notFoundMs: number,
): ChainFinding | null {
  return findingOn<ChainFinding>(look, { ageMs: reported.ageMs, notFoundMs }, (receipt) =>
    reported.wallets.length === 0
      ? { status: 'unchecked', reason: 'no_wallet', block: null, foundAmount: null }
      : { block: receipt.block.number, ...compareTransfers(receipt, reported) },
  );
}

/** The net sum over all transfers of the token in the transaction counts: an amount that left the user's wallets and returned was not deposited. */
function compareTransfers(
  { logs }: ChainReceipt,
  { type, amount, token, wallets }: ReportToCheck,
): Pick<ChainFinding, 'status' | 'reason' | 'foundAmount'> {
  const userWallets = new Set(wallets.map((address) => address.toLowerCase()));
  const transfers = tokenTransfers(logs).filter((entry) => entry.token === token.address);
  const userTransfers = transfers.filter(({ from, to }) => userWallets.has(from) || userWallets.has(to));
  const moved = userTransfers.reduce(
    (sum, { from, to, amount: part }) =>
      sum + (userWallets.has(from) ? part : 0n) - (userWallets.has(to) ? part : 0n),
    0n,
  );
  const netAmount = type === 'deposit' ? moved : -moved;
  const scale = tokenUnits(1n, token.decimals);
  const foundAmount = netAmount / scale;
  if (netAmount === amount * scale) return { status: 'confirmed', reason: null, foundAmount };
  const reason =
    transfers.length === 0 ? 'no_transfer' : userTransfers.length === 0 ? 'wrong_wallet' : 'wrong_amount';
  return { status: 'mismatch', reason, foundAmount };
}

/** Lease of a check, far longer than it takes; checks of a crashed process are repeated after it. */
const LEASE_MS = 10 * 60_000;
type DueRow = RowFrom<typeof queries.TAKE_DUE>;

export interface ChangedSettlement {
  settlementId: string;
  positionId: string;
  partnerId: string;
  before: SettlementStatus;
  status: SettlementStatus;
  reason: string | null;
}

export interface SettlementPass {
  /** Transfers, and reports of moves. */
  checked: number;
  changes: ChangedSettlement[];
  moveChanges: ChangedCheck[];
  silent: string[];
}

@Injectable()
export class SettlementChecks {
  private isRunning = false;

  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly clock: Clock,
    private readonly chains: Chains,
    private readonly alerts: AlertEvents,
    private readonly moves: MoveCheckPass,
  ) {}

  /**
   * A pass over due settlements and reports of moves: a limited number for each chain, taking each partner's oldest in round-robin order. The database is used before and
   * after a chain is read, never meanwhile. Passes do not overlap, since a chain may be slow.
   * @returns null when there is nothing to do, also when no chain can be read
   */
  async pass(): Promise<SettlementPass | null> {
    const readable = this.settings.tokens.filter(({ chain }) => this.chains.providers.has(chain));
    if (this.isRunning || readable.length === 0) return null;
    const checked: SettlementPass = { checked: 0, changes: [], moveChanges: [], silent: [] };
    this.isRunning = true;
    try {
      const byChain = Map.groupBy(readable, ({ chain }) => chain);
      const passes = [...byChain].map(([chain, tokens]) => this.checkChain(chain, tokens, checked));
      await Promise.all(passes);
    } finally {
      this.isRunning = false;
    }
    return checked;
  }

  private async checkChain(
    chain: string,
    tokens: readonly TokenContract[],
    checked: SettlementPass,
  ): Promise<void> {
    const now = this.clock.now();
    const { checksPerPass, checksPerPassPerPartner } = this.settings.constants.settlements;
    const assets = tokens.map(({ asset }) => asset);
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    const limits = [now, checksPerPassPerPartner, checksPerPass, leasedUntil] as const;
    const due = await this.store.query(queries.TAKE_DUE, [chain, assets, ...limits]);
    const dueMoves = await this.moves.takeDue(chain, assets, now, {
      perPartner: checksPerPassPerPartner,
      total: checksPerPass,
      leasedUntil,
    });
    if (due.length + dueMoves.length === 0) return;
    const pass = await this.chains.pass(chain);
    const hashes = new Set([...due, ...dueMoves].map(({ txHash }) => txHash as Hex));
    const looks = await pass?.receipts([...hashes]);
    if (!looks) {
      checked.silent.push(chain);
      if (dueMoves.length > 0) await this.moves.putOff(dueMoves);
      return this.putOff(due);
    }
    checked.checked += due.length + dueMoves.length;
    checked.changes.push(...(await this.check(chain, due, looks)));
    checked.moveChanges.push(...(await this.moves.check(chain, dueMoves, looks)));
  }

  private async putOff(due: readonly DueRow[]): Promise<void> {
    const { checkSeconds } = this.settings.constants.settlements;
    const again = new Date(this.clock.now().getTime() + checkSeconds * 1000);
    await this.store.query(queries.PUT_OFF, [due.map(({ id }) => id), again]);
  }

  private async check(
    chain: string,
    due: readonly DueRow[],
    looks: ReadonlyMap<Hex, ReceiptLook>,
  ): Promise<ChangedSettlement[]> {
    const now = this.clock.now();
    const { settlements } = this.settings.constants;
    const checked = due.map((row) => {
      const ageMs = now.getTime() - row.reportedAt.getTime();
      const reported = {
        ...row,
        token: tokenOf(this.settings, row.asset, row.chain!)!,
        ageMs,
      };
      const look = looks.get(row.txHash as Hex) ?? 'disputed';
      return { row, ageMs, finding: findingOf(look, reported, settlements.notFoundHours * HOUR_MS) };
    });
    await this.putOff(checked.filter(({ finding }) => finding === null).map(({ row }) => row));
    const payments = checked.filter(
      ({ row, finding }) => row.withdrawalId !== null && finding?.status === 'confirmed',
    );
    const unexplained = await this.moves.findUnexplained(
      chain,
      payments.map(({ row }) => row),
      looks,
    );
    const conclusive = checked.flatMap(({ row, ageMs, finding: found }) => {
      if (found === null) return [];
      const isOther = found.status === 'confirmed' && unexplained.has(row.txHash);
      const finding: ChainFinding = isOther
        ? { ...found, status: 'mismatch', reason: 'wrong_custody_amount' }
        : found;
      return [{ row, ageMs, finding }];
    });
    const findings = conclusive.map(({ row, ageMs, finding }) => ({
      id: row.id,
      ...finding,
      dueAt: dueAfter(finding.status, ageMs, now, settlements.checkSeconds * 1000),
    }));
    const byId = new Map(conclusive.map((entry) => [entry.row.id, entry]));
    return this.store.transaction(async () => {
      const stored = await this.store.query(queries.STORE_FINDINGS, [rowsText(findings), now]);
      const changed = stored
        .filter(({ before, status }) => before !== status)
        .map((entry) => ({ ...entry, ...byId.get(entry.id)! }));
      await this.notify(changed, now);
      return changed.map(({ id: settlementId, before, status, row, finding: { reason } }) => {
        const { positionId, partnerId } = row;
        return { settlementId, positionId, partnerId, before, status, reason };
      });
    });
  }

  private async notify(
    changed: readonly { before: SettlementStatus; row: DueRow; finding: ChainFinding }[],
    at: Date,
  ): Promise<void> {
    const addressed = changed.flatMap(({ before, row, finding }) => {
      const alert = changeAlert({ ...row, status: before }, finding, at);
      return alert === null ? [] : [{ alert, partnerIds: [row.partnerId] }];
    });
    await this.alerts.notifyAll(addressed, at);
  }
}

/** Whether a changed status contradicts the report. */
export const isAlarming = ({ status }: ChangedSettlement | ChangedCheck): boolean =>
  CONTRADICTED.includes(status);
