import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SecretsRotation } from '../../src/domain/kernel/secrets/secrets-rotation.js';
import { Cipher } from '../../src/domain/kernel/store/cipher.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
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
/** Message of the only line of a process that was refused. */
async function fatal(replica: Replica): Promise<unknown> {
  await until(async () => replica.logs.endsWith('\n'));
  const { level, msg } = JSON.parse(replica.logs) as Record<string, unknown>;
  expect(level).toBe(60);
  return msg;
}

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
    await Promise.all(running.splice(0).map((connection) => connection.stop()));
    await database.drop();
  });

  const start = async (secretsKey: string, previous = ''): Promise<TestApp> => {
    const app = await startApp(
      contract,
      { SECRETS_KEY: secretsKey, SECRETS_KEY_PREVIOUS: previous, BOOTSTRAP_ADMIN_KEY: adminKey },
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
    `${source} is not the key that sealed the secrets in the schema "${schema}"; start with the previous one, or, if it is lost, delete them: vaultline secrets forget.`;
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
  const rotate = (secretsKey: string, previous: string): Promise<CommandRun> =>
    vaultline(['--contract', contract, 'secrets', 'rotate'], {
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey,
      SECRETS_KEY_PREVIOUS: previous,
    });

  it('The secrets key must be the same at each start: with another one a process ends with status 1 and one sentence without either', async () => {
    await (await start(key)).close();
    const [canary] = await canaries();
    expect(canary).toBeDefined();
    await (await start(key)).close();
    const replica = await spawnWith({ SECRETS_KEY: newKey() });
    expect(await replica.exit()).toBe(1);
    expect(await fatal(replica)).toBe(refusal());
    expect(await canaries()).toEqual([canary]);
  });

  it('A different secrets key is detected by sealed endpoints where there is no canary', async () => {
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

  it('A different secrets key is detected by stored answers where there are no endpoints', async () => {
    const first = await start(key);
    const body = { label: 'once', scopes: ['read'] };
    expect((await first.admin.post('/keys', body, { 'idempotency-key': 'once' })).status).toBe(201);
    await first.close();
    await database.query(schema, 'DELETE FROM secrets_canary');
    await expect(start(newKey())).rejects.toThrow(refusal());
    await start(key);
    expect(await canaries()).toHaveLength(1);
  });

  it('The secrets key is one for all replicas: of two keys at the first start, those with one of them start', async () => {
    const other = newKey();
    const outcomes = await Promise.allSettled([key, other, key, other].map((text) => start(text)));
    const up = outcomes.map(({ status }) => status === 'fulfilled');
    // The first two processes have the two keys, and so have the other two.
    expect([up.slice(2), up.filter(Boolean).length]).toEqual([up.slice(0, 2), 2]);
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [String(outcome.reason.message)] : [],
    );
    expect(reasons).toEqual([refusal(), refusal()]);
    expect(await canaries()).toHaveLength(1);
  });

  it('A lost secrets key is replaced by command alone, which deletes what it sealed', async () => {
    const first = await start(key);
    const partner = await createPartner(first.admin);
    await register(partner);
    const repeated = { 'idempotency-key': 'once' };
    expect((await partner.api.post('/users', { external_id: 'a' }, repeated)).status).toBe(201);
    const needless = await command(key, 'secrets', 'forget', '--yes');
    expect([needless.code, needless.output]).toEqual([1, expect.stringContaining('nothing was deleted')]);
    await first.close();
    const other = newKey();
    const unsure = await command(other, 'secrets', 'forget');
    expect([unsure.code, unsure.output]).toEqual([1, expect.stringMatching(/^--yes is missing/)]);
    const { code, output } = await command(other, 'secrets', 'forget', '--yes');
    expect([code, output]).toEqual([
      0,
      '1 endpoints and 1 stored answers were deleted; the current SECRETS_KEY is in use.\n',
    ]);
    await expect(start(key)).rejects.toThrow(refusal());
    const now = at(await start(other), partner);
    expect((await now.api.get('/webhooks')).body.data).toEqual([]);
    expectError(await now.api.post('/users', { external_id: 'a' }, repeated), 409, 'idempotency_in_progress');
    expect(await delivered(now, (await register(now)).id)).toBe('delivered');
  });

  it('The secrets key is rotated while processes with the old key and with both run, and after an interruption', async () => {
    const turned = newKey();
    const old = await start(key);
    const partner = await createPartner(old.admin);
    const first = await register(partner);
    await partner.api.post(`/webhooks/${first.id}/secret/rotate`, { previous_expires_in: 3600 });
    const repeated = { 'idempotency-key': 'once' };
    const answer = await partner.api.post('/users', { external_id: 'a' }, repeated);
    expect(answer.status).toBe(201);
    expect((await command(key, 'secrets', 'rotate')).output).toMatch(/^SECRETS_KEY_PREVIOUS is missing/);

    // Side by side, each reads what the other one has sealed, and its cursors.
    const both = await start(turned, key);
    const fresh = at(both, partner);
    const second = await register(fresh);
    expect(await delivered(partner, second.id)).toBe('delivered');
    expect(await delivered(fresh, first.id)).toBe('delivered');
    const { next_cursor: cursor } = (await fresh.api.get('/webhooks?limit=1')).body.meta;
    expect((await partner.api.get(`/webhooks?limit=1&cursor=${cursor}`)).status).toBe(200);
    const tooSoon = await rotate(turned, key);
    expect([tooSoon.code, tooSoon.output]).toEqual([
      1,
      expect.stringMatching(/^SECRETS_KEY is unknown to .+ \(all\); .+ Nothing was changed\.\n$/),
    ]);
    await old.close();

    // An interrupted rotation: the previous key is still needed.
    await both.application.get(SecretsRotation).begin();
    await expect(start(turned)).rejects.toThrow('SECRETS_KEY_PREVIOUS is not the previous key');

    const rotation = rotate(turned, key);
    let [done, writes] = [false, 0];
    void rotation.finally(() => (done = true));
    while (!done) {
      const once = { 'idempotency-key': `during ${writes}` };
      expect((await fresh.api.post('/users', { external_id: `u${writes++}` }, once)).status).toBe(201);
      if (writes % 10 === 0) expect(await delivered(fresh, first.id)).toBe('delivered');
      await sleep(100);
    }
    const { code, output } = await rotation;
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/\n2 endpoints and \d+ stored answers were encrypted again\. .+: remove it\.\n$/),
    ]);
    expect((await rotate(turned, key)).output).toContain('\n0 endpoints and 0 stored answers');

    const alone = at(await start(turned), partner);
    expect((await alone.api.get(`/webhooks?limit=1&cursor=${cursor}`)).status).toBe(400);
    for (const { id } of [first, second]) expect(await delivered(alone, id)).toBe('delivered');
    for (const [externalId, name] of [
      ['a', 'once'],
      ...Array.from({ length: writes }, (_, i) => [`u${i}`, `during ${i}`]),
    ]) {
      const again = await alone.api.post('/users', { external_id: externalId }, { 'idempotency-key': name! });
      expect(again.status).toBe(201);
      if (name === 'once') expect(again.body).toEqual(answer.body);
    }
    await expect(start(key)).rejects.toThrow(refusal());
    const sealed = await database.query<{ context: string; sealed: Buffer }>(
      schema,
      `SELECT id AS context, unnest(ARRAY[secret_sealed, previous_sealed]) AS sealed FROM webhook_endpoints
        UNION ALL SELECT concat_ws(' ', key_id, route, key), coalesce(answer, packed) FROM idempotency_claims`,
    );
    const [before, now] = [new Cipher(Buffer.from(key, 'base64')), new Cipher(Buffer.from(turned, 'base64'))];
    const open = (cipher: Cipher): number =>
      sealed.filter((row) => row.sealed && cipher.sealLike(row.sealed, row.context)).length;
    expect([open(before), open(now)]).toEqual([0, sealed.filter((row) => row.sealed).length]);
  });

  describe('in a file', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'vaultline-key-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** A start without the setting. */
    const spawnIn = (dataDir: string): Promise<Replica> => spawnWith({ SECRETS_KEY: '', DATA_DIR: dataDir });
    const refused = async (replica: Replica): Promise<unknown> => {
      expect(await replica.exit()).toBe(1);
      return fatal(replica);
    };

    it('The secrets key in a file is created once and read again; a new file is another key', async () => {
      const dataDir = join(folder, 'data');
      for (const _ of ['first', 'second']) {
        const replica = await spawnIn(dataDir);
        await untilReady(replica);
        await replica.kill();
        expect(readdirSync(dataDir)).toEqual(['secrets.key']);
      }
      rmSync(join(dataDir, 'secrets.key'));
      expect(await refused(await spawnIn(dataDir))).toBe(refusal(`"${join(dataDir, 'secrets.key')}"`));
    });

    it('The secrets key in a file that is empty or cut short stops the start with the name of the file', async () => {
      const path = join(folder, 'secrets.key');
      for (const [text, content] of [
        ['', 'is empty'],
        [key.slice(0, 20), 'holds 20 characters that are no key'],
      ] as const) {
        writeFileSync(path, text);
        expect(await refused(await spawnIn(folder))).toBe(
          `"${path}" ${content}; it must be 32 bytes in base64. Put back the key that it held, or remove the file where nothing was sealed yet: a new one is made.`,
        );
        expect(readFileSync(path, 'utf8')).toBe(text);
      }
    });
  });
});
