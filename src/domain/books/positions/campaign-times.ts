import { Injectable } from '@nestjs/common';
import { pipelined } from '../../kernel/store/pipelined.js';
import { Store } from '../../kernel/store/store.js';
import { type PointTime, pointTime } from './points.js';
import * as queries from './terms.queries.js';

/** Point time of campaigns. */
@Injectable()
export class CampaignTimes {
  constructor(private readonly store: Store) {}

  /** Point time of a campaign, whose terms are share-locked until commit. @param campaignId null: no campaign, and no statement */
  async at(campaignId: string | null, at: Date): Promise<PointTime> {
    if (campaignId === null) return pointTime([], at);
    // Each statement sees the commits before it: the second one reads terms that were committed while the first waited for the lock.
    const [, terms] = await pipelined([
      this.store.query(queries.HOLD_CAMPAIGN, [campaignId]),
      this.store.query(queries.FIND_CAMPAIGN_TERMS, [campaignId]),
    ]);
    return pointTime(terms, at);
  }
}
