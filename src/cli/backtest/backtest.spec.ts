import { describe, expect, it } from '@jest/globals';
import { BEGIN, catalogueOf, readingsOfAll, type RecordedYields } from '../../../test/support/recorded.js';
import { backtest, STRATEGIES } from './backtest.js';

const HOURS = 30 * 24;
const LENDING = 'vlt_lending';
const OTHER = 'vlt_other';
const AMOUNT = 10_000;
const HALF_OF_EIGHT = 4_000_000;

const run = async (
  recorded: readonly RecordedYields[],
  amount = AMOUNT,
  readings = readingsOfAll(recorded, HOURS),
) => {
  const { runs } = await backtest(catalogueOf(recorded), readings, BEGIN, HOURS, [amount]);
  return runs[0]!.strategies;
};
const grown = (apy: number, hours: number): number => (1 + apy) ** (hours / 8760);
const endOf = ({ values }: { values: Float64Array }): number => values.at(-1)!;

/** Waves of different lengths, so that each vault is the best at some time. */
const waves = (dilution: 'pool' | 'none' = 'none', assets = 2e7): RecordedYields[] =>
  [150, 210, 330].map((length, index) => ({
    vault: { id: `vlt_wave_${index}`, dilution },
    apy: (at) => 0.06 + 0.05 * Math.sin(at / length + index) + (at % 97 === index ? 0.2 : 0),
    assets,
  }));

