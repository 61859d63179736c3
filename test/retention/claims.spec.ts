import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IdempotencyService } from '../../src/domain/kernel/idempotency/idempotency.service.js';
import type { Batches } from '../../src/domain/kernel/store/batches.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';

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
});
