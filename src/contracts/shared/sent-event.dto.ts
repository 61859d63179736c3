import type { RoundedRate } from '../../domain/kernel/rate.js';
import { Shown } from '../../http/answer/shown.js';
import { PartnerPosition } from './position.dto.js';

/** `data` of `position.*`. */
export class PositionChange extends PartnerPosition {
  @Shown.id(
    'dec',
    'The decision that chose its vault, when it was opened or moved; null when money was withdrawn.',
    {
      nullable: true,
    },
  )
  decision_id: string | null;
}

/** `data` of `position.rebalanced`. */
export class PositionMove extends PositionChange {
  @Shown.number('What arrived of it in its vault, in whole asset units.', 249.95) amount: number;
  @Shown.number(
    'Its part of what the move cost, over all that was reported of it, in whole asset units.',
    0.05,
  )
  cost: number;
}

/** `data` of `position.withdrawn`. */
export class PositionWithdrawal extends PositionChange {
  @Shown.number('What the withdrawal paid out, in whole asset units.', 100) amount: number;
}

export const CROSSING_DIRECTIONS = ['above', 'below'] as const;

/** `data` of `yield.threshold`. */
export class ThresholdCrossing {
  @Shown.asset('Asset whose yield it is.') asset: string;
  @Shown.rate('The threshold, as a fraction: 0.05 is 5 %.', 0.05) threshold: RoundedRate;
  @Shown.choice(
    CROSSING_DIRECTIONS,
    '`above`: it was reached from below. `below`: the yield fell under it.',
    'above',
  )
  direction: (typeof CROSSING_DIRECTIONS)[number];
  @Shown.rate('Blended yield a year over the vaults of the asset now, as a fraction.', 0.0512)
  apy: RoundedRate;
  @Shown.rate('The same when it was last known before, as a fraction.', 0.0497) previous_apy: RoundedRate;
  @Shown.time('The hour of the yield.') at: string;
}
