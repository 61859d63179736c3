import { Injectable } from '@nestjs/common';
import { bool, integer, orNull, type RowOf, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import type { Campaign } from '../../tenants/partners/campaign.service.js';

/**
 * Points are counted in grains, lossless integers: micro-units of principal, times milliseconds, times hundredths of the multiplier. Time is
 * therefore exact to the millisecond, and sums do not depend on how a span is split.
 */
export const GRAINS_PER_POINT = 1_000_000n * 86_400_000n * 100n;

const PLAIN_HUNDREDTHS = 100n;

export const CAMPAIGN_TERMS = {
  fromAt: time(),
  active: bool(),
  /** 150 means a multiplier of 1.5. */
  multiplierHundredths: integer(),
  startsAt: time(),
  /** Exclusive; null: no end. */
  endsAt: orNull(time()),
};
export const CAMPAIGN_TERMS_COLUMNS = `from_at AS "fromAt", status = 'active' AS active, multiplier_hundredths AS "multiplierHundredths", starts_at AS "startsAt",
          ends_at AS "endsAt"`;

/** Terms of a campaign from a moment on, until the next ones: changes never apply retroactively. */
export type CampaignTerms = RowOf<typeof CAMPAIGN_TERMS>;

/**
 * Accumulated point time up to a moment: milliseconds since 1970, weighted by the multiplier. The points of a principal in a span are the principal
 * times the difference, so changes need no order, and a sum of principals earns the sum of their points.
 */
export interface PointTime {
  /** Time while the campaign ran, multiplier included. */
  campaign: bigint;
  /** Time outside of it, with a multiplier of 1. */
  plain: bigint;
}

/** @param terms of the position's campaign, oldest first; those that begin after `at` do not count */
export function pointTime(terms: readonly CampaignTerms[], at: Date): PointTime {
  let running = 0n;
  let campaign = 0n;
  terms.forEach(({ fromAt, active, startsAt, endsAt, multiplierHundredths }, index) => {
    if (!active) return;
    const from = Math.max(fromAt.getTime(), startsAt.getTime());
    const until = terms[index + 1]?.fromAt.getTime() ?? Infinity;
    const to = Math.min(until, endsAt?.getTime() ?? Infinity, at.getTime());
    if (to <= from) return;
    running += BigInt(to - from);
    campaign += BigInt(to - from) * BigInt(multiplierHundredths);
  });
  return { campaign, plain: (BigInt(at.getTime()) - running) * PLAIN_HUNDREDTHS };
}

/**
 * Points in grains: 1 for each USD of net principal and day, times the multiplier. `moment`: sum of each change of the principal times its point
 * time.
 */
export function pointsOf(principal: bigint, moment: PointTime, time: PointTime): PointTime {
  return {
    campaign: principal * time.campaign - moment.campaign,
    plain: principal * time.plain - moment.plain,
  };
}

/** Properties that decide which campaign a position gets. */
export type CampaignOffer = Pick<Campaign, 'id' | 'asset' | 'multiplierHundredths' | 'startsAt' | 'endsAt'>;

/**
 * Campaign of a position for its whole life: of those running at its opening, for its asset or all, the one with the highest multiplier, then the
 * first.
 */
export function bestCampaign<C extends CampaignOffer>(
  campaigns: readonly C[],
  asset: string,
  openedAt: Date,
): C | null {
  const running = campaigns.filter(
    (campaign) =>
      (campaign.asset === null || campaign.asset === asset) &&
      campaign.startsAt <= openedAt &&
      (campaign.endsAt === null || campaign.endsAt > openedAt),
  );
  return running.toSorted(compareOffers)[0] ?? null;
}

/** Millionths of a point of a number of grains, rounded down, as answers show them. */
export const toPoints = (grains: bigint): bigint => grains / (GRAINS_PER_POINT / 1_000_000n);

const compareOffers = (a: CampaignOffer, b: CampaignOffer): number =>
  b.multiplierHundredths - a.multiplierHundredths ||
  a.startsAt.getTime() - b.startsAt.getTime() ||
  (a.id < b.id ? -1 : 1);

/** Share lock on a campaign until commit: a change of its terms falls wholly before or after. */
const LOCK_CAMPAIGN = statement(
  'positions.lock_campaign',
  { values: [text()], row: { id: text() } },
  `SELECT id FROM campaigns WHERE id = $1 FOR SHARE`,
);

const FIND_CAMPAIGN_TERMS = statement(
  'positions.find_campaign_terms',
  { values: [text()], row: CAMPAIGN_TERMS },
  `SELECT ${CAMPAIGN_TERMS_COLUMNS}
     FROM campaign_terms WHERE campaign_id = $1 ORDER BY from_at`,
);

/** Point time of campaigns. */
@Injectable()
export class CampaignTimes {
  constructor(private readonly store: Store) {}

  /** Point time of a campaign, whose terms are share-locked until commit. @param campaignId null: no campaign, and no statement */
  async at(campaignId: string | null, at: Date): Promise<PointTime> {
    if (campaignId === null) return pointTime([], at);
    // Each statement sees the commits before it: the second one reads terms that were committed while the first waited for the lock.
    const [, terms] = await pipelined([
      this.store.query(LOCK_CAMPAIGN, [campaignId]),
      this.store.query(FIND_CAMPAIGN_TERMS, [campaignId]),
    ]);
    return pointTime(terms, at);
  }
}
