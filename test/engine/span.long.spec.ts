import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Settings } from '../../src/config/settings.js';
import type { Decision } from '../../src/domain/routing/allocation/decision.js';
import { type Scenario, SimulatedMarket } from '../../src/domain/markets/simulation/simulated-market.js';
import { addHours, hoursBetween } from '../../src/domain/kernel/clock.js';
import type { SimulatedPlace } from '../../src/domain/markets/vaults/vault-state.js';
import { differencesOf } from '../support/differences.js';
import { Engine } from '../support/engine.js';
import { decisionTroubles, troubles } from './audit.js';
import { isIdle } from '../../src/domain/kernel/catalogue/catalogue.js';

/** `ENGINE_DAYS=365` makes it a whole year. */
const DEFAULT_DAYS = 45;
const DAYS = Number(process.env['ENGINE_DAYS'] ?? DEFAULT_DAYS);
const HOURS = DAYS * 24;
const POSITIONS = 200;
const WITHDRAWALS = 60;
const BEGINNING = new Date('2026-01-15T00:00:00.000Z');
/** What bends the time: rates that climb, and a lending vault of which nothing is heard for more than a day. */
const SCENARIOS: Scenario[] = [
  { name: 'rising', from: addHours(BEGINNING, 12 * 24) },
  { name: 'outage', from: addHours(BEGINNING, 25 * 24 + 7) },
];

