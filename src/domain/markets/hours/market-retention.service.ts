import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Batches, removedBy } from '../../kernel/store/batches.js';
import { Store } from '../../kernel/store/store.js';
import * as queries from './market-retention.queries.js';

const MARKETS_A_PAGE = 100;

/**
 * Retention of market hours of accounts: there may be any number of accounts, each years ahead. The shared market grows by one row for each vault and
 * hour, and is kept in full.
 */
@Injectable()
export class MarketRetention {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
  ) {}

  async prune(batches = new Batches()): Promise<number> {
    const { ownMarketHours: hours } = this.settings.constants.retention;
    const find = (after: string, limit: number): Promise<{ id: string; due: boolean }[]> =>
      this.store.query(queries.FIND_AGED, [after, hours, limit]);
    return batches.runEach(MARKETS_A_PAGE, find, async (id) => {
      let sum = 0;
      for (const statement of [queries.PRUNE_POINTS, queries.PRUNE_SNAPSHOTS])
        sum += await batches.run((rows) => removedBy(this.store, statement, [id, hours, rows]));
      return sum;
    });
  }
}
