import type { Book, BookRows, ShareSum, Totals } from './book-rows.js';
import { BookSums } from './book-sums.js';
import { holdVaultOf, type Position } from './position.js';
import { earningPrincipal } from './points.js';
import type { RevenueAccount } from './revenue.js';
import { slotOf } from '../../kernel/identifier.js';

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
    totals: [totalsOf(position)],
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

/** Name of the rows that a position contributes to: all that their keys follow from. */
export const rowsNameOf = (position: Position): string =>
  `${position.partnerId} ${position.asset} ${position.slot} ${position.marketId} ${position.vaultId} ${position.lendingVaultId} ${holdVaultOf(position)} ${position.campaignId ?? ''}`;

function totalsOf(position: Position): Totals {
  const { partnerId, asset, slot, status } = position;
  return {
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
    closed: status === 'closed' ? 1 : 0,
    firstAt: position.openedAt,
  };
}

/** Contribution of a user's revenue account to the books. */
export function revenueContribution({
  userId,
  partnerId,
  asset,
  totalFee,
  totalPartner,
  carriedLoss,
}: RevenueAccount): BookRows {
  const slot = slotOf(userId);
  return {
    ...NO_ROWS,
    revenue: [{ partnerId, asset, slot, fee: totalFee, partnerRevenue: totalPartner, carriedLoss }],
  };
}

/** Difference that a change of positions and revenue accounts makes in the books. `before` is null for a new position. */
export function bookChange(
  changes: readonly { before: Position | null; after: Position }[],
  revenue: readonly { before: RevenueAccount; after: RevenueAccount }[],
): BookRows {
  const sums = new BookSums();
  for (const { before, after } of revenue)
    sums.replace(revenueContribution(before), revenueContribution(after));
  for (const { before, after } of changes) {
    if (before === null) sums.add(contribution(after));
    else if (before.vaultId !== after.vaultId || before.shares !== after.shares)
      sums.replace(contribution(before), contribution(after));
    // Accruals, which come in large numbers, change totals only.
    else sums.replace(onlyTotals(before), onlyTotals(after));
  }
  return sums.nonZero;
}

const onlyTotals = (position: Position): BookRows => ({ ...NO_ROWS, totals: [totalsOf(position)] });
