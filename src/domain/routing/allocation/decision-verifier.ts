import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LedgerVerifier } from '../../books/ledger/ledger-verifier.js';
import { isOfSeventh } from '../../books/ledger/partner-sevenths.js';
import {
  type ComparedCounts,
  type ReportDifference,
  textOf,
  type VerifiedPart,
} from '../../books/ledger/verification.js';
import { integer, orNull, rowCount, text, time, whole } from '../../kernel/store/column.js';
import { type RowFrom, statement } from '../../kernel/store/statement.js';
import { checkRows, pagesOf } from '../../kernel/store/pages.js';
import { Store } from '../../kernel/store/store.js';
import { decide } from './choice.js';
import type { Decision } from './decision.js';
import { netCostOf } from './outcome.queries.js';
import { RecordExpander } from './decision-log.js';
import { RECORD, RECORDED } from './decision.queries.js';
import { marketIdOf } from './decision-market.js';

/** Decisions of about 30 KB each, with their markets. */
const PAGE = 100;
const MOVES = 10_000;

const PAGE_OF_DECISIONS = statement(
  'routing.page_of_decisions',
  {
    values: [text(), rowCount(), orNull(integer())],
    row: {
      id: text(),
      kind: text(),
      asset: text(),
      fromVaultId: orNull(text()),
      toVaultId: orNull(text()),
      snapshotHour: time(),
      ...RECORDED,
    },
  },
  `SELECT d.id, d.kind, d.asset, d.from_vault_id AS "fromVaultId", d.to_vault_id AS "toVaultId", d.hour AS "snapshotHour", ${RECORD}
     FROM decisions d WHERE d.id > $1 AND ${isOfSeventh('d.partner_id', '$3')} ORDER BY d.id LIMIT $2`,
);

/** The next $2 move outcomes of seventh $3 of the partners, and those expected by their vaults' snapshots; null: a snapshot is no longer stored. */
const PAGE_OF_OUTCOMES = statement(
  'routing.page_of_outcomes',
  {
    values: [text(), rowCount(), orNull(integer())],
    row: { id: text(), realised: orNull(whole()), expected: orNull(whole()) },
  },
  `SELECT m.decision_id AS id, m.realised,
          floor(m.moved_value * (grown_to.ratio - grown_from.ratio)) - ${netCostOf('m')} AS expected
     FROM (SELECT * FROM move_orders WHERE realised_hour IS NOT NULL AND decision_id > $1 AND ${isOfSeventh('partner_id', '$3')} ORDER BY decision_id LIMIT $2) AS m
     JOIN decisions d ON d.id = m.decision_id
     LEFT JOIN LATERAL (SELECT after.share_index / before.share_index AS ratio FROM snapshots before JOIN snapshots after USING (market_id, vault_id)
        WHERE before.market_id = m.market_id AND before.vault_id = d.to_vault_id AND before.hour = m.arrives_hour AND after.hour = m.due_hour) AS grown_to ON true
     LEFT JOIN LATERAL (SELECT after.share_index / before.share_index AS ratio FROM snapshots before JOIN snapshots after USING (market_id, vault_id)
        WHERE before.market_id = m.market_id AND before.vault_id = d.from_vault_id AND before.hour = d.hour AND after.hour = m.due_hour) AS grown_from ON true
    ORDER BY m.decision_id`,
);

type StoredDecision = RowFrom<typeof PAGE_OF_DECISIONS>;
type Outcome = RowFrom<typeof PAGE_OF_OUTCOMES>;

/** In place of a decision's words, which an older version may have chosen. */
const NO_WORDS = { because: '', rationale: '' };

/** Decides a record's inputs again, and compares the results without their words. */
export function repeatDecision(record: Decision): { again: Decision; isSame: boolean } {
  const again = JSON.parse(JSON.stringify(decide(record.inputs))) as Decision;
  return { again, isSame: isDeepStrictEqual({ ...again, ...NO_WORDS }, { ...record, ...NO_WORDS }) };
}

/** Verifies that decisions follow from their inputs, and outcomes from their vaults' snapshots. */
@Injectable()
export class DecisionVerifier implements VerifiedPart {
  constructor(
    private readonly store: Store,
    ledger: LedgerVerifier,
  ) {
    ledger.parts.push(this);
  }

  async verify(differs: ReportDifference, seventh: number | null): Promise<ComparedCounts> {
    const sums = { decisions: 0, outcomes: 0, 'outcomes not compared: their hours are forgotten': 0 };
    const decisions = (last: StoredDecision | undefined): Promise<StoredDecision[]> =>
      this.store.query(PAGE_OF_DECISIONS, [last?.id ?? '', PAGE, seventh]);
    const records = new RecordExpander();
    sums.decisions = await checkRows(decisions, PAGE, (row) => check(row, records, differs));
    const outcomes = (last: Outcome | undefined): Promise<Outcome[]> =>
      this.store.query(PAGE_OF_OUTCOMES, [last?.id ?? '', MOVES, seventh]);
    for await (const rows of pagesOf(outcomes, MOVES))
      for (const { id, realised, expected } of rows) {
        sums[expected === null ? 'outcomes not compared: their hours are forgotten' : 'outcomes']++;
        if (expected !== null && realised !== expected)
          differs(
            id,
            `its outcome is ${textOf(realised)}, but according to its vaults' snapshots it is ${expected}`,
          );
      }
    return sums;
  }
}

function check(row: StoredDecision, records: RecordExpander, differs: ReportDifference): void {
  const { id, decisionMarketId, market } = row;
  try {
    if (market !== null && marketIdOf(market) !== decisionMarketId)
      differs(id, `it belongs to a market other than ${textOf(decisionMarketId)}`);
    const { record, snapshotHour, id: _, ...columns } = records.expand(row);
    for (const [name, stored] of Object.entries(columns)) {
      const recorded = record[name as keyof typeof columns];
      if (stored !== recorded)
        differs(id, `${name} is ${textOf(stored)}, but according to its record it is ${textOf(recorded)}`);
    }
    if (new Date(record.snapshotHour).getTime() !== snapshotHour.getTime())
      differs(
        id,
        `its hour is ${textOf(snapshotHour)}, but according to its record it is ${record.snapshotHour}`,
      );
    const { again, isSame } = repeatDecision(record);
    if (!isSame)
      differs(
        id,
        `is to ${record.kind} to ${textOf(record.toVaultId)} (${record.reason}), but its inputs give a ${again.kind} to ${textOf(again.toVaultId)} (${again.reason}), or other figures`,
      );
  } catch (error) {
    differs(id, `cannot be decided again: ${(error as Error).message}`);
  }
}
