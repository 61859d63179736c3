import type { VaultHolding } from './routing-state.js';
import { roomLeft } from './candidates.js';
import { sizeOf, failedGates, exitGate, exposureGate, limitGates, SIZE_GATES } from './gates.js';
import type { RoutingConstants } from './routing-constants.js';
import { LEAVING, type Candidate, currentOf } from './decision.js';
import type { Choice } from './rating.js';
import { bestEstimateInto, forgoneRates, rateFor } from './estimate.js';
import type { GateName } from './gate.js';

/** Positions that fit into a vault's room together, the largest first. */
export interface PartialMove {
  positions: number;
  shares: bigint;
}

/** Finds the positions of a group that fit. @param shares limit */
export type FindPartialMove = (group: VaultHolding, shares: bigint) => Promise<PartialMove>;

/** Gates that a part of the funds may pass: it may also be what their vault can pay out. */
const PART_GATES: ReadonlySet<GateName> = new Set([...SIZE_GATES, 'exit']);
/** Divisors of the whole to try, each with a thousandth of slack, so that positions of equal size fit. */
const PARTS = [1n, 2n, 4n, 8n];
const SLACK = 1001n;

const smallest = (room: bigint, whole: bigint, liquidity: string | null | undefined): bigint =>
  [room, whole, ...(liquidity == null ? [] : [BigInt(liquidity)])].reduce((a, b) => (a < b ? a : b));

/** Targets tried for a partial move an hour; each reads positions. */
const MAX_TARGETS = 2;

/**
 * Vaults that may take a part of the funds, best first: only size gates close them to the whole, and what fits would bring more there than the
 * decision on the whole.
 * @param decision on the whole
 */
export function partialTargets({
  inputs,
  kind,
  reason,
  expectedUplift,
}: Choice): { vaultId: string; amount: bigint }[] {
  const { candidates, constants, currentVaultId, idle, policy } = inputs;
  const current = currentOf({ candidates, currentVaultId });
  const waits = currentVaultId === idle.vaultId;
  // Evicted funds leave as a whole; cash goes as a whole when it can.
  if (currentVaultId === null || LEAVING.has(reason)) return [];
  const minimum = kind === 'hold' ? 0n : BigInt(expectedUplift.npv ?? 0);
  const rooms = candidates.flatMap((candidate) => {
    if (candidate === current) return [];
    const whole = BigInt(inputs.amount);
    const missing = failedGates([
      ...limitGates(candidate, whole, constants, policy),
      exposureGate(candidate, whole, inputs),
      ...(current ? [exitGate(current, whole)] : []),
    ]);
    if (missing.some((gate) => !PART_GATES.has(gate))) return [];
    // Where the whole fits, a part may bring more, because it dilutes less.
    const maximum =
      missing.length === 0 ? whole : smallest(roomIn(candidate, constants), whole, current?.liquidity);
    const sizes = inputs.positions > 1 && candidate.dilution === 'pool' ? PARTS : [1n];
    return sizes.flatMap((part) => {
      const amount = part === 1n ? maximum : (whole * SLACK) / (part * 1000n);
      if (amount <= 0n || amount > maximum || (amount === whole && missing.length === 0)) return [];
      const rate = rateFor(candidate, amount, constants);
      const from = forgoneRates(current ?? null, waits, amount, constants);
      const estimate = bestEstimateInto(candidate, rate, from, amount, constants);
      if (estimate === null) return [];
      const { npv } = estimate;
      // Cash moves when it pays off at all, which is evaluated with the part that fits.
      return (waits && kind === 'hold') || npv > minimum ? [{ vaultId: candidate.vaultId, amount, npv }] : [];
    });
  });
  return rooms
    .toSorted((a, b) => Number(b.npv - a.npv))
    .slice(0, MAX_TARGETS)
    .map(({ vaultId, amount }) => ({ vaultId, amount }));
}

/** Maximum that a vault takes at once: its remaining room, limited by what its TVL can pay out again. 0 or less: nothing. */
export function roomIn(candidate: Candidate, constants: RoutingConstants): bigint {
  const multiple = BigInt(Math.ceil(constants.minimumSizeMultiple * 1e6));
  const room = roomLeft(candidate, constants);
  const atOnce = multiple === 0n ? room : ((sizeOf(candidate) ?? 0n) * 1_000_000n) / multiple;
  return room < atOnce ? room : atOnce;
}
