import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { startApp, type TestApp } from '../support/app.js';
import { type CommandRun, vaultline } from '../support/command.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';

/** What was revoked, disabled or ended since the backup is valid again in a restored database. */
describe('vaultline deployment restored', () => {
  let app: TestApp;
  let partner: TestPartner;
  let other: TestPartner;

  beforeAll(async () => {
    app = await startApp('partner');
    [partner, other] = [await createPartner(app.admin), await createPartner(app.admin)];
  });
  afterAll(() => app.close());

  const command = (...args: string[]): Promise<CommandRun> =>
    vaultline(['--contract', 'partner', ...args], {
      DATABASE_URL: app.database.url,
      SECRETS_KEY: app.settings.secretsKey.toString('base64'),
    });
  const session = async () =>
    app.admin.as((await partner.api.post('/sessions', { scopes: ['partner:read'] })).body.data.secret);
  const statuses = async (): Promise<number[]> =>
    Promise.all(
      [app.admin.get('/keys'), partner.api.get('/partner/summary'), other.api.get('/partner/summary')].map(
        async (answer) => (await answer).status,
      ),
    );

  it('Vaultline deployment restored counts active keys and partners, and ends sessions and one-time codes', async () => {
    const browser = await session();
    const { stdout: link } = await command('console', 'code', '--key-id', partner.keyId);
    const { code, stdout } = await command('deployment', 'restored');
    expect([code, stdout]).toEqual([
      0,
      '0 deliveries are closed as interrupted; partners find their events as undelivered.\n' +
        '1 sessions are ended.\n' +
        '2 partners and 3 keys (1 of administrators) are active again as in the backup, even if they were disabled or revoked after it.\n' +
        'Disable and revoke those again, or refuse all keys meanwhile: vaultline deployment restored --suspend-keys.\n',
    ]);
    expectError(await browser.get('/partner/summary'), 401, 'invalid_api_key');
    const oneTime = /code=(vlc_\w+)/.exec(link)![1];
    expectError(await app.admin.as(undefined).post('/sessions', { code: oneTime }), 401, 'invalid_api_key');
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('Vaultline deployment restored refuses every key and session with --suspend-keys, and no start installs another one', async () => {
    const browser = await session();
    const { stdout: link } = await command('console', 'code', '--key-id', partner.keyId);
    const { code, stdout } = await command('deployment', 'restored', '--suspend-keys');
    expect([code, stdout]).toEqual([0, expect.stringContaining('All keys are suspended')]);
    for (const caller of [app.admin, partner.api]) {
      const refused = await caller.get('/sessions/current');
      expectError(refused, 401, 'invalid_api_key');
      expect(refused.body.error.message).toContain('has been suspended since the database was restored');
    }
    expectError(await browser.get('/partner/summary'), 401, 'invalid_api_key');
    const oneTime = /code=(vlc_\w+)/.exec(link)![1];
    expectError(await app.admin.as(undefined).post('/sessions', { code: oneTime }), 401, 'invalid_api_key');
    expect((await command('console', 'code', '--key-id', partner.keyId)).code).toBe(1);
    const env = {
      BOOTSTRAP_ADMIN_KEY: newKeySecret('live'),
      SECRETS_KEY: app.settings.secretsKey.toString('base64'),
    };
    const restarted = await startApp('partner', env, app.database);
    expectError(await restarted.admin.get('/keys'), 401, 'invalid_api_key');
    await restarted.close();
  });

  it('Vaultline deployment restored is lifted key by key, or for all, by keys resume', async () => {
    const [admin] = await app.sql<{ id: string }>(`SELECT id FROM api_keys WHERE partner_id IS NULL`);
    expect((await command('keys', 'list')).stdout).toMatch(
      new RegExp(`^${admin!.id}  .*  suspended 20`, 'm'),
    );
    expect(await command('keys', 'resume')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--all'),
    });
    expect((await command('keys', 'resume', 'key_unknown')).code).toBe(1);
    expect((await command('keys', 'resume', admin!.id)).stdout).toBe('1 keys are active again.\n');
    expect(await statuses()).toEqual([200, 401, 401]);
    const { data } = (await app.admin.get('/keys')).body;
    expect(
      data
        .filter((key: any) => key.suspended)
        .map(({ id }: any) => id)
        .sort(),
    ).toEqual([partner.keyId, other.keyId].sort());
    expectError(await app.admin.post(`/keys/${partner.keyId}/rotate`, {}), 404, 'not_found');
    // A key that is revoked meanwhile stays so.
    expect((await app.admin.delete(`/keys/${other.keyId}`)).status).toBe(200);
    expect((await command('keys', 'resume', '--all')).stdout).toBe('2 keys are active again.\n');
    expect(await statuses()).toEqual([200, 200, 401]);
  });

  it('Vaultline deployment restored is in the audit log, like what lifts it', async () => {
    const { data } = (await app.admin.get('/audit?limit=100')).body;
    const acts = data
      .filter(({ actor }: any) => actor.kind === 'cli')
      .map(({ operation, after }: any) => [operation, after?.input ?? after]);
    expect(acts.map(([operation]: any) => operation)).toEqual(
      expect.arrayContaining(['deployment restored', 'keys resume']),
    );
    expect(JSON.stringify(acts)).toContain('"suspend_keys":true');
  });
});
