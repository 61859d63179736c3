import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Store } from '../../kernel/store/store.js';
import { hourOf } from '../../kernel/catalogue/hour.js';
import { indexWithin } from '../../markets/vaults/yield-index.js';
import { type Accruing, accrue, type Entry, type Position, type Quote } from './position.js';
import type { RevenueTerms } from './revenue.js';
import { SettledRevenue, toAccount } from './settled-revenue.js';
import * as queries from './terms.queries.js';

/** Partner's share of the fee from a moment on, until its next terms. */
export interface PartnerTerms {
  partnerId: string;
  fromAt: Date;
  shareBps: number;
}

/** Valuation of one market's positions at a moment. */
export interface Moment {
  marketId: string;
  /** Not before `hour`. */
  at: Date;
  /** Newest known hour of the market; earlier ones are read from snapshots. */
  hour: Date;
  /**
   * Quote of a vault at a moment from `hour` on.
   * @throws Error for a vault without index
   */
  quoteAt(this: void, vaultId: string, at: Date): Quote;
}

/**
 * Positions after their yield was posted, in the order given, each with its entries; and the revenue that they settled, which later entries extend.
 */
export interface Posted<Changed = Position> {
  posted: { position: Changed; entries: Entry[] }[];
  revenue: SettledRevenue;
  /** Terms in force at the moment up to which yield was posted. */
  termsOf(this: void, position: Accruing): RevenueTerms;
}

/** What locked positions are settled by. */
export interface Settling {
  /** Terms of their partners, oldest first. */
  terms: ReadonlyMap<string, readonly PartnerTerms[]>;
  /** Revenue accounts of their users, locked. */
  revenue: SettledRevenue;
}

/** Accrual of yield, at the terms that were in force while it grew. */
@Injectable()
export class Accruals {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
  ) {}

  /**
   * Posts yield up to a moment. When a partner's share changed since a position's last entry, yield up to the change is posted at the old share,
   * dated at the change and valued at the index of that moment: terms never apply retroactively. One statement for any number of positions, and
   * another where terms changed.
   * @param positions locked, of one market; those with an entry at `at` or later stay unchanged
   */
  async post(positions: readonly Position[], moment: Moment): Promise<Posted> {
    return this.settle(positions, moment, await this.lockRevenue(positions));
  }

  /** The same, where what the positions are settled by is at hand. */
  async settle<Changed extends Accruing>(
    positions: readonly Changed[],
    moment: Moment,
    { terms, revenue }: Settling,
  ): Promise<Posted<Changed>> {
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
    const termsOf = ({ partnerId }: Accruing): RevenueTerms =>
      this.termsBefore(moment.at, terms.get(partnerId) ?? []);
    return { posted, revenue, termsOf };
  }

  private async lockRevenue(positions: readonly Position[]): Promise<Settling> {
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

  /** Terms in force up to a moment, at which the yield before it is settled. */
  private termsBefore(at: Date, terms: readonly PartnerTerms[]): RevenueTerms {
    const { performanceFeeBps, partnerShareBps } = this.settings.constants.revenue;
    const inForce = terms.findLast(({ fromAt }) => fromAt < at) ?? terms[0];
    return { performanceFeeBps, partnerShareBps: inForce?.shareBps ?? partnerShareBps };
  }

  /** Quotes at moments before the newest hour, from the snapshots of the hours in which terms changed. */
  private async snapshotsAt(
    changes: readonly { at: Date; position: Accruing }[],
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
 * Time of a change to locked positions: now, or one millisecond after their last entries when the clock of the process that wrote those is ahead.
 * Within a millisecond, ids of two processes have no order.
 */
export function afterEntriesOf(positions: readonly Position[], now: Date): Date {
  const last = Math.max(...positions.map(({ accruedAt }) => accruedAt.getTime()));
  return last < now.getTime() ? now : new Date(last + 1);
}

const NO_CHANGES: Date[] = [];

/** Changes of a position's terms since its last posting; a partner's first terms are no change. */
function changesOf(position: Accruing, until: Date, terms: Settling['terms']): Date[] {
  const own = terms.get(position.partnerId) ?? [];
  // Nearly all partners.
  if (own.length < 2) return NO_CHANGES;
  return own
    .slice(1)
    .map(({ fromAt }) => fromAt)
    .filter((at) => at > position.accruedAt && at < until);
}
