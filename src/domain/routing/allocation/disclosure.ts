import type { Alternative, Decision, DecisionInputs } from './decision.js';
import { type Candidate, FILL_GATES, type Gate, limitGates, type Micro } from './gates.js';
import { rationaleOf } from './rationale.js';

export type PartnerCandidate = Omit<Candidate, 'held' | 'own' | 'ours' | 'inflow' | 'inflowOfOthers'>;

export type PartnerDecision = Omit<Decision, 'inputs'> & {
  inputs: Omit<DecisionInputs, 'candidates' | 'shared'> & { candidates: PartnerCandidate[] };
  /** What earlier decisions of the hour on others' funds bring to a vault, less what they take out, at two significant digits. */
  inflows: { vaultId: string; amount: Micro }[];
};

/**
 * The part of a decision that its partner may see. Gates on a vault's fill show whether they passed, and their value to two significant digits. Other
 * partners' holdings are rounded before the partner's own are added: a rounded sum would reveal them by the deposit at which it flips. `isDone` is
 * false while the order is open, or when it failed.
 */
export function disclosed(record: Decision, isDone = true): PartnerDecision {
  const { inputs, alternatives, rationale: _whole, ...rest } = record;
  const { shared: _others, ...own } = inputs;
  const candidates = new Map(inputs.candidates.map((one) => [one.vaultId, one]));
  const shown = {
    ...rest,
    inputs: { ...own, candidates: inputs.candidates.map(withoutHoldings) },
    inflows: inputs.candidates.flatMap(({ vaultId, inflowOfOthers: amount }) =>
      amount === undefined ? [] : [{ vaultId, amount }],
    ),
    alternatives: alternatives.map((alternative) =>
      disclosedAlternative(alternative, candidates.get(alternative.vaultId), inputs),
    ),
  };
  return { ...shown, rationale: rationaleOf(shown, isDone) };
}

function disclosedAlternative(
  alternative: Alternative,
  candidate: Candidate | undefined,
  { amount, constants }: DecisionInputs,
): Alternative {
  // Cash has no fill.
  if (!candidate) return alternative;
  const values = new Map(
    limitGates(coarse(candidate), BigInt(amount), constants).map(({ gate, value }) => [gate, value]),
  );
  const disclose = (gate: Gate): Gate =>
    FILL_GATES.has(gate.gate) ? { ...gate, value: twoDigits(values.get(gate.gate) ?? null) } : gate;
  return { ...alternative, gates: alternative.gates.map(disclose) };
}

/** Inputs with other partners' holdings rounded as they are disclosed, so that decisions reveal no more than the figures. */
export const withoutOthersDetail = (inputs: DecisionInputs): DecisionInputs => ({
  ...inputs,
  candidates: inputs.candidates.map(coarse),
});

/** Candidate with other partners' holdings at two significant digits. */
function coarse({ held, own, ...candidate }: Candidate): Candidate {
  const others = BigInt(held) - BigInt(own);
  return { ...candidate, held: (coarseAmount(others > 0n ? others : 0n) + BigInt(own)).toString(), own };
}

/** Rounds to two significant digits, halves up. @param amount 0 or more */
export function coarseAmount(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 2));
  return ((amount + unit / 2n) / unit) * unit;
}

const twoDigits = (value: number | null): number | null =>
  value === null ? null : Number(value.toPrecision(2));

function withoutHoldings({
  held: _,
  own: __,
  ours: ___,
  inflow: ____,
  inflowOfOthers: _____,
  ...candidate
}: Candidate): PartnerCandidate {
  return candidate;
}
