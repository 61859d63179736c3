import type { Alternative, Decision, DecisionInputs } from './decision.js';
import { type Candidate, FILL_GATES, type Gate, limitGates } from './gates.js';
import { rationaleOf } from './rationale.js';

/** A vault of a decision, without what anybody holds in it. */
export type PartnerCandidate = Omit<Candidate, 'held' | 'own'>;

/** A decision as its partner sees it. */
export type PartnerDecision = Omit<Decision, 'inputs'> & {
  inputs: Omit<DecisionInputs, 'candidates'> & { candidates: PartnerCandidate[] };
};

/**
 * Disclosure: what a partner is shown of a decision on its funds. Gates on a vault's fill show whether they passed, and their value to two significant
 * digits. What others hold is rounded before the partner's own is added: were the sum alone rounded, a partner would look for the deposit at which it
 * flips, and subtract. The words are made anew of what is shown. The record is whole for the operator only.
 */
export function disclosed(record: Decision): PartnerDecision {
  const { inputs, alternatives, rationale: _whole, ...rest } = record;
  const candidates = new Map(inputs.candidates.map((one) => [one.vaultId, one]));
  const shown = {
    ...rest,
    inputs: { ...inputs, candidates: inputs.candidates.map(withoutHoldings) },
    alternatives: alternatives.map((alternative) =>
      disclosedAlternative(alternative, candidates.get(alternative.vaultId), inputs),
    ),
  };
  return { ...shown, rationale: rationaleOf(shown) };
}

function disclosedAlternative(
  alternative: Alternative,
  candidate: Candidate | undefined,
  { amount, constants }: DecisionInputs,
): Alternative {
  // Cash, which has no fill.
  if (!candidate) return alternative;
  const values = new Map(
    limitGates(coarse(candidate), BigInt(amount), constants).map(({ gate, value }) => [gate, value]),
  );
  const disclose = (gate: Gate): Gate =>
    FILL_GATES.has(gate.gate) ? { ...gate, value: twoDigits(values.get(gate.gate) ?? null) } : gate;
  return { ...alternative, gates: alternative.gates.map(disclose) };
}

/** With what others hold in each vault as their partner is shown it: decisions of these inputs tell no more than the figures. */
export const withoutOthersDetail = (inputs: DecisionInputs): DecisionInputs => ({
  ...inputs,
  candidates: inputs.candidates.map(coarse),
});

/** With what others hold to two significant digits. */
function coarse({ held, own, ...candidate }: Candidate): Candidate {
  const others = BigInt(held) - BigInt(own);
  return { ...candidate, held: (coarseAmount(others > 0n ? others : 0n) + BigInt(own)).toString(), own };
}

/** To two significant digits, halves up. @param amount 0 or more */
export function coarseAmount(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 2));
  return ((amount + unit / 2n) / unit) * unit;
}

const twoDigits = (value: number | null): number | null =>
  value === null ? null : Number(value.toPrecision(2));

function withoutHoldings({ held: _held, own: _own, ...candidate }: Candidate): PartnerCandidate {
  return candidate;
}
