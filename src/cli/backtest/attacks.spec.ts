import { describe, expect, it } from '@jest/globals';
import { idleVault } from '../../config/vault-catalogue.js';
import { BEGIN, catalogueOf, readingsOfAll, type RecordedYields } from '../../../test/support/recorded.js';
import { backtest, rulesOf } from './backtest.js';
import type { VaultReading } from './readings.js';
import { HISTORY_HOURS, RecordedMarket } from './recorded-market.js';
import { type RouterResult, route } from './router.js';
import type { Decision } from '../../domain/routing/allocation/decision.js';
import { decide } from '../../domain/routing/allocation/choice.js';
import { HourEvaluation } from '../../domain/routing/allocation/evaluation.js';
import type { FindPartialMove } from '../../domain/routing/allocation/partial-move.js';
import { DecisionHistory } from '../../domain/routing/allocation/routing-state.js';

const DAY = 24;
const HOURS = 30 * DAY;
const UNIT = 1_000_000n;
const LENDING: RecordedYields = { vault: { id: 'vlt_lending', dilution: 'pool' }, apy: () => 0.04 };
const other = (apy: RecordedYields['apy'], assets?: number): RecordedYields => ({
  vault: { id: 'vlt_other', dilution: 'pool' },
  apy,
  ...(assets && { assets }),
});

/** Readings with changes to those of one vault, by hours since the beginning; null removes one. */
function changeReadings(
  recorded: readonly RecordedYields[],
  id: string,
  change: (reading: VaultReading, at: number) => Partial<VaultReading> | null,
): Map<string, VaultReading[]> {
  const readings = readingsOfAll(recorded, HOURS);
  const changedReadings = readings.get(id)!.flatMap((reading, index) => {
    const fields = change(reading, index - HISTORY_HOURS);
    return fields === null ? [] : [{ ...reading, ...fields }];
  });
  return readings.set(id, changedReadings);
}

function marketOf(
  recorded: readonly RecordedYields[],
  hours: number,
  readings = readingsOfAll(recorded, hours),
) {
  const catalogue = catalogueOf(recorded);
  const { asset, constants, vaults } = catalogue;
  const idle = idleVault(asset);
  const market = new RecordedMarket({ from: BEGIN, hours, vaults, idle, constants, readings });
  return { market, rules: rulesOf(catalogue), asset };
}

it('A recorded share price that stays at 0 is a total loss', () => {
  const feed = { kind: 'chain', standard: 'erc4626', address: '0x', reserve: null } as const;
  const { id } = LENDING.vault;
  const recorded = [{ ...LENDING, vault: { id, feed: { ...feed, holder: null, secondSource: null } } }];
  const lost = (at: number) => ({ ...priceOf(0.03, at), ...(at >= 0 && { price: 0n }) });
  const { market } = marketOf(
    recorded,
    24,
    changeReadings(recorded, id, (_, at) => lost(at)),
  );
  expect(market.at(24, () => 0n).vaults.get(id)!.state.index).toBe(1n);
});

it('Own money dilutes a recorded yield, and no recorded loss', () => {
  const pool = (id: string, apy: number): RecordedYields => ({
    vault: { id, dilution: 'pool' },
    apy: () => apy,
    assets: 3_000_000,
  });
  const { market } = marketOf([pool('vlt_gain', 0.05), pool('vlt_loss', -0.05)], 24);
  const { vaults } = market.at(1, () => 10n ** 24n);
  expect(vaults.get('vlt_gain')!.state.lastApy).toBeCloseTo(Math.expm1(Math.log1p(0.05) * 0.75), 3);
  expect(vaults.get('vlt_loss')!.state.lastApy).toBe(-0.05);
});

/** @param amount whole units */
function routed(
  recorded: readonly RecordedYields[],
  amount: number,
  readings?: Map<string, VaultReading[]>,
): Promise<RouterResult> {
  const { market, rules } = marketOf(recorded, HOURS, readings);
  return route(market, [BigInt(amount) * UNIT], rules);
}
const movesOf = ({ steps }: RouterResult) => steps.map(({ at, to, record }) => [at, to, record.reason]);
const priceOf = (apy: number, at: number, factor = 1): Partial<VaultReading> => ({
  apy: null,
  price: BigInt(Math.round((1 + apy) ** ((at + HISTORY_HOURS) / 8760) * factor * 1e9)) * 10n ** 9n,
});

