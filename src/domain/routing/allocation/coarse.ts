import type { Alternative, Candidate, DecisionInputs } from './decision.js';
import type { Gate } from './gate.js';
import { FILL_GATES, limitGates } from './gates.js';

/**
 * Gates of an alternative as its partner may see them: those on a vault's fill have their value to two significant digits.
 * @param candidate undefined: cash, which has no fill
 */
export function coarseGates(
  { gates }: Alternative,
  candidate: Candidate | undefined,
  { amount, constants }: DecisionInputs,
): Gate[] {
  if (!candidate) return gates;
  const values = new Map(
    limitGates(coarse(candidate), BigInt(amount), constants).map(({ gate, value }) => [gate, value]),
  );
  return gates.map((gate) =>
    FILL_GATES.has(gate.gate) ? { ...gate, value: twoDigits(values.get(gate.gate) ?? null) } : gate,
  );
}

/** Inputs with other partners' holdings rounded as they are disclosed, so that decisions reveal no more than the figures. */
export const withoutOthersDetail = (inputs: DecisionInputs): DecisionInputs => ({
  ...inputs,
  candidates: inputs.candidates.map(coarse),
});

/** Candidate with other partners' holdings at two significant digits. */
export function coarse({ held, own, ...candidate }: Candidate): Candidate {
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
