import { type ExposureLimits, exposureLimits } from '../../tenants/policies/exposure-limits.js';
import { brokenRules, type Policy } from '../../tenants/policies/policy.js';
import { RATE_SCALE, scaledRate, toUnits } from '../../kernel/money.js';
import { type Candidate, currentOf, type DecisionInputs, type Micro } from './decision.js';
import { atLeast, atMost, flag, type Gate, type GateName, gateOf, within } from './gate.js';
import type { RoutingConstants } from './routing-constants.js';
import type { RiskTier } from '../../kernel/catalogue/catalogue.js';

/** Gates of a vault that a smaller amount may pass. */
export const SIZE_GATES: ReadonlySet<GateName> = new Set(['capacity', 'size', 'share', 'exposure']);

/** Gates on a vault's fill. Their values depend on all partners' holdings. */
export const FILL_GATES: ReadonlySet<GateName> = new Set(['capacity', 'size', 'share', 'liquidity']);

/** Conditions under which a vault may hold funds; when one fails, the funds leave at once. */
export const stayGates = (candidate: Candidate, constants: RoutingConstants, policy?: Policy): Gate[] => [
  ...safetyGates(candidate, constants),
  ...policyGates(candidate, policy, false),
];

function safetyGates(candidate: Candidate, constants: RoutingConstants): Gate[] {
  const { active, hoursSinceObserved, silentEverywhere, indexChange, assetsChange, quarantineHours } =
    candidate;
  const { maximumGapHours, maximumSilentHours, maximumIndexLoss, maximumAssetsLoss } = constants;
  return [
    flag('active', active),
    // If no vault is observed, none is known to be better.
    atMost('fresh', hoursSinceObserved, silentEverywhere ? maximumSilentHours : maximumGapHours),
    lossGate('index', indexChange, maximumIndexLoss),
    lossGate('outflow', assetsChange, maximumAssetsLoss),
    liquidityGate(candidate, constants),
    gateOf('quarantine', quarantineHours, 0, quarantineHours === null),
  ];
}

/** A vault that is lent out may take days to pay, so its liquidity has to cover a multiple of the service's holdings. */
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
    lossGate('assets', candidate.assetsChange, constants.maximumThinning),
    flag('history', candidate.riskAdjustedApy !== null),
    capacityGate(candidate, amount),
    atLeast('size', multiple, constants.minimumSizeMultiple),
    atMost('share', share, constants.maximumShare),
    ...priceGates(candidate),
    ...policyGates(candidate, policy, true),
  ];
}

/** Readings that a source may miss before its newest one is too old for new funds. */
const READING_STEPS = 2;

/**
 * Gates of a vault that is tracked by its share price. While the index lags behind the price, an entrant would share in others' gains, or bear their
 * losses.
 */
function priceGates({ price }: Candidate): Gate[] {
  if (price === undefined) return [];
  const { pendingChange, maximumStep, divergence, maximumDivergence } = price;
  return [
    within('step', pendingChange, maximumStep),
    // Passes if one of the two APYs is unknown.
    within('divergence', divergence, maximumDivergence),
  ];
}

type LimitedConstants = Pick<RoutingConstants, 'exposure'>;

export const exposureLimitsFor = (
  { exposure }: LimitedConstants,
  policy: Policy | null | undefined,
): ExposureLimits =>
  policy ? exposureLimits(exposure, policy.exposure, policy.exposureBounds) : { ...exposure, venue: {} };

/** Inputs of a decision that exposure limits depend on. */
type Book = Pick<DecisionInputs, 'book' | 'positions' | 'currentVaultId' | 'candidates' | 'policy'> & {
  constants: LimitedConstants;
};

/**
 * Limits on the part of a partner's book in a vault, in all vaults of its tier, and in all of its venue. A position is indivisible: alone in a vault,
 * it may exceed the vault's limit, but no other.
 */
export const exposureGate = (candidate: Candidate, amount: bigint, inputs: Book): Gate =>
  gateOfPart(tightestPart(candidate, amount, inputs));

/** Limits on funds that the vault already holds. @param isAlone whether the vault holds a single position of the partner */
export const heldExposureGate = (current: Candidate, inputs: Book, isAlone: boolean): Gate =>
  gateOfPart(tightest(current, inputs, isAlone, ({ amount }) => amount));

/** The part of a book nearest to its limit, or furthest over it. */
interface TightestPart extends Pick<LimitedPart, 'kind' | 'limit'> {
  /** Of the book, a fraction. */
  value: number;
}

/** The limit that an amount comes nearest to in a vault. */
export function tightestPart(candidate: Candidate, amount: bigint, inputs: Book): TightestPart {
  const isAlone = inputs.positions === 1 && candidate.own === '0';
  const current = currentOf(inputs);
  return tightest(candidate, inputs, isAlone, (part) =>
    current && part.isIn(current) ? part.amount : part.amount + amount,
  );
}

/** What limits on exposure leave of a vault for several positions, in micro-units; 0 or less: nothing. */
export function exposureRoom(candidate: Candidate, inputs: Book): bigint {
  const { book, candidates, constants, policy } = inputs;
  const current = currentOf(inputs);
  return limitedParts(candidate, candidates, exposureLimitsFor(constants, policy), false)
    .filter((part) => !current || !part.isIn(current))
    .map(({ amount, limit }) => (BigInt(book) * scaledRate(limit)) / RATE_SCALE - amount)
    .reduce((least, room) => (room < least ? room : least), BigInt(book));
}

