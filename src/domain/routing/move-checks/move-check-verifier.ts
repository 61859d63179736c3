import { Injectable } from '@nestjs/common';
import { LedgerVerifier } from '../../books/ledger/ledger-verifier.js';
import {
  type ComparedCounts,
  type ReportDifference,
  textOf,
  type VerifiedPart,
} from '../../books/ledger/verification.js';
import { checkRows } from '../../kernel/store/pages.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { PAGE_TO_VERIFY } from './move-check.queries.js';

const PAGE = 2_000;

type StoredCheck = RowFrom<typeof PAGE_TO_VERIFY>;

/**
 * Verifies that the checks of a report are about what was reported, have the fields of their status, and were resolved together, by the entries that they
 * name.
 */
@Injectable()
export class MoveCheckVerifier implements VerifiedPart {
  constructor(
    private readonly store: Store,
    ledger: LedgerVerifier,
  ) {
    ledger.parts.push(this);
  }

  async verify(differs: ReportDifference, seventh: number | null): Promise<ComparedCounts> {
    const read = (last: StoredCheck | undefined): Promise<StoredCheck[]> =>
      this.store.query(PAGE_TO_VERIFY, [
        ...([last?.orderId ?? '', PAGE, seventh] as const),
        ...([last?.step ?? '', last?.txHash ?? ''] as const),
      ]);
    const reports = await checkRows(read, PAGE, (row) => {
      const why = problemOf(row);
      if (why !== null) differs(row.orderId, `its report as ${row.step} is ${row.status}, ${why}`);
    });
    return { reports };
  }
}

/** @returns null when the fields are consistent */
function problemOf(check: StoredCheck): string | null {
  const { status, reason, block, checkedAt, foundAmount, amount, resolution, booked, entered } = check;
  const { total, lastHash } = check;
  if (check.reported !== total || check.reportedHash !== lastHash)
    return `but is about ${total} by ${lastHash}, where ${textOf(check.reported)} was reported by ${textOf(check.reportedHash)}`;
  if ((booked ?? 0n) !== entered)
    return `and its resolution booked ${textOf(booked)}, but according to the ledger ${entered}`;
  if (!check.isResolvedAsOne) return 'but its transactions were not resolved together';
  if (resolution !== null && !check.isContradicted)
    return 'but was resolved, although the chain does not contradict it';
  if (status === 'unchecked')
    return foundAmount === null && block === null ? null : 'but has the results of a check';
  if (checkedAt === null) return 'but was never checked';
  if ((block === null) !== (status === 'not_found')) return `but its block is ${block ?? 'none'}`;
  const isFinal = status === 'confirmed' || status === 'mismatch';
  if (isFinal !== (foundAmount !== null)) return `but the chain moved ${textOf(foundAmount)}`;
  if (status === 'confirmed' && (foundAmount !== amount || reason !== null))
    return `but the chain moved ${textOf(foundAmount)}, where ${amount} was reported`;
  return status === 'mismatch' && reason === null ? 'but has no reason' : null;
}
