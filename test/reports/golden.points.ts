import { END, HISTORY, type PositionName } from './golden.history.js';
import type { SheetPosition } from './golden.position.js';

/** Points in millionths, rounded down: by the campaign, and outside it. */
export interface SheetPoints {
  campaign: bigint;
  plain: bigint;
}

/** When the multiplier of the campaign became what, in hundredths; 0: it does not run. */
const MULTIPLIERS = HISTORY.flatMap((one) => {
  if (one.does === 'start campaign' || one.does === 'change campaign')
    return [{ from: one.at, hundredths: BigInt(one.multiplier * 100) }];
  return one.does === 'disable campaign' ? [{ from: one.at, hundredths: 0n }] : [];
});
const CAMPAIGN_BEGINS = MULTIPLIERS[0]!.from;

/**
 * A point a USD of net principal and day, times the multiplier while the campaign runs that a position was opened under: counted by the half hour,
 * as everybody acts at half past.
 */
export function computePoints(positions: Record<PositionName, SheetPosition>): SheetPoints {
  // Micro-units of principal, for half an hour, times hundredths.
  const sums = { campaign: 0n, plain: 0n };
  for (const position of Object.values(positions))
    for (let moment = position.opened; moment < END; moment += 0.5) {
      const principal = principalAt(position, moment);
      const multiplier = MULTIPLIERS.findLast(({ from }) => from <= moment)?.hundredths ?? 0n;
      if (position.opened >= CAMPAIGN_BEGINS && multiplier > 0n) sums.campaign += principal * multiplier;
      else sums.plain += principal * 100n;
    }
  const perMillionth = 48n * 100n;
  return { campaign: sums.campaign / perMillionth, plain: sums.plain / perMillionth };
}

/** What was in of a position, over time: micro-units times days, rounded down. */
export function capitalDays(positions: readonly SheetPosition[]): bigint {
  let halfHours = 0n;
  for (const position of positions)
    for (let moment = position.opened; moment < END; moment += 0.5)
      halfHours += principalAt(position, moment);
  return halfHours / 48n;
}

/** What was deposited less what was withdrawn until then; once more was withdrawn than deposited it earns nothing. */
function principalAt({ flows }: SheetPosition, moment: number): bigint {
  const principal = flows.filter((flow) => flow.at <= moment).reduce((sum, { amount }) => sum + amount, 0n);
  return principal > 0n ? principal : 0n;
}
