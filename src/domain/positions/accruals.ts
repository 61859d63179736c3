import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Store } from '../store/store.js';
import { hourOf } from '../vaults/hour.js';
import { indexWithin } from '../vaults/yield-index.js';
import { accrue, type Entry, type Position, type Quote } from './position.js';
import type { RevenueTerms } from './revenue.js';
import { SettledRevenue, toAccount } from './settled-revenue.js';
import * as queries from './terms.queries.js';

/** What a partner's share of the fee is from a moment on, until its next terms. */
interface PartnerTerms {
  partnerId: string;
  fromAt: Date;
  shareBps: number;
}

/** Where positions of one market stand at a moment. */
export interface Moment {
  marketId: string;
  /** Not before `hour`. */
  at: Date;
  /** The newest hour of the market that is known: what was before it, snapshots say. */
  hour: Date;
  /** Of a vault that the positions are in, at a moment from `hour` on. @throws Error where it has no index */
  quoteAt(this: void, vaultId: string, at: Date): Quote;
}

/** Positions whose yield is posted, in the order given, each with its entries; and the revenue that they settled, to which later entries add. */
export interface Posted {
  posted: { position: Position; entries: Entry[] }[];
  revenue: SettledRevenue;
  /** What is in force at the moment up to which it was posted. */
  termsOf(this: void, position: Position): RevenueTerms;
}

/** Posts the yield of positions at the terms that were in force while it grew. */
@Injectable()
export class Accruals {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /**
   * Yield up to a moment. Where a partner's share changed since a position's last entry, yield up to the change is posted at the old share, dated
   * at the change and at the index of that moment: terms never work backwards. One statement for any number of positions, and another where terms changed.
   *
   * @param positions locked, of one market; those touched at `at` or later stay as they are
   */
  async post(positions: readonly Position[], moment: Moment): Promise<Posted> {
    const { terms, revenue } = await this.lockRevenue(positions);
    const changes = positions.flatMap((position) =>
      changesOf(position, moment.at, terms).map((at) => ({ at, position })),
    );
    const past = await this.snapshotsAt(changes, moment);
    const posted = positions.map((before) => {
      if (before.accruedAt >= moment.at) return { position: before, entries: [] };
      const own = terms.get(before.partnerId) ?? [];
      const entries: Entry[] = [];
      let position = before;
      const post = (at: Date, quote: Quote): void => {
        const due = this.termsBefore(at, own);
        const step = accrue(position, at, quote, due);
        position = step.position;
        if (step.entry) entries.push(revenue.accrual(position, step.entry, due));
      };
      for (const at of changesOf(before, moment.at, terms)) {
        const { vaultId } = before;
        post(at, hourOf(at) < moment.hour ? past.quoteAt(vaultId, at) : moment.quoteAt(vaultId, at));
      }
      post(moment.at, moment.quoteAt(before.vaultId, moment.at));
      return { position, entries };
    });
    const termsOf = ({ partnerId }: Position): RevenueTerms =>
      this.termsBefore(moment.at, terms.get(partnerId) ?? []);
    return { posted, revenue, termsOf };
  }

  private async lockRevenue(
    positions: readonly Position[],
  ): Promise<{ terms: Map<string, PartnerTerms[]>; revenue: SettledRevenue }> {
    const partnerIds = [...new Set(positions.map(({ partnerId }) => partnerId))];
    const owners = new Map(positions.map(({ userId, asset }) => [`${userId} ${asset}`, { userId, asset }]));
    const [found] = await this.store.query(queries.LOCK_REVENUE, [
      partnerIds,
      [...owners.values()].map(({ userId }) => userId),
      [...owners.values()].map(({ asset }) => asset),
    ]);
    const terms = found!.terms.map((row) => ({ ...row, fromAt: new Date(row.fromAt) }));
    return {
      terms: Map.groupBy(terms, ({ partnerId }) => partnerId),
      revenue: new SettledRevenue(found!.accounts.map(toAccount)),
    };
  }

  /** What was in force up to a moment: yield that grew before it is settled at that. */
  private termsBefore(at: Date, terms: readonly PartnerTerms[]): RevenueTerms {
    const { performance_fee_bps: performanceFeeBps, partner_share_bps } = this.settings.constants.revenue;
    const inForce = terms.findLast(({ fromAt }) => fromAt < at) ?? terms[0];
    return { performanceFeeBps, partnerShareBps: inForce?.shareBps ?? partner_share_bps };
  }

  /** Quotes of moments in hours before the newest one, from the snapshots of those in which terms changed. */
  private async snapshotsAt(
    changes: readonly { at: Date; position: Position }[],
    { marketId, hour: newest }: Moment,
  ): Promise<Pick<Moment, 'quoteAt'>> {
    const past = changes.filter(({ at }) => hourOf(at) < newest);
    const hours = new Set(past.map(({ at }) => hourOf(at).getTime()));
    const vaultIds = new Set(past.map(({ position }) => position.vaultId));
    const rows =
      past.length === 0
        ? []
        : await this.store.query(queries.FIND_INDEXES, [
            marketId,
            [...vaultIds],
            [...hours].map((time) => new Date(time)),
          ]);
    const keyOf = (vaultId: string, hour: Date): string => `${vaultId} ${hour.getTime()}`;
    const found = new Map(rows.map((row) => [keyOf(row.vaultId, row.hour), row]));
    return {
      quoteAt: (vaultId, at) => {
        const { hour, index, factor, apy } = found.get(keyOf(vaultId, hourOf(at)))!;
        const passed = at.getTime() - hour.getTime();
        return { vaultId, index: indexWithin(BigInt(index), BigInt(factor), passed), apy };
      },
    };
  }
}

/**
 * When something happens to positions that are locked: now, or a moment after their last entries, where the clock of those who wrote these is
 * ahead: within a millisecond, ids of two processes have no order.
 */
export function afterEntriesOf(positions: readonly Position[], now: Date): Date {
  const last = Math.max(...positions.map(({ accruedAt }) => accruedAt.getTime()));
  return last < now.getTime() ? now : new Date(last + 1);
}

/** When the terms of a position changed since its yield was posted; the terms that a partner begins with are no change. */
function changesOf(position: Position, until: Date, terms: ReadonlyMap<string, PartnerTerms[]>): Date[] {
  const own = terms.get(position.partnerId) ?? [];
  return own
    .slice(1)
    .map(({ fromAt }) => fromAt)
    .filter((at) => at > position.accruedAt && at < until);
}
