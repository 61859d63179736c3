import type { Candidate } from '../../src/domain/routing/allocation/gates.js';

const UNIT = 1_000_000n;

/** Whole units as a string of micro-units. */
export const units = (count: number): string => (BigInt(count) * UNIT).toString();

/** A vault that takes up to ten thousand. */
export const candidate = (over: Partial<Candidate> = {}): Candidate => ({
  vaultId: 'vlt_target',
  active: true,
  lendingBaseline: false,
  apy: 0.06,
  expectedApy: 0.06,
  riskAdjustedApy: 0.052,
  promisedApy: 0.06,
  lastingApy: null,
  promisedLastingApy: null,
  tvl: units(1_000_000),
  dilution: 'none',
  indexChange: 0,
  tvlChange: 0,
  capacity: null,
  held: '0',
  own: '0',
  cost: units(2),
  exitDelayHours: 0,
  hoursSinceObserved: 0,
  hoursSinceLeft: null,
  ...over,
});
