import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';

/** Notes whose names and values have a number of bytes together, within all other limits. */
const notesOf = (bytes: number, letter = 'n'): Record<string, string> => {
  const notes: Record<string, string> = {};
  const width = Buffer.byteLength(letter);
  for (let left = bytes, index = 10; left > 0; index++) {
    const letters = Math.min(400, Math.floor((left - 2) / width));
    notes[String(index)] =
      letter.repeat(letters) + 'x'.repeat(letters < 400 ? left - 2 - letters * width : 0);
    left -= Buffer.byteLength(notes[String(index)]!) + 2;
  }
  return notes;
};

describe.each(['partner', 'sandbox'] as const)('%s contract: notes of 4 KiB, and no more', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  let count = 0;
  beforeAll(async () => {
    app = await startApp(contract);
    partner = await createPartner(app.admin);
  });
  afterAll(() => app.close());

  const places: [string, (metadata: object) => Promise<any>][] = [
    ['POST /users', (metadata) => partner.api.post('/users', { external_id: `notes:${++count}`, metadata })],
    ['POST /partners', (metadata) => app.admin.post('/partners', { name: 'Notes', metadata })],
    ['PATCH /partners/{id}', (metadata) => app.admin.patch(`/partners/${partner.id}`, { metadata })],
    [
      'POST /partners/{id}/campaigns',
      (metadata) => app.admin.post(`/partners/${partner.id}/campaigns`, { name: 'Notes', metadata }),
    ],
  ];

  it.each(places)('%s', async (_, send) => {
    for (const letter of ['n', '✓']) {
      const [most, beyond] = [notesOf(4096, letter), notesOf(4097, letter)];
      expect(Buffer.byteLength(Object.entries(most).flat().join(''))).toBe(4096);
      expect([200, 201]).toContain((await send(most)).status);
      const refused = await send(beyond);
      expectError(refused, 400, 'validation_failed');
      expect(fieldsOf(refused)).toEqual(['metadata']);
      expect(refused.body.error.details[0].message).toContain('4096 bytes');
    }
    const refused = await send(
      Object.fromEntries(Array.from({ length: 50 }, (_one, index) => [`k${index}`, 'v'.repeat(500)])),
    );
    expectError(refused, 400, 'validation_failed');
  });

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
      metadata: notesOf(4096),
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
