import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import { startApp, type TestApp } from '../support/app.js';
import { type CommandRun, vaultline } from '../support/command.js';
import { createTestDatabase, schemaOf, type TestDatabase, TICKED_TEMPLATE } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { Replica } from '../support/replica.js';
import { until } from '../support/until.js';

const newKey = (): string => randomBytes(32).toString('base64');

// Processes start slowly on a busy machine.
jest.setTimeout(300_000);

/** With a changed secrets key, the stored secrets could not be decrypted: the service refuses to start. */
describe.each(['partner', 'sandbox'] as const)('%s contract: the secrets key', (contract) => {
  const schema = schemaOf(contract);
  const adminKey = newKeySecret(schema);
  const key = newKey();
  let database: TestDatabase;
  let receiver: Receiver;
  const running: { stop(): Promise<unknown> }[] = [];

  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(() => receiver.close());
  beforeEach(async () => {
    database = await createTestDatabase(TICKED_TEMPLATE);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await database.drop();
  });

  const start = async (secretsKey: string): Promise<TestApp> => {
    const app = await startApp(
      contract,
      { SECRETS_KEY: secretsKey, BOOTSTRAP_ADMIN_KEY: adminKey },
      database,
    );
    running.push({ stop: () => app.close() });
    return app;
  };
  /** A start as by a supervisor. */
  const spawnWith = async (env: Record<string, string>): Promise<Replica> => {
    const replica = await Replica.spawn(contract, { DATABASE_URL: database.url, LOG_LEVEL: 'error', ...env });
    running.push({ stop: () => replica.kill() });
    return replica;
  };
  const untilReady = (replica: Replica): Promise<void> =>
    until(async () => {
      if (replica.child.exitCode !== null) throw new Error(`It has ended: ${replica.logs}`);
      return (await fetch(`${replica.url}/health/ready`).catch(() => null))?.ok === true;
    }, 120_000);
  const refusal = (source = 'SECRETS_KEY'): string =>
    `${source} is another key than the secrets in the schema "${schema}" were sealed with; start with the one of before, or, where it is lost for good, give them up: vaultline secrets forget.`;
  const canaries = (): Promise<{ sealed: Buffer }[]> =>
    database.query(schema, 'SELECT sealed FROM secrets_canary');
  const register = async ({ api }: TestPartner): Promise<any> =>
    (await api.post('/webhooks', { url: receiver.url })).body.data;
  const delivered = async ({ api }: TestPartner, id: string): Promise<string> =>
    (await api.post(`/webhooks/${id}/test`)).body.data?.status;
  const at = (app: TestApp, partner: TestPartner): TestPartner => ({
    ...partner,
    api: app.admin.as(partner.key),
  });
  const command = (secretsKey: string, ...args: string[]): Promise<CommandRun> =>
    vaultline(['--contract', contract, ...args], { DATABASE_URL: database.url, SECRETS_KEY: secretsKey });

  it('of before starts again, and another one does not', async () => {
    await (await start(key)).close();
    const [canary] = await canaries();
    expect(canary).toBeDefined();
    await (await start(key)).close();
    for (const other of [newKey(), Buffer.alloc(32).toString('base64')])
      await expect(start(other)).rejects.toThrow(refusal());
    expect(await canaries()).toEqual([canary]);
  });

  it('that is another one ends a process with exit status 1 and one sentence, which shows neither', async () => {
    await (await start(key)).close();
    const other = newKey();
    const replica = await spawnWith({ SECRETS_KEY: other });
    expect(await replica.exit()).toBe(1);
    await until(async () => replica.logs !== '');
    expect(replica.logs).toBe(`${refusal()}\n`);
  });

  it('is noticed as another one also before there was a canary, by what was sealed', async () => {
    const first = await start(key);
    const partner = await createPartner(first.admin);
    const { id } = await register(partner);
    await first.close();
    await database.query(schema, 'DELETE FROM secrets_canary');
    await expect(start(newKey())).rejects.toThrow(refusal());
    expect(await canaries()).toEqual([]);
    const again = await start(key);
    expect(await canaries()).toHaveLength(1);
    expect(await delivered(at(again, partner), id)).toBe('delivered');
  });

  it('and by stored answers, where there are no endpoints', async () => {
    const first = await start(key);
    const body = { label: 'once', scopes: ['read'] };
    expect((await first.admin.post('/keys', body, { 'idempotency-key': 'once' })).status).toBe(201);
    await first.close();
    await database.query(schema, 'DELETE FROM secrets_canary');
    await expect(start(newKey())).rejects.toThrow(refusal());
    await start(key);
    expect(await canaries()).toHaveLength(1);
  });

  it('is agreed on by replicas that start at once: of two keys, those of one start', async () => {
    const other = newKey();
    const outcomes = await Promise.allSettled([key, other, key, other].map(start));
    const up = outcomes.map(({ status }) => status === 'fulfilled');
    // The first two processes have the two keys, and so have the other two.
    expect([up.slice(2), up.filter(Boolean).length]).toEqual([up.slice(0, 2), 2]);
    const reasons = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [String(one.reason.message)] : [],
    );
    expect(reasons).toEqual([refusal(), refusal()]);
    expect(await canaries()).toHaveLength(1);
  });

  it('that is lost is given up by command alone, and what was sealed with it', async () => {
    const first = await start(key);
    const partner = await createPartner(first.admin);
    await register(partner);
    const repeated = { 'idempotency-key': 'once' };
    expect((await partner.api.post('/users', { external_id: 'a' }, repeated)).status).toBe(201);
    const needless = await command(key, 'secrets', 'forget', '--yes');
    expect([needless.code, needless.output]).toEqual([1, expect.stringContaining('nothing was changed')]);
    await first.close();
    const other = newKey();
    const unsure = await command(other, 'secrets', 'forget');
    expect([unsure.code, unsure.output]).toEqual([1, expect.stringMatching(/^--yes is missing/)]);
    const { code, output } = await command(other, 'secrets', 'forget', '--yes');
    expect([code, output]).toEqual([
      0,
      '1 endpoints and 1 stored answers are given up; the present key is the key now.\n',
    ]);
    await expect(start(key)).rejects.toThrow(refusal());
    const now = at(await start(other), partner);
    expect((await now.api.get('/webhooks')).body.data).toEqual([]);
    expectError(await now.api.post('/users', { external_id: 'a' }, repeated), 409, 'idempotency_in_progress');
    expect(await delivered(now, (await register(now)).id)).toBe('delivered');
  });

  describe('in a file', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'vaultline-key-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** A start without the setting. */
    const spawnIn = (dataDir: string): Promise<Replica> => spawnWith({ SECRETS_KEY: '', DATA_DIR: dataDir });
    const refused = async (replica: Replica): Promise<string> => {
      expect(await replica.exit()).toBe(1);
      await until(async () => replica.logs !== '');
      return replica.logs;
    };

    it('is made once and found again; one that is made in its place is another one', async () => {
      const dataDir = join(folder, 'data');
      for (const _ of ['first', 'second']) {
        const replica = await spawnIn(dataDir);
        await untilReady(replica);
        await replica.kill();
        expect(readdirSync(dataDir)).toEqual(['secrets.key']);
      }
      rmSync(join(dataDir, 'secrets.key'));
      expect(await refused(await spawnIn(dataDir))).toBe(`${refusal(`"${join(dataDir, 'secrets.key')}"`)}\n`);
    });

    it('that is empty or cut short stops the start, names the file, and leaves it as it is', async () => {
      const path = join(folder, 'secrets.key');
      for (const [text, held] of [
        ['', 'is empty'],
        [key.slice(0, 20), 'holds 20 characters that are no key'],
      ] as const) {
        writeFileSync(path, text);
        expect(await refused(await spawnIn(folder))).toBe(
          `"${path}" ${held}; allowed is 32 bytes in base64. Put back the key that it held, or remove the file where nothing was sealed yet: a new one is made.\n`,
        );
        expect(readFileSync(path, 'utf8')).toBe(text);
      }
    });
  });
});
