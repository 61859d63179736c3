import { becauseOf, rationaleOf } from './because.js';
import { coarseGates } from './coarse.js';
import {
  type Candidate,
  type Decision,
  type DecisionInputs,
  type Exposure,
  type Micro,
  type Shares,
} from './decision.js';
import { exposureLimitsFor, ratio } from './gates.js';

export type PartnerCandidate = Omit<Candidate, 'held' | 'own' | 'ours' | 'inflow' | 'inflowOfOthers'>;

export type PartnerDecision = Omit<Decision, 'inputs' | 'because'> & {
  because: string;
  inputs: Omit<DecisionInputs, 'candidates' | 'shared'> & { candidates: readonly PartnerCandidate[] };
  /** Net flow into a vault by the hour's earlier decisions on others' funds, at two significant digits. */
  inflows: { vaultId: string; amount: Micro }[];
};

/**
 * The part of a decision that its partner may see. Gates on a vault's fill show whether they passed, and their value to two significant digits. Other
 * partners' holdings are rounded before the partner's own are added: a rounded sum would reveal them to whoever finds the deposit that changes it.
 * `isDone` is false while the order is open, or when it failed.
 */
export function disclosed(record: Decision, isDone = true): PartnerDecision {
  const { inputs, alternatives, ...rest } = record;
  const { shared: _others, ...ownInputs } = inputs;
  const candidates = new Map(inputs.candidates.map((candidate) => [candidate.vaultId, candidate]));
  const shown = {
    ...rest,
    inputs: { ...ownInputs, candidates: inputs.candidates.map(withoutHoldings) },
    inflows: inputs.candidates.flatMap(({ vaultId, inflowOfOthers: amount }) =>
      amount === undefined ? [] : [{ vaultId, amount }],
    ),
    alternatives: alternatives.map((alternative) => ({
      ...alternative,
      gates: coarseGates(alternative, candidates.get(alternative.vaultId), inputs),
    })),
  };
  const because = record.because ?? becauseOf(record);
  return { ...shown, because, rationale: rationaleOf(record, because, isDone) };
}

function withoutHoldings(candidate: Candidate): PartnerCandidate {
  const { held: _, own: __, ours: ___, inflow: ____, inflowOfOthers: _____, ...rest } = candidate;
  return rest;
}

/** Exposure of the partner, by its own funds alone. @param toVaultId null: the funds stay */
export function exposureOf(inputs: DecisionInputs, toVaultId: string | null): Exposure {
  const { candidates, constants, currentVaultId, idle, policy } = inputs;
  const [amount, book] = [BigInt(inputs.amount), BigInt(inputs.book)];
  const holdings = new Map(candidates.map((candidate) => [candidate.vaultId, BigInt(candidate.own)]));
  const cash = book - [...holdings.values()].reduce((sum, holding) => sum + holding, 0n);
  const deposited = currentVaultId === null ? amount : 0n;
  holdings.set(idle.vaultId, cash > deposited ? cash - deposited : 0n);
  const before = sharesOf(candidates, holdings, book - deposited);
  if (toVaultId !== null) {
    if (currentVaultId !== null) holdings.set(currentVaultId, (holdings.get(currentVaultId) ?? 0n) - amount);
    holdings.set(toVaultId, (holdings.get(toVaultId) ?? 0n) + amount);
  }
  const after = sharesOf(candidates, holdings, book);
  const limits = exposureLimitsFor(constants, policy);
  const tiers = new Map(candidates.map((candidate) => [candidate.vaultId, tierOf(candidate)]));
  const limitsBy = (kind: keyof Shares, limit: (name: string) => number): Record<string, number> =>
    Object.fromEntries(Object.keys({ ...before[kind], ...after[kind] }).map((name) => [name, limit(name)]));
  return {
    before,
    after,
    limits: {
      vaults: limitsBy('vaults', (id) => (tiers.has(id) ? limits.vault[tiers.get(id)!] : 1)),
      tiers: limitsBy('tiers', (tier) => limits.tier[tier as keyof typeof limits.tier]),
      venues: limitsBy('venues', (venue) => limits.venue[venue] ?? 1),
    },
  };
}

const tierOf = ({ riskTier = 'low' }: Candidate): 'low' | 'medium' | 'high' => riskTier;

function sharesOf(
  candidates: readonly Candidate[],
  holdings: ReadonlyMap<string, bigint>,
  book: bigint,
): Shares {
  const sharesBy = (nameOf: (id: string) => string | undefined): Record<string, number> => {
    const sums = new Map<string, bigint>();
    for (const [id, amount] of holdings) {
      const name = nameOf(id);
      if (name !== undefined && amount > 0n) sums.set(name, (sums.get(name) ?? 0n) + amount);
    }
    return Object.fromEntries([...sums].map(([of, sum]) => [of, ratio(sum, book) ?? 0]));
  };
  const candidateById = new Map(candidates.map((candidate) => [candidate.vaultId, candidate]));
  return {
    vaults: sharesBy((id) => id),
    tiers: sharesBy((id) => (candidateById.has(id) ? tierOf(candidateById.get(id)!) : undefined)),
    venues: sharesBy((id) => candidateById.get(id)?.venue),
  };
}
