/**
 * Points are counted in grains, integers that lose nothing: a micro-unit of principal, for a millisecond, times a hundredth of
 * multiplier. So time is exact to the millisecond, and sums do not depend on how a span was cut.
 */
export const GRAINS_PER_POINT = 1_000_000n * 86_400_000n * 100n;

/** A multiplier of one. */
const PLAIN_HUNDREDTHS = 100n;

/** The campaign that a position carries. */
export interface PointsCampaign {
  id: string;
  /** 150 is 1.5 times. */
  multiplierHundredths: number;
  startsAt: Date;
  /** When it ended or was disabled, itself not included; null: open end. */
  endsAt: Date | null;
}

/** Points of a span in grains. */
export interface Points {
  /** Earned while the campaign ran, multiplier included. */
  campaign: bigint;
  /** Earned outside it, at one. */
  plain: bigint;
}

/**
 * 1 point a USD of net principal a day, times the multiplier while the campaign runs. A stablecoin counts 1 USD.
 *
 * @param principal deposits less withdrawals, micro-units, unchanged over the span; below 0 (yield was taken out too) earns nothing
 * @param from included
 * @param to not included; not before `from`
 * @param campaign null: the position carries none
 * @throws RangeError where the span is turned round
 */
export function pointsOf(principal: bigint, from: Date, to: Date, campaign: PointsCampaign | null): Points {
  if (to < from) throw new RangeError('Points are earned forwards.');
  if (principal <= 0n) return { campaign: 0n, plain: 0n };
  const span = milliseconds(from, to);
  const running = campaign ? overlap(from, to, campaign) : 0n;
  return {
    campaign: principal * running * BigInt(campaign?.multiplierHundredths ?? 0),
    plain: principal * (span - running) * PLAIN_HUNDREDTHS,
  };
}

/**
 * The campaign that a position carries from its opening to its end: of those that run then, for its asset or all, the one with the
 * highest multiplier; of equal ones the one that began first. One that starts later is never carried.
 *
 * @param campaigns active ones of the position's partner
 * @returns null of none
 */
export function bestCampaign<C extends PointsCampaign & { asset: string | null }>(
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

const milliseconds = (from: Date, to: Date): bigint => BigInt(to.getTime() - from.getTime());

function overlap(from: Date, to: Date, { startsAt, endsAt }: PointsCampaign): bigint {
  const start = startsAt > from ? startsAt : from;
  const end = endsAt !== null && endsAt < to ? endsAt : to;
  return end > start ? milliseconds(start, end) : 0n;
}

const byWorth = (a: PointsCampaign, b: PointsCampaign): number =>
  b.multiplierHundredths - a.multiplierHundredths ||
  a.startsAt.getTime() - b.startsAt.getTime() ||
  (a.id < b.id ? -1 : 1);
