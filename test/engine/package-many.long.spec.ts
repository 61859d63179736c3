import { execFile } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { KeyService } from '../../src/domain/tenants/access/key.service.js';
import { verifiedFolder } from '../support/closing-package.js';
import { Engine } from '../support/engine.js';
import { Replica } from '../support/replica.js';
import { SECRETS_KEY } from '../support/secrets-key.js';

jest.setTimeout(1_200_000);

/** PACKAGE_ENTRIES: how many. */
const ENTRIES = Number(process.env['PACKAGE_ENTRIES'] ?? 1_000_000);
const MOST_MEGABYTES = 50;

/** Memory of a process that is resident, in megabytes. */
const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

describe(`the closing package of a month with ${ENTRIES} entries`, () => {
  let engine: Engine;
  let replica: Replica;
  let key: string;
  let period: string;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'package-'));
    const today = new Date();
    // Two days before a month ended.
    const end = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1));
    const now = new Date(end.getTime() - 2 * 86_400_000);
    period = now.toISOString().slice(0, 7);
    engine = await Engine.start('partner', { now, secretsKey: SECRETS_KEY });
    engine.sights = Object.fromEntries(engine.settings.vaults.map(({ id }) => [id, { apy: 0.04 }]));
    await engine.hours(8);
    const partnerId = await engine.createPartner();
    const input = { label: 'accountant', scopes: ['partner:read' as const], partnerId };
    key = (await engine.context.get(KeyService).create(input)).secret;
    for (const asset of ['USDC', 'USDT0'])
      await engine.deposit(await engine.createUser(partnerId), 1_000_000_000n, asset);
    await engine.hours(48);
    // A micro-unit more and one less in turn: the closings stay as they are.
    const columns = await engine.sql<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'ledger_entries'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    );
    const other: Record<string, string> = {
      id: `left(id, 14) || lpad(n::text, 16, '0')`,
      amount: 'CASE WHEN n % 2 = 0 THEN 1 ELSE -1 END',
      ...{ fee: '0', partner_revenue: '0', carried_loss: '0' },
      revenue_place: '1000000 + n',
    };
    await engine.sql(
      `INSERT INTO ledger_entries SELECT ${columns.map(({ name }) => other[name] ?? name).join(', ')}
         FROM ledger_entries, generate_series(1, ${ENTRIES}) AS n WHERE id = (SELECT min(id) FROM ledger_entries WHERE type = 'yield_accrual')`,
    );
    // PostgreSQL's default, which the tests' own server does not have: a page is planned for its partner.
    await engine.sql(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET plan_cache_mode = auto', current_database()); END $$`,
    );
    await engine.sql('VACUUM ANALYZE ledger_entries');
    const env = { ROLE: 'api', SETTLEMENT: 'instant', RATE_LIMIT_PER_MINUTE: '0' };
    // As the image starts it.
    const flags = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
    const all = { ...env, DATABASE_URL: engine.database.url };
    replica = await Replica.spawn('partner', all, 'pipe', undefined, flags);
    await replica.untilReady();
  });
  afterAll(async () => {
    await replica.kill();
    await engine.stop();
    await rm(folder, { recursive: true });
  });

  it(`The package of ${ENTRIES} entries streams with at most ${MOST_MEGABYTES} megabytes more memory, and is right`, async () => {
    const api = replica.api(key);
    for (let n = 0; n < 20; n++) expect((await api.get('/partner/ledger?limit=100')).status).toBe(200);
    const pid = replica.child.pid!;
    const before = residentOf(pid);
    let peak = before;
    const timer = setInterval(() => (peak = Math.max(peak, residentOf(pid))), 50);
    const zip = join(folder, 'package.zip');
    const answer = await fetch(`${replica.url}/api/v1/partner/statements/${period}/package`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(zip));
    clearInterval(timer);
    expect(peak - before).toBeLessThan(MOST_MEGABYTES);
    await promisify(execFile)('python3', ['-m', 'zipfile', '-e', zip, folder]);
    const { files } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    expect(files.find(({ name }: any) => name === 'ledger.csv').rows).toBeGreaterThan(ENTRIES);
    expect(await verifiedFolder(folder)).toBe('');
  });
});
