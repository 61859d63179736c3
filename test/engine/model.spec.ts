import { afterAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LedgerVerifier } from '../../src/domain/ledger/ledger-verifier.js';
import { Engine } from '../support/engine.js';
import type { SettlementMode } from '../../src/config/environment.js';
import { orderCommands } from './order.commands.js';
import { partnerCommands } from './partner.commands.js';
import { sights, timeCommands } from './time.commands.js';
import { transferCommands } from './transfer.commands.js';
import { World } from './world.js';
import { isIdle } from '../../src/domain/vaults/vault.js';

/** `ENGINE_RUNS`, `ENGINE_SEED` and `ENGINE_PATH` make a run longer, or one that failed again. */
const { ENGINE_RUNS, ENGINE_SEED, ENGINE_PATH } = process.env;
const RUNS = Number(ENGINE_RUNS ?? 9);
/** The same lives in every short run, so that a change is judged by what it changed; others in every long run. */
const SEED = ENGINE_SEED ?? (ENGINE_RUNS === undefined ? '20260131' : undefined);
/** A database grows by each run, and is then left for a new one: every check reads all of it. */
const RUNS_A_DATABASE = 9;
const MILLISECONDS_A_RUN = 2_000;

/** The partner contract's catalogue, in which funds move often: some micro-units of cost, short memories, low bars. */
function startLively(settlement: SettlementMode): Promise<Engine> {
  return Engine.start('partner', {
    settlement,
    adjust: ({ signals, regime, routing }) => {
      Object.assign(signals, { windowHours: 4, minSnapshots: 2, minCoverage: 0.1, trendDays: 2 });
      Object.assign(signals, { recentHalfLifeHours: 1, longHalfLifeHours: 2 });
      Object.assign(regime, { volatileWindowHours: 4, referenceWindowHours: 24 });
      Object.assign(routing, {
        minDelta: 0.001,
        minNetGain: 1n,
        minHoursInVault: 1,
      });
      Object.assign(routing, { returnWindowHours: 2, minTvlMultiple: 1, maxVaultShare: 0.9 });
    },
    // Every third pays out two hours late.
    change: ({ vaults }) =>
      vaults.forEach((vault, place) =>
        Object.assign(vault, {
          entryCost: 3n,
          exitCost: 2n,
          ...(!isIdle(vault) && place % 3 === 0 && { exitDelayHours: 2 }),
        }),
      ),
  });
}

/** Engines one after another, each with a market that has been ticking for some hours. */
class Engines {
  private engine: Engine | null = null;
  private runs = 0;
  moves = 0;

  constructor(private readonly settlement: SettlementMode) {}

  async next(): Promise<Engine> {
    if (this.engine && this.runs++ % RUNS_A_DATABASE !== 0) return this.engine;
    await this.verify();
    await this.close();
    this.engine = await startLively(this.settlement);
    const ids = this.engine.settings.vaults.map(({ id }) => id);
    for (let hour = 0; hour < 4; hour++) {
      [this.engine.sights] = fc.sample(sights(ids), { numRuns: 1, seed: this.runs + hour }) as [any];
      await this.engine.hours();
    }
    return this.engine;
  }

  /** The whole ledger once more, as an operator would verify it. */
  async verify(): Promise<void> {
    if (!this.engine) return;
    const differences: object[] = [];
    await this.engine.context.get(LedgerVerifier).verify((difference) => differences.push(difference));
    expect(differences).toEqual([]);
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

/** Where moves are reported there is more to a move, and less of a life beside it. */
const LIVES: Record<SettlementMode, number> = { instant: RUNS, reported: Math.ceil(RUNS / 3) };
const opened: Engines[] = [];
afterAll(() => Promise.all(opened.map((engines) => engines.close())));

it.each(['instant', 'reported'] as const)(
  'holds every rule after every step of random lives, whose moves are %s',
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
    await engines.verify();
    // Lives in which nothing moves would prove little.
    if (ENGINE_PATH === undefined) expect(engines.moves).toBeGreaterThan(runs / 10);
  },
  60_000 + RUNS * MILLISECONDS_A_RUN,
);

/** A failure, and how to see it again. */
async function report<Given>(details: fc.RunDetails<Given>): Promise<void> {
  if (!details.failed) return;
  const { seed, counterexamplePath } = details;
  // The run before it was made smaller: the way from there also hangs on what failed meanwhile.
  const [path] = (counterexamplePath ?? '').split(':');
  const again = `ENGINE_SEED=${seed} ENGINE_PATH=${path} npm test -- test/engine/model`;
  throw new Error(`${await fc.asyncDefaultReportMessage(details)}\n\nAgain: ${again}`);
}
