import { Injectable } from '@nestjs/common';
import { LedgerVerifier } from '../../books/ledger/ledger-verifier.js';
import { isOfSeventh } from '../../books/ledger/partner-sevenths.js';
import type { ComparedCounts, ReportDifference, VerifiedPart } from '../../books/ledger/verification.js';
import { bool, integer, orNull, rowCount, text, whole } from '../../kernel/store/column.js';
import { checkRows } from '../../kernel/store/pages.js';
import { type RowFrom, statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';

const PAGE = 2_000;

/** The next $2 withdrawals of seventh $3 of the partners, with the sums of their parts and of the entries that these made. */
const PAGE_TO_VERIFY = statement(
  'withdrawals.page_to_verify',
  {
    values: [text(), rowCount(), orNull(integer())],
    row: {
      id: text(),
      status: text(),
      isPaid: bool(),
      amount: whole(),
      cost: whole(),
      positions: integer(),
      parts: integer(),
      reserved: integer(),
      strangers: integer(),
      partAmount: whole(),
      partCost: whole(),
      paid: whole(),
      borne: whole(),
    },
  },
  `SELECT w.id, w.status, w.paid_at IS NOT NULL AS "isPaid", w.amount, w.cost, w.positions, part.*
     FROM (SELECT * FROM withdrawals WHERE id > $1 AND ${isOfSeventh('partner_id', '$3')} ORDER BY id LIMIT $2) AS w
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS parts, (count(*) FILTER (WHERE m.is_reserved))::int AS reserved, coalesce(sum(m.amount), 0) AS "partAmount",
             (count(*) FILTER (WHERE (p.user_id, p.asset, p.partner_id) IS DISTINCT FROM (w.user_id, w.asset, w.partner_id)))::int AS strangers,
             coalesce(sum(m.cost), 0) AS "partCost", coalesce(sum(entered.paid), 0) AS paid, coalesce(sum(entered.borne), 0) AS borne
        FROM withdrawal_parts m
        LEFT JOIN positions p ON p.id = m.position_id
       CROSS JOIN LATERAL (
         SELECT sum(e.amount) FILTER (WHERE e.type = 'withdrawal' AND e.tx_hash IS NOT DISTINCT FROM w.tx_hash) AS paid,
                sum(e.cost) FILTER (WHERE e.type = 'rebalance') AS borne
           FROM ledger_entries e
          WHERE e.position_id = m.position_id AND e.at >= w.paid_at AND e.at <= w.paid_at AND e.voids IS NULL AND e.decision_id IS NULL) AS entered
       WHERE m.withdrawal_id = w.id) AS part
    ORDER BY w.id`,
);

type StoredSums = RowFrom<typeof PAGE_TO_VERIFY>;

/** Verifies that each withdrawal is the sum of its parts, and each payment the sum of its entries. */
@Injectable()
export class WithdrawalVerifier implements VerifiedPart {
  constructor(
    private readonly store: Store,
    ledger: LedgerVerifier,
  ) {
    ledger.parts.push(this);
  }

  async verify(differs: ReportDifference, seventh: number | null): Promise<ComparedCounts> {
    const read = (last: StoredSums | undefined): Promise<StoredSums[]> =>
      this.store.query(PAGE_TO_VERIFY, [last?.id ?? '', PAGE, seventh]);
    return { withdrawals: await checkRows(read, PAGE, (row) => check(row, differs)) };
  }
}

function check(withdrawal: StoredSums, differs: ReportDifference): void {
  const { id, status, isPaid, amount, cost, parts, reserved } = withdrawal;
  const compare = (what: string, is: bigint | number, should: bigint | number, source: string): void => {
    if (is !== should) differs(id, `${what} is ${is}, but according to ${source} it is ${should}`);
  };
  const isOpen = status === 'requested' || status === 'taken';
  compare('its number of parts', withdrawal.positions, parts, 'them');
  compare('its amount', amount, withdrawal.partAmount, 'its parts');
  compare('its cost', cost, withdrawal.partCost, 'its parts');
  compare('its number of reserved parts', reserved, isOpen ? parts : 0, `its status, ${status},`);
  compare('its number of positions of other users', withdrawal.strangers, 0, 'its request');
  if (!isPaid) return;
  compare('what was paid', amount - cost, withdrawal.paid, 'the ledger');
  compare('its cost', cost, withdrawal.borne, 'the ledger');
}
