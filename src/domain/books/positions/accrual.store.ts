import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/identifier.js';
import { arrayText, itemsOf } from '../../kernel/store/column.js';
import { inParts, pipelined } from '../../kernel/store/transaction.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { AccruedSums } from './accrued-sums.js';
import type { Accruing, Entry } from './position.js';
import type { RevenueAccount } from './revenue.js';
import { type PartnerTerms, SettledRevenue, type Settling, toAccount } from './settled-revenue.js';
import { bookingOf } from './position.store.js';
import { ADD_TO_BOOKS, LOCK_NEXT, POST, POST_EARLIER } from './statement.queries.js';

/** Positions in one statement: while the database writes these, the process prepares the next ones. */
const POSTED_AT_ONCE = 1_000;

/** Position whose yield was posted, with its entries: accruals, in order. */
export interface PostedPosition {
  before: Accruing;
  after: Accruing;
  entries: Entry[];
}

/** Accruals on their way out of the database and into it, thousands at once. What else happens to positions, `PositionStore` stores. */
@Injectable()
export class AccrualStore {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Locks the next open positions of a market, by id, and the revenue accounts of their users, until commit. */
  async lockNext(
    marketId: string,
    afterId: string,
    limit: number,
  ): Promise<Settling & { positions: Accruing[] }> {
    const [row] = await this.store.query(LOCK_NEXT, [marketId, afterId, limit]);
    return {
      positions: positionsOf(row!),
      terms: Map.groupBy(termsOf(row!), ({ partnerId }) => partnerId),
      revenue: new SettledRevenue(accountsOf(row!)),
    };
  }

  /**
   * Stores accruals with what they settled and in the books, in the transaction of the caller.
   *
   * @param changes of positions that are locked
   * @param at up to when their yield is posted
   */
  async save(changes: readonly PostedPosition[], revenue: SettledRevenue, at: Date): Promise<void> {
    const accounts = revenue.changes;
    // There are no more accounts than positions, so each part has its share of both.
    const sent = await inParts(changes, POSTED_AT_ONCE, (part, from) => {
      const settled = accounts.slice(from, from + POSTED_AT_ONCE).map(({ after }) => after);
      return this.post(part, settled, at);
    });
    // The last part leaves before the books are summed.
    await turn();
    sent.push(this.store.query(ADD_TO_BOOKS, new AccruedSums(changes, accounts).lists));
    await pipelined(sent);
  }

  private async post(
    changes: readonly PostedPosition[],
    accounts: readonly RevenueAccount[],
    at: Date,
  ): Promise<void> {
    const partnerIds = [...new Set(changes.map(({ after }) => after.partnerId))];
    const booking = [arrayText(partnerIds), bookingOf(at, this.clock)] as const;
    const earlier = changes.flatMap(({ after, entries }) =>
      entries.filter((entry) => entry.at < at).map((entry) => ({ ...entry, position: after })),
    );
    const posted =
      earlier.length === 0 ? [] : [this.store.query(POST_EARLIER, [...earlierLists(earlier), ...booking])];
    await pipelined([...posted, this.store.query(POST, [...lists(changes, accounts, at), ...booking])]);
  }
}

function lists(changes: readonly PostedPosition[], accounts: readonly RevenueAccount[], at: Date) {
  const entries = changes.map(({ entries: own }) => {
    const last = own.at(-1);
    return last === undefined || last.at < at ? NONE : last;
  });
  return [
    at,
    arrayText(changes.map(({ after }) => after.id)),
    arrayText(changes.map(({ after }) => after.accrued)),
    arrayText(entries.map((entry) => (entry === NONE ? null : newId('event', at)))),
    ...accrued(entries),
    arrayText(accounts.map(({ userId }) => userId)),
    arrayText(accounts.map(({ asset }) => asset)),
    arrayText(accounts.map(({ settled }) => settled)),
    arrayText(accounts.map(({ carriedLoss }) => carriedLoss)),
    JSON.stringify(accounts.map(({ sums }) => sums.map(sumOf))),
    arrayText(accounts.map(({ totalFee }) => totalFee)),
    arrayText(accounts.map(({ totalPartner }) => totalPartner)),
  ] as const;
}

