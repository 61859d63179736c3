import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { type CommandRun, vaultline } from '../support/command.js';
import { expectError } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';

/** The operator releases an external id that another partner's user holds. */
describe.each(eitherContract('partner'))('%s contract: vaultline users', (contract) => {
  let app: TestApp;
  let squatter: TestPartner;
  let owner: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract);
    [squatter, owner] = [await createPartner(app.admin, 'Squatter'), await createPartner(app.admin, 'Owner')];
  });
  afterAll(() => app.close());

  const command = (...args: string[]): Promise<CommandRun> =>
    vaultline(['--contract', contract, 'users', ...args], {
      DATABASE_URL: app.database.url,
      SECRETS_KEY: app.settings.secretsKey.toString('base64'),
    });
  const create = ({ api }: TestPartner, external_id: string) =>
    api.post('/users', {
      external_id,
      label: 'Kept',
      wallets: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    });

  it('Vaultline users find lists the user with an external id, of every partner that has one', async () => {
    const { id } = (await create(squatter, 'owner:1')).body.data;
    const { code, output } = await command('find', 'owner:1');
    expect(code).toBe(0);
    expect(output).toMatch(
      new RegExp(`^${id}  ${squatter.id}  active  \\S+Z  never had a position  Squatter\n$`),
    );
    expect((await command('find', 'owner:2')).output).toBe('No user has this external id.\n');
  });

  it('Vaultline users release removes the id from that user alone, whose other data stays; another partner can then use it', async () => {
    const before = (await squatter.api.get('/partner/users')).body.data[0];
    if (contract === 'partner') expectError(await create(owner, 'owner:1'), 409, 'external_id_taken');
    const { code, output } = await command('release', 'owner:1', '--partner', squatter.id);
    expect(code).toBe(0);
    const [, id, renamed] =
      /^owner:1 is free\. (usr_\w+) now has the external id (released:[0-9a-f-]{36})\.\n$/.exec(output)!;
    expect(id).toBe(before.id);
    expect((await squatter.api.get('/partner/users')).body.data).toEqual([
      { ...before, external_id: renamed },
    ]);
    expect((await create(owner, 'owner:1')).status).toBe(201);
  });

  it('Vaultline users release changes nothing for a partner without it', async () => {
    for (const [externalId, partner] of [
      ['owner:1', squatter.id],
      ['owner:9', owner.id],
      ['owner:1', 'nobody'],
    ] as const) {
      const { code, output } = await command('release', externalId, '--partner', partner);
      expect([code, output]).toEqual([1, expect.stringContaining('No such user')]);
    }
    expect((await owner.api.get('/partner/users')).body.data[0].external_id).toBe('owner:1');
    expect((await command('release', 'owner:1')).code).toBe(1);
  });
});
