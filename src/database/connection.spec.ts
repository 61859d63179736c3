import { expect, it } from '@jest/globals';
import { databaseSettings, loadSettings } from '../config/settings.js';
import { databaseUrl, SERVER_URL } from '../../test/support/database.js';
import { checkPaths } from './connection.js';

it('a check of two paths to one database passes on an error of the server, such as an unknown database', async () => {
  const url = process.env[SERVER_URL]!;
  const DATABASE_DIRECT_URL = databaseUrl(url, 'no_such_database');
  const settings = loadSettings({ CONTRACT: 'partner', DATABASE_URL: url, DATABASE_DIRECT_URL });
  await expect(checkPaths(settings, url)).rejects.toMatchObject({ code: '3D000' });
  // The start puts these names before the server's message.
  expect(databaseSettings({ DATABASE_DIRECT_URL })).toBe('DATABASE_URL or DATABASE_DIRECT_URL');
});
