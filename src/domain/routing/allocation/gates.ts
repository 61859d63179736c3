import { brokenRules, type Policy, type VaultRule } from '../../tenants/policies/policy.js';
import { toUnits } from '../../books/positions/amount.js';
import type { RiskTier } from '../../kernel/catalogue/vault.js';

/** Micro-units as decimal digits, so that a decision survives a JSON round trip. */
export type Micro = string;

export interface RoutingConstants {
  /** Horizon of a move's gain, in days. */
  horizonDays: number;
  /** Horizon in days for a difference that the long averages have too. */
  lastingHorizonDays: number;
  /** Days within which a move of cash has to pay off, since cash earns nothing. */
  cashHorizonDays: number;
  /** APY, a fraction. */
  minimumDelta: number;
  /** Multiple of the cost. */
  minimumGainMultiple: number;
  /** Least promise of a move less its cost, in multiples of the cost. */
  minimumPromiseMultiple: number;
  /** Whole asset units, over the horizon and after the cost. */
  minimumNetGain: number;
  minimumHoursInVault: number;
  /** Hours after leaving a vault during which a return requires a gain of `returnGainMultiple` times the cost. */
  returnHours: number;
  returnGainMultiple: number;
  /** Multiple of the amount. */
  minimumTvlMultiple: number;
  /** Limit on this service's share of the target's TVL, amount included; a fraction. */
  maximumShare: number;
  /** Limit on the hours since the last observation. */
  maximumGapHours: number;
  /** Limits on losses of index and TVL within a day, fractions. */
  maximumIndexLoss: number;
  maximumTvlLoss: number;
}

/** Vault of the asset at the time of the decision. */
export interface Candidate {
  vaultId: string;
  active: boolean;
  lendingBaseline: boolean;
  /** Absent in records from before policies existed. */
  riskTier?: RiskTier;
  /** APY, a fraction; null: no observation. */
  apy: number | null;
  /** APY, a fraction; null: insufficient history. No gate uses it. */
  expectedApy: number | null;
  /** Of the expected APY, a fraction; null: insufficient history. */
  riskAdjustedApy: number | null;
  /** Of the observed APY, likewise. No gate uses it; absent in records from before it was kept. */
  currentRiskAdjustedApy?: number | null;
  /** Fraction a year, over the horizon, as a promise has it; null: history is insufficient. */
  promisedApy: number | null;
  /** Risk-adjusted APY at its long average, a fraction; null: insufficient history. */
  lastingApy: number | null;
  /** Like `promisedApy`, over the longer horizon. */
  promisedLastingApy: number | null;
  /** null: the feed does not report it. */
  tvl: Micro | null;
  /** Whether an amount dilutes the rate. */
  dilution: 'pool' | 'none';
  /** Change against the highest within a day, a fraction, 0 or less; null: unknown. */
  indexChange: number | null;
  tvlChange: number | null;
  /** Limit on this service's holdings; null: none. */
  capacity: Micro | null;
  /** This service's holdings before the decision, over all partners. */
  held: Micro;
  /** The partner's part of them. No gate uses it. */
  own: Micro;
  /** Cost of moving the funds there; 0 for a deposit, and for the current vault. */
  cost: Micro;
  /** Median base fee of its chain, from which its part of the cost follows, wei for a unit of gas; absent: the cost is fixed. */
  baseFee?: number;
  /** Hours from a withdrawal until the funds are available elsewhere. */
  exitDelayHours: number;
  /** null: never observed. */
  hoursSinceObserved: number | null;
  /** Hours since these funds were last moved out of it; null: never. */
  hoursSinceLeft: number | null;
  /** Share price data; absent for a vault that is not followed by its price. */
  price?: CandidatePrice;
}

/** Share price data that speak against new funds, each with its limit. */
export interface CandidatePrice {
  /** Step that the index has yet to take, relative to the vault's known worth; a fraction. */
  pendingChange: number;
  maximumStep: number;
  /** Difference between its APY and its second source's, fractions; null: one is unknown. */
  divergence: number | null;
  maximumDivergence: number;
}