/** Chance that is the same in every run: a number from 0 to below `bound`. */
function chances(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Every hour of many days, in one market with several partners: what vaults yield is simulated, all else is real. */
class Span {
  readonly partnerIds: string[] = [];
  private readonly market: SimulatedMarket;
  private readonly paths = new Map<string, SimulatedPlace>();
  private readonly userIds: string[] = [];
  private readonly positionIds: string[] = [];
  private readonly chance = chances(7);

  constructor(readonly engine: Engine) {
    const { vaults } = engine.settings;
    this.market = new SimulatedMarket({ seed: 'many days', begunAt: BEGINNING, vaults });
  }

  async live(): Promise<void> {
    for (const share of [0, 4_000, 6_500, 10_000])
      this.partnerIds.push(await this.engine.createPartner(share));
    for (let user = 0; user < 40; user++)
      this.userIds.push(await this.engine.createUser(this.partnerIds[user % this.partnerIds.length]!));
    const [deposits, withdrawals] = [new Map<number, number>(), new Map<number, number>()];
    const plan = (into: Map<number, number>, hour: number) => into.set(hour, (into.get(hour) ?? 0) + 1);
    for (let count = 0; count < POSITIONS; count++) plan(deposits, this.chance(HOURS - 48));
    for (let count = 0; count < WITHDRAWALS; count++) plan(withdrawals, 500 + this.chance(HOURS - 600));
    for (let hour = 0; hour <= HOURS; hour++) {
      await this.hour(hour);
      this.engine.wait(600_000);
      for (let count = deposits.get(hour) ?? 0; count > 0; count--) await this.deposit();
      for (let count = withdrawals.get(hour) ?? 0; count > 0; count--) await this.withdraw();
    }
  }

  private async hour(count: number): Promise<void> {
    const hour = addHours(BEGINNING, count);
    const scenario = SCENARIOS.findLast(({ from }) => from <= hour) ?? null;
    this.engine.now = hour;
    this.engine.sights = {};
    for (const vault of this.engine.settings.vaults) {
      const before = this.paths.get(vault.id);
      const vaultIndex =
        before === undefined
          ? this.market.begin(vault, hour)
          : this.market.next(vault, hour, before, scenario);
      this.paths.set(vault.id, vaultIndex);
      this.engine.sights[vault.id] = this.market.observe(vault, hour, vaultIndex, scenario);
    }
    await this.engine.cycle();
  }

  private async deposit(): Promise<void> {
    const userId = this.userIds[this.chance(this.userIds.length)]!;
    const amount = BigInt(this.chance(50_000)) * 1_000_003n + 1n;
    const { id } = await this.engine.deposit(userId, amount, this.chance(3) === 0 ? 'USDT0' : 'USDC');
    this.positionIds.push(id);
  }

  /** Half of them take everything. */
  private async withdraw(): Promise<void> {
    const id = this.positionIds.splice(this.chance(this.positionIds.length), 1)[0]!;
    const { part } = await this.engine.row<{ part: string }>(
      'SELECT div(deposited, 3) AS part FROM positions WHERE id = $1',
      [id],
    );
    await this.engine.withdraw(id, this.chance(2) === 0 || part === '0' ? null : BigInt(part));
  }
}

/** Of each asset and risk one, and the lending vaults: an hour costs what its vaults cost. */
function fewerVaults(settings: Settings): void {
  const kept = new Set<string>();
  settings.vaults = settings.vaults.filter((vault) => {
    if (isIdle(vault)) return true;
    const kind = `${vault.asset} ${vault.riskTier}`;
    return !kept.has(kind) && kept.add(kind);
  });
}

describe(`${POSITIONS} positions through ${DAYS} days, hour by hour`, () => {
  let engine: Engine;
  let span: Span;
  let moves: { group: string; from: string; to: string; hour: Date; record: Decision }[];

  beforeAll(async () => {
    engine = await Engine.start('partner', { now: BEGINNING, change: fewerVaults });
    span = new Span(engine);
    await span.live();
    moves = await engine.sql(
      `SELECT partner_id || ' ' || asset AS "group", from_vault_id AS "from", to_vault_id AS "to", hour, record
         FROM decisions WHERE kind = 'rebalance' ORDER BY hour, id`,
    );
  }, 600_000);
  afterAll(() => engine.stop());

  it(`${POSITIONS} positions through ${DAYS} days, hour by hour, agree with the books and their entries`, async () => {
    expect(await troubles(engine)).toEqual([]);
    expect(await differencesOf(engine.context)).toEqual([]);
    expect(await engine.sql('SELECT FROM positions')).toHaveLength(POSITIONS);
  });

  it(`${POSITIONS} positions through ${DAYS} days, hour by hour, have a statement each day, with one entry for each position`, async () => {
    const [days] = await engine.sql(
      `SELECT count(*)::int AS days, count(done_at)::int AS done, sum(posted)::int AS posted FROM statements`,
    );
    const [entries] = await engine.sql(
      `SELECT count(*)::int AS entries, count(DISTINCT (position_id, at))::int AS different FROM ledger_entries
        WHERE type = 'yield_accrual' AND at = date_trunc('day', at, 'UTC') AND decision_id IS NULL`,
    );
    expect(days).toMatchObject({ days: DAYS + 1, done: DAYS + 1 });
    expect(entries).toEqual({ entries: (days as any).posted, different: (days as any).posted });
  });

  it(`${POSITIONS} positions through ${DAYS} days, hour by hour, are not moved within 6 hours, nor back within 72 for less than three times the cost`, () => {
    expect(moves.length).toBeGreaterThan(DAYS / 9);
    for (const [index, move] of moves.entries()) {
      const earlier = moves.slice(0, index).filter(({ group }) => group === move.group);
      const came = earlier.findLast(({ to }) => to === move.from);
      if (came) expect(hoursBetween(came.hour, move.hour)).toBeGreaterThanOrEqual(6);
      const previousMove = earlier.findLast(({ from }) => from === move.to);
      if (previousMove && hoursBetween(previousMove.hour, move.hour) < 72)
        expect(BigInt(move.record.expectedUplift.amount!)).toBeGreaterThanOrEqual(
          3n * BigInt(move.record.expectedUplift.cost),
        );
    }
  });

  it(`${POSITIONS} positions through ${DAYS} days, hour by hour, were routed by decisions that can be reproduced from their inputs`, async () => {
    expect(await decisionTroubles(engine, span.partnerIds)).toEqual([]);
  });

  // Other days have other decisions.
  (DAYS === DEFAULT_DAYS ? it : it.skip)(
    'have decisions with the rationales that docs/routing.md quotes',
    async () => {
      const page = await readFile(new URL('../../docs/routing.md', import.meta.url), 'utf8');
      const quoted = page
        .split('\n\n')
        .filter((paragraph) => paragraph.startsWith('> '))
        .map((paragraph) => paragraph.replace(/^> /gm, '').replaceAll('\n', ' '));
      expect(quoted).toHaveLength(3);
      const rows = await engine.sql<{ kind: string }>(
        `SELECT kind FROM decisions WHERE record->>'rationale' = ANY($1) ORDER BY kind`,
        [quoted],
      );
      expect(rows.map(({ kind }) => kind)).toEqual(['hold', 'rebalance', 'route']);
    },
  );
});
