import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { AlertEvents } from '../alerts/alert-events.service.js';
import type { Hex } from '../chain/chain-provider.js';
import type { ReceiptLook } from '../chain/chain-pass.js';
import { Chains } from '../chain/chains.js';
import { Clock } from '../clock.js';
import { Store } from '../store/store.js';
import { DAY_MS, HOUR_MS } from '../vaults/hour.js';
import { type Finding, findingOf } from './finding.js';
import { CONTRADICTED, chainsOf, type SettlementStatus, tokenOf } from './settlement.js';
import { alertOfChange } from './settlement-alert.js';
import * as queries from './settlement.queries.js';
import type { SettlementRow } from './settlement.queries.js';

/** Far longer than a look at the chain takes: what a process that died had taken up is taken up again. */
const LEASE_MS = 10 * 60_000;
/** What is not in a block is looked at again after this part of its age. */
const PART_OF_AGE = 4;

type DueRow = SettlementRow & { wallets: string[] };

/** A transfer that was found to be something else than before. */
export interface Change {
  settlementId: string;
  positionId: string;
  partnerId: string;
  before: SettlementStatus;
  status: SettlementStatus;
  reason: string | null;
}

/** What a pass came to. */
export interface Checked {
  checked: number;
  /** Those whose status changed. */
  changes: Change[];
  /** Chains that could not be asked. */
  silent: string[];
  /** How many the chain contradicts and nobody has resolved. */
  unresolved: Record<'mismatch' | 'not_found', number>;
}

