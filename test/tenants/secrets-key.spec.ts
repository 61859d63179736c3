import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newKeySecret } from '../../src/domain/access/key-secret.js';
import { createTestDatabase, schemaOf, type TestDatabase } from '../support/database.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { Replica } from '../support/replica.js';

const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const newKey = (): string => randomBytes(32).toString('base64');

/** A key that is not the one of before would start a service whose secrets nobody can read: it does not start. */
describe.each(['partner', 'sandbox'] as const)('%s contract: the secrets key', (contract) => {
  const schema = schemaOf(contract);
  const adminKey = newKeySecret(schema);
  const key = newKey();
  let database: TestDatabase;
  let receiver: Receiver;
  const running: Replica[] = [];

  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(() => receiver.close());
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((replica) => replica.kill()));
    await database.drop();
  });

  const spawnWith = async (SECRETS_KEY: string, env: Record<string, string> = {}): Promise<Replica> => {
    const base = { DATABASE_URL: database.url, BOOTSTRAP_ADMIN_KEY: adminKey, LOG_LEVEL: 'error' };
    const replica = await Replica.spawn(contract, { ...base, SECRETS_KEY, ...env });
    running.push(replica);
    return replica;
  };
  const start = async (secretsKey: string): Promise<Replica> => {
    const replica = await spawnWith(secretsKey);
    await replica.untilReady();
    return replica;
  };
  const refusal = (source = 'SECRETS_KEY'): string =>
    `${source} is another key than the secrets in the schema "${schema}" were sealed with; start with the one of before, or, where it is lost for good, give them up: vaultline secrets forget.\n`;
  const expectRefused = async (replica: Replica, secretsKey: string): Promise<void> => {
    expect(await replica.exit()).toBe(1);
    expect(replica.logs).toBe(refusal());
    expect(replica.logs).not.toContain(secretsKey);
  };
  const canaries = (): Promise<{ sealed: Buffer }[]> =>
    database.query(schema, 'SELECT sealed FROM secrets_canary');
  const register = async ({ api }: TestPartner): Promise<any> =>
    (await api.post('/webhooks', { url: receiver.url })).body.data;
  const delivered = async ({ api }: TestPartner, id: string): Promise<string> =>
    (await api.post(`/webhooks/${id}/test`)).body.data?.status;
  const command = async (
    secretsKey: string,
    ...args: string[]
  ): Promise<{ code: number; output: string }> => {
    const child = spawn(process.execPath, [COMMAND, '--contract', contract, ...args], {
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url, SECRETS_KEY: secretsKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    return { code: child.exitCode!, output };
  };

  it('of before starts again, and another one stops the start with one sentence, without showing either', async () => {
    await (await start(key)).kill();
    const [canary] = await canaries();
    await (await start(key)).kill();
    for (const other of [newKey(), Buffer.alloc(32).toString('base64')])
      await expectRefused(await spawnWith(other), other);
    expect(await canaries()).toEqual([canary]);
  });

  it('is noticed as another one also before there was a canary, by what was sealed', async () => {
    const first = await start(key);
    const partner = await createPartner(first.api(adminKey));
    const { id } = await register(partner);
    await first.kill();
    await database.query(schema, 'DELETE FROM secrets_canary');
    const other = newKey();
    await expectRefused(await spawnWith(other), other);
    expect(await canaries()).toEqual([]);
    const again = await start(key);
    expect(await canaries()).toHaveLength(1);
    expect(await delivered({ ...partner, api: again.api(partner.key) }, id)).toBe('delivered');
  });

  it('and by stored answers, where there are no endpoints', async () => {
    const first = await start(key);
    const body = { label: 'once', scopes: ['read'] };
    expect((await first.api(adminKey).post('/keys', body, { 'idempotency-key': 'once' })).status).toBe(201);
    await first.kill();
    await database.query(schema, 'DELETE FROM secrets_canary');
    const other = newKey();
    await expectRefused(await spawnWith(other), other);
    await start(key);
  });

  it('is agreed on by replicas that start at once: of two keys, those of one start', async () => {
    const other = newKey();
    const replicas = await Promise.all([key, other, key, other].map((one) => spawnWith(one)));
    const ready = (replica: Replica): Promise<boolean> =>
      replica.untilReady().then(
        () => true,
        () => false,
      );
    const up = await Promise.all(replicas.map(ready));
    // The first two have the two keys, and so have the other two.
    expect([up.slice(2), up.filter(Boolean).length]).toEqual([up.slice(0, 2), 2]);
    for (const [index, replica] of replicas.entries())
      if (!up[index]) await expectRefused(replica, index % 2 ? other : key);
    expect(await canaries()).toHaveLength(1);
  });

  it('that is lost is given up by command alone, and what was sealed with it', async () => {
    const first = await start(key);
    const partner = await createPartner(first.api(adminKey));
    await register(partner);
    const once = { 'idempotency-key': 'once' };
    expect((await partner.api.post('/users', { external_id: 'a' }, once)).status).toBe(201);
    const needless = await command(key, 'secrets', 'forget', '--yes');
    expect([needless.code, needless.output]).toEqual([1, expect.stringContaining('nothing was changed')]);
    await first.kill();
    const other = newKey();
    const unsure = await command(other, 'secrets', 'forget');
    expect([unsure.code, unsure.output]).toEqual([1, expect.stringMatching(/^--yes is missing/)]);
    const { code, output } = await command(other, 'secrets', 'forget', '--yes');
    expect([code, output]).toEqual([
      0,
      '1 endpoints and 1 stored answers are given up; the present key is the key now.\n',
    ]);
    await expectRefused(await spawnWith(key), key);
    const now = await start(other);
    const api = now.api(partner.key);
    expect((await api.get('/webhooks')).body.data).toEqual([]);
    const retry = await api.post('/users', { external_id: 'a' }, once);
    expect([retry.status, retry.body.error.code]).toEqual([409, 'idempotency_in_progress']);
    expect(await delivered({ ...partner, api }, (await register({ ...partner, api })).id)).toBe('delivered');
  });

  describe('in a file', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'vaultline-key-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** Without the setting. */
    const spawnIn = (dataDir: string): Promise<Replica> => spawnWith('', { DATA_DIR: dataDir });

    it('is made once, and found again', async () => {
      const dataDir = join(folder, 'data');
      for (const _ of ['first', 'second']) {
        const replica = await spawnIn(dataDir);
        await replica.untilReady();
        await replica.kill();
        expect(readdirSync(dataDir)).toEqual(['secrets.key']);
      }
    });

    it('that is empty or cut short stops the start, names the file, and leaves it as it is', async () => {
      const path = join(folder, 'secrets.key');
      for (const [text, held] of [
        ['', 'is empty'],
        [key.slice(0, 20), 'holds 20 characters that are no key'],
      ] as const) {
        writeFileSync(path, text);
        const replica = await spawnIn(folder);
        expect(await replica.exit()).toBe(1);
        expect(replica.logs).toBe(
          `"${path}" ${held}; allowed is 32 bytes in base64. Put back the key that it held, or remove the file where nothing was sealed yet: a new one is made.\n`,
        );
        expect(readFileSync(path, 'utf8')).toBe(text);
      }
    });

    it('that was removed, so that a new one is made, stops the start like any other key', async () => {
      const replica = await spawnIn(folder);
      await replica.untilReady();
      await replica.kill();
      rmSync(join(folder, 'secrets.key'));
      const again = await spawnIn(folder);
      expect(await again.exit()).toBe(1);
      expect(again.logs).toBe(refusal(`"${join(folder, 'secrets.key')}"`));
    });
  });
});
