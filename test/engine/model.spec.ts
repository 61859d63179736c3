import { afterAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Engine } from '../support/engine.js';
import type { ExecutionMode } from '../../src/config/environment.js';
import { orderCommands } from './order.commands.js';
import { partnerCommands } from './partner.commands.js';
import type { Command } from './step.js';
import { sights, timeCommands } from './time.commands.js';
import { transferCommands } from './transfer.commands.js';
import { paymentCommands, withdrawalCommands } from './withdrawal.commands.js';
import { World } from './world.js';
import { PositionStore } from '../../src/domain/books/positions/position.store.js';
import { HABITS, type Habit } from '../support/executor.js';
import { isIdle } from '../../src/domain/kernel/catalogue/catalogue.js';
import { change } from '../support/change.js';

/** `ENGINE_RUNS` makes a run longer; `ENGINE_SEED` and `ENGINE_PATH` repeat one that failed. */
const { ENGINE_RUNS, ENGINE_SEED, ENGINE_PATH } = process.env;
const RUNS = Number(ENGINE_RUNS ?? 12);
/** The seed is fixed in short runs, so that two versions of the program are compared on the same commands; a long run has a new seed. */
const SEED = ENGINE_SEED ?? (ENGINE_RUNS === undefined ? '20260131' : undefined);
/** A new database after so many runs: each run makes it larger, and every check reads all of it. */
const RUNS_A_DATABASE = 9;
const MILLISECONDS_A_RUN = 10_000;

/** The catalogue of the partner contract, with constants that make moves frequent: low costs, short averages, low thresholds. */
function startLively(settlement: ExecutionMode): Promise<Engine> {
  return Engine.start('partner', {
    settlement,
    adjust: ({ signals, regime, routing }) => {
      change(signals, { windowHours: 4, minSnapshots: 2, minCoverage: 0.1, trendDays: 2 });
      change(signals, { recentHalfLifeHours: 1, longHalfLifeHours: 2 });
      change(regime, { volatileWindowHours: 4, referenceWindowHours: 24 });
      change(routing, {
        minDelta: 0.001,
        minNetGain: 1n,
        minHoursInVault: 1,
        orderExpiresHours: 4,
      });
      change(routing, { returnWindowHours: 2, minSizeMultiple: 1, maxVaultShare: 0.9 });
    },
    // Every third vault pays out two hours late.
    change: ({ vaults }) =>
      vaults.forEach((vault, index) =>
        change(vault, {
          entryCost: 3n,
          exitCost: 2n,
          ...(!isIdle(vault) && index % 3 === 0 && { exitDelayHours: 2 }),
        }),
      ),
  });
}

/** Engines that are used one after another, each with a market that has had some hours. */
class Engines {
  private engine: Engine | null = null;
  private runs = 0;

  constructor(private readonly settlement: ExecutionMode) {}

  async next(): Promise<Engine> {
    if (this.engine && this.runs++ % RUNS_A_DATABASE !== 0) return this.engine;
    await this.close();
    this.engine = await startLively(this.settlement);
    // Most changes are saved in several parts.
    this.engine.context.get(PositionStore).savedAtOnce = 2;
    const ids = this.engine.settings.vaults.map(({ id }) => id);
    for (let hour = 0; hour < 4; hour++) {
      [this.engine.sights] = fc.sample(sights(ids), { numRuns: 1, seed: this.runs + hour }) as [any];
      await this.engine.hours();
    }
    return this.engine;
  }

  async close(): Promise<void> {
    await this.engine?.stop();
    this.engine = null;
  }
}

/** Half of the lives move funds by the server, and half by an executor: as many with each habit. */
const LIVES = [
  ['instant', null, Math.ceil(RUNS / 2)] as const,
  ...HABITS.map((habit) => ['reported', habit, Math.ceil(RUNS / 2 / HABITS.length)] as const),
];
/** Histories of 18 commands at most, and at least so many: the first ones that are generated would be short. */
const histories = (all: fc.Arbitrary<Command>[], least: number) =>
  fc.noBias(fc.commands(all, { maxCommands: 18, size: 'max' })).filter((steps) => [...steps].length >= least);

/** What happens in lives with each executor, without which they would prove little. */
const PROOF: Record<Habit | 'instant', string> = {
  instant: 'moved',
  prompt: 'moved',
  slow: 'taken: done',
  partial: 'moved',
  late: 'moved',
  wrong: 'moved',
  gone: 'taken: done',
};
/** Lives with each habit have commands of their own. */
const placeOf = (habit: Habit | null): number => (habit === null ? 0 : HABITS.indexOf(habit) + 1);
const opened = {} as Record<ExecutionMode, Engines>;
const enginesOf = (settlement: ExecutionMode): Engines => (opened[settlement] ??= new Engines(settlement));
afterAll(() => Promise.all(Object.values(opened).map((engines) => engines.close())));

it.each(LIVES)(
  'Every invariant holds after each step of random histories with %s moves (executor: %s; %s)',
  async (settlement, habit, runs) => {
    const engines = enginesOf(settlement);
    const { vaults } = (await engines.next()).settings;
    const time = timeCommands(vaults.map(({ id }) => id));
    const orders = habit === null ? [] : [...orderCommands, ...paymentCommands];
    const all = [...transferCommands, ...withdrawalCommands, ...partnerCommands, ...time, ...orders];
    const happened = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(histories(all, habit === null ? 0 : 6), fc.nat(), async (steps, choices) => {
        const engine = await engines.next();
        let world!: World;
        await fc.asyncModelRun(async () => {
          world = await World.begin(engine, habit, choices);
          return { model: world, real: world };
        }, steps);
        await world.end();
        for (const [what, times] of await world.happened())
          happened.set(what, (happened.get(what) ?? 0) + times);
      }),
      {
        numRuns: runs,
        ...(SEED !== undefined && { seed: Number(SEED) + placeOf(habit) }),
        ...(ENGINE_PATH !== undefined && { path: ENGINE_PATH }),
        includeErrorInReport: true,
        interruptAfterTimeLimit: 30_000 + runs * MILLISECONDS_A_RUN,
        asyncReporter: report(habit),
      },
    );
    // A run without moves would prove little.
    const proofs = [PROOF[habit ?? 'instant'], habit === null ? 'withdrawal paid' : 'withdrawal paid: done'];
    if (ENGINE_PATH === undefined)
      for (const proof of proofs) expect(happened.get(proof)).toBeGreaterThan(runs / 10);
  },
  60_000 + RUNS * MILLISECONDS_A_RUN,
);

/** Reports a failure, with the command that repeats it. */
const report =
  (habit: Habit | null) =>
  async <Given>(details: fc.RunDetails<Given>): Promise<void> => {
    if (!details.failed) return;
    const { seed, counterexamplePath } = details;
    // The path of the counterexample before shrinking: the shrinking depended on the state that earlier failures left.
    const [path] = (counterexamplePath ?? '').split(':');
    const only = `'executor: ${habit}'`;
    // The seed of the whole run, to which that of an executor adds its place.
    const again = `ENGINE_SEED=${seed - placeOf(habit)} ENGINE_PATH=${path} npm test -- test/engine/model -t ${only}`;
    throw new Error(`${await fc.asyncDefaultReportMessage(details)}\n\nAgain: ${again}`);
  };
