import { sum } from '../../kernel/money.js';
import { costParts } from '../../books/positions/cost-parts.js';
import type { WithdrawalPart } from './withdrawal.js';

/** Vault that a withdrawal may be paid from. */
export interface PayingVault {
  vaultId: string;
  isCash: boolean;
  /** Expected risk-adjusted APY, a fraction; null: unknown. */
  rate: number | null;
}

/** Vaults in the order in which a withdrawal leaves them: cash, what is unknown, then the lowest rate, equal ones by id. */
export function leavingOrder(vaults: readonly PayingVault[]): string[] {
  const rankOf = ({ isCash, rate }: PayingVault): number =>
    isCash ? -Infinity : (rate ?? -Number.MAX_VALUE);
  return vaults
    .toSorted((a, b) => {
      const [first, second] = [rankOf(a), rankOf(b)];
      if (first !== second) return first < second ? -1 : 1;
      return a.vaultId < b.vaultId ? -1 : 1;
    })
    .map(({ vaultId }) => vaultId);
}

/** Sum of the amounts of parts, micro-units. */
export const totalOf = (parts: readonly { amount: bigint }[]): bigint =>
  sum(parts.map(({ amount }) => amount));

/**
 * Parts of a withdrawal: whole positions in their order, and a part of the last one. They sum to the amount, exactly.
 * @param sources positions with what is available in each, micro-units
 * @param amount micro-units; null: everything
 * @returns null where less is available, or nothing
 */
export function divide(sources: readonly WithdrawalPart[], amount: bigint | null): WithdrawalPart[] | null {
  const parts: WithdrawalPart[] = [];
  let missing = amount;
  for (const source of sources) {
    if (missing === 0n) break;
    if (source.amount <= 0n) continue;
    const taken: bigint = missing === null || source.amount < missing ? source.amount : missing;
    if (missing !== null) missing -= taken;
    parts.push({ ...source, amount: taken });
  }
  return parts.length === 0 || (missing ?? 0n) > 0n ? null : parts;
}

/**
 * What each part of a payment bears of a shortfall, exactly. Cash pays in full: only a vault can pay out less.
 * @param parts whether each is cash, and what leaves it, micro-units
 * @returns null where the vaults cannot bear it, since each part pays a micro-unit at least
 */
export function shortfallParts(
  shortfall: bigint,
  parts: readonly { isCash: boolean; amount: bigint }[],
): bigint[] | null {
  const costs = costParts(
    shortfall,
    parts.map(({ isCash, amount }) => (isCash ? 0n : amount)),
  );
  return sum(costs) === shortfall ? costs : null;
}
