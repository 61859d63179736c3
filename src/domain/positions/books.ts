import type { Book, BookRows, ShareSum } from './book-rows.js';
import { BookSums } from './book-sums.js';
import { holdVaultOf, type Position } from './position.js';
import { earningPrincipal } from './points.js';
import type { RevenueAccount } from './revenue.js';
import { slotOf } from '../store/slot.js';

const NO_ROWS: BookRows = { shares: [], totals: [], points: [], revenue: [], vaults: [] };

/** Contribution of one position to the books. Every sum is the sum of this over positions; there is no other rule. */
export function contribution(position: Position): BookRows {
  const { partnerId, asset, slot, marketId } = position;
  const of = (book: Book, vaultId: string, shares: bigint): ShareSum => ({
    partnerId,
    asset,
    book,
    vaultId,
    slot,
    marketId,
    shares,
    positions: book === 'routed' && position.status !== 'closed' ? 1 : 0,
  });
  return {
    shares: [
      of('routed', position.vaultId, position.shares),
      of('lending', position.lendingVaultId, position.lendingShares),
      of('hold', holdVaultOf(position), position.holdShares),
    ],
    totals: [
      {
        partnerId,
        asset,
        slot,
        deposited: position.deposited,
        withdrawn: position.withdrawn,
        // A voided deposit does not count.
        deposits: position.deposited > 0n ? 1 : 0,
        withdrawals: position.withdrawals,
        accrued: position.accrued,
        costs: position.costs,
        settledLending: position.settledLending,
        settledHold: position.settledHold,
        principal: earningPrincipal(position),
        capitalMoment: position.capitalMoment,
        opened: 1,
        closed: position.status === 'closed' ? 1 : 0,
        firstAt: position.openedAt,
      },
    ],
    points: [
      {
        partnerId,
        asset,
        campaignId: position.campaignId ?? '',
        slot,
        principal: earningPrincipal(position),
        campaignMoment: position.campaignMoment,
        plainMoment: position.plainMoment,
      },
    ],
    revenue: [],
    vaults: [{ marketId, vaultId: position.vaultId, slot, shares: position.shares }],
  };
}

/** Contribution of a user's revenue account to the books. */
export function revenueContribution({
  userId,
  partnerId,
  asset,
  totalFee,
  totalPartner,
}: RevenueAccount): BookRows {
  const slot = slotOf(userId);
  return {
    ...NO_ROWS,
    revenue: [{ partnerId, asset, slot, fee: totalFee, partnerRevenue: totalPartner }],
  };
}

/** Difference that a change of positions and revenue accounts makes in the books. `before` is null for a new position. */
export function bookChange(
  changes: readonly { before: Position | null; after: Position }[],
  revenue: readonly { before: RevenueAccount; after: RevenueAccount }[],
): BookRows {
  const sums = new BookSums();
  for (const { before, after } of revenue)
    sums.add(revenueContribution(after)).add(revenueContribution(before), -1);
  for (const { before, after } of changes) {
    sums.add(changing(contribution(after), before, after));
    if (before) sums.add(changing(contribution(before), before, after), -1);
  }
  return sums.nonZero;
}

/** Leaves out rows that would cancel out: accruals, which come in large numbers, change totals only. */
function changing(rows: BookRows, before: Position | null, after: Position): BookRows {
  if (before === null || before.vaultId !== after.vaultId || before.shares !== after.shares) return rows;
  return { ...NO_ROWS, totals: rows.totals };
}
