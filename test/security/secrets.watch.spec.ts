import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Logger } from 'pino';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import { LOGGER } from '../../src/telemetry/logger.js';
import { startApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { columnsWithSecrets, secretsIn, watchEnvironment } from '../support/secret-watch.js';

const KEY = newKeySecret('sandbox');
const SIGNING = `whsec_${Buffer.alloc(32, 11).toString('base64')}`;
const SECRETS_KEY = Buffer.alloc(32, 201).toString('base64');
const PASSWORD = 'correct-horse-battery';

/** Every run of the tests searches the service's output for secrets. These tests plant leaks, to show that the search finds them. */
describe('the search for secrets', () => {
  beforeAll(() =>
    watchEnvironment({
      SECRETS_KEY,
      BOOTSTRAP_ADMIN_KEY: 'vl_live_half-of-a-key',
      DATABASE_URL: `postgres://vaultline:${PASSWORD}@db:5432/vaultline`,
    }),
  );

  it.each([
    [`{"msg":"no ${KEY}"}`, 'an API key'],
    [`{"secret":"${newKeySecret('live')}x"}`, 'an API key'],
    [SIGNING, 'a signing secret'],
    ['{"authorization":"Bearer hunter2hunter2"}', 'a credential'],
    ['BOOTSTRAP_ADMIN_KEY is vl_live_half-of-a-key', 'a bootstrap key'],
    [`key=${SECRETS_KEY}`, 'a secrets key'],
    [Buffer.alloc(32, 201).toString('hex'), 'a secrets key'],
    [`connect postgres://vaultline:${PASSWORD}@db:5432`, 'a database password'],
  ])('finds it in %s', (text, what) => {
    expect(secretsIn(text)).toEqual([what]);
  });

  it.each([
    `{"prefix":"${KEY.slice(0, 12)}","secret":"${KEY.slice(0, 12)}****"}`,
    '{"secret":"whsec_****GHT8"}',
    'Send your API key in the header "Authorization: Bearer <API_KEY>".',
    'vl_live_[removed]',
  ])('takes nothing for one that is none: %s', (text) => {
    expect(secretsIn(text)).toEqual([]);
  });
});

describe('the search of a database', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('CREATE TABLE live.planted (plain text, bytes bytea, document jsonb, harmless text)');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const plant = async (column: string, value: unknown): Promise<string[]> => {
    await client.query(`INSERT INTO live.planted (${column}) VALUES ($1)`, [value]);
    const found = await columnsWithSecrets(client);
    await client.query('DELETE FROM live.planted');
    return found;
  };

  it.each([
    ['plain', `a ${KEY} b`],
    ['plain', SIGNING],
    ['plain', `key ${SECRETS_KEY}`],
    ['bytes', Buffer.from(`{"secret":"${newKeySecret('live')}"}`)],
    ['bytes', Buffer.from(SIGNING)],
    ['document', JSON.stringify({ deep: [{ secret: KEY }] })],
  ])('finds it in %s: %s', async (column, value) => {
    expect(await plant(column, value)).toEqual([`live.planted.${column}`]);
  });

  it('finds it in the payload of a job', async () => {
    const payload = JSON.stringify({ secret: SIGNING });
    await client.query(`SELECT live_jobs.add_job('none', $1::json)`, [payload]);
    expect(await columnsWithSecrets(client)).toEqual(['live_jobs._private_jobs.payload']);
    await client.query('DELETE FROM live_jobs._private_jobs');
  });

  it('finds none where there is none', async () => {
    expect(await plant('harmless', `${KEY.slice(0, 12)}****`)).toEqual([]);
  });
});

describe('what a deployment of a test writes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaultline-findings-'));
  const asked = process.env['VAULTLINE_TEST_FINDINGS'];
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is searched: answers, log and database, each with the place of the leak', async () => {
    process.env['VAULTLINE_TEST_FINDINGS'] = folder;
    try {
      const app = await startApp('partner');
      // A caller that puts a key where no secret belongs.
      await app.admin.post('/keys', { label: KEY });
      await app.admin.get('/keys?limit=1');
      app.application.get<Logger>(LOGGER as never).info('Authorization: Bearer hunter2hunter2');
      await app.close();
    } finally {
      process.env['VAULTLINE_TEST_FINDINGS'] = asked;
    }
    const found = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
    expect(found.map(({ secret, place }) => `${secret} in ${place}`).sort()).toEqual([
      'a credential in the log of a partner deployment',
      'a secret in live.api_keys.label',
      // The label, as what was created.
      'a secret in live.audit_entries.after',
      'an API key in an answer 200 to GET /keys?limit=1',
    ]);
    expect(new Set(found.map(({ file }) => file))).toEqual(new Set(['test/security/secrets.watch.spec.ts']));
    expect(JSON.stringify(found)).not.toContain(KEY.slice(16));
  });
});

/** Jest itself, on a run whose only test passes. */
describe('a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaultline-findings-'));
  const support = fileURLToPath(new URL('../support/', import.meta.url));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (findings: object[]): { status: number | null; output: string } => {
    rmSync(join(folder, 'findings'), { recursive: true, force: true });
    mkdirSync(join(folder, 'findings'));
    findings.forEach((finding, index) =>
      writeFileSync(join(folder, 'findings', `${index}.json`), JSON.stringify(finding)),
    );
    writeFileSync(join(folder, 'passes.test.cjs'), `test('passes', () => {});`);
    const config = {
      rootDir: folder,
      testMatch: ['**/*.test.cjs'],
      transform: {},
      globalTeardown: join(support, 'global-teardown.mjs'),
    };
    const jest = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [jest, '--config', JSON.stringify(config), '--runInBand', '--no-cache'],
      {
        env: { PATH: process.env['PATH'], VAULTLINE_TEST_FINDINGS: join(folder, 'findings') },
        encoding: 'utf8',
        timeout: 60_000,
      },
    );
    return { status, output: stdout + stderr };
  };

  it('in which nothing was found ends well', () => {
    expect(run([])).toMatchObject({ status: 0, output: expect.stringContaining('1 passed') });
  });

  it('in which something was found fails although every test passed, and says what and where', () => {
    const finding = { secret: 'an API key', place: 'live.events.data', file: 'test/some.spec.ts' };
    const { status, output } = run([finding, finding, { ...finding, secret: 'a signing secret' }]);
    expect(output).toContain('1 passed');
    expect(status).toBe(1);
    expect(output).toContain(
      [
        'Secrets stand where none may:',
        '  a signing secret in live.events.data (test/some.spec.ts)',
        '  an API key in live.events.data (test/some.spec.ts)',
      ].join('\n'),
    );
  });
});
