import { readConstants } from '../../src/config/constants.js';
import type { DecisionInputs, Candidate } from '../../src/domain/routing/allocation/decision.js';
import {
  type RoutingConstants,
  routingConstants,
} from '../../src/domain/routing/allocation/routing-constants.js';

const UNIT = 1_000_000n;

/** Thresholds of tests of the rules, whatever the configuration asks for: a move has to earn 1.5 times its cost within 20 days. */
export const THRESHOLDS: RoutingConstants = {
  ...routingConstants(readConstants('partner').constants),
  horizonDays: 20,
  minimumGainMultiple: 1.5,
  returnGainMultiple: 2,
  maximumIndexLoss: 0.01,
  exposure: { vault: { low: 1, medium: 1, high: 1 }, tier: { low: 1, medium: 1, high: 1 } },
};

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
  promisedShortApy: over.promisedApy === undefined ? 0.06 : over.promisedApy,
  promisedShortLastingApy: over.promisedLastingApy ?? null,
  tvl: null,
  assets: units(1_000_000),
  liquidity: units(1_000_000),
  highLiquidity: null,
  inflow: '0',
  dilution: 'none',
  indexChange: 0,
  assetsChange: 0,
  quarantineHours: null,
  capacity: null,
  held: '0',
  own: '0',
  ours: over.held ?? '0',
  cost: units(2),
  exitDelayHours: 0,
  hoursSinceObserved: 0,
  silentEverywhere: false,
  hoursSinceLeft: null,
  ...over,
});

/** The lending vault of the tests. */
export const LENDING = 'vlt_lending';

/** A vault of ten million, with a rate for all forecasts. */
export const vault = (vaultId: string, rate: number | null, over: Partial<Candidate> = {}): Candidate =>
  candidate({
    vaultId,
    lendingBaseline: vaultId === LENDING,
    assets: units(10_000_000),
    liquidity: units(10_000_000),
    apy: rate,
    expectedApy: rate,
    riskAdjustedApy: rate,
    promisedApy: rate,
    ...over,
  });

export const lending = (rate: number | null, over?: Partial<Candidate>): Candidate =>
  vault(LENDING, rate, over);

export const IDLE = 'vlt_idle_usdc';
/** Of funds that may move. */
export const HELD = { currentVaultId: LENDING, hoursInVault: 100 };
export const CASH = { currentVaultId: IDLE, hoursInVault: 1 };

/** Inputs of a decision on a deposit of ten thousand, which is all that the partner has. */
export const decisionInputs = (
  candidates: Candidate[],
  over: Partial<DecisionInputs> = {},
): DecisionInputs => ({
  asset: 'USDC',
  amount: units(10_000),
  groupAmount: over.amount ?? units(10_000),
  book: over.amount ?? units(10_000),
  positions: 1,
  currentVaultId: null,
  hoursInVault: 0,
  idle: { vaultId: IDLE, cost: units(1) },
  snapshotHour: '2026-03-12T10:00:00.000Z',
  configVersion: 'v1',
  constants: THRESHOLDS,
  candidates,
  ...over,
});
