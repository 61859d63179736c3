import { describe, expect, it } from '@jest/globals';
import type { Observation } from './feed.js';
import { addHours } from '../../kernel/clock.js';
import { pendingChange, type PricePoint, yieldOver } from './share-price.js';
import { initialState, nextHour, stateAt, type VaultState } from './vault-state.js';
import { HOURS_PER_YEAR, INDEX_SCALE } from './yield-index.js';

const START = new Date('2026-03-01T00:00:00.000Z');
const PRICE = 1_050_000_000_000_000_000n;
const UNSEEN: VaultState = initialState('vlt_x');

const seen = (
  hour: number,
  value: bigint,
  source = 'ethereum:erc4626:0x1',
  apy: number | null = null,
): Observation => ({
  apy,
  tvl: 1n,
  assets: 1n,
  liquidity: 1n,
  observedAt: addHours(START, hour),
  price: { source, value, blockNumber: BigInt(hour), blockHash: '0x', blockAt: addHours(START, hour) },
});

/** @param looks observation of each hour from START on; undefined: none */
function run(looks: readonly (Observation | undefined)[]): VaultState {
  return looks.reduce<VaultState>(
    (state, look, hour) => nextHour(state, addHours(START, hour), look, 'chain').state,
    UNSEEN,
  );
}

describe('the index of a vault that follows its share price', () => {
  it('gains 1 % for 1 % of the price, over the hour after its observation', () => {
    const risen = [seen(0, PRICE), seen(1, (PRICE * 101n) / 100n)];
    expect(run(risen)).toMatchObject({ index: INDEX_SCALE, factor: 0n });
    const next = run([...risen, undefined]);
    expect(next).toMatchObject({ index: INDEX_SCALE, factor: INDEX_SCALE / 100n });
    expect(run([...risen, undefined, undefined]).index).toBe((INDEX_SCALE * 101n) / 100n);
    const half = new Date(addHours(START, 2).getTime() + 1_800_000);
    const at = stateAt(
      run(risen),
      addHours(START, 1),
      half,
      (state, hour) => nextHour(state, hour, undefined, 'chain').state,
    );
    expect(at.index).toBe((INDEX_SCALE * 1005n) / 1000n);
  });

  it('falls by a loss at the start of that hour', () => {
    const fallen = run([seen(0, PRICE), seen(1, (PRICE * 98n) / 100n), undefined]);
    expect(fallen).toMatchObject({ index: (INDEX_SCALE * 98n) / 100n, factor: 0n });
    expect(run([seen(0, PRICE), seen(1, 0n), undefined]).index).toBe(1n);
  });

  it('continues at its yield through hours without a price, and is corrected by the next one', () => {
    const silent = [seen(0, PRICE, undefined, 0.05), ...Array<undefined>(10).fill(undefined)];
    expect(run(silent).index).toBeGreaterThan(INDEX_SCALE);
    const later = run([...silent, seen(11, (PRICE * 1001n) / 1000n), undefined, undefined]);
    expect(Number(later.index) / 1e18).toBeCloseTo(1.001, 12);
  });

  it('is the same whether an hour was projected or stored', () => {
    const next = (state: VaultState, hour: Date): VaultState =>
      nextHour(state, hour, undefined, 'chain').state;
    const before = run([seen(0, PRICE), seen(1, (PRICE * 101n) / 100n)]);
    const at = new Date(addHours(START, 2).getTime() + 1000);
    const early = stateAt(before, addHours(START, 1), at, next);
    const ticked = nextHour(before, addHours(START, 2), seen(2, PRICE), 'chain').state;
    expect(stateAt(ticked, addHours(START, 2), at, next).index).toBe(early.index);
  });

  it('restarts at the price of another smart contract, and after another feed', () => {
    const other = run([seen(0, PRICE), seen(1, PRICE * 1000n, 'ethereum:erc4626:0x2'), undefined]);
    expect(other).toMatchObject({ index: INDEX_SCALE, factor: 0n });
    const { price: _price, ...rate } = seen(1, PRICE, undefined, 0.05);
    expect(run([seen(0, PRICE), rate]).price).toBeNull();
  });

  it('has its pending change until the next hour', () => {
    const { price, index } = run([seen(0, PRICE), seen(1, (PRICE * 98n) / 100n)]);
    expect(pendingChange(price!, index)).toBe(-0.02);
  });
});

describe('a yield from share prices', () => {
  /** Prices of a vault that yields 5 % a year, with overrides for some hours. */
  const points = (hours: number, over: (hour: number) => number = () => 1): PricePoint[] => {
    let level = 1;
    return Array.from({ length: hours + 1 }, (_, hour) => {
      if (hour > 0) level *= 1.05 ** (1 / HOURS_PER_YEAR) * over(hour);
      return { at: addHours(START, hour), value: BigInt(Math.round(level * 1e15)) * 10n ** 12n };
    });
  };

  it.each<[string, PricePoint[], number, number | null]>([
    ['5 % over a day', points(24), 24, 0.05],
    ['5 % over the last of many days', points(300), 24, 0.05],
    ['5 % over a week', points(168), 168, 0.05],
    ['5 % with most of a day', points(20), 24, 0.05],
    ['null with less', points(19), 24, null],
    ['null with one price', points(0), 24, null],
    ['null without prices', [], 24, null],
    ['unaffected by a donation of 1 %', points(24, (hour) => (hour === 9 ? 1.01 : 1)), 24, 0.05],
    ['unaffected by a loss of 2 %', points(24, (hour) => (hour === 9 ? 0.98 : 1)), 24, 0.05],
    ['5 % with hours missing', points(24).filter((_, hour) => hour % 5 !== 3), 24, 0.05],
    [
      '5 % with its first price an hour late',
      points(40).filter((_, hour) => hour === 15 || hour > 20),
      24,
      0.05,
    ],
    [
      'null without a price within an hour of its start',
      points(40).filter((_, hour) => hour === 14 || hour > 20),
      24,
      null,
    ],
    ['null for an implausible rate', points(24, () => 1.0009), 24, null],
  ])('is %s', (_, prices, window, expected) => {
    const apy = yieldOver(prices, window, 0.001);
    if (expected === null) expect(apy).toBeNull();
    else expect(apy).toBeCloseTo(expected, 6);
  });
});
