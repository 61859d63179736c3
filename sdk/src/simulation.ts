import type { Calls } from './calls.js';
import type { components, paths } from './generated/sandbox.js';
import type { EffectOptions } from './operations.js';
import { type SettledDeliveries, Settling, type SettlingOptions } from './settling.js';

type Schemas = components['schemas'];

export type Scenario = Schemas['BendMarketRequest']['scenario'];

export interface SettledAdvance extends SettledDeliveries {
  advance: Schemas['SimulationAdvance'];
}

/** Longer timeouts than for other calls: a month with thousands of positions takes longer. */
const PATIENCE = { timeoutMs: 120_000, totalTimeoutMs: 300_000 };

/** The account's clock and market, which tests advance and change. */
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

  /** Runs 1 to 744 hours, one by one. Answers when all of them have run; webhooks follow. */
  advance(hours: number, options: EffectOptions = {}): Promise<Schemas['SimulationAdvance']> {
    return this.#advance({ hours }, { ...PATIENCE, ...options });
  }

  /**
   * Advances, and waits until the deliveries of all events raised by then have an outcome. For an endpoint that subscribes to `position.active`,
   * `position.rebalanced` and `yield.threshold` together, every delivery is waited for; with other subscriptions, until nothing was sent for
   * `quietMs`.
   */
  async advanceAndWait(
    hours: number,
    options: EffectOptions & SettlingOptions = {},
  ): Promise<SettledAdvance> {
    const advance = await this.advance(hours, options);
    const settling = new Settling(this.#calls, advance, options);
    return { advance, ...(await settling.wait()) };
  }

  /** Sets a scenario of the market from the next hour on. */
  scenario(scenario: Scenario, options?: EffectOptions): Promise<Schemas['SimulationClock']> {
    return this.#bend({ scenario }, options);
  }

  /** Resets the account. The same seed makes the same market; default: the present seed. */
  reset(
    request: Schemas['ResetRequest'] = {},
    options: EffectOptions = {},
  ): Promise<Schemas['SimulationClock']> {
    return this.#reset(request, { ...PATIENCE, ...options });
  }
}
