import { RATE_SCALE, scaledRate } from '../../kernel/money.js';
import { isIdle } from '../../kernel/catalogue/catalogue.js';
import { sharesWithin, valueOf } from '../../markets/vaults/yield-index.js';
import type { FindPartialMove, PartialMove } from './partial-move.js';
import type { VaultHolding } from './routing-state.js';
import type { RoutingMarket } from './candidates.js';
import { limitedParts, exposureLimitsFor, ratio } from './gates.js';
import type { RoutingConstants } from './routing-constants.js';

/** Part of a book by which drift may exceed an exposure limit before funds move out. */
const TOLERATED = 0.05;

/** Micro-units that rounding may leave above a limit. */
const ROUNDING = 10n;
/** Multiples of the excess that are tried. */
const MULTIPLES = [2n, 4n];

/** A partner's book of an asset, and the exposure limits that drift has broken. */
export class Drift {
  private readonly broken: ReadonlySet<string>;

  /** @param amounts micro-units by vault; the hour's decisions change them, so they are read at every call */
  constructor(
    private readonly market: Pick<RoutingMarket, 'vaults'>,
    private readonly holdings: readonly VaultHolding[],
    private readonly amounts: ReadonlyMap<string, bigint>,
    private readonly constants: Pick<RoutingConstants, 'exposure'>,
  ) {
    this.broken = new Set(
      holdings.flatMap((holding) =>
        this.partsOf(holding, holding.positions)
          .filter(({ value, limit }) => value > limit + TOLERATED)
          .map(({ name }) => name),
      ),
    );
  }

  get isBroken(): boolean {
    return this.broken.size > 0;
  }

  /** Largest excess over the broken limits that the holding counts towards; micro-units. @param moved amount of the holding that has left */
  excessOf(holding: VaultHolding, moved = 0n, positions = holding.positions): bigint {
    return this.partsOf(holding, positions)
      .filter(({ name }) => this.broken.has(name))
      .map(({ amount, maximum }) => amount - moved - maximum)
      .reduce((worst, amount) => (amount > worst && amount > ROUNDING ? amount : worst), 0n);
  }

  /**
   * Parts of a holding, in whole positions, that may move out, best first: the smallest that is enough, then the largest that is not. `relief`:
   * amount of the excess that the part removes.
   */
  async partsDown(holding: VaultHolding, index: bigint, findPart: FindPartialMove) {
    const excess = this.excessOf(holding);
    if (excess === 0n) return [];
    const { positions } = holding;
    const all = BigInt(holding.shares);
    const needed = sharesWithin(excess, index) + 1n;
    // One position more than fits into the excess is usually enough.
    const limits =
      positions === 1
        ? []
        : [
            needed,
            needed + all / BigInt(positions),
            ...MULTIPLES.map((times) => needed * times),
            needed / 2n,
          ];
    const parts = new Map<bigint, PartialMove>([[all, { positions, shares: all }]]);
    for (const shares of limits.filter((amount) => amount < all)) {
      const part = await findPart(holding, shares);
      if (part.positions > 0) parts.set(part.shares, part);
    }
    return [...parts.values()]
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

  private partsOf(holding: VaultHolding, positions: number) {
    const { asset, policy } = holding;
    const assetFunds = [...this.amounts].flatMap(([id, amount]) => {
      const vault = this.market.vaults.get(id)?.vault;
      return vault?.asset === asset ? [{ vault, amount }] : [];
    });
    const book = assetFunds.reduce((sum, { amount }) => sum + amount, 0n);
    const invested = assetFunds
      .filter(({ vault }) => !isIdle(vault))
      .map(({ vault: { id, riskTier, venue }, amount }) => ({
        vaultId: id,
        riskTier,
        venue,
        own: amount.toString(),
      }));
    const current = invested.find(({ vaultId }) => vaultId === holding.vaultId);
    const limits = exposureLimitsFor(this.constants, policy);
    return (current ? limitedParts(current, invested, limits, positions === 1) : []).map((part) => ({
      ...part,
      value: ratio(part.amount, book) ?? 0,
      maximum: (book * scaledRate(part.limit)) / RATE_SCALE,
    }));
  }
}
