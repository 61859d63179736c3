import { describe, expect, it } from '@jest/globals';
import { addHours } from './hour.js';
import { isStale, nextHour, type VaultState } from './vault-state.js';
import { INDEX_SCALE } from './yield-index.js';

const START = new Date('2026-01-01T00:00:00.000Z');
const seen = (apy: number) => ({ apy, tvl: 1_000_000n, observedAt: START });
const fresh: VaultState = {
  vaultId: 'vlt_x',
  index: INDEX_SCALE,
  lastApy: null,
  lastTvl: null,
  observedHour: null,
  smoothed: null,
  simulated: null,
};

/** Runs the hours after START; `observe` says what is seen in each. */
function run(hours: number, observe: (hour: number) => number | null): VaultState {
  let state = fresh;
  for (let hour = 0; hour <= hours; hour++) {
    const apy = observe(hour);
    ({ state } = nextHour(state, addHours(START, hour), apy === null ? undefined : seen(apy)));
  }
  return state;
}

describe('a vault that loses', () => {
  it('keeps what the hour earned less the loss of all of it, rounded down', () => {
    const { state } = nextHour(fresh, START, seen(0.05));
    const loss = { ...seen(0.05), lossPerMille: 50n };
    const next = nextHour(state, addHours(START, 1), loss);
    expect(next.state.index).toBe(((INDEX_SCALE + 5_569_668_954_548n) * 95n) / 100n);
    expect(next.snapshot.index).toBe(next.state.index);
  });
});

describe('a vault, hour by hour', () => {
  it('starts at an index of one, and accrues nothing before anything was observed', () => {
    expect(run(10, () => null).index).toBe(INDEX_SCALE);
    expect(run(0, () => 0.05).index).toBe(INDEX_SCALE);
  });

  it('accrues each hour at what was observed when it began', () => {
    expect(run(1, (hour) => (hour === 0 ? 0.05 : 0.9)).index).toBe(INDEX_SCALE + 5569668954548n);
  });

  it('comes to the stated index after a year at 5 %', () => {
    expect(run(8760, () => 0.05).index).toBe(1049999999999998911n);
  });

  it('accrues a gap of 24 hours at the last observation, and rests after it', () => {
    const steady = run(24, () => 0.05).index;
    expect(run(24, (hour) => (hour === 0 ? 0.05 : null)).index).toBe(steady);
    expect(run(100, (hour) => (hour === 0 ? 0.05 : null)).index).toBe(steady);
  });

  it('goes on from where it rested when the feed is back, and makes nothing up for the time between', () => {
    const rested = run(100, (hour) => (hour === 0 ? 0.05 : null)).index;
    expect(run(101, (hour) => (hour === 0 || hour === 101 ? 0.05 : null)).index).toBe(rested);
  });

  it('is stale when the last observation is more than 24 hours old, or there is none', () => {
    const state = { observedHour: START };
    expect(isStale(state, addHours(START, 24))).toBe(false);
    expect(isStale(state, addHours(START, 25))).toBe(true);
    expect(isStale({ observedHour: null }, START)).toBe(true);
  });

  it('notes null, never 0, for an hour without data', () => {
    const { snapshot } = nextHour(
      { ...fresh, lastApy: 0.05, observedHour: START },
      addHours(START, 1),
      undefined,
    );
    expect(snapshot).toMatchObject({ apy: null, tvl: null, index: INDEX_SCALE + 5569668954548n });
  });
});
