import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../src/database/data-source.js';
import { TransactionsOfReports1200000000100 as Step } from '../../src/database/migrations/1200000000100-transactions-of-reports.js';
import { onDatabase } from '../faults/load/audit.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { newTxHash } from '../support/market.js';

describe('reports of one transaction each', () => {
  let database: TestDatabase;
  const [before, after, further] = [newTxHash(), newTxHash(), newTxHash()];

  /** As a process of before writes it, which knows no place. */
  const insert = (order: string, hash: string): string =>
    `INSERT INTO live.report_checks (order_id, step, partner_id, key_id, asset, vault_id, tx_hash, amount, recorded_at, status, block, found_amount, checked_at)
     VALUES ('${order}', 'redeemed', 'ptn', 'key', 'USDC', 'vlt', '${hash}', 5, now(), 'confirmed', 7, 5, now())`;
  const sql = (text: string): Promise<any[]> => onDatabase(database.url, (client) => client.sql(text));
  const inReplica = (text: string): Promise<any[]> => sql(`SET session_replication_role = replica; ${text}`);
  const ROWS = 'SELECT * FROM live.report_checks ORDER BY order_id, tx_hash';
  let kept: any[];

  beforeAll(async () => {
    database = await createTestDatabase('template1');
    await onDatabase(database.url, async (client) => {
      const query = (text: string) => client.sql(text);
      await query('CREATE SCHEMA live');
      await query('SET search_path = live');
      for (const Earlier of MIGRATIONS.slice(0, MIGRATIONS.indexOf(Step)))
        await new Earlier().up({ query } as unknown as QueryRunner);
      await query('SET session_replication_role = replica');
      await query(insert('mov_1', before));
      kept = await query(ROWS);
      await new Step().up({ query } as unknown as QueryRunner);
    });
  }, 60_000);
  afterAll(() => database?.drop());

  it('Reports of one transaction each are kept as they were, each with its only transaction as the first', async () => {
    expect(kept).toHaveLength(1);
    expect(await sql(ROWS)).toEqual([{ ...kept[0], place: 1 }]);
  });

  it('Reports of one transaction each are still written by processes of before, and others of several beside them', async () => {
    await inReplica(insert('mov_2', after));
    await inReplica(
      insert('mov_2', further)
        .replace('tx_hash,', 'place, tx_hash,')
        .replace(`'${further}'`, `2, '${further}'`),
    );
    expect((await sql(ROWS)).map(({ order_id, place, tx_hash }) => [order_id, place, tx_hash])).toEqual(
      expect.arrayContaining([
        ['mov_1', 1, before],
        ['mov_2', 1, after],
        ['mov_2', 2, further],
      ]),
    );
    await expect(inReplica(insert('mov_2', after))).rejects.toThrow('report_checks_pkey');
  });
});
