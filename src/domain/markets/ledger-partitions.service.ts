import { Injectable } from '@nestjs/common';
import { nothing, time } from '../store/column.js';
import { statement } from '../store/statement.js';
import { Store } from '../store/store.js';
import { MarketPlan } from './market-plan.js';

/** Of a moment's month, and of the month after. */
const PREPARE = statement(
  'markets.prepare_ledger',
  { values: [time()], row: { prepare_ledger: nothing() } },
  `SELECT prepare_ledger($1)`,
);

/** One that takes every entry that no month takes. */
const SHARE = statement(
  'markets.share_ledger',
  { values: [], row: { share_ledger: nothing() } },
  `SELECT share_ledger()`,
);

/**
 * Where the ledger's entries go: a partition a month of everybody's time, or one for all times where accounts have their own. Made at the start and
 * with everybody's hours, ahead of the entries: in the transaction of a caller it would hold a lock that others wait for.
 */
@Injectable()
export class LedgerPartitions {
  constructor(
    private readonly store: Store,
    private readonly plan: MarketPlan,
  ) {}

  /**
   * To be called outside any transaction.
   *
   * @param moment whose month, and the one after, the ledger takes entries of from now on
   */
  async prepare(moment: Date): Promise<void> {
    await (this.plan.hasOwnTimes ? this.store.query(SHARE, []) : this.store.query(PREPARE, [moment]));
  }
}
