import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';

describe.each(['partner', 'sandbox'] as const)('%s contract: the largest fields', (contract) => {
  let app: TestApp;
  let count = 0;
  beforeAll(async () => {
    app = await startApp(contract);
  });
  afterAll(() => app.close());

  it('holds what one end-user of the largest kind takes to some 16 KiB', async () => {
    const { id, api } = await createPartner(app.admin);
    const wallets = Array.from(
      { length: 20 },
      (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`,
    );
    const largest = {
      external_id: '𐍈'.repeat(255),
      label: '𐍈'.repeat(255),
      email: `${'e'.repeat(64)}@${'d'.repeat(60)}.example`,
      wallets,
      metadata: { note: 'n'.repeat(4085) },
    };
    expect((await api.post('/users', largest)).status).toBe(201);
    const [{ bytes }] = (await app.database.query(
      contract === 'partner' ? 'live' : 'sandbox',
      `SELECT sum(octet_length(u::text))::int + 20 * 42 AS bytes FROM users u WHERE partner_id = $1`,
      [id],
    )) as [{ bytes: number }];
    expect(bytes).toBeLessThan(16_384);
    for (const over of [
      { external_id: 'x'.repeat(256) },
      { label: 'x'.repeat(256) },
      { email: `${'e'.repeat(250)}@d.example` },
    ])
      expectError(
        await api.post('/users', { external_id: `over:${++count}`, ...over }),
        400,
        'validation_failed',
      );
  });
});