/** Sums of floats at a limit may exceed it by this much. */
const ROUNDING = 1e-9;

const gateOfPart = ({ value, limit }: TightestPart): Gate =>
  gateOf('exposure', value, limit, value <= limit + ROUNDING);

function tightest(
  candidate: Candidate,
  { book, candidates, constants, policy }: Book,
  isAlone: boolean,
  amountOf: (part: LimitedPart) => bigint,
): TightestPart {
  const parts = limitedParts(candidate, candidates, exposureLimitsFor(constants, policy), isAlone).map(
    (part) => ({ kind: part.kind, value: ratio(amountOf(part), BigInt(book)) ?? 0, limit: part.limit }),
  );
  return parts.toSorted((a, b) => b.value - b.limit - (a.value - a.limit))[0]!;
}

type LimitedVault = Pick<Candidate, 'vaultId' | 'riskTier' | 'venue' | 'own'>;

interface LimitedPart {
  kind: 'vault' | 'tier' | 'venue';
  name: string;
  isIn: (vault: LimitedVault) => boolean;
  /** Micro-units. */
  amount: bigint;
  /** Largest part of the book, a fraction. */
  limit: number;
}

const tierOf = ({ riskTier = 'low' }: LimitedVault): RiskTier => riskTier;

/** Last sums by tier and venue: all candidates of a decision use the same ones. */
let newest: { candidates: readonly LimitedVault[]; sums: ReadonlyMap<string, bigint> } | undefined;

function sumsOf(candidates: readonly LimitedVault[]): ReadonlyMap<string, bigint> {
  if (newest?.candidates === candidates) return newest.sums;
  const sums = new Map<string, bigint>();
  const add = (name: string, amount: bigint): void => void sums.set(name, (sums.get(name) ?? 0n) + amount);
  for (const candidate of candidates) {
    const amount = BigInt(candidate.own);
    add(`tier ${tierOf(candidate)}`, amount);
    add(`venue ${candidate.venue}`, amount);
  }
  newest = { candidates, sums };
  return sums;
}

/** Parts of a book that a vault belongs to and that have limits: the vault, its tier and its venue. */
export function limitedParts(
  candidate: LimitedVault,
  candidates: readonly LimitedVault[],
  { vault: vaultLimits, tier: tierLimits, venue: venueLimits }: ExposureLimits,
  isAlone: boolean,
): LimitedPart[] {
  const sums = sumsOf(candidates);
  const { vaultId, venue = '' } = candidate;
  const tier = tierOf(candidate);
  const total = (name: string): bigint => sums.get(name) ?? 0n;
  return [
    {
      kind: 'vault',
      name: `vault ${vaultId}`,
      limit: isAlone ? 1 : vaultLimits[tier],
      amount: BigInt(candidate.own),
      isIn: (vault) => vault.vaultId === vaultId,
    },
    {
      kind: 'tier',
      name: `tier ${tier}`,
      limit: tierLimits[tier],
      amount: total(`tier ${tier}`),
      isIn: (vault) => tierOf(vault) === tier,
    },
    {
      kind: 'venue',
      name: `venue ${venue}`,
      limit: venueLimits[venue] ?? 1,
      amount: total(`venue ${venue}`),
      isIn: (vault) => vault.venue === venue,
    },
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

export const failedGates = (gates: readonly Gate[]): GateName[] =>
  gates.filter(({ passed }) => !passed).map(({ gate }) => gate);

/** An unknown loss counts as none: it takes a day of history to be known. @param change 0 or less */
const lossGate = (gate: GateName, change: number | null, bound: number): Gate =>
  // 0 minus the bound avoids -0, which JSON does not have.
  gateOf(gate, change, 0 - bound, change === null || change > -bound);

/** Compared in micro-units; whole units are for display. */
function capacityGate({ held, capacity: bound }: Candidate, amount: bigint): Gate {
  const after = BigInt(held) + amount;
  const maximum = bound === null ? null : BigInt(bound);
  const limit = maximum === null ? null : plainUnits(maximum);
  return gateOf('capacity', plainUnits(after), limit, maximum === null || after <= maximum);
}

/** Whole units as the nearest double, because a record is plain JSON. */
export const plainUnits = (micro: bigint): number => Number(toUnits(micro));

/** Part of the deposits that is lent out; null: unknown. */
export const utilisation = (assets: Micro | null, liquidity: Micro | null): number | null => {
  const free = assets === null || liquidity === null ? null : ratio(BigInt(liquidity), BigInt(assets));
  return free === null ? null : 1 - free;
};

/** Multiple of the liquidity that limits the size, and the divisor of the deposits that gives the liquidity where that is unknown. */
const [SIZE_OF_LIQUIDITY, LIQUID_PART] = [5n, 10n];

/** Size by which a vault's fill is evaluated: its deposits, or five times what can be withdrawn of them if that is less. null: neither is known. */
export function sizeOf({ assets, liquidity }: Pick<Candidate, 'assets' | 'liquidity'>): bigint | null {
  if (assets === null && liquidity === null) return null;
  const deposits = BigInt(assets ?? liquidity!);
  const free = SIZE_OF_LIQUIDITY * (liquidity === null ? deposits / LIQUID_PART : BigInt(liquidity));
  return free < deposits ? free : deposits;
}

/** Ratio of micro-units; null for a division by zero. */
export const ratio = (part: bigint, whole: bigint): number | null =>
  whole > 0n ? Number(part) / Number(whole) : null;
