import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseSettings, loadSettings } from '../config/settings.js';
import { databaseUrl } from '../../test/support/database.js';
import { createSplitDatabase, type SplitDatabase } from '../../test/support/split-database.js';
import { checkPaths } from './connection.js';

/** Roles without any right but to connect, as an operator makes them. */
describe('the check that DATABASE_URL and DATABASE_DIRECT_URL lead to one database', () => {
  let one: SplitDatabase;
  let other: SplitDatabase;

  beforeAll(async () => {
    [one, other] = [await createSplitDatabase(), await createSplitDatabase()];
  });
  afterAll(async () => {
    await one.drop();
    await other.drop();
  });

  const check = (direct: string): Promise<void> => {
    const url = one.roles.partner.server;
    const settings = loadSettings({ CONTRACT: 'partner', DATABASE_URL: url, DATABASE_DIRECT_URL: direct });
    return checkPaths(settings, url);
  };

  it('passes on an error of the server, for example on an unknown database', async () => {
    const missing = databaseUrl(one.roles.partner.server, 'no_such_database');
    await expect(check(missing)).rejects.toMatchObject({ code: '3D000' });
    // The start puts these names before the server's message.
    expect(databaseSettings({ DATABASE_DIRECT_URL: missing })).toBe('DATABASE_URL or DATABASE_DIRECT_URL');
  });
});
