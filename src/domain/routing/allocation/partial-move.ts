import { RATE_SCALE, scaledRate } from '../../kernel/money.js';
import { isIdle } from '../../kernel/catalogue/catalogue.js';
import { sharesWithin, valueOf } from '../../markets/vaults/yield-index.js';
import type { Holding } from './routing-state.js';
import { type RoutingMarket, roomLeft } from './candidates.js';
import { ratio, sizeOf, failed, exitGate, limitGates } from './gates.js';
import { limitedParts, limitsIn, exposureGate } from './exposure.js';
import type { RoutingConstants } from './routing-constants.js';
import { type Decision, LEAVING, type Candidate } from './decision.js';
import { bestEstimateInto, leavingOf, rateFor } from './estimate.js';
import type { GateName } from './gate.js';

/** Positions that fit into a vault's room together, the largest first. */
export interface PartialMove {
  positions: number;
  shares: bigint;
}

/** Finds the positions of a group that fit. @param shares limit */
export type FindPartialMove = (group: Holding, shares: bigint) => Promise<PartialMove>;

/** Gates that a smaller amount may pass. */
const SIZED: ReadonlySet<GateName> = new Set(['capacity', 'size', 'share', 'exposure', 'exit']);
/** Divisors of the whole that are tried, and a thousandth over each, so that positions of equal size fit. */
const PARTS = [1n, 2n, 4n, 8n];
const SLACK = 1001n;

const least2 = (room: bigint, whole: bigint, liquidity: string | null | undefined): bigint =>
  [room, whole, ...(liquidity == null ? [] : [BigInt(liquidity)])].reduce((a, b) => (a < b ? a : b));

/** Targets tried for a partial move an hour; each reads positions. */
const TRIED = 2;

/**
 * Vaults that may take a part of the funds, the best first: those that only their fill keeps closed, and that would bring more for what fits than the
 * decision on the whole.
 * @param decision on the whole
 */
