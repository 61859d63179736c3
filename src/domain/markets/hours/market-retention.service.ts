import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Batches } from '../../kernel/store/batches.js';
import { bool, double, rowCount, text } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';

/** Snapshots of each vault of market m that are more than $2 hours behind its newest hour, oldest first. An index walk for each vault. */
const AGED_SNAPSHOTS = (rows: string): string => `vault_states v
      CROSS JOIN LATERAL (
        SELECT s.hour FROM snapshots s
         WHERE s.market_id = v.market_id AND s.vault_id = v.vault_id AND s.hour < m.ticked_hour - $2 * interval '1 hour'
           AND NOT EXISTS (SELECT FROM partner_terms t WHERE t.partner_id = m.owner_id AND date_trunc('hour', t.from_at, 'UTC') = s.hour)
         ORDER BY s.hour ${rows}) AS aged`;

/** The next $3 markets of single partners, by id, and whether each has hours beyond $2. */
const FIND_AGED = statement(
  'markets.find_aged',
  { values: [text(), double(), rowCount()], row: { id: text(), due: bool() } },
  `SELECT m.id, EXISTS (SELECT FROM ${AGED_SNAPSHOTS('LIMIT 1')} WHERE v.market_id = m.id) AS due
     FROM markets m WHERE m.owner_id IS NOT NULL AND m.id > $1 ORDER BY m.id LIMIT $3`,
);

/** Removes up to $3 of a market's aged snapshots, but for hours in which terms changed: yields too small to be posted since are settled by them. */
const PRUNE_SNAPSHOTS = statement(
  'markets.prune_snapshots',
  { values: [text(), double(), rowCount()], row: {} },
  `WITH aged AS MATERIALIZED (
     SELECT v.vault_id, aged.hour
       FROM markets m
       CROSS JOIN ${AGED_SNAPSHOTS('LIMIT $3 FOR UPDATE OF s SKIP LOCKED')}
      WHERE m.id = $1 AND m.owner_id IS NOT NULL AND v.market_id = m.id
      LIMIT $3
   )
   DELETE FROM snapshots s USING aged WHERE s.market_id = $1 AND s.vault_id = aged.vault_id AND s.hour = aged.hour`,
);

const PRUNE_POINTS = statement(
  'markets.prune_points',
  { values: [text(), double(), rowCount()], row: {} },
  `WITH aged AS MATERIALIZED (
     SELECT r.asset, aged.hour
       FROM markets m
       JOIN regimes r ON r.market_id = m.id
      CROSS JOIN LATERAL (
        SELECT p.hour FROM blended_points p
         WHERE p.market_id = r.market_id AND p.asset = r.asset AND p.hour < m.ticked_hour - $2 * interval '1 hour'
         ORDER BY p.hour LIMIT $3 FOR UPDATE OF p SKIP LOCKED) AS aged
      WHERE m.id = $1 AND m.owner_id IS NOT NULL
      LIMIT $3
   )
   DELETE FROM blended_points p USING aged WHERE p.market_id = $1 AND p.asset = aged.asset AND p.hour = aged.hour`,
);

const MARKETS_A_PAGE = 100;

/** Retention of market hours of accounts, of which there may be any number, each years ahead. The shared market is kept in full. */
@Injectable()
export class MarketRetention {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
  ) {}

  async prune(batches = new Batches()): Promise<number> {
    const { ownMarketHours: hours } = this.settings.constants.retention;
    const find = (after: string, limit: number): Promise<{ id: string; due: boolean }[]> =>
      this.store.query(FIND_AGED, [after, hours, limit]);
    return batches.runEach(MARKETS_A_PAGE, find, async (id) => {
      let sum = 0;
      for (const statement of [PRUNE_POINTS, PRUNE_SNAPSHOTS])
        sum += await batches.run((rows) => this.store.change(statement, [id, hours, rows]));
      return sum;
    });
  }
}
