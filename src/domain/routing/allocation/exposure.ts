import { type ExposureLimits, exposureLimits } from '../../tenants/policies/exposure-limits.js';
import type { Policy } from '../../tenants/policies/policy.js';
import { ratio } from './gates.js';
import type { Candidate, DecisionInputs, Exposure, Shares } from './decision.js';
import type { Gate } from './gate.js';
import type { RoutingConstants } from './routing-constants.js';

type Limited = Pick<RoutingConstants, 'exposure'>;

export const limitsIn = ({ exposure }: Limited, policy: Policy | null | undefined): ExposureLimits =>
  policy ? exposureLimits(exposure, policy.exposure, policy.exposureBounds) : { ...exposure, venue: {} };

/** What limits on exposure depend on, as a decision has it. */
type Book = Pick<DecisionInputs, 'book' | 'positions' | 'currentVaultId' | 'candidates' | 'policy'> & {
  constants: Limited;
};

/**
 * Limits on the part of a partner's book in a vault, in all vaults of a tier, and of a venue. A position is whole: it may exceed its vault's limit where
 * it alone is the reason, but no other one.
 */
export function exposureGate(candidate: Candidate, amount: bigint, inputs: Book): Gate {
  const { currentVaultId, positions } = inputs;
  const isAlone = positions === 1 && candidate.own === '0';
  const stays = ({ vaultIds }: LimitedPart) => currentVaultId !== null && vaultIds.includes(currentVaultId);
  return mostExposed(candidate, inputs, isAlone, (part) => (stays(part) ? part.own : part.own + amount));
}

/** The same limits on funds that are there. @param isAlone whether the vault holds a single position of the partner */
export const heldExposureGate = (current: Candidate, inputs: Book, isAlone: boolean): Gate =>
  mostExposed(current, inputs, isAlone, ({ own }) => own);

/** Sums of floats may exceed a limit that they are at. */
const ROUNDING = 1e-9;

function mostExposed(
  candidate: Candidate,
  { book, candidates, constants, policy }: Book,
  isAlone: boolean,
  amountOf: (part: LimitedPart) => bigint,
): Gate {
  const parts = limitedParts(candidate, candidates, limitsIn(constants, policy), isAlone).map((part) => ({
    value: ratio(amountOf(part), BigInt(book)) ?? 0,
    limit: part.limit,
  }));
  const { value, limit } = parts.toSorted((a, b) => b.value - b.limit - (a.value - a.limit))[0]!;
  return { gate: 'exposure', value, threshold: limit, passed: value <= limit + ROUNDING };
}

type Placed = Pick<Candidate, 'vaultId' | 'riskTier' | 'venue' | 'own'>;

interface LimitedPart {
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

/** Exposure of the partner, by its own funds alone. @param toVaultId null: the funds stay */
export function exposureOf(inputs: DecisionInputs, toVaultId: string | null): Exposure {
  const { candidates, constants, currentVaultId, idle, policy } = inputs;
  const [amount, book] = [BigInt(inputs.amount), BigInt(inputs.book)];
  const own = new Map(candidates.map((one) => [one.vaultId, BigInt(one.own)]));
  const cash = book - [...own.values()].reduce((sum, one) => sum + one, 0n);
  const deposited = currentVaultId === null ? amount : 0n;
  own.set(idle.vaultId, cash > deposited ? cash - deposited : 0n);
  const before = sharesOf(candidates, own, book - deposited);
  if (toVaultId !== null) {
    if (currentVaultId !== null) own.set(currentVaultId, (own.get(currentVaultId) ?? 0n) - amount);
    own.set(toVaultId, (own.get(toVaultId) ?? 0n) + amount);
  }
  const after = sharesOf(candidates, own, book);
  const most = limitsIn(constants, policy);
  const tiers = new Map(candidates.map((one) => [one.vaultId, tierOf(one)]));
  const limited = (kind: keyof Shares, limit: (name: string) => number): Record<string, number> =>
    Object.fromEntries(Object.keys({ ...before[kind], ...after[kind] }).map((name) => [name, limit(name)]));
  return {
    before,
    after,
    limits: {
      vaults: limited('vaults', (id) => (tiers.has(id) ? most.vault[tiers.get(id)!] : 1)),
      tiers: limited('tiers', (tier) => most.tier[tier as keyof typeof most.tier]),
      venues: limited('venues', (venue) => most.venue[venue] ?? 1),
    },
  };
}

const tierOf = ({ riskTier = 'low' }: Candidate): 'low' | 'medium' | 'high' => riskTier;

function sharesOf(candidates: readonly Candidate[], own: ReadonlyMap<string, bigint>, book: bigint): Shares {
  const byName = (name: (id: string) => string | undefined): Record<string, number> => {
    const sums = new Map<string, bigint>();
    for (const [id, amount] of own) {
      const of = name(id);
      if (of !== undefined && amount > 0n) sums.set(of, (sums.get(of) ?? 0n) + amount);
    }
    return Object.fromEntries([...sums].map(([of, sum]) => [of, ratio(sum, book) ?? 0]));
  };
  const known = new Map(candidates.map((one) => [one.vaultId, one]));
  return {
    vaults: byName((id) => id),
    tiers: byName((id) => (known.has(id) ? tierOf(known.get(id)!) : undefined)),
    venues: byName((id) => known.get(id)?.venue),
  };
}
