import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/domain/identifier.js';
import { AccountService } from '../../src/domain/accounts/account.service.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { createPartner } from '../support/partner.js';
import { expectError } from '../support/expected-error.js';
import { expectFirst, expectReplay } from '../support/posts.js';
import { until } from '../support/until.js';
import { Account } from '../sandbox/account.js';
import { HeldAccounts, lockWaits } from './held-account.js';

const TURNS = 3;
const LINE = 2;
const LONG_MS = 60_000;

/** Advances that do not end, of as many accounts as one process moves at once. */
describe('turns of what moves accounts', () => {
  let app: TestApp;
  let accounts: Account[];

  beforeAll(async () => {
    app = await startApp(
      'sandbox',
      { RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' },
      undefined,
      ({ accounts: bounds, database }) => {
        Object.assign(bounds, { movesAtOnce: TURNS, line: LINE, waitMs: LONG_MS });
        Object.assign(database, { lockTimeoutMs: LONG_MS, statementTimeoutMs: LONG_MS });
      },
    );
    accounts = [];
    for (let count = 0; count < TURNS + LINE + 2; count++) accounts.push(await Account.open(app));
  }, 60_000);
  afterAll(() => app?.close());

  const advance = (account: Account, key?: string): Promise<Answer> =>
    account.api.post('/simulation/clock/advance', { hours: 1 }, key ? { 'idempotency-key': key } : {});
  const taken = (): Promise<void> => until(async () => (await lockWaits(app)) === TURNS);
  /** The number of accounts that wait for a turn. */
  const waiting = (): number => (app.application.get(AccountService) as any).turns.waiting;
  /** A request whose caller disconnects while it waits. */
  const hangUp = async (account: Account): Promise<void> => {
    const body = JSON.stringify({ hours: 1 });
    const sent = request(`${app.url}/api/v1/simulation/clock/advance`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.api.key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    sent.on('error', () => undefined);
    const aborted = app.logs().split('"status":"aborted"').length;
    const before = waiting();
    sent.end(body);
    await until(async () => waiting() === before + 1);
    sent.destroy();
    await until(async () => waiting() === before);
    await until(async () => app.logs().split('"status":"aborted"').length > aborted);
  };

  it('are one an account: a second advance is refused while the first one runs, and a duplicate waits for it', async () => {
    const [first, ...rest] = accounts as [Account, ...Account[]];
    const held = await HeldAccounts.hold(
      app,
      accounts.slice(0, TURNS).map(({ id }) => id),
    );
    const running = [advance(first, 'once'), ...rest.slice(0, TURNS - 1).map((one) => advance(one))];
    await taken();
    const duplicate = advance(first, 'once');
    for (let count = 0; count < 5; count++) expectError(await advance(first), 409, 'advance_in_progress');
    expectError(await first.api.post('/simulation/reset', {}), 409, 'advance_in_progress');
    // Transfers of a busy account wait for at most a second, without a connection.
    const deposit = { user_id: first.userId, asset: 'USDC', amount: 10 };
    const transfers = Promise.all(Array.from({ length: 40 }, () => first.api.post('/positions', deposit)));
    const read = await Promise.all(
      Array.from({ length: 20 }, () => rest.at(-1)!.api.get('/partner/summary')),
    );
    expect(read.map(({ status }) => status)).toEqual(read.map(() => 200));
    expect(await lockWaits(app)).toBe(TURNS);
    for (const answer of await transfers) expectError(answer, 409, 'advance_in_progress');
    // No turn is free, and a duplicate needs none: the queue stays empty.
    const line = rest.slice(TURNS - 1, TURNS - 1 + LINE).map((one) => advance(one));
    await held.letGo();
    const answers = await Promise.all([...running, ...line]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const late = await duplicate;
    if (late.status === 200) expectReplay(late, answers[0]!);
    else expectError(late, 409, 'idempotency_in_progress');
  }, 60_000);

  it('are waited for by a few accounts; the next is told to come back, and who hangs up leaves the line', async () => {
    const movers = accounts.slice(0, TURNS);
    const [early, leaving, late, last] = accounts.slice(TURNS) as [Account, Account, Account, Account];
    const held = await HeldAccounts.hold(
      app,
      movers.map(({ id }) => id),
    );
    const running = movers.map((one) => advance(one));
    await taken();
    const inLine = advance(early);
    await until(async () => waiting() === 1);
    await hangUp(leaving);
    // One place is free again, and this request fills the queue.
    const joined = advance(late);
    await until(async () => waiting() === LINE);
    const refused = await advance(last);
    expectError(refused, 503, 'service_unavailable');
    expect(refused.headers.get('retry-after')).toBe('2');
    // A request that waits for a turn holds no connection, and requests that need no turn are answered.
    expect((await last.api.get('/positions')).status).toBe(200);
    expect((await last.deposit(1)).value).toBe(1);
    await held.letGo();
    for (const answer of await Promise.all([...running, inLine, joined])) expectFirst(answer);
    expect(await leaving.read('/simulation/clock')).toMatchObject({
      hours_ahead: (await early.read('/simulation/clock')).hours_ahead - 1,
    });
    expect((await advance(last)).status).toBe(200);
  }, 60_000);

  it('are not the only bound: requests of one partner that wait for each other leave connections to others', async () => {
    const [hostile, other] = accounts as [Account, Account];
    const position = await hostile.deposit(100);
    const held = await holding(app, 'SELECT id FROM positions WHERE id = $1 FOR UPDATE', [position.id]);
    const withdrawals = Array.from({ length: 30 }, () =>
      hostile.api.post(`/positions/${position.id}/withdrawals`, { amount: 0.1 }),
    );
    await until(async () => (await lockWaits(app)) >= 2);
    const answers = await Promise.all(Array.from({ length: 20 }, () => other.api.get('/positions')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // Four of ten connections.
    expect(await lockWaits(app)).toBeLessThanOrEqual(4);
    await held();
    for (const { status } of await Promise.all(withdrawals)) expect([201, 503]).toContain(status);
  }, 60_000);

  it('leave connections to others also where one partner’s reads and deletions, each by itself, wait', async () => {
    const [hostile, other] = accounts as [Account, Account];
    const unknown = `/webhooks/${newId('webhook', new Date())}`;
    const held = await holding(app, 'LOCK TABLE webhook_endpoints IN ACCESS EXCLUSIVE MODE');
    const asked = Array.from({ length: 15 }, () => [
      hostile.api.get('/webhooks'),
      hostile.api.delete(unknown),
    ]).flat();
    // The process's own statements about endpoints are written differently, and are not counted.
    const waits = (): Promise<number> => lockWaits(app, '%"webhook_endpoints"%');
    await until(async () => (await waits()) >= 4);
    const answers = await Promise.all(Array.from({ length: 20 }, () => other.api.get('/positions')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await waits()).toBe(4);
    await held();
    for (const { status } of await Promise.all(asked)) expect([200, 404, 503]).toContain(status);
  }, 60_000);

  it('bound accounts that are caught up, too: a caller of many leaves connections to others', async () => {
    const other = accounts[0]!;
    const late = await Promise.all(Array.from({ length: 12 }, () => createPartner(app.admin)));
    const held = await HeldAccounts.hold(
      app,
      late.map(({ id }) => id),
    );
    const reads = late.map(({ api }) => api.get('/positions'));
    await taken();
    const answers = await Promise.all(Array.from({ length: 20 }, () => other.api.get('/positions')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await lockWaits(app)).toBe(TURNS);
    await held.letGo();
    for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
  }, 60_000);
});

/** Runs a statement that locks, and keeps the lock. @returns a function that releases it */
async function holding({ database }: TestApp, sql: string, values?: unknown[]): Promise<() => Promise<void>> {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: database.url, options: '-c search_path=sandbox' });
  await client.connect();
  await client.query('BEGIN');
  await client.query(sql, values);
  return () => client.end();
}
