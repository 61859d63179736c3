import { readConstants } from '../../../src/config/constants.js';
import { regimeConstants } from '../../../src/domain/markets/signals/regime.js';
import { signalConstants } from '../../../src/domain/markets/signals/signal.js';
import { idleVault } from '../../../src/config/vault-catalogue.js';
import {
  type Advance,
  distressRules,
  hoursNeeded,
  Market,
  type MarketRules,
} from '../../../src/domain/markets/hours/market.js';
import { type Scenario, SimulatedMarket } from '../../../src/domain/markets/simulation/simulated-market.js';
import { addHours, hoursBetween } from '../../../src/domain/kernel/clock.js';
import type { Vault } from '../../../src/domain/kernel/catalogue/catalogue.js';
import { idleState, nextHour } from '../../../src/domain/markets/vaults/vault-state.js';
import { NOTHING_RECENT } from '../../../src/domain/markets/vaults/recent.js';
import { MAX_STEP } from '../../../src/domain/markets/vaults/yield-index.js';
import type { RoutingVault } from '../../../src/domain/routing/allocation/candidates.js';
import {
  routingConstants,
  type RoutingRules,
} from '../../../src/domain/routing/allocation/routing-constants.js';

export const WEATHERS = [
  'plain',
  'calm',
  'rising',
  'falling',
  'volatile',
  'outage',
  'loss',
  'run',
  'failing',
] as const;
export type Weather = (typeof WEATHERS)[number];

export const HISTORY_HOURS = 30 * 24;
/** Scenarios that last only for hours are repeated: the first start, as an hour of the year, and the interval in hours. */
const AGAIN: Partial<Record<Weather, { first: number; every: number }>> = {
  volatile: { first: 0, every: 14 * 24 },
  outage: { first: 7 * 24, every: 28 * 24 },
  run: { first: 7 * 24, every: 28 * 24 },
  loss: { first: 182 * 24, every: 365 * 24 },
  failing: { first: 182 * 24, every: 365 * 24 },
};
export const BEGINNING = new Date('2026-01-01T00:00:00.000Z');

/** The vaults of the first asset of the sandbox, and the rules that it follows. */
export function sandboxRules(asset = 'USDC') {
  const { constants, vaults, bridgeCosts } = readConstants('sandbox');
  return {
    constants,
    bridgeCosts,
    vaults: vaults.filter((vault) => vault.asset === asset),
    idle: idleVault(asset),
  };
}

/** The routing rules by which decisions of the year are made. */
export function benchRules(): RoutingRules {
  const { constants, bridgeCosts } = sandboxRules();
  return {
    constants: routingConstants(constants),
    configVersion: 'bench',
    bridgeCosts,
    isShared: false,
    returnHalfLifeHours: constants.signals.returnHalfLifeHours,
    haircut: constants.signals.riskHaircut,
    maximumStep: MAX_STEP,
    maximumDivergence: constants.chain.maxDivergence,
  };
}

/** A vault at an hour of a year. */
export type YearVault = RoutingVault & { state: RoutingVault['state'] & { index: bigint } };

/** A simulated market, hour by hour, in the state that each tick would leave. */
export interface Year {
  weather: Weather;
  seed: string;
  vaults: readonly Vault[];
  idle: Vault;
  /** The hours after the history; each has all vaults and the cash. */
  hours: readonly { hour: Date; vaults: ReadonlyMap<string, YearVault> }[];
}

/** @param hours hours after one month of history, during which nothing is held */
export function yearOf(seed: string, weather: Weather, hours = 8_760, begunAt = BEGINNING): Year {
  const { constants, vaults, idle } = sandboxRules();
  const rules: MarketRules = {
    assets: ['USDC'],
    vaults,
    signals: signalConstants(constants.signals),
    regime: regimeConstants(constants.regime),
    thresholds: { levels: [], rearm: 0 },
    distress: distressRules(constants),
  };
  const market = new SimulatedMarket({ seed, begunAt, vaults });
  const before = addHours(begunAt, -1);
  const nothing = Array.from<null>({ length: hoursNeeded(rules) }).fill(null);
  const path = new Market(rules, {
    hour: before,
    states: new Map(),
    histories: new Map(
      vaults.map(({ id }) => [id, { firstHour: null, apys: nothing, levels: [], assets: [] }]),
    ),
    series: new Map([['USDC', { firstHour: null, points: nothing }]]),
    regimes: new Map(),
    yields: new Map(),
  });
  const advance: Advance = (vault, state, hour) => {
    const scenario = scenarioAt(weather, begunAt, hour);
    const simulated =
      state.simulated === null
        ? market.begin(vault, hour)
        : market.next(vault, hour, state.simulated, scenario);
    return nextHour(
      { ...state, simulated },
      hour,
      market.observe(vault, hour, simulated, scenario) ?? undefined,
      'simulated',
    );
  };
  const added: Year['hours'][number][] = [];
  for (let count = 0; count < HISTORY_HOURS + hours; count++) {
    path.step(advance);
    const { hour } = path;
    path.dropStored();
    if (count < HISTORY_HOURS) continue;
    const signals = new Map(path.signals().map((one) => [one.vaultId, one]));
    const known = path.states.map((state, place): [string, YearVault] => {
      const { signal, recent } = signals.get(state.vaultId)!;
      const { expectedApy, riskAdjustedApy } = signal;
      return [
        state.vaultId,
        {
          vault: vaults[place]!,
          state,
          expectedApy,
          riskAdjustedApy,
          ...recent,
          held: 0n,
          own: 0n,
        },
      ];
    });
    added.push({ hour, vaults: new Map([...known, [idle.id, cash(idle, hour)]]) });
  }
  return { weather, seed, vaults, idle, hours: added };
}

const cash = (vault: Vault, hour: Date): YearVault => ({
  vault,
  state: { ...idleState(vault.id, hour) },
  expectedApy: null,
  riskAdjustedApy: null,
  ...NOTHING_RECENT,
  held: 0n,
  own: 0n,
});

/** The scenario begins with the year. */
function scenarioAt(weather: Weather, begunAt: Date, hour: Date): Scenario | null {
  const start = addHours(begunAt, HISTORY_HOURS);
  const since = hoursBetween(start, hour);
  if (weather === 'plain' || since < 0) return null;
  const again = AGAIN[weather];
  if (!again) return { name: weather, from: start };
  const times = Math.floor((since - again.first) / again.every);
  return times < 0 ? null : { name: weather, from: addHours(start, again.first + times * again.every) };
}