/** In place of an entry at the moment, where there are only earlier ones. */
const NONE = {
  amount: null,
  apy: null,
  shareIndex: null,
  feeBps: null,
  shareBps: null,
  revenuePlace: null,
  fee: null,
  partnerRevenue: null,
  carriedLoss: null,
} as const;

const earlierLists = (entries: readonly (Entry & { position: Accruing })[]) =>
  [
    arrayText(entries.map(({ at }) => newId('event', at))),
    arrayText(entries.map(({ at }) => at.toISOString())),
    arrayText(entries.map(({ position }) => position.partnerId)),
    arrayText(entries.map(({ position }) => position.userId)),
    arrayText(entries.map(({ position }) => position.id)),
    arrayText(entries.map(({ position }) => position.asset)),
    arrayText(entries.map(({ vaultId }) => vaultId)),
    ...accrued(entries),
  ] as const;

/** What was accrued, as columns in the order in which both statements take them. */
const accrued = (entries: readonly (Entry | typeof NONE)[]) =>
  [
    arrayText(entries.map(({ amount }) => amount)),
    arrayText(entries.map(({ apy }) => apy)),
    arrayText(entries.map(({ shareIndex }) => shareIndex)),
    arrayText(entries.map(({ feeBps }) => feeBps)),
    arrayText(entries.map(({ shareBps }) => shareBps)),
    arrayText(entries.map(({ revenuePlace }) => revenuePlace)),
    arrayText(entries.map(({ fee }) => fee)),
    arrayText(entries.map(({ partnerRevenue }) => partnerRevenue)),
    arrayText(entries.map(({ carriedLoss }) => carriedLoss)),
  ] as const;

const sumOf = (sum: RevenueAccount['sums'][number]) => ({
  ...sum,
  base: String(sum.base),
  fee: String(sum.fee),
  partner: String(sum.partner),
});

type Locked = RowFrom<typeof LOCK_NEXT>;

function positionsOf(row: Locked): Accruing[] {
  const [ids, partnerIds, userIds] = [row.ids, row.partnerIds, row.userIds].map(itemsOf);
  const [assets, vaultIds, slots, shares] = [row.assets, row.vaultIds, row.slots, row.shares].map(itemsOf);
  const [deposited, withdrawn] = [row.deposited, row.withdrawn].map(itemsOf);
  const [costs, accrued, accruedAt] = [row.costs, row.accrued, row.accruedAt].map(itemsOf);
  return ids!.map((id, place) => ({
    id,
    partnerId: partnerIds![place]!,
    userId: userIds![place]!,
    asset: assets![place]!,
    vaultId: vaultIds![place]!,
    slot: Number(slots![place]),
    shares: BigInt(shares![place]!),
    deposited: BigInt(deposited![place]!),
    withdrawn: BigInt(withdrawn![place]!),
    costs: BigInt(costs![place]!),
    accrued: BigInt(accrued![place]!),
    accruedAt: new Date(Number(accruedAt![place])),
  }));
}

function accountsOf(row: Locked): RevenueAccount[] {
  const [userIds, assets, partnerIds] = [row.accountUserIds, row.accountAssets, row.accountPartnerIds].map(
    itemsOf,
  );
  const [settled, settledAt, carriedLosses] = [row.settled, row.settledAt, row.carriedLosses].map(itemsOf);
  const [totalFees, totalPartners] = [row.totalFees, row.totalPartners].map(itemsOf);
  return userIds!.map((userId, place) =>
    toAccount({
      userId,
      asset: assets![place]!,
      partnerId: partnerIds![place]!,
      settled: Number(settled![place]),
      settledAt: settledAt![place] === 'NULL' ? null : Number(settledAt![place]),
      carriedLoss: carriedLosses![place]!,
      sums: row.sums![place]!,
      totalFee: totalFees![place]!,
      totalPartner: totalPartners![place]!,
    }),
  );
}

function termsOf(row: Locked): PartnerTerms[] {
  const [partnerIds, fromAt, fees, shares] = [
    row.termsPartnerIds,
    row.termsFromAt,
    row.termsFeeBps,
    row.termsShareBps,
  ].map(itemsOf);
  return partnerIds!.map((partnerId, place) => ({
    partnerId,
    fromAt: new Date(Number(fromAt![place])),
    feeBps: Number(fees![place]),
    shareBps: Number(shares![place]),
  }));
}
