import type { Account, Advanced } from '../../domain/cycle/accounts/account.service.js';
import type { SimulationAdvance, SimulationClock } from './simulation.dto.js';

export const clockView = (account: Account): SimulationClock => ({
  object: 'simulation_clock',
  now: account.now.toISOString(),
  wall_time: account.wall.toISOString(),
  hours_ahead: account.hoursAhead,
  hour: account.hour.toISOString(),
  seed: account.seed,
  scenario: account.scenario?.name ?? null,
  scenario_from: account.scenario?.from.toISOString() ?? null,
});

export const advanceView = ({ from, to, hours, moved, accruals, events }: Advanced): SimulationAdvance => ({
  object: 'simulation_advance',
  from: from.toISOString(),
  to: to.toISOString(),
  hours,
  rebalances: moved,
  accruals,
  events,
});
