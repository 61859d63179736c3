import { RATE_SCALE, scaledRate } from '../rate.js';
import { type Decision, LEAVING } from './decision.js';
import { bestEstimateInto, leavingOf, rateFor } from './estimate.js';
import { type Candidate, failed, FILL_GATES, limitGates, type RoutingConstants } from './gates.js';

/** Room in a vault for a part of what does not fit as a whole. */
export interface Room {
  vaultId: string;
  /** Micro-units. */
  amount: bigint;
}

/** Targets that are tried for a part, an hour: each takes a look at the positions. */
const TRIED = 2;

/**
 * Where a part of the funds may go, the best first: vaults that nothing but their fill keeps closed, and that would bring more for what fits than the
 * decision about the whole does.
 *
 * @param decision about the whole
 */
export function roomsBeside({ inputs, kind, reason, expectedUplift }: Decision): Room[] {
  const { candidates, constants, currentVaultId, idle, policy } = inputs;
  const current = candidates.find(({ vaultId }) => vaultId === currentVaultId);
  const waits = currentVaultId === idle.vaultId;
  // What must be left is left whole; cash goes whole where it can.
  if (currentVaultId === null || LEAVING.has(reason) || (waits && kind !== 'hold')) return [];
  const leaving = leavingOf(current ?? null, waits ? 0 : (current?.riskAdjustedApy ?? null));
  const least = kind === 'hold' ? 0n : BigInt(expectedUplift.npv ?? 0);
  const rooms = candidates.flatMap((candidate) => {
    if (candidate === current) return [];
    const missing = failed(limitGates(candidate, BigInt(inputs.amount), constants, policy));
    if (missing.length === 0 || missing.some((gate) => !FILL_GATES.has(gate))) return [];
    const amount = roomIn(candidate, constants);
    if (amount <= 0n) return [];
    const rate = rateFor(candidate, amount);
    const estimate = bestEstimateInto(candidate, rate, leaving, amount, constants);
    if (estimate === null) return [];
    const { npv } = estimate;
    // Cash moves where it pays at all, which is judged with what fits.
    return waits || npv > least ? [{ vaultId: candidate.vaultId, amount, npv }] : [];
  });
  return rooms
    .toSorted((a, b) => Number(b.npv - a.npv))
    .slice(0, TRIED)
    .map(({ vaultId, amount }) => ({ vaultId, amount }));
}

/** The most that a vault takes at once: what is left of it, and what its TVL can pay out again. 0 or less where it takes nothing. */
function roomIn(candidate: Candidate, constants: RoutingConstants): bigint {
  const multiple = BigInt(Math.ceil(constants.minimumTvlMultiple * 1e6));
  const left = roomLeft(candidate, constants);
  const atOnce = multiple === 0n ? left : (BigInt(candidate.tvl ?? 0) * 1_000_000n) / multiple;
  return left < atOnce ? left : atOnce;
}

/** What is left of a vault's capacity, and of the share of its TVL that the service may hold. */
export function roomLeft({ capacity, held, tvl }: Candidate, constants: RoutingConstants): bigint {
  if (tvl === null) return 0n;
  const [total, own] = [BigInt(tvl), BigInt(held)];
  const share = scaledRate(constants.maximumShare);
  const rooms = [
    // (held + A) / (TVL + A) is to be the share at most.
    share >= RATE_SCALE ? total : (total * share - own * RATE_SCALE) / (RATE_SCALE - share),
    ...(capacity === null ? [] : [BigInt(capacity) - own]),
  ];
  return rooms.reduce((least, room) => (room < least ? room : least));
}
