import { formatAmount, percentInWords, pointsInWords } from '../../kernel/money.js';
import {
  type Candidate,
  type Micro,
  type Alternative,
  type Decision,
  type DecisionInputs,
  type Exposure,
  LEAVING,
  type Shares,
} from './decision.js';
import { type Gate, gateInWords } from './gate.js';
import { FILL_GATES, limitGates, limitsIn, ratio } from './gates.js';

export type PartnerCandidate = Omit<Candidate, 'held' | 'own' | 'ours' | 'inflow' | 'inflowOfOthers'>;

export type PartnerDecision = Omit<Decision, 'inputs'> & {
  inputs: Omit<DecisionInputs, 'candidates' | 'shared'> & { candidates: readonly PartnerCandidate[] };
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
  const candidates = new Map(inputs.candidates.map((candidate) => [candidate.vaultId, candidate]));
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

function withoutHoldings(candidate: Candidate): PartnerCandidate {
  const { held: _, own: __, ours: ___, inflow: ____, inflowOfOthers: _____, ...rest } = candidate;
  return rest;
}

/** Exposure of the partner, by its own funds alone. @param toVaultId null: the funds stay */
export function exposureOf(inputs: DecisionInputs, toVaultId: string | null): Exposure {
  const { candidates, constants, currentVaultId, idle, policy } = inputs;
  const [amount, book] = [BigInt(inputs.amount), BigInt(inputs.book)];
  const own = new Map(candidates.map((candidate) => [candidate.vaultId, BigInt(candidate.own)]));
  const cash = book - [...own.values()].reduce((sum, amount) => sum + amount, 0n);
  const deposited = currentVaultId === null ? amount : 0n;
  own.set(idle.vaultId, cash > deposited ? cash - deposited : 0n);
  const before = sharesOf(candidates, own, book - deposited);
  if (toVaultId !== null) {
    if (currentVaultId !== null) own.set(currentVaultId, (own.get(currentVaultId) ?? 0n) - amount);
    own.set(toVaultId, (own.get(toVaultId) ?? 0n) + amount);
  }
  const after = sharesOf(candidates, own, book);
  const most = limitsIn(constants, policy);
  const tiers = new Map(candidates.map((candidate) => [candidate.vaultId, tierOf(candidate)]));
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
  const known = new Map(candidates.map((candidate) => [candidate.vaultId, candidate]));
  return {
    vaults: byName((id) => id),
    tiers: byName((id) => (known.has(id) ? tierOf(known.get(id)!) : undefined)),
    venues: byName((id) => known.get(id)?.venue),
  };
}

export type DecisionFacts = Omit<Decision, 'rationale' | 'exposure'>;
type DisclosedFacts = Omit<DecisionFacts, 'inputs'> & Pick<PartnerDecision, 'inputs'>;

export function rationaleOf(decision: DisclosedFacts, isDone = true): string {
  if (decision.kind === 'route') return ofDeposit(decision, isDone ? 'Deposited' : 'Decided to deposit');
  return decision.kind === 'hold' ? ofHold(decision) : ofMove(decision, isDone ? 'Moved' : 'Decided to move');
}

function ofDeposit(decision: DisclosedFacts, deposited: string): string {
  const { alternatives, asset, reason, expectedUplift, inputs, toVaultId } = decision;
  const vaults = alternatives.filter(({ vaultId }) => vaultId !== inputs.idle.vaultId).length;
  if (reason === 'no_open_vault' && inputs.policy?.paused)
    return `${sum(decision)} waits in ${toVaultId}: the policy is paused, so nothing enters a vault.`;
  if (reason === 'no_open_vault')
    return `${sum(decision)} waits in ${toVaultId}: no vault of ${asset} accepts it now: each of ${vaults} failed a limit.`;
  if (reason === 'insufficient_history')
    return (
      `${deposited} ${sum(decision)} into the lending vault ${toVaultId}: insufficient_history, ` +
      `as none of ${vaults} vaults is within its limits and has enough history.`
    );
  const { rate } = alternativeOf(decision, toVaultId);
  const { apyDelta } = expectedUplift;
  return (
    `${deposited} ${sum(decision)} into ${toVaultId}: its expected risk-adjusted APY of ${percentInWords(rate)} is the best ` +
    `within limits among ${vaults} vaults${apyDelta === null ? '' : `, ${pointsInWords(apyDelta)} over the lending vault`}.`
  );
}

function ofHold(decision: DisclosedFacts): string {
  const { alternatives, blocked, inputs, reason } = decision;
  const current = alternativeOf(decision, inputs.currentVaultId);
  const held = `Held ${sum(decision)} in ${current.vaultId}`;
  if (reason === 'insufficient_history')
    return `${held}: insufficient_history, so it cannot be compared with other vaults.`;
  if (reason === 'already_best')
    return `${held}: its expected risk-adjusted APY of ${percentInWords(current.rate)} is the highest known of ${alternatives.length} vaults.`;
  if (reason === 'no_open_vault')
    return `${held}: no vault accepts it now${failures(decision, blocked?.vaultId)}.`;
  if (current.gates.some(({ passed }) => !passed))
    return `${held}: the vault should be left, but the move would cost at least as much as the funds are worth${failures(decision, current.vaultId)}.`;
  if (current.vaultId === inputs.idle.vaultId)
    return `${held}: a move to ${blocked?.vaultId} would not earn back its cost within ${inputs.constants.cashHorizonDays} days${failures(decision, blocked?.vaultId)}.`;
  const target = alternativeOf(decision, blocked?.vaultId ?? null);
  return `${held}: ${gap(target, current)}, but did not pass ${failures(decision, target.vaultId, '')}.`;
}

function ofMove(decision: DisclosedFacts, verb: string): string {
  const { asset, expectedUplift, inputs, reason, toVaultId } = decision;
  const current = alternativeOf(decision, inputs.currentVaultId);
  const target = alternativeOf(decision, toVaultId);
  const moved = `${verb} ${sum(decision)} from ${current.vaultId} to ${target.vaultId}`;
  const { amount, npv, horizonDays } = expectedUplift;
  const cost = `${formatAmount(BigInt(expectedUplift.cost))} ${asset}`;
  if (LEAVING.has(reason)) {
    const where =
      target.vaultId === inputs.idle.vaultId
        ? 'No vault accepts it now, so it waits there.'
        : 'That is the best vault within its limits.';
    const why =
      reason === 'policy' ? 'because the policy does not allow the vault' : 'because the vault must be left';
    return `${moved}, ${why}${failures(decision, current.vaultId)}. ${where} The move costs ${cost}.`;
  }
  if (reason === 'exposure')
    return `${moved}, because the book has drifted over a limit${failures(decision, current.vaultId)}. Of the vaults within their limits, that one costs the funds least. The move costs ${cost}.`;
  if (reason === 'insufficient_history')
    return `${moved}, the lending vault: insufficient_history, as no vault within its limits has enough history. The move costs ${cost}.`;
  if (reason === 'best_vault')
    return `${moved}: its expected risk-adjusted APY of ${percentInWords(target.rate)} is the highest of the vaults within their limits. The move costs ${cost}.`;
  const hours = inputs.candidates.find(({ vaultId }) => vaultId === current.vaultId)?.exitDelayHours ?? 0;
  const delay = hours === 0 ? '' : `, less ${hours} hours in transit`;
  const lasting = horizonDays === inputs.constants.horizonDays ? '' : ', from the difference that lasts';
  return (
    `${moved}: ${gap(target, current)}. The expected gain is ${formatAmount(BigInt(amount ?? 0))} ${asset} over ${horizonDays} days${lasting}${delay}; ` +
    `${formatAmount(BigInt(npv ?? 0))} ${asset} remains after the cost of ${cost}. All ${target.gates.length} gates passed.`
  );
}

/** Amount in words; the part, when only that fits. */
function sum({ asset, inputs }: DisclosedFacts): string {
  const amount = formatAmount(BigInt(inputs.amount));
  return inputs.amount === inputs.groupAmount
    ? `${amount} ${asset}`
    : `${amount} of ${formatAmount(BigInt(inputs.groupAmount))} ${asset}`;
}

const gap = (target: Alternative, current: Alternative): string =>
  `${target.vaultId} has an expected risk-adjusted APY of ${percentInWords(target.rate)}, ` +
  `${pointsInWords(target.delta ?? 0)} over ${percentInWords(current.rate)}`;

function failures(
  { alternatives, asset }: DisclosedFacts,
  vaultId: string | undefined,
  before = ': ',
): string {
  const gates = alternatives.find((alternative) => alternative.vaultId === vaultId)?.gates ?? [];
  const words = gates.filter(({ passed }) => !passed).map((gate) => gateInWords(gate, asset));
  return words.length === 0 ? '' : before + words.join(', ');
}

function alternativeOf(
  { alternatives }: Pick<DisclosedFacts, 'alternatives'>,
  id: string | null,
): Alternative {
  const found = alternatives.find(({ vaultId }) => vaultId === id);
  if (!found) throw new RangeError(`${id} is not among the alternatives.`);
  return found;
}