export type GateName =
  | 'active'
  | 'fresh'
  | 'history'
  | 'index'
  | 'outflow'
  | 'capacity'
  | 'tvl'
  | 'share'
  | 'step'
  | 'divergence'
  | 'policy'
  | 'cost'
  | 'delta'
  | 'gain'
  | 'net_gain'
  | 'promise'
  | 'time_in_vault'
  | 'return';

/** Condition of a decision. */
export interface Gate {
  gate: GateName;
  /**
   * delta: fraction a year. gain, return, net_gain, promise, capacity, cost: whole asset units. fresh, time_in_vault: hours. tvl: times the amount. share, index,
   * outflow, step: fraction. divergence: fraction a year. active, history, policy: 1 or 0. null: not known, or never.
   */
  value: number | null;
  /** In the unit of the value; null: no limit applies. */
  threshold: number | null;
  passed: boolean;
  /** For `policy` only: the violated rules. */
  rules?: VaultRule[];
}

/** Gates on a vault's fill. Their values depend on all partners' holdings. */
export const FILL_GATES: ReadonlySet<GateName> = new Set(['capacity', 'tvl', 'share']);

type Kept = Pick<
  Candidate,
  'vaultId' | 'riskTier' | 'active' | 'hoursSinceObserved' | 'indexChange' | 'tvlChange'
>;

/** Conditions under which a vault may hold funds; when one fails, the funds leave at once. */
export const keepGates = (candidate: Kept, constants: RoutingConstants, policy?: Policy): Gate[] => [
  ...safetyGates(candidate, constants),
  ...policyGates(candidate, policy, false),
];

function safetyGates(candidate: Kept, constants: RoutingConstants): Gate[] {
  return [
    flag('active', candidate.active),
    atMost('fresh', candidate.hoursSinceObserved, constants.maximumGapHours),
    lost('index', candidate.indexChange, constants.maximumIndexLoss),
    lost('outflow', candidate.tvlChange, constants.maximumTvlLoss),
  ];
}

/**
 * Gates of the partner's policy on a vault; none without a policy.
 * @param enters whether funds would enter it
 */
function policyGates(
  candidate: Pick<Candidate, 'vaultId' | 'riskTier'>,
  policy: Policy | undefined,
  enters: boolean,
): Gate[] {
  if (!policy) return [];
  const rules = brokenRules(policy, candidate, enters);
  return [{ ...flag('policy', rules.length === 0), rules }];
}

/**
 * Limits of a vault for deposits and moves, whatever the gain.
 * @param amount micro-units, above 0
 */
export function limitGates(
  candidate: Candidate,
  amount: bigint,
  constants: RoutingConstants,
  policy?: Policy,
): Gate[] {
  const tvl = candidate.tvl === null ? null : BigInt(candidate.tvl);
  const multiple = tvl === null ? null : ratio(tvl, amount);
  const share = tvl === null ? null : ratio(BigInt(candidate.held) + amount, tvl + amount);
  return [
    ...safetyGates(candidate, constants),
    flag('history', candidate.riskAdjustedApy !== null),
    capacity(candidate, amount),
    atLeast('tvl', multiple, constants.minimumTvlMultiple),
    atMost('share', share, constants.maximumShare),
    ...priceGates(candidate),
    ...policyGates(candidate, policy, true),
  ];
}

/**
 * Gates of a vault that is followed by its share price. While the index lags behind the price, an entrant would share in others' gains, or bear their
 * losses.
 */
function priceGates({ price }: Candidate): Gate[] {
  if (price === undefined) return [];
  const { pendingChange, maximumStep, divergence, maximumDivergence } = price;
  return [
    within('step', pendingChange, maximumStep),
    // The gate passes when one of the two values is not known.
    within('divergence', divergence, maximumDivergence),
  ];
}

/**
 * Gates of fixed costs: the gain pays for the move within the horizon.
 * @param estimate micro-units; null: a rate is unknown
 */
