import { Injectable } from '@nestjs/common';
import { blendedApy } from '../markets/signals/blended.js';
import {
  PROJECTION_DAYS,
  projectedUplift,
  type Realized,
  type RealizedUplift,
  realizedUplift,
} from '../markets/signals/uplift.js';
import { MarketService } from '../markets/hours/market.service.js';
import type { Book } from '../books/positions/book-rows.js';
import { PositionService } from '../books/positions/position.service.js';
import { vaultOf } from '../books/positions/quotes.js';
import { Store } from '../kernel/store/store.js';
import { Catalogue } from '../kernel/catalogue/catalogue.js';
import {
  type BookShares,
  HeldShares,
  type HeldSums,
  type StoredHeldSums,
  type ValuedShares,
} from './partner-book.js';
import * as queries from './report.queries.js';
import { ReportService } from './report.service.js';
import { isIdle } from '../kernel/catalogue/vault.js';

export interface UpliftFilter {
  asset?: string;
  userId?: string;
  positionId?: string;
}

/** Uplift over one baseline. Amounts are micro-units, rates fractions. */
export interface UpliftOver {
  realized: RealizedUplift & Omit<Realized, 'capital'>;
  /** Projection at today's expected rates. null with insufficient history, or without holdings. */
  projected: {
    horizonDays: number;
    routedApy: number | null;
    baselineApy: number | null;
    uplift: bigint | null;
  };
}

export interface Uplift {
  asOf: Date;
  asset: string | null;
  /** Open and closed positions: withdrawals leave settled uplift. */
  positions: number;
  /** Baseline: the asset's lending vault throughout. */
  lending: UpliftOver;
  /** Baseline: each position's first vault throughout. */
  hold: UpliftOver;
}

/** Uplift of routing over two passive baselines, to which every deposit and withdrawal was applied as well. */
@Injectable()
export class UpliftService {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly reports: ReportService,
    private readonly positions: PositionService,
    private readonly catalogue: Catalogue,
  ) {}

  /** @throws DomainError `validation_failed` (asset), `not_found` (user or position that is not the partner's) */
  async read(partnerId: string, filter: UpliftFilter): Promise<Uplift> {
    const { asset } = filter;
    const counted = this.catalogue.assetsAsked(asset);
    const { valued, positions } = await this.holdings(partnerId, filter);
    const asOf = valued.view.now;
    return {
      asOf,
      asset: asset ?? null,
      positions,
      lending: over(valued, 'lending', counted, asOf),
      hold: over(valued, 'hold', counted, asOf),
    };
  }

  private async holdings(
    partnerId: string,
    { asset, userId, positionId }: UpliftFilter,
  ): Promise<{ valued: ValuedShares; positions: number }> {
    if (userId === undefined && positionId === undefined) {
      const book = await this.reports.book(partnerId);
      const assets = this.catalogue.assetsAsked(asset);
      return { valued: book, positions: assets.reduce((sum, one) => sum + book.totals(one).opened, 0) };
    }
    const [{ shares, sums }, view] = await Promise.all([
      this.find(partnerId, asset, userId, positionId),
      this.market.look(this.market.marketOf(partnerId)),
    ]);
    return {
      valued: new HeldShares(shares, sums, view),
      positions: shares.reduce((sum, row) => sum + row.positions, 0),
    };
  }

  private async find(
    partnerId: string,
    asset: string | undefined,
    userId: string | undefined,
    positionId: string | undefined,
  ): Promise<{ shares: BookShares[]; sums: StoredHeldSums[] }> {
    await this.positions.checkOwner(partnerId, { userId, positionId });
    const [found] = await (positionId === undefined
      ? this.store.query(queries.FIND_HOLDINGS_OF_USER, [partnerId, userId ?? null, asset ?? null])
      : this.store.query(queries.FIND_HOLDINGS_OF_POSITION, [partnerId, positionId, asset ?? null]));
    return found!;
  }
}

function over(
  valued: ValuedShares,
  baseline: Exclude<Book, 'routed'>,
  assets: readonly string[],
  now: Date,
): UpliftOver {
  const total = (book: Book): bigint => assets.reduce((sum, asset) => sum + valued.value(book, asset), 0n);
  const sums = assets.map((asset) => valued.heldSums(asset));
  const add = (of: (one: HeldSums) => bigint): bigint => sums.reduce((sum, one) => sum + of(one), 0n);
  const realized = {
    routedValue: total('routed'),
    baselineValue: total(baseline),
    settledUplift: add(baseline === 'lending' ? (one) => one.settledLending : (one) => one.settledHold),
    costs: add(({ costs }) => costs),
  };
  const firsts = sums.flatMap(({ firstAt }) => firstAt ?? []).map(Number);
  const capital = {
    principal: add(({ principal }) => principal),
    moment: add(({ capitalMoment }) => capitalMoment),
    firstAt: firsts.length === 0 ? null : new Date(Math.min(...firsts)),
  };
  const routedApy = blend(valued, assets, 'routed');
  const baselineApy = blend(valued, assets, baseline);
  return {
    realized: { ...realized, ...realizedUplift({ ...realized, capital }, now) },
    projected: {
      horizonDays: PROJECTION_DAYS,
      routedApy,
      baselineApy,
      uplift: projectedUplift(realized.routedValue, routedApy, baselineApy),
    },
  };
}

/**
 * Expected yield of the routed value if it were distributed as in a book: within an asset by that book's values, over the assets by the routed
 * values. Cash earns 0.
 */
function blend(valued: ValuedShares, assets: readonly string[], book: Book): number | null {
  const expected = (vaultId: string): number | null => {
    const { vault, expectedApy } = vaultOf(valued.view, vaultId);
    return isIdle(vault) ? 0 : expectedApy;
  };
  return blendedApy(
    assets.map((asset) => ({
      value: valued.value('routed', asset),
      apy: blendedApy(
        valued.values(book, asset).map(({ vaultId, value }) => ({ value, apy: expected(vaultId) })),
      ),
    })),
  );
}
