import { isIdle, type Vault } from '../../kernel/catalogue/catalogue.js';
import { isWithin, type Scenario } from './simulated-market.js';
import { SIMULATION_CONSTANTS } from './simulation-constants.js';

/** Scenario of a market, by its columns. */
export const scenarioOf = ({
  scenario: name,
  scenarioFrom: from,
}: {
  scenario: Scenario['name'] | null;
  scenarioFrom: Date | null;
}): Scenario | null => (name === null || from === null ? null : { name, from });

/** Terms of a vault under a scenario: in `queue` it pays out late, in `full` it takes nothing. Neither changes what it yields or holds. */
export function termsUnder(scenario: Scenario | null, hour: Date, vault: Vault): Vault {
  if (scenario === null || isIdle(vault) || !isWithin(scenario, hour, Infinity)) return vault;
  if (scenario.name === 'queue') return { ...vault, exitDelayHours: SIMULATION_CONSTANTS.queueHours };
  return scenario.name === 'full' ? { ...vault, capacity: 0n } : vault;
}

/** Whether the executor does nothing in this hour. */
export const isStalled = (scenario: Scenario | null, hour: Date): boolean =>
  scenario?.name === 'stalled' && isWithin(scenario, hour, SIMULATION_CONSTANTS.stalledHours);