export function payGates(
  { cost }: Pick<Candidate, 'cost'>,
  estimate: { gain: bigint; npv: bigint } | null,
  { minimumGainMultiple, minimumNetGain }: RoutingConstants,
): Gate[] {
  const least = minimumGainMultiple * toUnits(BigInt(cost));
  return [
    atLeast('gain', estimate && toUnits(estimate.gain), least),
    atLeast('net_gain', estimate && toUnits(estimate.npv), minimumNetGain),
  ];
}

/** Gate for evicted funds and cash: something must remain after the move's cost. */
export const costGate = (cost: Micro, amount: bigint): Gate => ({
  gate: 'cost',
  value: toUnits(BigInt(cost)),
  threshold: toUnits(amount),
  passed: BigInt(cost) < amount,
});

/** Expected result of a move. */
export interface Prospect {
  /** Fraction a year; null: one of the two rates is not known, so nothing is gained. */
  delta: number | null;
  /** Micro-units; null with the delta. */
  estimate: { gain: bigint; npv: bigint } | null;
  /** Promise in micro-units; null: one of the two forecasts is not known. */
  promise: bigint | null;
}

/**
 * Gates on the gain of a move and on the time since earlier moves.
 *
 * @param hoursInVault hours that the funds have been in their vault
 */
export function gainGates(
  candidate: Pick<Candidate, 'cost' | 'hoursSinceLeft'>,
  { delta, estimate, promise }: Prospect,
  hoursInVault: number,
  constants: RoutingConstants,
  policy?: Policy,
): Gate[] {
  const { cost, hoursSinceLeft } = candidate;
  const gain = estimate && toUnits(estimate.gain);
  const units = toUnits(BigInt(cost));
  const returns = hoursSinceLeft !== null && hoursSinceLeft < constants.returnHours;
  return [
    atLeast('delta', delta, Math.max(constants.minimumDelta, policy?.minimumGain ?? 0)),
    ...payGates(candidate, estimate, constants),
    atLeast('promise', promise === null ? null : toUnits(promise), constants.minimumPromiseMultiple * units),
    atLeast('time_in_vault', hoursInVault, constants.minimumHoursInVault),
    returns
      ? atLeast('return', gain, constants.returnGainMultiple * units)
      : { gate: 'return', value: gain, threshold: null, passed: true },
  ];
}

export const failed = (gates: readonly Gate[]): GateName[] =>
  gates.filter(({ passed }) => !passed).map(({ gate }) => gate);

const flag = (gate: GateName, value: boolean): Gate => atLeast(gate, Number(value), 1);

/**
 * An unknown loss counts as none, because it takes a day of history.
 * @param change 0 or less
 */
const lost = (gate: GateName, change: number | null, bound: number): Gate => ({
  gate,
  value: change,
  // 0 minus the bound avoids -0, which JSON does not have.
  threshold: 0 - bound,
  passed: change === null || change > -bound,
});

/** Compared in micro-units; whole units are for display. */
function capacity({ held, capacity: bound }: Candidate, amount: bigint): Gate {
  const after = BigInt(held) + amount;
  return {
    gate: 'capacity',
    value: toUnits(after),
    threshold: bound === null ? null : toUnits(BigInt(bound)),
    passed: bound === null || after <= BigInt(bound),
  };
}

const atLeast = (gate: GateName, value: number | null, threshold: number): Gate => ({
  gate,
  value,
  threshold,
  passed: value !== null && value >= threshold,
});

const atMost = (gate: GateName, value: number | null, threshold: number): Gate => ({
  gate,
  value,
  threshold,
  passed: value !== null && value <= threshold,
});

/** Limit in both directions; an unknown value is within it. */
const within = (gate: GateName, value: number | null, threshold: number): Gate => ({
  gate,
  value,
  threshold,
  passed: value === null || Math.abs(value) <= threshold,
});

/** Ratio of micro-units; null for a division by zero. */
function ratio(part: bigint, whole: bigint): number | null {
  return whole > 0n ? Number(part) / Number(whole) : null;
}
