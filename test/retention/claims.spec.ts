import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IdempotencyService } from '../../src/domain/kernel/idempotency/idempotency.service.js';
import { Batches } from '../../src/domain/kernel/store/batches.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { createPartner } from '../support/partner.js';

const DAY_SECONDS = 24 * 3600;

describe('idempotency keys', () => {
  let app: TestApp;
  let key: string;
  const create = (): Promise<Answer> =>
    app.admin.post('/partners', { name: 'Once' }, { 'idempotency-key': key });
  const prune = (batches?: Batches): Promise<number> =>
    app.application.get(IdempotencyService).prune(batches);
  const sql = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    app.database.query<Row>('live', text, values);
  const age = (seconds: number): Promise<unknown> =>
    sql(`UPDATE idempotency_claims SET claimed_at = clock_timestamp() - $1 * interval '1 second'`, [seconds]);
  const count = async (): Promise<number> => (await sql('SELECT FROM idempotency_claims')).length;

  beforeAll(async () => {
    app = await startApp('partner');
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    key = randomUUID();
    await sql('DELETE FROM idempotency_claims');
  });

  it('are kept for 24 hours to the second, and replay the same response', async () => {
    const first = await create();
    await age(DAY_SECONDS - 60);
    expect(await prune()).toBe(0);
    const again = await create();
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it.each([true, false])('are new after that, and have a new effect (pruned: %p)', async (pruned) => {
    const first = await create();
    await age(DAY_SECONDS);
    if (pruned) {
      await prune();
      expect(await count()).toBe(0);
    }
    const second = await create();
    expect(second.status).toBe(201);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(second.body.data.partner.id).not.toBe(first.body.data.partner.id);
    expect((await create()).text).toBe(second.text);
  });

  it('are deleted in batches, the oldest first, and none that is younger', async () => {
    await sql(
      `INSERT INTO idempotency_claims (key_id, scope, route, key, fingerprint, claimed_at)
       SELECT (SELECT min(id) FROM api_keys), 's', 'r', n::text, '', clock_timestamp() - (n * 10 - 5) * interval '1 hour' FROM generate_series(1, 30) AS n`,
    );
    expect(await prune(new Batches(10, 1))).toBe(10);
    const left = await sql<{ key: string }>('SELECT key FROM idempotency_claims ORDER BY key::int');
    expect(left.map((row) => Number(row.key))).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(await prune(new Batches(10))).toBe(18);
    expect(await count()).toBe(2);
  });

  it('that a request claims at the same moment are skipped', async () => {
    await create();
    await age(DAY_SECONDS + 60);
    const partner = await createPartner(app.admin);
    expect(partner.id).toMatch(/^ptn_/);
    const [pruned, second] = await Promise.all([prune(), create()]);
    expect(second.status).toBe(201);
    expect([0, 1]).toContain(pruned);
    expect(await count()).toBe(1);
    expect((await create()).text).toBe(second.text);
  });
});
