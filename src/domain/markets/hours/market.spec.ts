import { describe, expect, it } from '@jest/globals';
import { readConstants } from '../../../config/constants.js';
import { DAY_HOURS, WEEK_HOURS } from '../vaults/recent.js';
import { addHours } from '../../kernel/clock.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';
import { nextHour } from '../vaults/vault-state.js';
import { type NextHour, hoursNeeded, type MarketMemory, Market, type MarketRules } from './market.js';
import { ALL_ASSETS } from './market-series.js';

const BEGINNING = new Date('2026-02-01T00:00:00.000Z');
const { constants, vaults: catalogue } = readConstants('sandbox');
const vault = (id: string, asset: string, over: Partial<Vault> = {}): Vault => ({
  ...catalogue[0]!,
  id,
  asset,
  active: true,
  ...over,
});
const A = vault('vlt_a', 'USDC');
const B = vault('vlt_b', 'USDC');
const T = vault('vlt_t', 'USDT');
const RULES: MarketRules = {
  vaults: [A, B, T],
  constants: {
    ...constants,
    assets: ['USDC', 'USDT'],
    yieldThresholds: { levels: [0.05], rearm: 0.0025 },
  },
};
const fresh = (rules = RULES): Market =>
  new Market(rules, {
    hour: BEGINNING,
    states: new Map(),
    histories: new Map(),
    series: new Map(),
    regimes: new Map(),
    yields: new Map(),
  });

/** APY of a vault by hours since the beginning; null: no observation. */
type Rate = (hour: number, vault: Vault) => number | null;
const rates =
  (rate: Rate, tvl: (vault: Vault, hour: number) => bigint = () => 10n ** 12n): NextHour =>
  (marketVault, before, hour) => {
    const count = (hour.getTime() - BEGINNING.getTime()) / 3_600_000;
    const apy = rate(count, marketVault);
    const observation =
      apy === null
        ? undefined
        : {
            apy,
            tvl: tvl(marketVault, count),
            assets: tvl(marketVault, count),
            liquidity: tvl(marketVault, count),
            observedAt: hour,
          };
    return nextHour(before, hour, observation, marketVault.feed.kind);
  };
const run = (path: Market, hours: number, advance: NextHour): Market => {
  for (let count = 0; count < hours; count++) path.step(advance);
  return path;
};
const regimeOf = (path: Market, asset = 'USDC') => path.regimes.find((regime) => regime.asset === asset)!;
const signalOf = (path: Market, id: string) => path.signals().find(({ vaultId }) => vaultId === id)!;

/** The state of a path that a store saves and loads again. */
function remembered(path: Market, all: Market[], rules = RULES): MarketMemory {
  const hours = hoursNeeded(rules.constants);
  const snapshots = all.flatMap((hour) => hour.snapshots);
  const hourly = <Own extends { hour: Date }>(rows: Own[]) => {
    const at = new Map(rows.map((row) => [row.hour.getTime(), row]));
    const last = Array.from({ length: hours }, (_, index) =>
      at.get(addHours(path.hour, index - hours + 1).getTime()),
    );
    return { firstHour: rows[0]?.hour ?? null, last };
  };
  const history = (id: string) => {
    const vaultSnapshots = snapshots.filter(({ vaultId }) => vaultId === id);
    const { firstHour, last } = hourly(vaultSnapshots);
    const assets = vaultSnapshots.map((snapshot) =>
      snapshot.assets === null ? null : Number(snapshot.assets),
    );
    return {
      firstHour,
      apys: last.map((snapshot) => snapshot?.apy ?? null),
      levels: vaultSnapshots.slice(-DAY_HOURS),
      assets: assets.slice(-WEEK_HOURS),
    };
  };
  const series = (name: string) => {
    const assetPoints = all.flatMap(({ points }) => points).filter(({ asset }) => asset === name);
    const { firstHour, last } = hourly(assetPoints);
    return { firstHour, points: last.map((point) => point ?? null) };
  };
  return {
    hour: path.hour,
    states: new Map(path.states.map((state) => [state.vaultId, state])),
    histories: new Map(rules.vaults.map(({ id }) => [id, history(id)])),
    series: new Map(rules.constants.assets.map((asset) => [asset, series(asset)])),
    regimes: new Map(path.regimes.map(({ asset, state }) => [asset, state])),
    yields: path.assetYields,
  };
}

/** Slow rise with oscillation, and hours without observation. */
const lively: Rate = (hour, { id }) =>
  hour % 29 === 7 && id === 'vlt_b'
    ? null
    : 0.03 + (hour / 24) * 0.0015 + (hour % 2 === 0 ? 0.0001 : -0.0001) * (id === 'vlt_a' ? 1 : 3);

