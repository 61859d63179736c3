import { Injectable } from '@nestjs/common';
import { pipelined } from '../store/pipelined.js';
import { Store } from '../store/store.js';
import { type PointTime, pointTime } from './points.js';
import * as queries from './terms.queries.js';

/** Campaigns' time, by which points are counted. */
@Injectable()
export class CampaignTimes {
  constructor(private readonly store: Store) {}

  /**
   * The point time of a campaign, whose terms are held until commit.
   *
   * @param campaignId null: no campaign is carried, and no statement sent
   */
  async at(campaignId: string | null, at: Date): Promise<PointTime> {
    if (campaignId === null) return pointTime([], at);
    // Each sees what was committed before it: the terms, what whoever was waited for made of them.
    const [, terms] = await pipelined([
      this.store.query(queries.HOLD_CAMPAIGN, [campaignId]),
      this.store.query(queries.FIND_CAMPAIGN_TERMS, [campaignId]),
    ]);
    return pointTime(terms, at);
  }
}
