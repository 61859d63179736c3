/**
 * Points are counted in grains, integers that lose nothing: a micro-unit of principal, for a millisecond, times a hundredth of
 * multiplier. So time is exact to the millisecond, and sums do not depend on how a span was cut.
 */
export const GRAINS_PER_POINT = 1_000_000n * 86_400_000n * 100n;

/** A multiplier of one. */
const PLAIN_HUNDREDTHS = 100n;

/** What a campaign was from a moment on, until the next terms: a change never works backwards. */
export interface CampaignTerms {
  fromAt: Date;
  active: boolean;
  /** 150 is 1.5 times. */
  multiplierHundredths: number;
  startsAt: Date;
  /** Not included; null: open end. */
  endsAt: Date | null;
}

/**
 * All the multiplied milliseconds of a campaign up to a moment, counted from 1970. What a principal earns in a span is the
 * principal times the difference; so flows need no order, and a sum of principals earns what they earn one by one.
 */
export interface PointTime {
  /** While the campaign ran, multiplier included. */
  campaign: bigint;
  /** Outside it, at one. */
  plain: bigint;
}

/**
 * @param terms of the campaign that is carried, oldest first; empty: none is
 * @param at terms that begin later do not count
 */
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
 * 1 point a USD of net principal a day, times the multiplier while the campaign runs. A stablecoin counts 1 USD.
 *
 * @param principal that earns, micro-units, as of `time`; of one position, or summed over many of one campaign
 * @param moment each change of that principal times the point time of the change, summed
 * @returns grains
 */
export function pointsOf(principal: bigint, moment: PointTime, time: PointTime): PointTime {
  return {
    campaign: principal * time.campaign - moment.campaign,
    plain: principal * time.plain - moment.plain,
  };
}

/** Net principal that earns points, micro-units: below 0 (yield was taken out too) it earns nothing, and what a closed position lost is not there to earn. */
export function earningPrincipal({
  status,
  deposited,
  withdrawn,
}: {
  status: 'pending' | 'active' | 'closed';
  deposited: bigint;
  withdrawn: bigint;
}): bigint {
  return status !== 'closed' && deposited > withdrawn ? deposited - withdrawn : 0n;
}

/** What says which campaign a position carries. */
export interface CampaignOffer {
  id: string;
  /** null: every asset. */
  asset: string | null;
  multiplierHundredths: number;
  startsAt: Date;
  endsAt: Date | null;
}

/**
 * The campaign that a position carries from its opening to its end: of those that run then, for its asset or all, the one with the
 * highest multiplier; of equal ones the one that began first. One that starts later is never carried.
 *
 * @param campaigns active ones of the position's partner
 * @returns null of none
 */
export function bestCampaign<C extends CampaignOffer>(
  campaigns: readonly C[],
  asset: string,
  openedAt: Date,
): C | null {
  const running = campaigns.filter(
    (one) =>
      (one.asset === null || one.asset === asset) &&
      one.startsAt <= openedAt &&
      (one.endsAt === null || one.endsAt > openedAt),
  );
  return running.toSorted(byWorth)[0] ?? null;
}

/**
 * @param grains of one position, or summed over many
 * @returns points as answers show them, to 1e-6, rounded down
 */
export function toPoints(grains: bigint): number {
  return Number(grains / (GRAINS_PER_POINT / 1_000_000n)) / 1e6;
}

const byWorth = (a: CampaignOffer, b: CampaignOffer): number =>
  b.multiplierHundredths - a.multiplierHundredths ||
  a.startsAt.getTime() - b.startsAt.getTime() ||
  (a.id < b.id ? -1 : 1);
