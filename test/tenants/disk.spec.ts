import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';
import { change } from '../support/change.js';

const MIB = 1024 * 1024;
const FREE = 24 * MIB;
/** Between two looks at what is stored. */
const CHECK_MS = 100;
const READY = { status: 'ready', role: 'all', worker: 'running' };
const NEARLY_FULL = { ...READY, status: 'degraded', degraded: 'nearly_full', storage: 'nearly_full' };

const readyOf = async ({ url }: TestApp): Promise<[number, any]> => {
  const response = await fetch(`${url}/health/ready`);
  return [response.status, await response.json()];
};

describe.each(eitherContract('partner'))('%s contract: a database that is nearly full', (contract) => {
  let app: TestApp;
  let partner: TestPartner;

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, (constants) => {
      change(constants.storage, { checkSeconds: CHECK_MS / 1_000 });
    });
    partner = await createPartner(app.admin);
    // The bound is the present size and some room: an operator's setting, whose value depends on the present size.
    app.settings.databaseMaxBytes = (await size()) + FREE;
  });
  afterAll(() => app.close());

  const size = async (): Promise<number> => {
    const [row] = await app.sql<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
    return Number(row!.bytes);
  };
  const isNearlyFull = async (): Promise<boolean> => (await readyOf(app))[1].storage === 'nearly_full';

  it('A database that is nearly full accepts writes while it has space', async () => {
    expect((await partner.api.post('/users', { external_id: 'disk:1' })).status).toBe(201);
    expect(await readyOf(app)).toEqual([200, READY]);
  });

  it('A database that is nearly full answers writes with 503; reads, revocations and deletions continue', async () => {
    const hook = await partner.api.post('/webhooks', { url: 'http://127.0.0.1:9/' });
    const spare = await app.admin.post('/keys', { label: 'spare', scopes: ['read'] });
    // The database is filled by another table, as by another partner.
    await app.sql(`CREATE TABLE public.filler AS SELECT repeat(md5(n::text), 100) AS text FROM generate_series(1, 8000) AS n;
       ALTER TABLE public.filler ALTER text SET STORAGE PLAIN;
       CREATE TABLE public.more AS SELECT text FROM public.filler LIMIT 0;
       ALTER TABLE public.more ALTER text SET STORAGE PLAIN;
       INSERT INTO public.more SELECT left(text, 1900) FROM public.filler, generate_series(1, 2)`);
    expect(await size()).toBeGreaterThan(app.settings.databaseMaxBytes!);
    await until(isNearlyFull);
    expect(await readyOf(app)).toEqual([503, NEARLY_FULL]);

    const before = await app.sql('SELECT count(*) AS users FROM users');
    const posts: [typeof partner.api, string, object][] = [
      [partner.api, '/users', { external_id: 'disk:2' }],
      [partner.api, '/webhooks', { url: 'http://127.0.0.1:9/' }],
      [partner.api, `/webhooks/${hook.body.data.id}/test`, {}],
      [app.admin, '/partners', { name: 'One more' }],
      [app.admin, '/keys', { label: 'One more' }],
      [app.admin, `/partners/${partner.id}/campaigns`, { name: 'One more' }],
    ];
    for (const [api, path, body] of posts) {
      const answer = await api.post(path, body);
      expectError(answer, 503, 'service_unavailable');
      expect(answer.body.error.message).toMatch(/nearly full.*reads work/);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await app.sql('SELECT count(*) AS users FROM users')).toEqual(before);

    expect((await partner.api.get('/partner/users')).body.data).toHaveLength(1);
    expect((await partner.api.get('/partner/summary')).status).toBe(200);
    expect((await partner.api.get('/webhooks')).status).toBe(200);
    expect((await partner.api.delete(`/webhooks/${hook.body.data.id}`)).status).toBe(200);
    expect((await app.admin.delete(`/keys/${spare.body.data.id}`)).status).toBe(200);
    expect((await app.admin.patch(`/partners/${partner.id}`, { name: 'Renamed' })).status).toBe(200);
    // The market's hour is still added, because it could not be observed later.
    expect(await app.application.get(HourlyCycle).run()).toMatchObject({ accruals: 0, moves: 0, moved: 0 });

    const metrics = await app.metrics();
    expect(metrics).toMatch(/^vaultline_storage_nearly_full 1$/m);
    expect(metrics).toMatch(/^vaultline_database_bytes \d{7,}$/m);
    expect(app.logs()).toContain('storage is nearly full');
  });

  it('A database that is nearly full accepts writes again once it is well below the bound', async () => {
    const { databaseMaxBytes: maxBytes } = app.settings;
    const linesBefore = app.logs().length;
    // Just below the bound: it is higher than the present size by one part in fifty.
    app.settings.databaseMaxBytes = Math.round((await size()) * 1.02);
    await new Promise((resolve) => setTimeout(resolve, 5 * CHECK_MS));
    expect(await isNearlyFull()).toBe(true);
    app.settings.databaseMaxBytes = maxBytes;
    await app.sql('DROP TABLE public.more, public.filler');
    await until(async () => !(await isNearlyFull()));
    expect((await partner.api.post('/users', { external_id: 'disk:3' })).status).toBe(201);
    expect(app.logs().slice(linesBefore)).toContain('storage has space again');
  });

  it('A database that is nearly full has no bound unless an operator sets one', async () => {
    app.settings.databaseMaxBytes = null;
    await new Promise((resolve) => setTimeout(resolve, 5 * CHECK_MS));
    expect(await isNearlyFull()).toBe(false);
  });
});

describe('the disk of the embedded database', () => {
  let folder: string;
  let app: TestApp | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vaultline-disk-'));
  });
  afterAll(async () => {
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('The disk of the embedded database keeps a minimum free; below it writes are answered with 503 from the start', async () => {
    const database = { url: '', query: async () => [], drop: async () => undefined };
    app = await startApp('partner', { DATA_DIR: folder }, database, (constants) => {
      // More than any disk has.
      change(constants.storage, { checkSeconds: CHECK_MS / 1_000, leastFreeMib: 100_000_000 });
    });
    expect(await readyOf(app)).toEqual([503, NEARLY_FULL]);
    expectError(await app.admin.post('/partners', { name: 'One more' }), 503, 'service_unavailable');
    expect((await app.admin.get('/partners')).status).toBe(200);
    change(app.settings.constants.storage, { leastFreeMib: 1 });
    await until(async () => (await readyOf(app!))[1].storage === undefined);
    expect((await app.admin.post('/partners', { name: 'One more' })).status).toBe(201);
  }, 60_000);
});
