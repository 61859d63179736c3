import { describe, expect, it } from '@jest/globals';
import { readConstants } from '../../config/constants.js';
import { vaultOf } from '../../../test/support/vault.js';
import type { Vault } from '../vaults/vault.js';
import { inputsOf, type JudgedVault } from './candidates.js';
import { routingConstants } from './routing-constants.js';

const HOUR = new Date('2026-03-12T10:00:00.000Z');
const RULES = {
  constants: routingConstants(readConstants('partner').constants),
  configVersion: 'v1',
  bridgeCosts: [],
  returnHalfLifeHours: 72,
  maximumStep: 0.001,
  maximumDivergence: 0.03,
};

/** Observed at 6 % now, after 5 % in the last hours and 4 % in the long run. */
const judged = (over: Partial<JudgedVault> = {}, vault: Partial<Vault> = {}): JudgedVault => ({
  vault: vaultOf({ id: 'vlt_one', ...vault }),
  state: { lastApy: 0.06, lastTvl: null, observedHour: HOUR, smoothed: { recent: 0.05, long: 0.04 } },
  expectedApy: 0.0421,
  riskAdjustedApy: 0.039,
  indexChange: 0,
  tvlChange: null,
  held: 0n,
  own: 0n,
  ...over,
});

const promisedApy = (one: JudgedVault, rules = RULES): number | null =>
  inputsOf(
    { hour: HOUR, vaults: new Map([[one.vault.id, one]]) },
    { asset: 'USDC', amount: 1n, vaultId: null, hoursInVault: 0 },
    HOUR,
    rules,
  ).candidates[0]!.promisedApy;

describe('what a promise is made of', () => {
  it('goes from what was observed last, not from its average: 6 % now and 4 % in the long run are 4.428548 % over 20 days', () => {
    expect(promisedApy(judged())).toBeCloseTo(0.04428548, 8);
  });

  it('goes by the horizon of routing, and by the half-life of the vault', () => {
    const short = { ...RULES, constants: { ...RULES.constants, horizonDays: 1 } };
    expect(promisedApy(judged(), short)).toBeGreaterThan(0.057);
    expect(promisedApy(judged({}, { returnHalfLifeHours: 1 }))).toBeLessThan(0.0401);
  });

  it('is not known while history is insufficient, or nothing was observed', () => {
    expect(promisedApy(judged({ expectedApy: null }))).toBeNull();
    const state = { lastApy: null, lastTvl: null, observedHour: null, smoothed: null };
    expect(promisedApy(judged({ state }))).toBeNull();
  });
});
