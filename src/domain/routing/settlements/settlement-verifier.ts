import { Injectable } from '@nestjs/common';
import { LedgerVerifier } from '../../books/ledger/ledger-verifier.js';
import type { ComparedCounts, ReportDifference, VerifiedPart } from '../../books/ledger/verification.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { checkRows } from '../../kernel/store/pages.js';
import { Store } from '../../kernel/store/store.js';
import { CONTRADICTED } from './settlement.js';
import { PAGE_TO_VERIFY } from './settlement.queries.js';

const PAGE = 10_000;

type StoredSettlement = RowFrom<typeof PAGE_TO_VERIFY>;

/** Verifies that each settlement's fields are consistent with its status. A status edited by hand in the database usually is not. */
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
    const settlements = await checkRows(read, PAGE, (row) => {
      const why = problemOf(row);
      if (why !== null) differs(row.id, `is ${row.status}, ${why}`);
    });
    return { settlements };
  }
}

/** @returns null when the fields are consistent with the status */
function problemOf(settlement: StoredSettlement): string | null {
  const { status, reason, block, checkedAt, dueAt, foundAmount, amount, resolution } = settlement;
  // Its entry is missing, which is reported elsewhere.
  if (amount === null) return null;
  if (resolution !== null && !CONTRADICTED.includes(status))
    return 'but was resolved, although the chain does not contradict it';
  if (status === 'unchecked')
    return foundAmount === null && block === null ? null : 'but has the results of a check';
  if (checkedAt === null) return 'but was never checked';
  if (settlement.chain === null) return 'but its chain is unknown';
  if ((block === null) !== (status === 'not_found')) return `but its block is ${block ?? 'none'}`;
  // A final status is not checked again. `due_at` also leases a check, and stays after a resolution.
  const isFinal = status === 'confirmed' || status === 'mismatch';
  if (isFinal && dueAt !== null) return 'but another check is scheduled';
  if (isFinal && foundAmount === null) return 'but no amount was found';
  if (!isFinal && foundAmount !== null) return `but the chain moved ${foundAmount}`;
  if (status === 'confirmed' && (foundAmount !== amount || reason !== null))
    return `but the chain moved ${foundAmount}, where ${amount} was reported`;
  if (status === 'mismatch' && reason === null) return 'but has no reason';
  return null;
}
