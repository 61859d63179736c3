import { describe, expect, it } from '@jest/globals';
import { readConstants } from '../../../config/constants.js';
import { vaultOf } from '../../../../test/support/vault.js';
import type { Vault } from '../../kernel/catalogue/vault.js';
import { inputsOf, type JudgedVault } from './candidates.js';
import { NOTHING_RECENT } from '../../markets/vaults/recent.js';
import { routingConstants } from './routing-constants.js';

const HOUR = new Date('2026-03-12T10:00:00.000Z');
const RULES = {
  constants: routingConstants(readConstants('partner').constants),
  configVersion: 'v1',
  bridgeCosts: [],
  returnHalfLifeHours: 72,
  haircut: { low: 0.05, medium: 0.15, high: 0.3 },
  maximumStep: 0.001,
  maximumDivergence: 0.03,
};

/** Vault observed at 6 % now, after 5 % in the last hours and 4 % in the long run. */
const judged = (over: Partial<JudgedVault> = {}, vault: Partial<Vault> = {}): JudgedVault => ({
  vault: vaultOf({ id: 'vlt_one', ...vault }),
  state: { lastApy: 0.06, lastTvl: null, observedHour: HOUR, smoothed: { recent: 0.05, long: 0.04 } },
  expectedApy: 0.0421,
  riskAdjustedApy: 0.039,
  ...NOTHING_RECENT,
  indexChange: 0,
  held: 0n,
  own: 0n,
  ...over,
});

const candidateOf = (one: JudgedVault, rules = RULES) =>
  inputsOf(
    { hour: HOUR, vaults: new Map([[one.vault.id, one]]) },
    { asset: 'USDC', amount: 1n, vaultId: null, hoursInVault: 0 },
    HOUR,
    rules,
  ).candidates[0]!;
const promisedApy = (one: JudgedVault, rules = RULES) => candidateOf(one, rules).promisedApy;

/** Candidates for USDC: a vault of it and two more, each observed at 6 % now, after 3 % in the last hours and 4 % in the long run. */
const together = (assetOfOthers: string) => {
  const { state } = judged();
  const fallen = { state: { ...state, smoothed: { recent: 0.03, long: 0.04 } } };
  const vaults = [
    judged(fallen),
    judged(fallen, { id: 'vlt_two', asset: assetOfOthers }),
    judged(fallen, { id: 'vlt_three', asset: assetOfOthers }),
  ];
  return inputsOf(
    { hour: HOUR, vaults: new Map(vaults.map((one) => [one.vault.id, one])) },
    { asset: 'USDC', amount: 1n, vaultId: null, hoursInVault: 0 },
    HOUR,
    RULES,
  ).candidates;
};

describe('what a promise is made of', () => {
  it('goes from what was observed last, not from its average: 6 % now and 4 % in the long run are 4.428548 % over 20 days', () => {
    expect(promisedApy(judged())).toBeCloseTo(0.04428548, 8);
  });

  it('goes by the horizon of routing, and by the half-life of the vault', () => {
    const short = { ...RULES, constants: { ...RULES.constants, horizonDays: 1 } };
    expect(promisedApy(judged(), short)).toBeGreaterThan(0.057);
    expect(promisedApy(judged({}, { returnHalfLifeHours: 1 }))).toBeLessThan(0.0401);
  });

  it('returns to the long average at the level of the market: where three vaults are a quarter below theirs, to 3 % and not 4', () => {
    // 6 % now and 3 % later are 3.642822 % over 20 days, and 3.216404 % over 60.
    for (const one of together('USDC')) {
      expect(one.promisedApy).toBeCloseTo(0.03642822, 8);
      expect(one.promisedLastingApy).toBeCloseTo(0.03216404, 8);
      expect(one.expectedApy).toBe(0.0421);
      expect(one.lastingApy).toBe(candidateOf(judged()).lastingApy);
    }
  });

  it('does not take vaults of another asset into the level', () => {
    const [only, ...others] = together('USDT');
    expect(others).toEqual([]);
    expect(only?.promisedApy).toBeCloseTo(0.04428548, 8);
  });

  it('is not known while history is insufficient, or nothing was observed', () => {
    expect(promisedApy(judged({ expectedApy: null }))).toBeNull();
    const state = { lastApy: null, lastTvl: null, observedHour: null, smoothed: null };
    expect(promisedApy(judged({ state }))).toBeNull();
  });
});

describe('what the last observation leaves', () => {
  it('is that observation after the haircut, less the same downside', () => {
    const known = { expectedApy: 0.05, riskAdjustedApy: 0.05 * 0.85 - 0.0005 };
    expect(candidateOf(judged(known, { riskTier: 'medium' })).currentRiskAdjustedApy).toBeCloseTo(
      0.06 * 0.85 - 0.0005,
      12,
    );
    expect(candidateOf(judged({ riskAdjustedApy: null })).currentRiskAdjustedApy).toBeNull();
  });
});

describe('what a long average would leave', () => {
  it('is that average after the haircut, less the same downside', () => {
    // 0.05 expected less 15 % and 0.0005 for the downside; 0.04 less the same.
    const known = { expectedApy: 0.05, riskAdjustedApy: 0.05 * 0.85 - 0.0005 };
    expect(candidateOf(judged(known, { riskTier: 'medium' })).lastingApy).toBeCloseTo(
      0.04 * 0.85 - 0.0005,
      12,
    );
  });

  it('is not known while history is insufficient', () => {
    expect(candidateOf(judged({ riskAdjustedApy: null })).lastingApy).toBeNull();
  });

  it('is promised over the longer horizon: 6 % now and 4 % in the long run are 4.144269 % over 60 days', () => {
    expect(candidateOf(judged()).promisedLastingApy).toBeCloseTo(0.04144269, 8);
  });
});