describe('the course of a market', () => {
  it('The course of a market continues after hours that were dropped from memory once stored', () => {
    const [whole, forgetful] = [run(fresh(), 320, rates(lively)), fresh()];
    const snapshots = Array.from({ length: 320 }, () => {
      const added = [...run(forgetful, 1, rates(lively)).snapshots];
      forgetful.dropStored();
      return added;
    }).flat();
    expect(snapshots).toEqual(whole.snapshots);
    expect(forgetful.signals()).toEqual(whole.signals());
    expect(forgetful.regimes).toEqual(whole.regimes);
    expect(forgetful.assetYields).toEqual(whole.assetYields);
    expect([forgetful.snapshots, forgetful.points, forgetful.crossings]).toEqual([[], [], []]);
  });

  it('The course of a market is the same hour by hour, in parts or at once', () => {
    const whole = run(fresh(), 320, rates(lively));
    for (const size of [40, 111]) {
      const parts = [run(fresh(), 0, rates(lively))];
      for (let remaining = 320; remaining > 0; remaining -= size) {
        const memory = parts.length === 1 ? null : remembered(parts.at(-1)!, parts);
        const path = memory ? new Market(RULES, memory) : fresh();
        parts.push(run(path, Math.min(size, remaining), rates(lively)));
      }
      const last = parts.at(-1)!;
      expect(parts.flatMap(({ snapshots }) => snapshots)).toEqual(whole.snapshots);
      expect(parts.flatMap(({ points }) => points)).toEqual(whole.points);
      expect(parts.flatMap(({ crossings }) => crossings)).toEqual(whole.crossings);
      expect(last.regimes).toEqual(whole.regimes);
      expect(last.signals()).toEqual(whole.signals());
      expect(last.states).toEqual(whole.states);
    }
    expect(regimeOf(whole).state.regime).toBe('rising');
    expect(whole.crossings.length).toBeGreaterThan(0);
  });

  it('The course of a market derives the regime from the market series, weighted by the TVLs of each hour over its observed vaults', () => {
    const steady: Rate = (hour, { id }) => (id === 'vlt_a' ? 0.03 : hour === 300 ? null : 0.09);
    // Half of the funds move to the better vault, a day before the end.
    const moving = rates(steady, ({ id }, hour) => ((id === 'vlt_a') === hour < 276 ? 3n : 1n) * 10n ** 12n);
    const path = run(fresh(), 299, moving);
    expect(regimeOf(path).reading.apy).toBeCloseTo(0.075, 12);
    expect(regimeOf(path).reading.apy).toBe(path.points.at(-2)!.apy);
    expect(regimeOf(path).state.regime).toBe('volatile');
    run(path, 1, moving);
    expect(regimeOf(path).reading).toMatchObject({ apy: 0.03, observations: 168 });
  });

  it('The course of a market has a series over all assets, from all their vaults together', () => {
    const apys: Rate = (_hour, { id }) => ({ vlt_a: 0.02, vlt_b: 0.05, vlt_t: 0.08 })[id]!;
    const sizes = { vlt_a: 10n, vlt_b: 20n, vlt_t: 70n } as Record<string, bigint>;
    const over = (tvl: (vault: Vault) => bigint) =>
      regimeOf(
        run(
          fresh(),
          5,
          rates(apys, (apy) => tvl(apy)),
        ),
        ALL_ASSETS,
      ).reading.apy;
    expect(over(({ id }) => sizes[id]!)).toBeCloseTo(0.1 * 0.02 + 0.2 * 0.05 + 0.7 * 0.08, 12);
    // When no vault has a TVL, all weigh the same; one without TVL has no weight beside those with one.
    expect(over(() => 0n)).toBeCloseTo(0.05, 12);
    expect(over(({ id }) => (id === 'vlt_t' ? 0n : sizes[id]!))).toBeCloseTo(0.04, 12);
  });

  it('The course of a market counts the hours of a vault from its first snapshot', () => {
    const old = run(fresh({ ...RULES, vaults: [A, T] }), 300, rates(lively));
    const memory = remembered(old, [old]);
    const path = new Market(RULES, { ...memory, histories: new Map([...memory.histories].slice(0, 1)) });
    run(path, 47, rates(lively));
    expect(signalOf(path, 'vlt_b')).toMatchObject({ insufficientHistory: true, volatility: null });
    expect(signalOf(path, 'vlt_a')).toMatchObject({ insufficientHistory: false });
    run(path, 3, rates(lively));
    expect(signalOf(path, 'vlt_b')).toMatchObject({ volatility: expect.any(Number), trend: null });
    // The regime is the asset's, and comes from the vault that has a history.
    expect(regimeOf(path).state.regime).toBe('rising');
  });
});
