import {
  type ExposureDefaults,
  type ExposureLimits,
  exposureLimits,
} from '../../tenants/policies/exposure-limits.js';
import { brokenRules, type Policy, type VaultRule } from '../../tenants/policies/policy.js';
import { toUnits } from '../../kernel/money.js';
import type { RiskTier } from '../../kernel/catalogue/catalogue.js';

/** Micro-units as decimal digits, so that a decision survives a JSON round trip. */
export type Micro = string;

export interface RoutingConstants {
  horizonDays: number;
  /** Horizon in days for a difference that the long averages have too. */
  lastingHorizonDays: number;
  /** Days within which a move of cash has to pay off, since cash earns nothing. */
  cashHorizonDays: number;
  minimumDelta: number;
  minimumGainMultiple: number;
  /** Least promise of a move less its cost, in multiples of the cost. */
  minimumPromiseMultiple: number;
  /** Whole asset units, over the horizon and after the cost. */
  minimumNetGain: number;
  minimumHoursInVault: number;
  /** Hours after leaving a vault during which a return requires a gain of `returnGainMultiple` times the cost. */
  returnHours: number;
  returnGainMultiple: number;
  minimumSizeMultiple: number;
  /** Limit on this service's share of the target's TVL, amount included; a fraction. */
  maximumShare: number;
  /** Limits on the hours since the last observation: of a vault, and where none of the asset's vaults is observed. */
  maximumGapHours: number;
  maximumSilentHours: number;
  /** Limit on the age of a reading in hours, for new funds. */
  maximumReadingHours: number;
  /** Limit on the loss of the index within a day, a fraction. */
  maximumIndexLoss: number;
  /** Limits on the loss of assets against the median of a week, fractions: for funds that are there, and for new ones. */
  maximumAssetsLoss: number;
  maximumThinning: number;
  /** Utilisation beyond which a vault is left while its liquidity is below a multiple of the service's holdings. */
  maximumUtilisation: number;
  minimumLiquidityMultiple: number;
  /** Utilisation from which on a pool pays by what is left in it. */
  kink: number;
  exposure: ExposureDefaults;
}

/** Vault of the asset at the time of the decision. */
export interface Candidate {
  vaultId: string;
  active: boolean;
  lendingBaseline: boolean;
  /** Absent in records from before policies existed. */
  riskTier?: RiskTier;
  venue?: string;
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
  /** Risk-adjusted APY at the mean of 72 hours; null: insufficient history. Absent in records from before it was kept. */
  steadyApy?: number | null;
  /** Like `promisedApy`, over the longer horizon. */
  promisedLastingApy: number | null;
  /** Like `promisedApy` and `promisedLastingApy`, from the mean yield of 6 hours instead of the newest one. */
  promisedShortApy: number | null;
  promisedShortLastingApy: number | null;
  /** As the feed counts it; null: unknown. */
  tvl: Micro | null;
  /** All deposits, and the part of them that can be withdrawn now; null: unknown. */
  assets: Micro | null;
  liquidity: Micro | null;
  /** The highest liquidity within 6 hours; null: unknown. */
  highLiquidity: Micro | null;
  /** What earlier decisions of the hour bring there, less what they take out. */
  inflow: Micro;
  /** The part of it that is not the partner's, at two digits; absent: none. */
  inflowOfOthers?: Micro;
  dilution: 'pool' | 'none';
  /** Change of the index against its highest within a day, and of assets against the median of a week; fractions; null: unknown. */
  indexChange: number | null;
  assetsChange: number | null;
  /** Hours until its quarantine ends; null: none. */
  quarantineHours: number | null;
  /** Limit on this service's holdings; null: none. */
  capacity: Micro | null;
  /** This service's holdings before the decision, over all partners. */
  held: Micro;
  /** The partner's part of them, on which limits on exposure depend. */
  own: Micro;
  /** Holdings as rates take them into account: the partner's own exactly, those of others at two digits, as a rate shows them. */
  ours: Micro;
  /** Cost of moving the funds there; 0 for a deposit, and for the current vault. */
  cost: Micro;
  /** Median base fee of its chain, from which its part of the cost follows, wei for a unit of gas; absent: the cost is fixed. */
  baseFee?: number;
  /** Hours from a withdrawal until the funds are available elsewhere. */
  exitDelayHours: number;
  hoursSinceObserved: number | null;
  /** Whether no vault of the asset is observed. */
  silentEverywhere: boolean;
  /** Age of its newest reading, and distance of readings of its source, in hours; absent: those of observations. */
  reading?: { hours: number; step: number };
  hoursSinceLeft: number | null;
  /** Share price data; absent for a vault that is not followed by its price. */
  price?: CandidatePrice;
}

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
  | 'reading'
  | 'history'
  | 'index'
  | 'outflow'
  | 'liquidity'
  | 'quarantine'
  | 'assets'
  | 'capacity'
  | 'size'
  | 'share'
  | 'step'
  | 'divergence'
  | 'policy'
  | 'exposure'
  | 'exit'
  | 'cost'
  | 'delta'
  | 'gain'
  | 'net_gain'
  | 'promise'
  | 'time_in_vault'
  | 'return';