describe('attacks by readings alone on the router', () => {
  it.each([
    [10_000, 0.04],
    [8_000_000, 0.038],
  ])('A spike of one hour to 20 %% starts no move: %i units beside a level of %d', async (amount, level) => {
    const spike = other((at) => (at === 300 ? 0.2 : level));
    expect((await routed([LENDING, spike], amount)).steps).toEqual([]);
  });

  it.each([
    [0.02, 10_000],
    [0, 1_000_000],
  ])('A yield that falls from 8 %% to %d starts a move within 4 days: %i units', async (end, amount) => {
    const lending = { ...LENDING, apy: () => 0.03 };
    const { steps } = await routed([lending, other((at) => (at < 300 ? 0.08 : end))], amount);
    expect(steps).toMatchObject([{ from: 1, to: 0 }]);
    expect(steps[0]!.at).toBeLessThanOrEqual(300 + 4 * DAY);
  });

  // At 3 % they would earn 1.48 in 60 days, for a cost of 2.
  it('300 units alone stay in a vault without yield, as they would never earn the cost of a move', async () => {
    const lending = { ...LENDING, apy: () => 0.03 };
    const { steps } = await routed([lending, other((at) => (at < 300 ? 0.08 : 0))], 300);
    expect(steps).toEqual([]);
  });

  it.each([
    [10_000, 1.05],
    [1_000_000, 1.002],
  ])(
    'A donation that lifts the share price for 24 h attracts no funds: %i units, by a factor of %d',
    async (amount, rise) => {
      const recorded = [LENDING, other(() => 0.04)];
      const factor = (at: number): number => (at >= 300 && at < 300 + DAY ? rise : 1);
      const readings = changeReadings(recorded, 'vlt_other', (_, at) => priceOf(0.04, at, factor(at)));
      expect((await routed(recorded, amount, readings)).steps).toEqual([]);
    },
  );

  it('Assets deposited for two readings and then withdrawn cause no eviction', async () => {
    const recorded = [LENDING, other(() => 0.06, 1e8)];
    const readings = changeReadings(recorded, 'vlt_other', (_, at) =>
      at === 300 || at === 301 ? { assets: 2.2e8, liquidity: 2.2e8 } : {},
    );
    const { first, steps } = await routed(recorded, 1_000_000, readings);
    expect([first, steps]).toEqual([[1], []]);
  });

  it.each([5e7, 3e6])(
    'Liquidity of %d that falls by 55 %% for 3 h each day starts two moves at most',
    async (liquidity) => {
      const recorded = [LENDING, other(() => 0.06, 1e8)];
      const readings = changeReadings(recorded, 'vlt_other', (_, at) => ({
        liquidity: (at + DAY * DAY) % DAY < 3 ? 0.45 * liquidity : liquidity,
      }));
      expect((await routed(recorded, 1_000_000, readings)).steps.length).toBeLessThanOrEqual(2);
    },
  );

  describe('an hour with holdings of several partners in the lending vault', () => {
    /** Decisions on an amount of each, in units; the other vault has a better rate. */
    async function decided(
      amounts: readonly number[],
      { isShared = true, open = 0, pool = true }: { isShared?: boolean; open?: number; pool?: boolean },
    ): Promise<Decision[]> {
      const recorded = [{ ...LENDING, apy: () => 0.035 }, other(() => 0.05, pool ? 6e7 : 1e9)];
      const readings = changeReadings(recorded, 'vlt_other', () => (pool ? { liquidity: 3e6 } : {}));
      const { market, rules, asset } = marketOf(recorded, 2, readings);
      const { hour, vaults: seen } = market.at(1, () => 0n);
      const { index } = seen.get('vlt_lending')!.state;
      seen.get('vlt_lending')!.held = BigInt(amounts.reduce((sum, amount) => sum + amount, open)) * UNIT;
      const since = new Date(hour.getTime() - 90 * DAY * 3_600_000);
      const groups = amounts.map((amount, partner) => ({
        partnerId: `partner_${partner}`,
        asset,
        vaultId: 'vlt_lending',
        positions: 1,
        since,
        shares: ((BigInt(amount) * UNIT * 10n ** 30n) / index).toString(),
      }));
      const records: Decision[] = [];
      const planned = {
        partnerId: 'partner_x',
        fromVaultId: 'vlt_lending',
        toVaultId: 'vlt_other',
        amount: BigInt(open) * UNIT,
      };
      const evaluation = new HourEvaluation({ hour, vaults: seen }, groups, {
        past: new DecisionHistory([], hour),
        rules: { ...rules, isShared },
        findPart: async () => ({ positions: 0, shares: 0n }),
        open: open === 0 ? [] : [planned],
      });
      for await (const { record } of evaluation.verdicts()) records.push(record);
      return records;
    }
    const moves = (records: readonly Decision[]) => records.filter(({ kind }) => kind === 'rebalance');

    // The first earns 3.75 %; a second million would leave 3 % for both.
    it.each([true, false])(
      'One of nine holdings of a million moves to a small pool, and none while an order is open; shared custody: %s',
      async (isShared) => {
        const nine = Array.from({ length: 9 }, () => 1_000_000);
        expect(moves(await decided(nine, { isShared }))).toMatchObject([{ toVaultId: 'vlt_other' }]);
        expect(moves(await decided(nine, { isShared, open: 1_000_000 }))).toEqual([]);
      },
    );

    it('In shared custody 300 units move together with a million, for their part of the cost', async () => {
      const together = moves(await decided([1_000_000, 300], { pool: false }));
      expect(together.map(({ expectedUplift: { cost } }) => cost)).toEqual(['1999401', '600']);
      expect(moves(await decided([1_000_000, 300], { pool: false, isShared: false }))).toHaveLength(1);
    });

    it('In shared custody three holdings move together if none could pay for its own move', async () => {
      const amounts = [2_000, 2_000, 2_000];
      expect(moves(await decided(amounts, { pool: false }))).toHaveLength(3);
      expect(moves(await decided(amounts, { pool: false, isShared: false }))).toEqual([]);
    });
  });

  describe('holdings that drifted above their exposure limits', () => {
    const TIERS = { vlt_lending: 'low', vlt_medium: 'medium', vlt_high: 'high', vlt_higher: 'high' } as const;
    type Positions = Partial<Record<keyof typeof TIERS, number[]>>;

    /** Forced moves of an hour: positions and whole units. */
    async function down(positions: Positions): Promise<[string, string, number, number][]> {
      const rates = { vlt_lending: 0.04, vlt_medium: 0.05, vlt_high: 0.06, vlt_higher: 0.07 };
      const ids = Object.keys(TIERS) as (keyof typeof TIERS)[];
      const recorded = ids.map((id) => ({
        vault: { id, dilution: 'none' as const, riskTier: TIERS[id] },
        apy: () => rates[id],
      }));
      const { market, rules, asset } = marketOf(recorded, 2);
      const { hour, vaults: seen } = market.at(1, () => 0n);
      const heldVaults = ids.filter((id) => positions[id]);
      const sharesOf = (id: (typeof ids)[number]): bigint[] =>
        positions[id]!.map((units) => (BigInt(units) * UNIT * 10n ** 30n) / seen.get(id)!.state.index);
      const sum = (all: readonly bigint[]): bigint => all.reduce((total, shares) => total + shares, 0n);
      const groups = heldVaults.map((vaultId) => ({
        partnerId: 'partner',
        asset,
        vaultId,
        since: hour,
        positions: positions[vaultId]!.length,
        shares: sum(sharesOf(vaultId)).toString(),
      }));
      const findPart: FindPartialMove = async ({ vaultId }, maxShares) => {
        const fitting = sharesOf(vaultId as keyof typeof TIERS)
          .filter((share) => share <= maxShares)
          .toSorted((a, b) => Number(b - a))
          .filter((_, index, all) => sum(all.slice(0, index + 1)) <= maxShares);
        return { positions: fitting.length, shares: sum(fitting) };
      };
      const past = new DecisionHistory([], hour);
      const forcedMoves: [string, string, number, number][] = [];
      const evaluation = new HourEvaluation({ hour, vaults: seen }, groups, { past, rules, findPart });
      for await (const verdict of evaluation.verdicts()) {
        const { reason, fromVaultId, toVaultId, inputs } = verdict.record;
        if (reason !== 'exposure') continue;
        expect(decide(inputs)).toEqual(verdict.record);
        forcedMoves.push([
          fromVaultId!,
          toVaultId!,
          verdict.positions,
          Math.round(Number(inputs.amount) / 1e6),
        ]);
      }
      return forcedMoves;
    }
    const thousands = (count: number): number[] => Array.from({ length: count }, () => 1_000);

    it.each<[string, Positions, [string, string, number, number][]]>(
      // prettier-ignore
      [
        [
          'are reduced to the limit in whole positions, to the best vault within its limits',
          { vlt_lending: [70_000], vlt_high: thousands(30) },
          [['vlt_high', 'vlt_medium', 10, 10_000]],
        ],
        ['stay within 5 pp of the limit', { vlt_lending: [76_000], vlt_high: thousands(24) }, []],
        ['stay if one position alone exceeds the limit', { vlt_lending: [5_000], vlt_medium: [95_000] }, []],
        ['keep only that one position', { vlt_lending: [5_000], vlt_medium: [85_000, 10_000] }, [['vlt_medium', 'vlt_higher', 1, 10_000]]],
        ['move a single position that exceeds the limit of a tier', { vlt_lending: [60_000], vlt_high: [40_000] }, [['vlt_high', 'vlt_medium', 1, 40_000]]],
        [
          'leave the vault of a tier with the least loss of yield',
          { vlt_lending: [68_000], vlt_high: [16_000], vlt_higher: [16_000] },
          [['vlt_high', 'vlt_medium', 1, 16_000]],
        ],
        [
          'leave both vaults if one is not enough',
          { vlt_lending: [30_000], vlt_high: [35_000], vlt_higher: [35_000] },
          [
            ['vlt_high', 'vlt_medium', 1, 35_000],
            ['vlt_higher', 'vlt_lending', 1, 35_000],
          ],
        ],
      ],
    )('%s', async (_, positions, moves) => {
      expect(await down(positions)).toEqual(moves);
    });
  });

  it.each([
    [10_000, 0.08, 0.02],
    [1_000_000, 0.06, 0.04],
  ])(
    'Routing between two vaults that swap rates every 36 h gains no less than holding: %i units, %d and %d',
    async (amount, high, low) => {
      const isFirst = (at: number): boolean => Math.floor((at + HISTORY_HOURS) / 36) % 2 === 1;
      const recorded = [
        { ...LENDING, apy: (at: number) => (isFirst(at) ? high : low) },
        other((at) => (isFirst(at) ? low : high)),
      ];
      const readings = readingsOfAll(recorded, HOURS);
      const { runs } = await backtest(catalogueOf(recorded), readings, BEGIN, HOURS, [amount]);
      const { router, hold } = runs[0]!.strategies;
      expect(router.gainPct).toBeGreaterThanOrEqual(hold.gainPct - 1e-9);
    },
  );

  describe('a silent feed', () => {
    const recorded = [LENDING, other(() => 0.06)];
    const silent = (until: number) =>
      changeReadings(recorded, 'vlt_other', (_, at) => (at >= 300 && at < until ? null : {}));

    it('A silent feed causes an eviction within 28 hours if other vaults are observed', async () => {
      const [first, ...rest] = (await routed(recorded, 10_000, silent(400))).steps;
      expect(first).toMatchObject({ to: 0, record: { reason: 'evicted' } });
      expect(first!.at).toBeLessThanOrEqual(328);
      expect(rest.length).toBeLessThanOrEqual(1);
    });

    it('A silent feed causes no eviction for 70 hours if all vaults are silent', async () => {
      const readings = silent(370);
      const lending = readings.get('vlt_lending')!;
      const isHeard = (at: number): boolean => at < 300 || at >= 370;
      readings.set(
        'vlt_lending',
        lending.filter((_, index) => isHeard(index - HISTORY_HOURS)),
      );
      expect((await routed(recorded, 10_000, readings)).steps).toEqual([]);
    });
  });

  it('A vault with two days of history gets no funds', async () => {
    const recorded = [LENDING, other(() => 0.2)];
    const readings = changeReadings(recorded, 'vlt_other', (_, at) => (at < HOURS - 2 * DAY ? null : {}));
    expect((await routed(recorded, 10_000, readings)).steps).toEqual([]);
  });

  // Two thirds of the assets are withdrawn in two days, the yield of the rest rises, a week later the price falls by 98 %.
  it.each([10_000, 1_000_000])(
    'A failing vault is evicted from before its loss, and gets no funds for 30 days: %i units',
    async (amount) => {
      const recorded = [LENDING, other(() => 0.08, 6e7)];
      const readings = changeReadings(recorded, 'vlt_other', (_, at) => {
        const assets = Math.min(6e7, Math.max(9.6e6, 6e7 - (at - 250) * 7e5));
        const liquidity = at > 280 ? Math.max(1e5, assets - 9.5e6) : assets;
        return { ...priceOf(at < 280 ? 0.08 : 0.12, at, at < 460 ? 1 : 0.016), assets, liquidity };
      });
      const result = await routed(recorded, amount, readings);
      expect(result.first).toEqual([1]);
      expect(movesOf(result)).toEqual([[expect.any(Number), 0, 'evicted']]);
      expect(result.steps[0]!.at).toBeLessThan(300);
    },
  );
});
