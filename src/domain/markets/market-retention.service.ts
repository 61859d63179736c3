import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Batches } from '../store/batches.js';
import type { Statement } from '../store/statement.js';
import { Store } from '../store/store.js';
import * as queries from './market-retention.queries.js';

const MARKETS_A_PAGE = 100;

/**
 * What is kept of the hours of a market that somebody is alone in: there may be any number of these, and each can be run years ahead. Everybody's
 * market grows by a row a vault and hour, and is kept whole.
 */
@Injectable()
export class MarketRetention {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /** Removes hours that lie too far behind the newest of their market, by its own time. @returns how many rows */
  async prune(batches = new Batches()): Promise<number> {
    const { own_market_hours: hours } = this.settings.constants.retention;
    let sum = 0;
    for (let after = ''; !batches.spent;) {
      const page = await this.store.query<{ id: string; aged: boolean }>(queries.FIND_AGED, [
        after,
        hours,
        MARKETS_A_PAGE,
      ]);
      for (const { id } of page.filter(({ aged }) => aged)) {
        for (const statement of [queries.PRUNE_POINTS, queries.PRUNE_SNAPSHOTS])
          sum += await batches.run((rows) => this.remove(statement, id, hours, rows));
      }
      if (page.length < MARKETS_A_PAGE) break;
      after = page.at(-1)!.id;
    }
    return sum;
  }

  private async remove(statement: Statement, id: string, hours: number, rows: number): Promise<number> {
    const [row] = await this.store.query<{ removed: number }>(statement, [id, hours, rows]);
    return row!.removed;
  }
}