export interface Gate {
  gate: GateName;
  /**
   * delta: fraction a year. gain, return, net_gain, promise, capacity, cost: whole asset units. fresh, time_in_vault: hours. size: times the amount. share, index,
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
export const FILL_GATES: ReadonlySet<GateName> = new Set(['capacity', 'size', 'share', 'liquidity']);

/** Conditions under which a vault may hold funds; when one fails, the funds leave at once. */
export const keepGates = (candidate: Candidate, constants: RoutingConstants, policy?: Policy): Gate[] => [
  ...safetyGates(candidate, constants),
  ...policyGates(candidate, policy, false),
];

function safetyGates(candidate: Candidate, constants: RoutingConstants): Gate[] {
  const { active, hoursSinceObserved, silentEverywhere, indexChange, assetsChange } = candidate;
  const { maximumGapHours, maximumSilentHours, maximumIndexLoss, maximumAssetsLoss } = constants;
  return [
    flag('active', active),
    // Where nothing is known of any vault there is no better one.
    atMost('fresh', hoursSinceObserved, silentEverywhere ? maximumSilentHours : maximumGapHours),
    lost('index', indexChange, maximumIndexLoss),
    lost('outflow', assetsChange, maximumAssetsLoss),
    liquidityGate(candidate, constants),
    quarantineGate(candidate),
  ];
}

/** A vault that is lent out may take days to pay: its liquidity has to cover what this service holds there more than once. */
function liquidityGate(
  { assets, liquidity, highLiquidity, held }: Candidate,
  { maximumUtilisation, minimumLiquidityMultiple }: RoutingConstants,
): Gate {
  const used = utilisation(assets, liquidity);
  const multiple = highLiquidity === null ? null : ratio(BigInt(highLiquidity), BigInt(held));
  const isTight = used !== null && used > maximumUtilisation && multiple !== null;
  const threshold = isTight ? minimumLiquidityMultiple : null;
  return { gate: 'liquidity', value: multiple, threshold, passed: !isTight || multiple >= threshold! };
}

const quarantineGate = ({ quarantineHours }: Candidate): Gate => ({
  gate: 'quarantine',
  value: quarantineHours,
  threshold: 0,
  passed: quarantineHours === null,
});

/** Part of the deposits that is lent out; null: unknown. */
export const utilisation = (assets: Micro | null, liquidity: Micro | null): number | null => {
  const free = assets === null || liquidity === null ? null : ratio(BigInt(liquidity), BigInt(assets));
  return free === null ? null : 1 - free;
};

/** Gates of the partner's policy on a vault; none without a policy. @param enters whether funds would enter it */
function policyGates(
  candidate: Pick<Candidate, 'vaultId' | 'riskTier'>,
  policy: Policy | undefined,
  enters: boolean,
): Gate[] {
  if (!policy) return [];
  const rules = brokenRules(policy, candidate, enters);
  return [{ ...flag('policy', rules.length === 0), rules }];
}

/** Limits of a vault for deposits and moves, whatever the gain. @param amount micro-units, above 0 */
export function limitGates(
  candidate: Candidate,
  amount: bigint,
  constants: RoutingConstants,
  policy?: Policy,
): Gate[] {
  const size = sizeOf(candidate);
  const multiple = size === null ? null : ratio(size, amount);
  const share = size === null ? null : ratio(BigInt(candidate.held) + amount, size + amount);
  const { hours, step } = candidate.reading ?? { hours: candidate.hoursSinceObserved, step: 1 };
  return [
    ...safetyGates(candidate, constants),
    atMost('reading', hours, Math.max(constants.maximumReadingHours, READING_STEPS * step)),
    lost('assets', candidate.assetsChange, constants.maximumThinning),
    flag('history', candidate.riskAdjustedApy !== null),
    capacity(candidate, amount),
    atLeast('size', multiple, constants.minimumSizeMultiple),
    atMost('share', share, constants.maximumShare),
    ...priceGates(candidate),
    ...policyGates(candidate, policy, true),
  ];
}

/** Readings that a source may miss before its newest one is too old for new funds. */
const READING_STEPS = 2;
/** Liquidity that counts for a part of the size, and the part of the deposits that counts as liquid where that is unknown. */
const SIZE_OF_LIQUIDITY = 5n;
const LIQUID_PART = 10n;

/** Size by which a vault's fill is evaluated: its deposits, or five times what can be withdrawn of them if that is less. null: neither is known. */
export function sizeOf({ assets, liquidity }: Pick<Candidate, 'assets' | 'liquidity'>): bigint | null {
  if (assets === null && liquidity === null) return null;
  const all = BigInt(assets ?? liquidity!);
  const free = SIZE_OF_LIQUIDITY * (liquidity === null ? all / LIQUID_PART : BigInt(liquidity));
  return free < all ? free : all;
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

/** Gates of fixed costs: the gain pays for the move within the horizon. @param estimate micro-units; null: a rate is unknown */
export function payGates(
  { cost }: Pick<Candidate, 'cost'>,
  estimate: { gain: bigint; npv: bigint } | null,
  { minimumGainMultiple, minimumNetGain }: RoutingConstants,
): Gate[] {
  const least = minimumGainMultiple * plainUnits(BigInt(cost));
  return [
    atLeast('gain', estimate && plainUnits(estimate.gain), least),
    atLeast('net_gain', estimate && plainUnits(estimate.npv), minimumNetGain),
  ];
}

/** What limits on exposure depend on, as a decision has it. */
export interface Book {
  /** The partner's funds of the asset with its cash, a deposit included. */
  book: Micro;
  /** Positions that the amount consists of. */
  positions: number;
  currentVaultId: string | null;
  candidates: readonly Candidate[];
}

/** Sums of floats may exceed a limit that they are at. */
const ROUNDING = 1e-9;

/**
 * Limits on the part of a partner's book in a vault, in all vaults of a tier, and of a venue. A position is whole: it may exceed its vault's limit where
 * it alone is the reason, but no other one.
 */
export function exposureGate(
  candidate: Candidate,
  amount: bigint,
  { book, positions, currentVaultId, candidates }: Book,
  { exposure }: Pick<RoutingConstants, 'exposure'>,
  policy?: Policy,
): Gate {
  const limits = exposureLimits(exposure, policy?.exposure, policy?.exposureBounds);
  const isAlone = positions === 1 && candidate.own === '0';
  const parts = limitedParts(candidate, candidates, limits, isAlone).map(({ vaultIds, own, limit }) => {
    const stays = currentVaultId !== null && vaultIds.includes(currentVaultId);
    return { value: ratio(stays ? own : own + amount, BigInt(book)) ?? 0, limit };
  });
  return mostExposed(parts);
}

/** The same limits on funds that are there. @param isAlone whether the vault holds a single position of the partner */
export const heldExposureGate = (
  current: Candidate,
  { book, candidates, constants, policy }: Omit<Book, 'positions' | 'currentVaultId'> & ExposureRulesInForce,
  isAlone: boolean,
): Gate =>
  mostExposed(
    limitedParts(
      current,
      candidates,
      exposureLimits(constants.exposure, policy?.exposure, policy?.exposureBounds),
      isAlone,
    ).map(({ own, limit }) => ({ value: ratio(own, BigInt(book)) ?? 0, limit })),
  );

interface ExposureRulesInForce {
  constants: Pick<RoutingConstants, 'exposure'>;
  policy?: Policy;
}

const mostExposed = (parts: readonly { value: number; limit: number }[]): Gate => {
  const { value, limit } = parts.toSorted((a, b) => b.value - b.limit - (a.value - a.limit))[0]!;
  return { gate: 'exposure', value, threshold: limit, passed: value <= limit + ROUNDING };
};

type Placed = Pick<Candidate, 'vaultId' | 'riskTier' | 'venue' | 'own'>;

export interface LimitedPart {
  name: string;
  vaultIds: string[];
  /** Micro-units. */
  own: bigint;
  /** Largest part of the book, a fraction. */
  limit: number;
}

/** Parts of a book that limits bind and a vault belongs to: the vault, its tier and its venue. */
export function limitedParts(
  { vaultId, riskTier = 'low', venue = '' }: Placed,
  candidates: readonly Placed[],
  { vault, tier, venue: venues }: ExposureLimits,
  isAlone: boolean,
): LimitedPart[] {
  const part = (name: string, limit: number, isIn: (one: Placed) => boolean): LimitedPart => {
    const within = candidates.filter(isIn);
    const own = within.reduce((sum, one) => sum + BigInt(one.own), 0n);
    return { name, vaultIds: within.map((one) => one.vaultId), own, limit };
  };
  return [
    part(`vault ${vaultId}`, isAlone ? 1 : vault[riskTier], (one) => one.vaultId === vaultId),
    part(`tier ${riskTier}`, tier[riskTier], (one) => (one.riskTier ?? 'low') === riskTier),
    part(`venue ${venue}`, venues[venue] ?? 1, (one) => one.venue === venue),
  ];
}

/** Gate of a move: its vault can pay the amount out now. */
export const exitGate = ({ liquidity }: Candidate, amount: bigint): Gate => ({
  gate: 'exit',
  value: liquidity === null ? null : plainUnits(BigInt(liquidity)),
  threshold: plainUnits(amount),
  passed: liquidity === null || BigInt(liquidity) >= amount,
});

/** Gate for evicted funds and cash: something must remain after the move's cost. */
export const costGate = (cost: Micro, amount: bigint): Gate => ({
  gate: 'cost',
  value: plainUnits(BigInt(cost)),
  threshold: plainUnits(amount),
  passed: BigInt(cost) < amount,
});

export interface Prospect {
  /** Micro-units that move in one transaction. */
  amount: bigint;
  /** Fraction a year; null: one of the two rates is not known, so nothing is gained. */
  delta: number | null;
  /** Micro-units; null with the delta. */
  estimate: { horizonDays: number; gain: bigint; npv: bigint } | null;
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
  { amount, delta, estimate, promise }: Prospect,
  hoursInVault: number,
  constants: RoutingConstants,
  policy?: Policy,
): Gate[] {
  const { cost, hoursSinceLeft } = candidate;
  const gain = estimate && plainUnits(estimate.gain);
  const units = plainUnits(BigInt(cost));
  const days = estimate?.horizonDays ?? constants.horizonDays;
  const leastPromise = Math.max(
    constants.minimumPromiseMultiple * units,
    (plainUnits(amount) * constants.minimumDelta * days) / 365 - units,
  );
  const returns = hoursSinceLeft !== null && hoursSinceLeft < constants.returnHours;
  return [
    atLeast('delta', delta, Math.max(constants.minimumDelta, policy?.minimumGain ?? 0)),
    ...payGates(candidate, estimate, constants),
    atLeast('promise', promise === null ? null : plainUnits(promise), leastPromise),
    atLeast('time_in_vault', hoursInVault, constants.minimumHoursInVault),
    returns
      ? atLeast('return', gain, constants.returnGainMultiple * constants.minimumGainMultiple * units)
      : { gate: 'return', value: gain, threshold: null, passed: true },
  ];
}

export const failed = (gates: readonly Gate[]): GateName[] =>
  gates.filter(({ passed }) => !passed).map(({ gate }) => gate);

const flag = (gate: GateName, value: boolean): Gate => atLeast(gate, Number(value), 1);

/** An unknown loss counts as none, because it takes a day of history. @param change 0 or less */
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
    value: plainUnits(after),
    threshold: bound === null ? null : plainUnits(BigInt(bound)),
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
export function ratio(part: bigint, whole: bigint): number | null {
  return whole > 0n ? Number(part) / Number(whole) : null;
}

/** Whole units for a record, which is plain JSON: the nearest double also of an amount that an answer shows exactly. */
const plainUnits = (micro: bigint): number => Number(toUnits(micro));
