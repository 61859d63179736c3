import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { addHours, dayOf, hourOf } from '../../kernel/clock.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { indexWithin } from '../../markets/vaults/yield-index.js';
import { PartnerService } from '../../tenants/partners/partner.service.js';
import type { Entry, Position, Quote } from './position.js';
import { accrue } from './steps.js';
import {
  type ChangedPosition,
  type LockedPositions,
  PositionStore,
  type SettledChange,
} from './position.store.js';
import { type Moment, momentOf } from './quotes.js';
import type { RevenueTerms } from './revenue.js';
import type { PartnerTerms, SettledRevenue, SettlementTerms } from './settled-revenue.js';
import * as queries from './position.queries.js';

/** Positions after their yield was posted, in the order given, and the revenue that they settled, which later entries extend. */
export interface PostedYield extends SettledChange {
  posted: { position: Position; entries: Entry[] }[];
  revenue: SettledRevenue;
  /** Terms in force at the moment up to which yield was posted. */
  termsOf(this: void, position: Position): RevenueTerms;
}

/** Accrual of yield, at the terms that were in force while it grew. */
@Injectable()
export class Accruals {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
  ) {}

  /**
   * Posts yield up to a moment. Where a day ended whose statement has not reached the positions, yield up to its end is posted first, by the index of
   * that moment, so that the day can be closed whatever happens after it; and that of the users' other positions in the asset, so that a user's entries
   * are settled in the order of time. One statement for any number of positions, more where a day ended.
   * @param moment entries at it or later leave a position unchanged
   */
  async post(locked: LockedPositions, moment: Moment): Promise<PostedYield> {
    const { positions, stated, ...by } = locked;
    const dayEnd = dayOf(moment.at);
    if (positions.length === 0 || (stated !== null && stated >= dayEnd))
      return this.settle(positions, moment, by);
    const owners = ownersOf(positions);
    const otherIds = await this.store.query(queries.FIND_OTHERS, [
      owners.map(({ userId }) => userId),
      owners.map(({ asset }) => asset),
      dayEnd,
      positions.map(({ id }) => id),
    ]);
    const oldest = Math.min(...[...positions, ...otherIds].map(({ accruedAt }) => accruedAt.getTime()));
    const first = new Date(Math.max(oldest, stated?.getTime() ?? oldest));
    const days: Date[] = [];
    for (let day = addHours(dayOf(first), 24); day <= dayEnd; day = addHours(day, 24)) days.push(day);
    const { posted, ...settled } = await this.settle(
      [...otherIds, ...positions],
      moment,
      by,
      days,
      otherIds.length,
    );
    return {
      ...settled,
      posted: posted.slice(otherIds.length),
      earlierChanges: changesOf(otherIds, posted.slice(0, otherIds.length)),
    };
  }

  /**
   * Posts yield when the settlement terms are already loaded. When a partner's terms changed since a position's last entry, yield up to the change is
   * posted at the old ones, dated at the change: terms never apply retroactively.
   * @param days ends of days since the last statement, oldest first
   * @param partial number of leading positions that are posted only up to the last of these day ends
   */
  async settle(
    positions: readonly Position[],
    moment: Moment,
    { terms, revenue }: SettlementTerms,
    days: readonly Date[] = [],
    partial = 0,
  ): Promise<PostedYield> {
    const cutsOf = positions.map((position) => findCuts(position, moment.at, terms, days));
    const past = await this.snapshotsAt(
      positions.flatMap((position, index) => cutsOf[index]!.map((at) => ({ at, position }))),
      moment,
    );
    const posted = positions.map((position) => ({ position, entries: [] as Entry[] }));
    const post = (target: (typeof posted)[number], at: Date, quote: Quote): void => {
      const due = this.termsBefore(at, terms.get(target.position.partnerId) ?? []);
      const step = accrue(target.position, at, quote, due);
      target.position = step.position;
      if (step.entry) target.entries.push(revenue.accrual(step.position, step.entry, due));
    };
    const times = new Set(cutsOf.flatMap((cuts) => cuts.map(Number)));
    for (const time of [...times].toSorted((a, b) => a - b))
      posted.forEach((target, index) => {
        const at = cutsOf[index]!.find((cut) => cut.getTime() === time);
        if (at === undefined) return;
        const { vaultId } = target.position;
        post(target, at, hourOf(at) < moment.hour ? past.quoteAt(vaultId, at) : moment.quoteAt(vaultId, at));
      });
    posted.forEach((target, index) => {
      if (index >= partial && positions[index]!.accruedAt < moment.at)
        post(target, moment.at, moment.quoteAt(target.position.vaultId, moment.at));
    });
    const termsOf = ({ partnerId }: Position): RevenueTerms =>
      this.termsBefore(moment.at, terms.get(partnerId) ?? []);
    return { posted, revenue, termsOf };
  }

  /** Terms in force up to a moment, at which the yield before it is settled. */
  private termsBefore(at: Date, terms: readonly PartnerTerms[]): RevenueTerms {
    const { performanceFeeBps, partnerShareBps } = this.settings.constants.revenue;
    const inForce = terms.findLast(({ fromAt }) => fromAt < at) ?? terms[0];
    return inForce
      ? { performanceFeeBps: inForce.feeBps, partnerShareBps: inForce.shareBps }
      : { performanceFeeBps, partnerShareBps };
  }

  /** Quotes at moments before the newest hour, from the snapshots of their hours. */
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
    const snapshots = new Map(rows.map((row) => [keyOf(row.vaultId, row.hour), row]));
    return {
      quoteAt: (vaultId, at) => {
        const { hour, index, factor, apy } = snapshots.get(keyOf(vaultId, hourOf(at)))!;
        const passed = at.getTime() - hour.getTime();
        return { vaultId, index: indexWithin(index, factor, passed), apy };
      },
    };
  }
}

