import type { Calls } from './calls.js';
import type { components, paths } from './generated/sandbox.js';
import type { EffectOptions } from './operations.js';
import { type SettledDeliveries, Settling, type SettlingOptions } from './settling.js';

type Schemas = components['schemas'];

export type Scenario = Schemas['BendMarketRequest']['scenario'];

export interface SettledAdvance extends SettledDeliveries {
  advance: Schemas['SimulationAdvance'];
}

/** A month with thousands of positions takes longer than other calls do. */
const PATIENCE = { timeoutMs: 120_000, totalTimeoutMs: 300_000 };

/** An account's clock and market, moved as its tests need. */
export class Simulation {
  readonly #calls: Calls<paths>;
  readonly #advance;
  readonly #bend;
  readonly #reset;
  readonly clock;
  /** Raises an event of any type at once. */
  readonly raise;

  constructor(calls: Calls<paths>) {
    this.#calls = calls;
    this.#advance = calls.create('/simulation/clock/advance');
    this.#bend = calls.create('/simulation/market');
    this.#reset = calls.create('/simulation/reset');
    this.clock = calls.read('/simulation/clock');
    this.raise = calls.create('/simulation/events');
  }

  /** Runs so many hours, 1 to 744, one by one. Answers when all of it has happened; webhooks follow. */
  advance(hours: number, options: EffectOptions = {}): Promise<Schemas['SimulationAdvance']> {
    return this.#advance({ hours }, { ...PATIENCE, ...options });
  }

  /**
   * The same, and waits until the deliveries of events raised up to then have an outcome. An endpoint that subscribes to `position.active`, `position.rebalanced` and `yield.threshold`
   * together is waited for to the last one; with others it is enough that nothing is sent for `quietMs`.
   */
  async advanceAndWait(
    hours: number,
    options: EffectOptions & SettlingOptions = {},
  ): Promise<SettledAdvance> {
    const advance = await this.advance(hours, options);
    const settling = new Settling(this.#calls, advance, options);
    return { advance, ...(await settling.wait()) };
  }

  /** Bends the market from the next hour on. */
  scenario(scenario: Scenario, options?: EffectOptions): Promise<Schemas['SimulationClock']> {
    return this.#bend({ scenario }, options);
  }

  /** Makes the account as new. The same seed makes the same market; default: the seed that it had. */
  reset(
    request: Schemas['ResetRequest'] = {},
    options: EffectOptions = {},
  ): Promise<Schemas['SimulationClock']> {
    return this.#reset(request, { ...PATIENCE, ...options });
  }
}
