import { Injectable } from '@nestjs/common';
import { pipelined, Store } from '../../kernel/store/store.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { PartnerService } from '../../tenants/partners/partner.service.js';
import { type PointTime, pointTime } from './points.js';
import * as queries from './terms.queries.js';
import { Accruals, changesOf } from './accruals.js';
import { PositionStore } from './position.store.js';
import { momentOf } from './quotes.js';

/** Changes of a partner's terms: the yield of all its positions is posted first, at the old ones, in the transaction of the change. */
@Injectable()
export class TermsService {
  constructor(
    private readonly market: MarketService,
    partners: PartnerService,
    private readonly accruals: Accruals,
    private readonly positions: PositionStore,
  ) {
    partners.settleUp = (partnerId) => this.settleUp(partnerId);
  }

  /** @returns the moment up to which the yield is posted, by the partner's market clock */
  private async settleUp(partnerId: string): Promise<Date> {
    const marketId = this.market.marketOf(partnerId);
    const locked = await this.positions.lockOfPartner(partnerId);
    const { positions } = locked;
    if (positions.length === 0) return this.market.now(marketId);
    const view = await this.market.lookToBook(marketId);
    const at = locked.after(view.now);
    const posted = await this.accruals.post(locked, momentOf(view, at));
    await this.positions.save(changesOf(positions, posted.posted), posted, at);
    return at;
  }
}

/** Point time of campaigns. */
@Injectable()
export class CampaignTimes {
  constructor(private readonly store: Store) {}

  /** Point time of a campaign, whose terms are share-locked until commit. @param campaignId null: no campaign, and no statement */
  async at(campaignId: string | null, at: Date): Promise<PointTime> {
    if (campaignId === null) return pointTime([], at);
    // Each statement sees the commits before it: the second one reads terms that were committed while the first waited for the lock.
    const [, terms] = await pipelined([
      this.store.query(queries.LOCK_CAMPAIGN, [campaignId]),
      this.store.query(queries.FIND_CAMPAIGN_TERMS, [campaignId]),
    ]);
    return pointTime(terms, at);
  }
}
