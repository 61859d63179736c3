import { expect, it } from '@jest/globals';
import { loadSettings } from '../config/settings.js';
import { databaseUrl, SERVER_URL } from '../../test/support/database.js';
import { checkPaths } from './connection.js';

it('A check of two paths to one database names the one that the server refuses', async () => {
  const url = process.env[SERVER_URL]!;
  const DATABASE_DIRECT_URL = databaseUrl(url, 'no_such_database');
  const settings = loadSettings({ CONTRACT: 'partner', DATABASE_URL: url, DATABASE_DIRECT_URL });
  await expect(checkPaths(settings, url)).rejects.toThrow(
    'DATABASE_DIRECT_URL: database "no_such_database" does not exist.',
  );
});
