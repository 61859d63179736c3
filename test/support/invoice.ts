import { newId } from '../../src/domain/kernel/identifier.js';
import type { TestApp } from './app.js';

let months = 0;

/** Stores an open invoice of a partner for a month long ago. @returns its id */
export async function openInvoice(app: Pick<TestApp, 'sql'>, partnerId: string): Promise<string> {
  const id = newId('invoice', new Date());
  await app.sql(
    `INSERT INTO invoices (id, partner_id, month, asset, fee, partner_revenue, created_at)
     VALUES ($1, $2, timestamptz '2000-01-01T00:00:00Z' + $3::int * interval '1 month', 'USDC', 1000, 400, now())`,
    [id, partnerId, months++],
  );
  await app.sql(
    'INSERT INTO ledger_heads (partner_id, recorded_at) VALUES ($1, now()) ON CONFLICT DO NOTHING',
    [partnerId],
  );
  return id;
}