/** Looks up on their chains what was reported to have settled there. */
@Injectable()
export class SettlementChecks {
  private underWay = false;

  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly chains: Chains,
    private readonly alerts: AlertEvents,
  ) {}

  /**
   * A pass over what is due: so many at most of each chain, each partner's oldest ones in turn. The database is asked before and after a chain, never meanwhile. One pass at a time: while
   * another one is under way, whose chains may be slow, there is none.
   *
   * @returns null of none, also where no chain can be asked
   */
  async pass(): Promise<Checked | null> {
    if (this.underWay || this.pairs.length === 0) return null;
    const checked: Checked = {
      checked: 0,
      changes: [],
      silent: [],
      unresolved: { mismatch: 0, not_found: 0 },
    };
    this.underWay = true;
    try {
      await this.store.query(queries.ADOPT, [JSON.stringify(this.onlyChains())]);
      const byChain = Map.groupBy(this.pairs, ({ chain }) => chain);
      await Promise.all(
        [...byChain].map(([chain, pairs]) =>
          this.checkChain(
            chain,
            pairs.map(({ asset }) => asset),
            checked,
          ),
        ),
      );
    } finally {
      this.underWay = false;
    }
    const counts = await this.store.query(queries.COUNT_UNRESOLVED, []);
    for (const { status, count } of counts) checked.unresolved[status] = count;
    return checked;
  }

  private async checkChain(chain: string, assets: string[], checked: Checked): Promise<void> {
    const due = await this.takeDue(chain, assets);
    if (due.length === 0) return;
    const looks = await this.lookUp(chain, due);
    if (looks === null) {
      checked.silent.push(chain);
      return this.putOff(due);
    }
    checked.checked += due.length;
    checked.changes.push(...(await this.judge(due, looks)));
  }

  /** Assets on chains that can be asked for them. */
  private get pairs(): { asset: string; chain: string }[] {
    return this.settings.tokens.filter(({ chain }) => this.chains.reads(chain));
  }

  /** Of assets that are on one chain alone. */
  private onlyChains(): { asset: string; chain: string }[] {
    return this.settings.constants.assets.flatMap((asset) => {
      const [chain, ...others] = chainsOf(this.settings, asset);
      return chain !== undefined && others.length === 0 ? [{ asset, chain }] : [];
    });
  }

  private takeDue(chain: string, assets: string[]): Promise<DueRow[]> {
    const now = this.clock.now();
    const { checks_a_pass, checks_a_pass_per_partner } = this.settings.constants.settlements;
    return this.store.query(queries.TAKE_DUE, [
      chain,
      assets,
      now,
      checks_a_pass_per_partner,
      checks_a_pass,
      new Date(now.getTime() + LEASE_MS),
    ]);
  }

  private async lookUp(chain: string, due: readonly DueRow[]): Promise<Map<Hex, ReceiptLook> | null> {
    const pass = await this.chains.pass(chain);
    return pass?.receipts(due.map(({ txHash }) => txHash as Hex)) ?? null;
  }

  private async putOff(due: readonly DueRow[]): Promise<void> {
    const { check_seconds } = this.settings.constants.settlements;
    const again = new Date(this.clock.now().getTime() + check_seconds * 1000);
    await this.store.query(queries.PUT_OFF, [due.map(({ id }) => id), again]);
  }

  private async judge(due: readonly DueRow[], looks: ReadonlyMap<Hex, ReceiptLook>): Promise<Change[]> {
    const now = this.clock.now();
    const { settlements } = this.settings.constants;
    const judged = due.map((row) => {
      const ageMs = now.getTime() - row.reportedAt.getTime();
      const reported = {
        type: row.type,
        amount: BigInt(row.amount),
        token: tokenOf(this.settings, row.asset, row.chain!)!,
        wallets: row.wallets,
        ageMs,
      };
      const look = looks.get(row.txHash as Hex) ?? 'disputed';
      return { row, ageMs, finding: findingOf(look, reported, settlements.not_found_hours * HOUR_MS) };
    });
    await this.putOff(judged.filter(({ finding }) => finding === null).map(({ row }) => row));
    const known = judged.flatMap(({ row, ageMs, finding }) => (finding ? [{ row, ageMs, finding }] : []));
    const found = known.map(({ row, ageMs, finding }) => ({
      id: row.id,
      status: finding.status,
      reason: finding.reason,
      block: finding.block?.toString() ?? null,
      foundAmount: finding.foundAmount?.toString() ?? null,
      dueAt: dueAfter(finding, ageMs, now, settlements.check_seconds * 1000),
    }));
    const byId = new Map(known.map((one) => [one.row.id, one]));
    return this.store.transaction(async () => {
      const stored = await this.store.query(queries.STORE_FINDINGS, [JSON.stringify(found), now]);
      const changed = stored
        .filter(({ before, status }) => before !== status)
        .map((one) => ({ ...one, ...byId.get(one.id)! }));
      await this.tell(changed, now);
      return changed.map(({ id, before, status, row: { positionId, partnerId }, finding }) => ({
        settlementId: id,
        positionId,
        partnerId,
        before,
        status,
        reason: finding.reason,
      }));
    });
  }

  /** Those whose settlements are contradicted, or are so no more. */
  private async tell(
    changed: readonly { before: SettlementStatus; row: DueRow; finding: Finding }[],
    at: Date,
  ): Promise<void> {
    const addressed = changed.flatMap(({ before, row, finding }) => {
      const settlement = { ...row, amount: BigInt(row.amount), status: before };
      const alert = alertOfChange(settlement, finding, at);
      return alert === null ? [] : [{ alert, partnerIds: [row.partnerId] }];
    });
    await this.alerts.tellPartners(addressed, at);
    await this.alerts.tellAdministrators(
      addressed.map(({ alert }) => alert),
      at,
    );
  }
}

/** What is final is looked at no more; what is in a block soon, and the rest ever more seldom, so that hashes that were never sent cost little. */
function dueAfter({ status }: Finding, ageMs: number, now: Date, soonMs: number): Date | null {
  if (status === 'confirmed' || status === 'mismatch') return null;
  const later = Math.min(Math.floor(ageMs / PART_OF_AGE), DAY_MS);
  return new Date(now.getTime() + (status === 'seen' ? soonMs : Math.max(soonMs, later)));
}

/** Whether somebody is to be told. */
export const isAlarming = ({ status }: Change): boolean => CONTRADICTED.includes(status);
