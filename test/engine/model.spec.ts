import { afterAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Engine } from '../support/engine.js';
import type { ExecutionMode } from '../../src/config/environment.js';
import { orderCommands } from './order.commands.js';
import { partnerCommands } from './partner.commands.js';
import { sights, timeCommands } from './time.commands.js';
import { transferCommands } from './transfer.commands.js';
import { World } from './world.js';
import { PositionStore } from '../../src/domain/books/positions/position.store.js';
import { isIdle } from '../../src/domain/kernel/catalogue/catalogue.js';
import { change } from '../support/change.js';

/** `ENGINE_RUNS` makes a run longer; `ENGINE_SEED` and `ENGINE_PATH` repeat one that failed. */
const { ENGINE_RUNS, ENGINE_SEED, ENGINE_PATH } = process.env;
const RUNS = Number(ENGINE_RUNS ?? 9);
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
      });
      change(routing, { returnWindowHours: 2, minSizeMultiple: 1, maxVaultShare: 0.9 });
    },
    // Every third vault pays out two hours late.
    change: ({ vaults }) =>
      vaults.forEach((vault, place) =>
        change(vault, {
          entryCost: 3n,
          exitCost: 2n,
          ...(!isIdle(vault) && place % 3 === 0 && { exitDelayHours: 2 }),
        }),
      ),
  });
}

/** Engines that are used one after another, each with a market that has had some hours. */
class Engines {
  private engine: Engine | null = null;
  private runs = 0;
  moves = 0;

  constructor(private readonly settlement: ExecutionMode) {}

  async next(): Promise<Engine> {
    if (this.engine && this.runs++ % RUNS_A_DATABASE !== 0) return this.engine;
    await this.countMoves();
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

  async countMoves(): Promise<void> {
    if (!this.engine) return;
    const { moves } = await this.engine.row<{ moves: number }>(
      `SELECT count(*)::int AS moves FROM ledger_entries WHERE type = 'rebalance'`,
    );
    this.moves += moves;
  }

  async close(): Promise<void> {
    await this.engine?.stop();
    this.engine = null;
  }
}

/** A run with reported moves has more steps a move, so it makes fewer runs. */
const LIVES: Record<ExecutionMode, number> = { instant: RUNS, reported: Math.ceil(RUNS / 3) };
const opened: Engines[] = [];
afterAll(() => Promise.all(opened.map((engines) => engines.close())));

it.each(['instant', 'reported'] as const)(
  'holds every invariant after each step of random histories with %s moves',
  async (settlement) => {
    const engines = new Engines(settlement);
    opened.push(engines);
    const runs = LIVES[settlement];
    const { vaults } = (await engines.next()).settings;
    const time = timeCommands(vaults.map(({ id }) => id));
    const orders = settlement === 'reported' ? orderCommands : [];
    const all = [...transferCommands, ...partnerCommands, ...time, ...orders];
    await fc.assert(
      fc.asyncProperty(fc.commands(all, { maxCommands: 18, size: 'max' }), async (steps) => {
        const engine = await engines.next();
        let world!: World;
        await fc.asyncModelRun(async () => {
          world = await World.begin(engine);
          return { model: world, real: world };
        }, steps);
        await world.end();
      }),
      {
        numRuns: runs,
        ...(SEED !== undefined && { seed: Number(SEED) }),
        ...(ENGINE_PATH !== undefined && { path: ENGINE_PATH }),
        includeErrorInReport: true,
        interruptAfterTimeLimit: runs * MILLISECONDS_A_RUN,
        asyncReporter: report,
      },
    );
    await engines.countMoves();
    // A run without moves would prove little.
    if (ENGINE_PATH === undefined) expect(engines.moves).toBeGreaterThan(runs / 10);
  },
  60_000 + RUNS * MILLISECONDS_A_RUN,
);

/** Reports a failure, with the command that repeats it. */
async function report<Given>(details: fc.RunDetails<Given>): Promise<void> {
  if (!details.failed) return;
  const { seed, counterexamplePath } = details;
  // The path of the counterexample before shrinking: the shrinking depended on the state that earlier failures left.
  const [path] = (counterexamplePath ?? '').split(':');
  const again = `ENGINE_SEED=${seed} ENGINE_PATH=${path} npm test -- test/engine/model`;
  throw new Error(`${await fc.asyncDefaultReportMessage(details)}\n\nAgain: ${again}`);
}
