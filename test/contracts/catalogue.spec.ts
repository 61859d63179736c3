import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** A catalogue must list the vaults in use: positions are valued by the indexes of their vaults and of their baselines. */
describe('a catalogue for existing positions', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(
      'live',
      `INSERT INTO book_shares (partner_id, asset, book, vault_id, slot, market_id, shares, positions, since)
       VALUES ('ptn_a', 'USDC', 'hold', 'vlt_aave_v3_usdc', 0, 'base', 5, 0, now()),
              ('ptn_a', 'USDC', 'routed', 'vlt_gone_usdc', 0, 'base', 0, 0, now())`,
    );
  });
  afterAll(() => database.drop());

  it('A catalogue for existing positions permits the start if it has every vault in use; one without shares may be absent', async () => {
    await (await startApp('partner', {}, database)).close();
  });

  it('A catalogue for existing positions stops the start if a vault in use is missing, with the remedy in the message', async () => {
    const start = startApp('partner', {}, database, (_, settings) => {
      settings.vaults = settings.vaults.filter(({ id }) => id !== 'vlt_aave_v3_usdc');
    });
    await expect(start).rejects.toThrow(
      'vaults: vlt_aave_v3_usdc is missing, but positions are valued by it; list it again, with active: false to stop using it.',
    );
  });

  it('A catalogue for existing positions stops the start if a vault in use has another asset', async () => {
    const start = startApp('partner', {}, database, (_, settings) => {
      settings.vaults = settings.vaults.map((vault) =>
        vault.id === 'vlt_aave_v3_usdc' ? { ...vault, asset: 'USDT0' } : vault,
      );
    });
    await expect(start).rejects.toThrow(
      'vaults: vlt_aave_v3_usdc has the asset USDT0, but holds positions of USDC',
    );
  });
});
