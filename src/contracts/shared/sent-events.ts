import type { RoundedRate } from '../../domain/kernel/money.js';
import type { EventType } from '../../domain/outbound/webhooks/event-type.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import type { SentEvent } from '../../http/openapi/sent-events.js';
import { PartnerPosition } from './position.dto.js';
import { SystemStatus } from './webhook.dto.js';

class PositionChange extends PartnerPosition {
  @ShownOrNull.id('dec', 'Decision that chose its vault when it was opened or moved; null for a withdrawal.')
  decision_id: string | null;
}

class PositionMove extends PositionChange {
  @Shown.amount('Amount that arrived in the vault, in whole asset units.', 249.95) amount: number;
  @Shown.amount("Its part of the move's cost over all reports, in whole asset units.", 0.05)
  cost: number;
}

class PositionWithdrawal extends PositionChange {
  @Shown.amount('Amount paid out, in whole asset units.', 100) amount: number;
  @ShownOrNull.id('wdr', 'Withdrawal of its user that it is a part of; null: from this position alone.')
  withdrawal_id: string | null;
}

const CROSSING_DIRECTIONS = ['above', 'below'] as const;

class ThresholdCrossing {
  @Shown.asset('Asset of the yield.') asset: string;
  @Shown.rate('The threshold, as a fraction: 0.05 is 5 %.', 0.05) threshold: RoundedRate;
  @Shown.choice(
    CROSSING_DIRECTIONS,
    '`above`: the yield reached it from below. `below`: the yield fell below it.',
    'above',
  )
  direction: (typeof CROSSING_DIRECTIONS)[number];
  @Shown.rate("Current blended annual yield of the asset's vaults, as a fraction.", 0.0512)
  apy: RoundedRate;
  @Shown.rate('The previous known yield, as a fraction.', 0.0497) previous_apy: RoundedRate;
  @Shown.time('The hour of the yield.') at: string;
}

const EVENTS: Record<EventType, Omit<SentEvent, 'type'>> = {
  'position.opened': {
    summary: 'A position was opened',
    description:
      "An end-user's deposit opened a position. `decision_id` names the decision that chose its vault.",
    data: PositionChange,
  },
  'position.active': {
    summary: 'A position became active',
    description: 'The deposit of a position is in its vault and earns. Follows `position.opened`.',
    data: PositionChange,
  },
  'position.rebalanced': {
    summary: 'A position was moved',
    description:
      'A position was moved to the vault `vault_id`: `amount` arrived after a `cost`. `decision_id` names the decision behind it.',
    data: PositionMove,
  },
  'position.withdrawn': {
    summary: 'Money was withdrawn',
    description:
      '`amount` was withdrawn from a position: a part, or everything. The position is shown after the withdrawal.',
    data: PositionWithdrawal,
  },
  'position.closed': {
    summary: 'A position was closed',
    description: 'Nothing is left in the position. Follows its last `position.withdrawn`.',
    data: PositionChange,
  },
  'yield.threshold': {
    summary: 'A yield crossed a threshold',
    description:
      "The blended yield of an asset reached one of the deployment's thresholds from below, or fell under it. The same threshold raises another event only after the yield has moved away from it.",
    data: ThresholdCrossing,
  },
  'system.status': {
    summary: "The service's state",
    description:
      'A test send, an announcement of the operator, or an alert. An alert is sent when its condition begins and when it ends, to the partners whose funds or transfers it concerns.',
    data: SystemStatus,
  },
};

export const SENT_EVENTS: readonly SentEvent[] = Object.entries(EVENTS).map(([type, event]) => ({
  type,
  ...event,
}));