export function partialTargets({
  inputs,
  kind,
  reason,
  expectedUplift,
}: Decision): { vaultId: string; amount: bigint }[] {
  const { candidates, constants, currentVaultId, idle, policy } = inputs;
  const current = candidates.find(({ vaultId }) => vaultId === currentVaultId);
  const waits = currentVaultId === idle.vaultId;
  // Evicted funds leave as a whole; cash goes as a whole when it can.
  if (currentVaultId === null || LEAVING.has(reason)) return [];
  const least = kind === 'hold' ? 0n : BigInt(expectedUplift.npv ?? 0);
  const rooms = candidates.flatMap((candidate) => {
    if (candidate === current) return [];
    const whole = BigInt(inputs.amount);
    const missing = failed([
      ...limitGates(candidate, whole, constants, policy),
      exposureGate(candidate, whole, inputs),
      ...(current ? [exitGate(current, whole)] : []),
    ]);
    if (missing.some((gate) => !SIZED.has(gate))) return [];
    // Where the whole fits, a part may bring more, because it dilutes less.
    const most =
      missing.length === 0 ? whole : least2(roomIn(candidate, constants), whole, current?.liquidity);
    const sizes = inputs.positions > 1 && candidate.dilution === 'pool' ? PARTS : [1n];
    return sizes.flatMap((part) => {
      const amount = part === 1n ? most : (whole * SLACK) / (part * 1000n);
      if (amount <= 0n || amount > most || (amount === whole && missing.length === 0)) return [];
      const rate = rateFor(candidate, amount, constants);
      const from = leavingOf(current ?? null, waits, amount, constants);
      const estimate = bestEstimateInto(candidate, rate, from, amount, constants);
      if (estimate === null) return [];
      const { npv } = estimate;
      // Cash moves when it pays off at all, which is evaluated with the part that fits.
      return (waits && kind === 'hold') || npv > least ? [{ vaultId: candidate.vaultId, amount, npv }] : [];
    });
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

/** Part of a book by which drift may exceed a limit on exposure before funds are moved down to the limit. */
const TOLERATED = 0.05;

/** Micro-units that rounding may leave above a limit. */
const ROUNDING = 10n;
/** Multiples of the excess that are tried. */
const MULTIPLES = [2n, 4n];

/** A partner's book of an asset, and those of its limits on exposure that drift has broken. */
export class Drift {
  private readonly broken: ReadonlySet<string>;

  /** @param own micro-units by vault, as the hour's decisions leave them: they are read anew each time */
  constructor(
    private readonly market: Pick<RoutingMarket, 'vaults'>,
    private readonly holdings: readonly Holding[],
    private readonly own: ReadonlyMap<string, bigint>,
    private readonly constants: Pick<RoutingConstants, 'exposure'>,
  ) {
    this.broken = new Set(
      holdings.flatMap((one) =>
        this.partsOf(one, one.positions)
          .filter(({ value, limit }) => value > limit + TOLERATED)
          .map(({ name }) => name),
      ),
    );
  }

  get isBroken(): boolean {
    return this.broken.size > 0;
  }

  /** What is too much of a broken limit that the holding counts towards; micro-units. @param moved without this much of the holding */
  excessOf(holding: Holding, moved = 0n, positions = holding.positions): bigint {
    return this.partsOf(holding, positions)
      .filter(({ name }) => this.broken.has(name))
      .map(({ own, most }) => own - moved - most)
      .reduce((worst, one) => (one > worst && one > ROUNDING ? one : worst), 0n);
  }

  /** Parts of a holding, of whole positions, that may go down; `relief` is above the limit. The best first: the smallest that is enough, then the largest that is not. */
  async partsDown(holding: Holding, index: bigint, findPart: FindPartialMove) {
    const excess = this.excessOf(holding);
    if (excess === 0n) return [];
    const { positions } = holding;
    const all = BigInt(holding.shares);
    const needed = sharesWithin(excess, index) + 1n;
    // A position more than what fits into the excess is mostly enough.
    const most =
      positions === 1
        ? []
        : [
            needed,
            needed + all / BigInt(positions),
            ...MULTIPLES.map((times) => needed * times),
            needed / 2n,
          ];
    const found = new Map<bigint, PartialMove>([[all, { positions, shares: all }]]);
    for (const shares of most.filter((one) => one < all)) {
      const part = await findPart(holding, shares);
      if (part.positions > 0) found.set(part.shares, part);
    }
    return [...found.values()]
      .map((part) => {
        const amount = valueOf(part.shares, index);
        const isEnough = this.excessOf(holding, amount, positions - part.positions) === 0n;
        return { ...part, amount, isEnough, relief: amount < excess ? amount : excess };
      })
      .filter(({ amount }) => amount > 0n)
      .toSorted(
        (a, b) =>
          Number(b.isEnough) - Number(a.isEnough) || Number(a.amount - b.amount) * (a.isEnough ? 1 : -1),
      );
  }

  private partsOf(holding: Holding, positions: number) {
    const { asset, policy } = holding;
    const ofAsset = [...this.own].flatMap(([id, amount]) => {
      const vault = this.market.vaults.get(id)?.vault;
      return vault?.asset === asset ? [{ vault, amount }] : [];
    });
    const book = ofAsset.reduce((sum, { amount }) => sum + amount, 0n);
    const placed = ofAsset
      .filter(({ vault }) => !isIdle(vault))
      .map(({ vault: { id, riskTier, venue }, amount }) => ({
        ...{ vaultId: id, riskTier, venue },
        own: amount.toString(),
      }));
    const current = placed.find(({ vaultId }) => vaultId === holding.vaultId);
    const limits = limitsIn(this.constants, policy);
    return (current ? limitedParts(current, placed, limits, positions === 1) : []).map((part) => ({
      ...part,
      value: ratio(part.own, book) ?? 0,
      most: (book * scaledRate(part.limit)) / RATE_SCALE,
    }));
  }
}