const NO_CUTS: Date[] = [];

/** Moments until which a position's yield is posted before the last: ends of days, and changes of terms. A partner's first terms are no change. */
function findCuts(
  position: Position,
  until: Date,
  terms: SettlementTerms['terms'],
  days: readonly Date[],
): Date[] {
  const changes = terms.get(position.partnerId) ?? [];
  // Nearly all positions.
  if (changes.length < 2 && days.length === 0) return NO_CUTS;
  const cuts = [...changes.slice(1).map(({ fromAt }) => fromAt), ...days];
  // A closed position earns nothing, and the market may have forgotten the hours since.
  if (position.shares === 0n) return NO_CUTS;
  const times = new Set(cuts.filter((at) => at > position.accruedAt && at < until).map(Number));
  return [...times].toSorted((a, b) => a - b).map((time) => new Date(time));
}

/** Changes of positions whose yield was posted; those that earned nothing since have none. @param posted in the order of the positions */
export const changesOf = (positions: readonly Position[], posted: PostedYield['posted']): ChangedPosition[] =>
  posted.flatMap(({ position, entries }, index) =>
    entries.length > 0 ? [{ before: positions[index]!, after: position, entries }] : [],
  );

const ownersOf = (positions: readonly Position[]): Pick<Position, 'userId' | 'asset'>[] => [
  ...new Map(positions.map(({ userId, asset }) => [`${userId} ${asset}`, { userId, asset }])).values(),
];

/** Changes of a partner's terms: the yield of all its positions is posted first, at the old ones, in the transaction of the change. */
@Injectable()
export class TermsService {
  constructor(
    private readonly market: MarketService,
    partners: PartnerService,
    private readonly accruals: Accruals,
    private readonly positions: PositionStore,
  ) {
    partners.postYieldAtOldTerms = (partnerId) => this.postYieldAtOldTerms(partnerId);
  }

  /** @returns the moment up to which the yield is posted, by the partner's market clock */
  private async postYieldAtOldTerms(partnerId: string): Promise<Date> {
    const marketId = this.market.marketOf(partnerId);
    const locked = await this.positions.lock(queries.LOCK_OF_PARTNER, [partnerId]);
    const { positions } = locked;
    if (positions.length === 0) return this.market.now(marketId);
    const view = await this.market.viewForBooking(marketId);
    const at = locked.after(view.now);
    const posted = await this.accruals.post(locked, momentOf(view, at));
    await this.positions.save(changesOf(positions, posted.posted), posted, at);
    return at;
  }
}
