import { brokenRules, type Policy } from '../../tenants/policies/policy.js';
import { toUnits } from '../../kernel/money.js';
import type { Candidate, Micro } from './decision.js';
import type { Gate, GateName } from './gate.js';
import type { RoutingConstants } from './routing-constants.js';

/** Gates on a vault's fill. Their values depend on all partners' holdings. */
export const FILL_GATES: ReadonlySet<GateName> = new Set(['capacity', 'size', 'share', 'liquidity']);

/** Conditions under which a vault may hold funds; when one fails, the funds leave at once. */
export const keepGates = (candidate: Candidate, constants: RoutingConstants, policy?: Policy): Gate[] => [
  ...safetyGates(candidate, constants),
  ...policyGates(candidate, policy, false),
];

function safetyGates(candidate: Candidate, constants: RoutingConstants): Gate[] {
  const { active, hoursSinceObserved, silentEverywhere, indexChange, assetsChange, quarantineHours } =
    candidate;
  const { maximumGapHours, maximumSilentHours, maximumIndexLoss, maximumAssetsLoss } = constants;
  return [
    flag('active', active),
    // Where nothing is known of any vault there is no better one.
    atMost('fresh', hoursSinceObserved, silentEverywhere ? maximumSilentHours : maximumGapHours),
    lost('index', indexChange, maximumIndexLoss),
    lost('outflow', assetsChange, maximumAssetsLoss),
    liquidityGate(candidate, constants),
    gateOf('quarantine', quarantineHours, 0, quarantineHours === null),
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
  return gateOf('liquidity', multiple, threshold, !isTight || multiple >= threshold!);
}

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

/** Gate of a move: its vault can pay the amount out now. */
export function exitGate({ liquidity }: Candidate, amount: bigint): Gate {
  const free = liquidity === null ? null : BigInt(liquidity);
  return gateOf(
    'exit',
    free === null ? null : plainUnits(free),
    plainUnits(amount),
    free === null || free >= amount,
  );
}

/** Gate for evicted funds and cash: something must remain after the move's cost. */
export const costGate = (cost: Micro, amount: bigint): Gate =>
  gateOf('cost', plainUnits(BigInt(cost)), plainUnits(amount), BigInt(cost) < amount);

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
      : gateOf('return', gain, null, true),
  ];
}

export const failed = (gates: readonly Gate[]): GateName[] =>
  gates.filter(({ passed }) => !passed).map(({ gate }) => gate);

const flag = (gate: GateName, value: boolean): Gate => atLeast(gate, Number(value), 1);

const gateOf = (gate: GateName, value: number | null, threshold: number | null, passed: boolean): Gate => ({
  gate,
  value,
  threshold,
  passed,
});

/** An unknown loss counts as none, because it takes a day of history. @param change 0 or less */
const lost = (gate: GateName, change: number | null, bound: number): Gate =>
  // 0 minus the bound avoids -0, which JSON does not have.
  gateOf(gate, change, 0 - bound, change === null || change > -bound);

/** Compared in micro-units; whole units are for display. */
function capacity({ held, capacity: bound }: Candidate, amount: bigint): Gate {
  const after = BigInt(held) + amount;
  const most = bound === null ? null : BigInt(bound);
  const limit = most === null ? null : plainUnits(most);
  return gateOf('capacity', plainUnits(after), limit, most === null || after <= most);
}

const atLeast = (gate: GateName, value: number | null, threshold: number): Gate =>
  gateOf(gate, value, threshold, value !== null && value >= threshold);

const atMost = (gate: GateName, value: number | null, threshold: number): Gate =>
  gateOf(gate, value, threshold, value !== null && value <= threshold);

/** Limit in both directions; an unknown value is within it. */
const within = (gate: GateName, value: number | null, threshold: number): Gate =>
  gateOf(gate, value, threshold, value === null || Math.abs(value) <= threshold);

/** Whole units for a record, which is plain JSON: the nearest double also of an amount that an answer shows exactly. */
const plainUnits = (micro: bigint): number => Number(toUnits(micro));

/** Part of the deposits that is lent out; null: unknown. */
export const utilisation = (assets: Micro | null, liquidity: Micro | null): number | null => {
  const free = assets === null || liquidity === null ? null : ratio(BigInt(liquidity), BigInt(assets));
  return free === null ? null : 1 - free;
};

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

/** Ratio of micro-units; null for a division by zero. */
export function ratio(part: bigint, whole: bigint): number | null {
  return whole > 0n ? Number(part) / Number(whole) : null;
}
