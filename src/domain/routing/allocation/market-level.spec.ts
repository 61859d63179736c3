import { describe, expect, it } from '@jest/globals';
import { vaultOf } from '../../../../test/support/vault.js';
import type { JudgedVault } from './candidates.js';
import { NOTHING_RECENT } from '../../markets/vaults/recent.js';
import { marketLevel } from './market-level.js';

/** Vault whose recent average is a multiple of its long one of 4 %. */
const at = (multiple: number, over: Partial<JudgedVault> = {}): JudgedVault => ({
  vault: vaultOf({ id: `vlt_${multiple}` }),
  state: {
    lastApy: 0.06,
    lastTvl: null,
    observedHour: null,
    smoothed: { recent: 0.04 * multiple, long: 0.04 },
  },
  expectedApy: 0.05,
  riskAdjustedApy: 0.04,
  ...NOTHING_RECENT,
  held: 0n,
  own: 0n,
  ...over,
});
const levelOf = (...multiples: number[]): number => marketLevel(multiples.map((one) => at(one)));

describe('level of a market', () => {
  it('is the median of recent over long averages', () => {
    expect(levelOf(0.2, 0.5, 0.4)).toBeCloseTo(0.4, 12);
    expect(levelOf(0.5, 0.8, 0.4, 0.6)).toBeCloseTo(0.55, 12);
    expect(levelOf(0.5, 0.7, 9, 9)).toBe(1);
  });

  it('does not follow a single vault, however far it falls', () => {
    expect(levelOf(1, 1, 0)).toBe(1);
    expect(levelOf(0.9, 0.9, -50)).toBeCloseTo(0.9, 12);
  });

  it('is 1 with fewer than three vaults that count', () => {
    const others = [
      at(0.3, { expectedApy: null }),
      at(0.3, { state: { ...at(0.3).state, smoothed: null } }),
      at(0.3, { state: { ...at(0.3).state, smoothed: { recent: 0.05, long: 0 } } }),
    ];
    expect(marketLevel([])).toBe(1);
    expect(marketLevel([at(0.3), at(0.3), ...others])).toBe(1);
    expect(marketLevel([at(0.3), at(0.3), at(0.3), ...others])).toBeCloseTo(0.3, 12);
  });

  it('stays within a tenth and 1: a market that rose counts as at its long averages', () => {
    expect(levelOf(2, 3, 2.5)).toBe(1);
    expect(levelOf(-1, -1, -1)).toBe(0.1);
  });
});
