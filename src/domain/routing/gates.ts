import { brokenRules, type Policy, type VaultRule } from '../policies/policy.js';
import { toUnits } from '../positions/amount.js';
import type { RiskTier } from '../vaults/vault.js';

/** Micro-units as decimal digits, so that a decision is the same before and after it was JSON. */
export type Micro = string;

export interface RoutingConstants {
  /** Days over which a move is to bring its gain. */
  horizonDays: number;
  /** Days over which a difference counts that the long averages have too. */
  lastingHorizonDays: number;
  /** Days within which cash has to pay for its move: it earns nothing where it is. */
  cashHorizonDays: number;
  /** Fraction a year. */
  minimumDelta: number;
  /** Times the cost. */
  minimumGainMultiple: number;
  /** The same of what it promises, cost taken off. */
  minimumPromiseMultiple: number;
  /** Whole asset units, over the horizon and after the cost. */
  minimumNetGain: number;
  minimumHoursInVault: number;
  /** Hours after leaving a vault in which going back takes a gain of `returnGainMultiple` times the cost. */
  returnHours: number;
  returnGainMultiple: number;
  /** Times the amount. */
  minimumTvlMultiple: number;
  /** Fraction of the target's TVL that may be this service's own, the amount included. */
  maximumShare: number;
  /** Hours since the last observation. */
  maximumGapHours: number;
  /** Fractions of its index and of its TVL that a vault may have lost within a day. */
  maximumIndexLoss: number;
  maximumTvlLoss: number;
}

/** A vault of the asset, as it was when the decision was made. */
export interface Candidate {
  vaultId: string;
  active: boolean;
  lendingBaseline: boolean;
  /** Absent of records of before there were policies. */
  riskTier?: RiskTier;
  /** Fraction a year; null: nothing observed. */
  apy: number | null;
  /** Fraction a year; null: history is insufficient. Nothing is decided by it. */
  expectedApy: number | null;
  /** Fraction a year; null: history is insufficient. */
  riskAdjustedApy: number | null;
  /** Fraction a year, over the horizon, as a promise has it; null: history is insufficient. */
  promisedApy: number | null;
  /** Fraction a year, risk-adjusted: what its long average would leave of it; null: history is insufficient. */
  lastingApy: number | null;
  /** As the promised one, over the longer horizon. */
  promisedLastingApy: number | null;
  /** null: the feed does not say. */
  tvl: Micro | null;
  /** Whether an amount lowers the rate that it finds. */
  dilution: 'pool' | 'none';
  /** Against the highest within a day, as a fraction, 0 or less; null: not known. */
  indexChange: number | null;
  tvlChange: number | null;
  /** Most that this service may hold in it; null: no bound. */
  capacity: Micro | null;
  /** What this service holds in it, before the decision: all partners together. */
  held: Micro;
  /** How much of it is of the partner whose funds are judged. Nothing is decided by it. */
  own: Micro;
  /** Of moving the funds there from where they are; 0 of a deposit, and of where they are. */
  cost: Micro;
  /** Hours from leaving it until the funds can go elsewhere. */
  exitDelayHours: number;
  /** null: never observed. */
  hoursSinceObserved: number | null;
  /** Since these funds were last moved out of it; null: never. */
  hoursSinceLeft: number | null;
  /** Of a vault that is followed by its share price; absent of any other. */
  price?: CandidatePrice;
}

/** What a share price says against new funds; each with the most that it may be. */
export interface CandidatePrice {
  /** Of what the vault is known to be worth against its index, as a fraction: a step that the index has yet to take. */
  pendingChange: number;
  maximumStep: number;
  /** Of its yield against that of its second opinion, fractions a year; null: one of them is not known. */
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

/** One condition of a decision. */
export interface Gate {
  gate: GateName;
  /**
   * delta: fraction a year. gain, return, net_gain, promise, capacity, cost: whole asset units. fresh, time_in_vault: hours. tvl: times the amount. share, index,
   * outflow, step: fraction. divergence: fraction a year. active, history, policy: 1 or 0. null: not known, or never.
   */
  value: number | null;
  /** In the unit of the value; null: no bound applies. */
  threshold: number | null;
  passed: boolean;
  /** Of `policy` alone: the rules that the vault does not keep. */
  rules?: VaultRule[];
}

/** Gates on how full a vault is. Their values depend on what all partners hold there. */
export const FILL_GATES: ReadonlySet<GateName> = new Set(['capacity', 'tvl', 'share']);

type Kept = Pick<
  Candidate,
  'vaultId' | 'riskTier' | 'active' | 'hoursSinceObserved' | 'indexChange' | 'tvlChange'
>;

/** What a vault that holds funds must be; one that is not is left at once. */
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

/** What the policy of its partner says to a vault; nothing where it has none. @param enters whether funds are to go into it */
function policyGates(
  candidate: Pick<Candidate, 'vaultId' | 'riskTier'>,
  policy: Policy | undefined,
  enters: boolean,
): Gate[] {
  if (!policy) return [];
  const rules = brokenRules(policy, candidate, enters);
  return [{ ...flag('policy', rules.length === 0), rules }];
}

/** Limits: what deposits and moves ask of a vault, whatever there is to gain. @param amount micro-units, above 0 */
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

/** Of a vault that is followed by its share price. Who comes while the index is behind the price would be paid a rise of others, or bear a loss of theirs. */
function priceGates({ price }: Candidate): Gate[] {
  if (price === undefined) return [];
  const { pendingChange, maximumStep, divergence, maximumDivergence } = price;
  return [
    within('step', pendingChange, maximumStep),
    // Where one of them says nothing, they do not disagree.
    within('divergence', divergence, maximumDivergence),
  ];
}

/** What fixed costs ask of a gain: that it pays for the move within the horizon. @param estimate micro-units; null: a rate is not known */
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

/** Of funds that have to go, and of cash: the move must leave something of them. */
export const costGate = (cost: Micro, amount: bigint): Gate => ({
  gate: 'cost',
  value: toUnits(BigInt(cost)),
  threshold: toUnits(amount),
  passed: BigInt(cost) < amount,
});

/** What a move is thought to bring. */
export interface Prospect {
  /** Fraction a year; null: one of the two rates is not known, so nothing is gained. */
  delta: number | null;
  /** Micro-units; null with the delta. */
  estimate: { gain: bigint; npv: bigint } | null;
  /** Micro-units; null: what is expected of one of the two vaults is not known. */
  promise: bigint | null;
}

/**
 * What a move asks of its gain and of what went before.
 *
 * @param hoursInVault hours that the funds have been where they are
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

/** A loss that is not known is none: it takes a day of history. @param change 0 or less */
const lost = (gate: GateName, change: number | null, bound: number): Gate => ({
  gate,
  value: change,
  // Not -0, which JSON does not know.
  threshold: 0 - bound,
  passed: change === null || change > -bound,
});

/** Judged in micro-units: whole units are for reading. */
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

/** In either direction; what is not known is within. */
const within = (gate: GateName, value: number | null, threshold: number): Gate => ({
  gate,
  value,
  threshold,
  passed: value === null || Math.abs(value) <= threshold,
});

/** Of micro-units; null where there is nothing to divide by. */
function ratio(part: bigint, whole: bigint): number | null {
  return whole > 0n ? Number(part) / Number(whole) : null;
}
