import { RATE_SCALE, scaledRate } from '../../kernel/rate.js';
import { type Decision, LEAVING } from './decision.js';
import { bestEstimateInto, leavingOf, rateFor } from './estimate.js';
import { type Candidate, failed, FILL_GATES, limitGates, type RoutingConstants, sizeOf } from './gates.js';

/** Room in a vault for a part of funds that do not fit as a whole. */
export interface Room {
  vaultId: string;
  /** Micro-units. */
  amount: bigint;
}

/** Targets tried for a partial move an hour; each reads positions. */
const TRIED = 2;

/**
 * Vaults that may take a part of the funds, the best first: those that only their fill keeps closed, and that would bring more for what fits than the
 * decision on the whole.
 * @param decision on the whole
 */
export function roomsBeside({ inputs, kind, reason, expectedUplift }: Decision): Room[] {
  const { candidates, constants, currentVaultId, idle, policy } = inputs;
  const current = candidates.find(({ vaultId }) => vaultId === currentVaultId);
  const waits = currentVaultId === idle.vaultId;
  // Evicted funds leave as a whole; cash goes as a whole when it can.
  if (currentVaultId === null || LEAVING.has(reason) || (waits && kind !== 'hold')) return [];
  const leaving = leavingOf(current ?? null, waits, BigInt(inputs.amount), constants);
  const least = kind === 'hold' ? 0n : BigInt(expectedUplift.npv ?? 0);
  const rooms = candidates.flatMap((candidate) => {
    if (candidate === current) return [];
    const missing = failed(limitGates(candidate, BigInt(inputs.amount), constants, policy));
    if (missing.length === 0 || missing.some((gate) => !FILL_GATES.has(gate))) return [];
    const amount = roomIn(candidate, constants);
    if (amount <= 0n) return [];
    const rate = rateFor(candidate, amount, constants);
    const estimate = bestEstimateInto(candidate, rate, leaving, amount, constants);
    if (estimate === null) return [];
    const { npv } = estimate;
    // Cash moves when it pays off at all, which is judged with the part that fits.
    return waits || npv > least ? [{ vaultId: candidate.vaultId, amount, npv }] : [];
  });
  return rooms
    .toSorted((a, b) => Number(b.npv - a.npv))
    .slice(0, TRIED)
    .map(({ vaultId, amount }) => ({ vaultId, amount }));
}

/** Most that a vault takes at once: its remaining room, limited by what its TVL can pay out again. 0 or less: nothing. */
function roomIn(candidate: Candidate, constants: RoutingConstants): bigint {
  const multiple = BigInt(Math.ceil(constants.minimumSizeMultiple * 1e6));
  const left = roomLeft(candidate, constants);
  const atOnce = multiple === 0n ? left : ((sizeOf(candidate) ?? 0n) * 1_000_000n) / multiple;
  return left < atOnce ? left : atOnce;
}

/** Remaining room under a vault's capacity and the service's share of its TVL. */
export function roomLeft(candidate: Candidate, constants: RoutingConstants): bigint {
  const { capacity, held } = candidate;
  const total = sizeOf(candidate);
  if (total === null) return 0n;
  const own = BigInt(held);
  const share = scaledRate(constants.maximumShare);
  const rooms = [
    // Solves (held + A) / (TVL + A) <= share for A.
    share >= RATE_SCALE ? total : (total * share - own * RATE_SCALE) / (RATE_SCALE - share),
    ...(capacity === null ? [] : [BigInt(capacity) - own]),
  ];
  return rooms.reduce((least, room) => (room < least ? room : least));
}
