import { Injectable } from '@nestjs/common';
import { nothing, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { MarketPlan } from './market-view.js';

/** Creates the partitions of a moment's month and of the next one. */
const PREPARE = statement(
  'markets.prepare_ledger',
  { values: [time()], row: { prepare_ledger: nothing() } },
  `SELECT prepare_ledger($1)`,
);

/** Creates a default partition, which takes entries of every month without one. */
const SHARE = statement(
  'markets.share_ledger',
  { values: [], row: { share_ledger: nothing() } },
  `SELECT share_ledger()`,
);

/**
 * Partitions of the ledger: one for each month of wall time, or a single one where accounts have clocks of their own. They are created at start and
 * with the hourly tick, ahead of the entries, because creating one takes a lock that a caller's transaction would hold too long.
 */
@Injectable()
export class LedgerPartitions {
  constructor(
    private readonly store: Store,
    private readonly plan: MarketPlan,
  ) {}

  /** Call it outside any transaction. @param moment the ledger then takes entries of its month and the next one */
  async prepare(moment: Date): Promise<void> {
    await (this.plan.hasOwnTimes ? this.store.query(SHARE, []) : this.store.query(PREPARE, [moment]));
  }
}