describe('a backtest', () => {
  /** The other vault falls from 8 % to 2 % in the middle. */
  const fall: RecordedYields[] = [
    { vault: { id: LENDING }, apy: () => 0.04 },
    { vault: { id: OTHER }, apy: (at) => (at < HOURS / 2 ? 0.08 : 0.02) },
  ];

  it('A backtest computes the exact result of each simple strategy', async () => {
    const results = await run(fall);
    const other = grown(0.08, 360) * grown(0.02, 360);
    expect(endOf(results.lending)).toBeCloseTo(AMOUNT * grown(0.04, HOURS), 6);
    expect(endOf(results.best30)).toBeCloseTo(AMOUNT * other, 6);
    expect(endOf(results.split)).toBeCloseTo((AMOUNT / 2) * (grown(0.04, HOURS) + other), 6);
    // A day's mean is of the new rate alone a day later.
    const daily = (AMOUNT * grown(0.08, 360) * grown(0.02, 24) - 2) * grown(0.04, 336);
    expect(endOf(results.daily)).toBeCloseTo(daily, 6);
    expect(results.daily).toMatchObject({ moves: 1, promised: null, realised: null });
    expect(results.daily.costsPct).toBeCloseTo((2 / AMOUNT) * (8760 / HOURS) * 100, 9);
    expect(results.daily.gainPct).toBeCloseTo((daily / AMOUNT - 1) * (8760 / HOURS) * 100, 9);
    expect(results.daily.held).toEqual([
      { vaultId: OTHER, hours: 384 },
      { vaultId: LENDING, hours: 336 },
    ]);
    // It waits for nothing: the rate falls at 360.
    const clairvoyant = (AMOUNT * grown(0.08, 360) - 2) * grown(0.04, 360);
    expect(endOf(results.clairvoyant)).toBeCloseTo(clairvoyant, 6);
    expect(results.hold.held).toEqual([{ vaultId: OTHER, hours: HOURS }]);
    expect(results.hold.worstBehindLendingPct).toBe(0);
    expect(results.lending.months).toEqual({ ahead: 1, of: 1 });
  });

  it('A backtest lowers the rate of a pool by the dilution of the invested amount', async () => {
    const pool: RecordedYields[] = [
      { vault: { id: LENDING, dilution: 'pool' }, apy: () => 0.05, assets: 3_000_000 },
    ];
    const { lending } = await run(pool, 1_000_000);
    // 0.05 less a quarter; the amount grows by 0.3 % meanwhile.
    expect(lending.gainPct).toBeCloseTo(Math.log1p(0.05) * 0.75 * 100, 1);
  });

  it('A backtest earns no yield in the hours of a vault’s exit delay', async () => {
    const slow = fall.map((entry) => ({ ...entry, vault: { ...entry.vault, exitDelayHours: 12 } }));
    const { daily } = await run(slow);
    const moved = AMOUNT * grown(0.08, 360) * grown(0.02, 24) - 2;
    expect(endOf(daily)).toBeCloseTo(moved * grown(0.04, 324), 6);
    expect(daily.held).toContainEqual({ vaultId: 'vlt_idle_usdc', hours: 12 });
  });

  it.each([
    ['small', AMOUNT, 'none'],
    ['large', 1_000_000, 'pool'],
  ] as const)(
    'A backtest has no strategy that beats the clairvoyant under the same limits: %s',
    async (_, amount, dilution) => {
      const results = await run(waves(dilution), amount);
      const clairvoyantEnd = endOf(results.clairvoyant);
      for (const name of STRATEGIES.filter((entry) => entry !== 'split' && entry !== 'clairvoyant_unlimited'))
        expect(endOf(results[name])).toBeLessThanOrEqual(clairvoyantEnd * (1 + 1e-12));
      expect(endOf(results.clairvoyant_unlimited)).toBeGreaterThanOrEqual(clairvoyantEnd);
      expect(results.router.moves).toBeGreaterThan(0);
    },
  );

  it('A backtest limits the exposure of the clairvoyant’s positions like the router’s', async () => {
    const medium = fall.map((entry) =>
      entry.vault.id === OTHER ? { ...entry, vault: { ...entry.vault, riskTier: 'medium' as const } } : entry,
    );
    const { clairvoyant, router } = await run(medium, 8_000_000);
    const moved = (HALF_OF_EIGHT * grown(0.08, 360) - 4 * 2) * grown(0.04, 360);
    expect(endOf(clairvoyant)).toBeCloseTo(moved + HALF_OF_EIGHT * grown(0.04, HOURS), 0);
    expect(endOf(router)).toBeLessThan(endOf(clairvoyant));
  });

  it('A backtest enters no vault beyond its limits', async () => {
    const small = fall.map((entry) => (entry.vault.id === OTHER ? { ...entry, assets: 90_000 } : entry));
    const results = await run(small);
    for (const name of ['router', 'best30', 'daily', 'clairvoyant'] as const)
      expect(results[name].held).toEqual([{ vaultId: LENDING, hours: HOURS }]);
    expect(results.clairvoyant_unlimited.held).toContainEqual({ vaultId: OTHER, hours: HOURS / 2 });
  });

  it('A backtest uses future readings in the clairvoyant strategies only', async () => {
    const lastSharedHour = 500;
    const recorded = waves('pool');
    const after = recorded.map((entry) => ({
      ...entry,
      apy: (at: number) => (at <= lastSharedHour ? entry.apy(at) : 0.3 - entry.apy(at)),
    }));
    const [before, changed] = [await run(recorded), await run(after)];
    for (const name of STRATEGIES.filter((entry) => !entry.startsWith('clairvoyant')))
      expect([...changed[name].values.subarray(0, lastSharedHour + 1)]).toEqual([
        ...before[name].values.subarray(0, lastSharedHour + 1),
      ]);
    expect(endOf(changed.router)).not.toBe(endOf(before.router));
  });

  it('A backtest does not interpolate sparse readings, and stops accruing 24 hours after the last one', async () => {
    const readings = readingsOfAll(fall, HOURS);
    // One of a daily source and one that falls silent.
    readings.set(
      OTHER,
      readings.get(OTHER)!.filter(({ at }) => at.getUTCHours() === 23),
    );
    readings.set(
      LENDING,
      readings.get(LENDING)!.filter(({ at }) => at.getTime() < BEGIN.getTime()),
    );
    const results = await run(fall, AMOUNT, readings);
    expect(results.router.held[0]).toMatchObject({ vaultId: OTHER });
    // The index goes on for 24 hours after the last observation, then it rests.
    expect(endOf(results.lending)).toBeLessThan(AMOUNT * grown(0.04, 48));
  });
});
