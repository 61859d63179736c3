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
import { FILL_GATES, limitGates, exposureLimitsFor, ratio } from './gates.js';

export type PartnerCandidate = Omit<Candidate, 'held' | 'own' | 'ours' | 'inflow' | 'inflowOfOthers'>;

export type PartnerDecision = Omit<Decision, 'inputs'> & {
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
  const { inputs, alternatives, rationale: _whole, ...rest } = record;
  const { shared: _others, ...ownInputs } = inputs;
  const candidates = new Map(inputs.candidates.map((candidate) => [candidate.vaultId, candidate]));
  const shown = {
    ...rest,
    inputs: { ...ownInputs, candidates: inputs.candidates.map(withoutHoldings) },
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

export type DecisionFacts = Omit<Decision, 'rationale' | 'exposure'>;
type DisclosedFacts = Omit<DecisionFacts, 'inputs'> & Pick<PartnerDecision, 'inputs'>;

export function rationaleOf(decision: DisclosedFacts, isDone = true): string {
  if (decision.kind === 'route')
    return depositRationale(decision, isDone ? 'Deposited' : 'Decided to deposit');
  return decision.kind === 'hold'
    ? holdRationale(decision)
    : moveRationale(decision, isDone ? 'Moved' : 'Decided to move');
}

function depositRationale(decision: DisclosedFacts, deposited: string): string {
  const { alternatives, asset, reason, expectedUplift, inputs, toVaultId } = decision;
  const vaults = alternatives.filter(({ vaultId }) => vaultId !== inputs.idle.vaultId).length;
  if (reason === 'no_open_vault' && inputs.policy?.paused)
    return `${amountInWords(decision)} waits in ${toVaultId}: the policy is paused, so nothing enters a vault.`;
  if (reason === 'no_open_vault')
    return `${amountInWords(decision)} waits in ${toVaultId}: none of ${vaults} ${asset} vaults is within its limits.`;
  if (reason === 'insufficient_history')
    return (
      `${deposited} ${amountInWords(decision)} into the lending vault ${toVaultId}: insufficient_history, ` +
      `as none of ${vaults} vaults is within its limits and has enough history.`
    );
  const { rate } = alternativeOf(decision, toVaultId);
  const { apyDelta } = expectedUplift;
  return (
    `${deposited} ${amountInWords(decision)} into ${toVaultId}: its expected risk-adjusted APY of ${percentInWords(rate)} is the best ` +
    `within limits among ${vaults} vaults${apyDelta === null ? '' : `, ${pointsInWords(apyDelta)} over the lending vault`}.`
  );
}

function holdRationale(decision: DisclosedFacts): string {
  const { alternatives, blocked, inputs, reason } = decision;
  const current = alternativeOf(decision, inputs.currentVaultId);
  const outcome = `Held ${amountInWords(decision)} in ${current.vaultId}`;
  if (reason === 'insufficient_history')
    return `${outcome}: insufficient_history, so it cannot be compared with other vaults.`;
  if (reason === 'already_best')
    return `${outcome}: its expected risk-adjusted APY of ${percentInWords(current.rate)} is the highest known of ${alternatives.length} vaults.`;
  if (reason === 'no_open_vault')
    return `${outcome}: no vault accepts it now${failures(decision, blocked?.vaultId)}.`;
  if (current.gates.some(({ passed }) => !passed))
    return `${outcome}: the vault should be left, but the move would cost at least as much as the funds are worth${failures(decision, current.vaultId)}.`;
  if (current.vaultId === inputs.idle.vaultId)
    return `${outcome}: a move to ${blocked?.vaultId} would not earn back its cost within ${inputs.constants.cashHorizonDays} days${failures(decision, blocked?.vaultId)}.`;
  const target = alternativeOf(decision, blocked?.vaultId ?? null);
  return `${outcome}: ${advantage(target, current)}, but did not pass ${failures(decision, target.vaultId, '')}.`;
}

function moveRationale(decision: DisclosedFacts, verb: string): string {
  const { asset, expectedUplift, inputs, reason, toVaultId } = decision;
  const current = alternativeOf(decision, inputs.currentVaultId);
  const target = alternativeOf(decision, toVaultId);
  const moved = `${verb} ${amountInWords(decision)} from ${current.vaultId} to ${target.vaultId}`;
  const { amount, npv, horizonDays } = expectedUplift;
  const cost = `${formatAmount(BigInt(expectedUplift.cost))} ${asset}`;
  if (LEAVING.has(reason)) {
    const where =
      target.vaultId === inputs.idle.vaultId
        ? 'No vault accepts it now, so it waits there.'
        : 'That is the best vault within its limits.';
    const why =
      reason === 'policy' ? `the policy forbids ${current.vaultId}` : `${current.vaultId} must be left`;
    return `${moved}, because ${why}${failures(decision, current.vaultId)}. ${where} The move costs ${cost}.`;
  }
  if (reason === 'exposure')
    return `${moved}, because the book has drifted over a limit${failures(decision, current.vaultId)}. Of the vaults within their limits, ${target.vaultId} costs the funds least. The move costs ${cost}.`;
  if (reason === 'insufficient_history')
    return `${moved}, the lending vault: insufficient_history, as no vault within its limits has enough history. The move costs ${cost}.`;
  if (reason === 'best_vault')
    return `${moved}: its expected risk-adjusted APY of ${percentInWords(target.rate)} is the highest of the vaults within their limits. The move costs ${cost}.`;
  const hours = inputs.candidates.find(({ vaultId }) => vaultId === current.vaultId)?.exitDelayHours ?? 0;
  const delay = hours === 0 ? '' : `, less ${hours} hours in transit`;
  const lasting = horizonDays === inputs.constants.horizonDays ? '' : ', from the difference that lasts';
  return (
    `${moved}: ${advantage(target, current)}. The expected gain is ${formatAmount(BigInt(amount ?? 0))} ${asset} over ${horizonDays} days${lasting}${delay}; ` +
    `${formatAmount(BigInt(npv ?? 0))} ${asset} remains after the cost of ${cost}. All ${target.gates.length} gates passed.`
  );
}

/** Amount in words; of a partial move also the whole. */
function amountInWords({ asset, inputs }: DisclosedFacts): string {
  const amount = formatAmount(BigInt(inputs.amount));
  return inputs.amount === inputs.groupAmount
    ? `${amount} ${asset}`
    : `${amount} of ${formatAmount(BigInt(inputs.groupAmount))} ${asset}`;
}

const advantage = (target: Alternative, current: Alternative): string =>
  `${target.vaultId} has an expected risk-adjusted APY of ${percentInWords(target.rate)}, ` +
  `${pointsInWords(target.delta ?? 0)} over ${percentInWords(current.rate)}`;

function failures(
  { alternatives, asset }: DisclosedFacts,
  vaultId: string | undefined,
  prefix = ': ',
): string {
  const gates = alternatives.find((alternative) => alternative.vaultId === vaultId)?.gates ?? [];
  const words = gates.filter(({ passed }) => !passed).map((gate) => gateInWords(gate, asset));
  return words.length === 0 ? '' : prefix + words.join(', ');
}

function alternativeOf(
  { alternatives }: Pick<DisclosedFacts, 'alternatives'>,
  id: string | null,
): Alternative {
  const alternative = alternatives.find(({ vaultId }) => vaultId === id);
  if (!alternative) throw new RangeError(`${id} is not among the alternatives.`);
  return alternative;
}
