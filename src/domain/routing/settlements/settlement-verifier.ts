import { Injectable } from '@nestjs/common';
import { LedgerVerifier } from '../../books/ledger/ledger-verifier.js';
import type { ComparedCounts, ReportDifference, VerifiedPart } from '../../books/ledger/verification.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { pagesOf } from '../../kernel/store/pages.js';
import { Store } from '../../kernel/store/store.js';
import { CONTRADICTED } from './settlement.js';
import { PAGE_TO_VERIFY } from './settlement.queries.js';

const PAGE = 10_000;

type StoredSettlement = RowFrom<typeof PAGE_TO_VERIFY>;

/** Verifies that settlements have what a check of their status leaves: one that was set by hand lacks it. */
@Injectable()
export class SettlementVerifier implements VerifiedPart {
  constructor(
    private readonly store: Store,
    ledger: LedgerVerifier,
  ) {
    ledger.parts.push(this);
  }

  async verify(differs: ReportDifference, seventh: number | null): Promise<ComparedCounts> {
    const read = (last: StoredSettlement | undefined): Promise<StoredSettlement[]> =>
      this.store.query(PAGE_TO_VERIFY, [last?.id ?? '', PAGE, seventh]);
    let settlements = 0;
    for await (const rows of pagesOf(read, PAGE)) {
      settlements += rows.length;
      for (const row of rows) {
        const why = problemOf(row);
        if (why !== null) differs(row.id, `is ${row.status}, ${why}`);
      }
    }
    return { settlements };
  }
}

/** @returns null when the status may be what a check found */
function problemOf(settlement: StoredSettlement): string | null {
  const { status, reason, block, checkedAt, dueAt, foundAmount, amount, resolution } = settlement;
  // Its entry is missing, which is another difference.
  if (amount === null) return null;
  if (resolution !== null && !CONTRADICTED.includes(status))
    return 'and was resolved, although the chain does not contradict it';
  if (status === 'unchecked')
    return foundAmount === null && block === null ? null : 'with the findings of a check that was not made';
  if (checkedAt === null) return 'and was never checked';
  if (settlement.chain === null) return 'and its chain is unknown';
  if ((block === null) !== (status === 'not_found')) return `and its block is ${block ?? 'none'}`;
  // A final status is not checked again. `due_at` also leases a check, and stays after a resolution.
  const isFinal = status === 'confirmed' || status === 'mismatch';
  if (isFinal && (dueAt !== null || foundAmount === null)) return 'and its check was not the last';
  if (!isFinal && foundAmount !== null) return `and the chain moved ${foundAmount}`;
  if (status === 'confirmed' && (foundAmount !== amount || reason !== null))
    return `and the chain moved ${foundAmount}, where ${amount} was reported`;
  if (status === 'mismatch' && reason === null) return 'for no reason';
  return null;
}
