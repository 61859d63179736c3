import { describe, expect, it } from '@jest/globals';
import { vaultOf } from '../../../../test/support/vault.js';
import { addHours } from '../../kernel/clock.js';
import { isStalled, termsUnder } from './move-scenarios.js';
import { type Scenario, SCENARIOS } from './simulated-market.js';

const FROM = new Date('2026-02-01T07:00:00.000Z');
const VAULT = vaultOf({ id: 'vlt_one', capacity: 5_000_000n });
const CASH = { ...vaultOf({ id: 'vlt_idle_usdc' }), feed: { kind: 'idle' } as const };
const under = (name: Scenario['name'], hour: number, vault = VAULT) =>
  termsUnder({ name, from: FROM }, addHours(FROM, hour), vault);

describe('a scenario of moves', () => {
  it('A scenario of moves begins at its hour: before it, and under any other scenario, a vault keeps its terms', () => {
    for (const name of SCENARIOS) {
      expect(under(name, -1)).toBe(VAULT);
      if (name !== 'queue' && name !== 'full') expect(under(name, 0)).toBe(VAULT);
    }
    expect(termsUnder(null, FROM, VAULT)).toBe(VAULT);
  });

  it.each(['queue', 'full'] as const)('%s lasts, and leaves cash as it is', (name) => {
    const terms = name === 'queue' ? { exitDelayHours: 24 } : { capacity: 0n };
    for (const hour of [0, 10_000]) {
      expect(under(name, hour)).toEqual({ ...VAULT, ...terms });
      expect(under(name, hour, CASH)).toBe(CASH);
    }
  });

  it('The scenario stalled lasts 30 hours, and is the only one that stalls the executor', () => {
    const stalls = (name: Scenario['name'], hour: number): boolean =>
      isStalled({ name, from: FROM }, addHours(FROM, hour));
    expect([-1, 0, 29, 30].map((hour) => stalls('stalled', hour))).toEqual([false, true, true, false]);
    expect(SCENARIOS.filter((name) => stalls(name, 0))).toEqual(['stalled']);
    expect(isStalled(null, FROM)).toBe(false);
  });
});
