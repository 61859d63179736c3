import type { Book, BookRows, ShareSum } from './book-rows.js';
import { BookSums } from './book-sums.js';
import type { Position } from './position.js';
import { earningPrincipal } from './points.js';

/** Every sum is the sum over positions of what this says of each: there is no other rule to the books. */
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
    positions: book === 'routed' && position.status === 'active' ? 1 : 0,
  });
  return {
    shares: [
      of('routed', position.vaultId, position.shares),
      of('lending', position.lendingVaultId, position.lendingShares),
      of('hold', position.originVaultId, position.holdShares),
    ],
    totals: [
      {
        partnerId,
        asset,
        slot,
        deposited: position.deposited,
        withdrawn: position.withdrawn,
        deposits: 1,
        withdrawals: position.withdrawals,
        accrued: position.accrued,
        fee: position.fee,
        partnerRevenue: position.partnerRevenue,
        opened: 1,
        closed: position.status === 'closed' ? 1 : 0,
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
    vaults: [{ marketId, vaultId: position.vaultId, slot, shares: position.shares }],
  };
}

/** What a change of positions changes in the books. `before` is null for a new position. */
export function bookChange(changes: readonly { before: Position | null; after: Position }[]): BookRows {
  const sums = new BookSums();
  for (const { before, after } of changes) {
    sums.add(changing(contribution(after), before, after));
    if (before) sums.add(changing(contribution(before), before, after), -1);
  }
  return sums.nonZero;
}

/** Leaves out rows that would cancel out: an accrual, of which there are many at once, changes only totals. */
function changing(rows: BookRows, before: Position | null, after: Position): BookRows {
  if (before === null || before.vaultId !== after.vaultId || before.withdrawn !== after.withdrawn)
    return rows;
  return { shares: [], totals: rows.totals, points: [], vaults: [] };
}
