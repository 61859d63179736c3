import { MAX_ADVANCE_HOURS } from '../../domain/cycle/accounts/account.service.js';
import { SCENARIOS } from '../../domain/markets/simulation/simulated-market.js';
import { EVENT_TYPES, type EventType } from '../../domain/outbound/webhooks/event-type.js';
import { ChoiceField, IdField, TextField, WholeNumberField } from '../../http/request/fields.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { FreeObjectField } from '../../http/request/free-object-fields.js';

export class AdvanceClockRequest {
  @WholeNumberField({
    description: 'Hours to advance, at most a month.',
    min: 1,
    max: MAX_ADVANCE_HOURS,
    example: 24,
  })
  hours: number;
}

export class BendMarketRequest {
  @ChoiceField({
    description:
      'Behaviour of the market, or of the executor of moves, from the next hour on: `calm` (a quarter of the usual noise, no spikes), `rising` and `falling` (the regime follows within 8 days), ' +
      "`volatile` (a day of six times the noise), `outage` (the lending vaults' feeds are silent for 30 hours), `loss` (each asset's vault of the highest risk loses 5 % at once), " +
      '`run` (70 % of the assets of that vault leave within 12 hours), `failing` (its assets leave over a week, while its yield climbs beyond 30 % and nothing can be withdrawn any more; then it loses 40 %), ' +
      '`stalled` (no move is executed for 30 hours; after 24 it lapses), `queue` (every vault pays out after 24 hours), `full` (no vault takes funds).',
    of: SCENARIOS,
    example: 'rising',
  })
  scenario: (typeof SCENARIOS)[number];
}

export class SimulateEventRequest {
  @ChoiceField({
    description: 'Any event type.',
    of: EVENT_TYPES,
    kind: 'EventType',
    example: 'position.rebalanced',
  })
  type: EventType;

  @IdField({
    description:
      'Only to this endpoint, which must be active and subscribed. Default: all subscribed endpoints.',
    prefix: 'wh',
    optional: true,
    leftOut: true,
  })
  webhook_id?: string;

  @FreeObjectField({
    description: 'Fields that override the synthetic `data`.',
    optional: true,
    example: { amount: 12.5 },
  })
  data?: Record<string, unknown>;
}

export class ResetRequest {
  @TextField({
    description: 'Seed of the new market: the same seed gives the same market. Default: the current seed.',
    max: 64,
    optional: true,
    example: 'release-42',
  })
  seed?: string;
}

export class SimulationClock {
  @Shown.kind('simulation_clock') object: 'simulation_clock';
  @Shown.time("The account's time.") now: string;
  @Shown.time('Wall time.') wall_time: string;
  @Shown.integer('Whole hours that the account is ahead of wall time.', 24) hours_ahead: number;
  @Shown.time('The newest hour that was run.') hour: string;
  @Shown.text('Seed of its market: the same seed gives the same market.', 'release-42') seed: string;
  @ShownOrNull.choice(SCENARIOS, 'Scenario of its market; null: none.', 'rising')
  scenario: (typeof SCENARIOS)[number] | null;
  @ShownOrNull.time('First hour of the scenario; null without one.')
  scenario_from: string | null;
}

export class SimulationAdvance {
  @Shown.kind('simulation_advance') object: 'simulation_advance';
  @Shown.time("The account's time before.") from: string;
  @Shown.time("The account's time now.") to: string;
  @Shown.integer('Hours that were run.', 24) hours: number;
  @Shown.integer('Positions that moved between vaults.', 2) rebalances: number;
  @Shown.integer('Yield entries that daily statements posted.', 4) accruals: number;
  @Shown.integer('Events that were raised; their deliveries follow.', 3) events: number;
}

export class SimulatedEventRecord {
  @Shown.id('evt') id: string;
  @Shown.kind('event') object: 'event';
  @Shown.choice(EVENT_TYPES, 'Type of the event.', 'position.rebalanced', { kind: 'EventType' })
  type: (typeof EVENT_TYPES)[number];
  @Shown.time("When it was raised, in the account's time.") created_at: string;
  @Shown.object('The `data` that endpoints receive.', { asset: 'USDC', threshold: 0.05 })
  data: Record<string, unknown>;
}

export const eventView = viewOf(SimulatedEventRecord);
