import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountTime } from '../../src/domain/cycle/accounts/account-time.service.js';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { createPartner } from '../support/partner.js';
import { expectError } from '../support/expected-error.js';
import { expectFirst, expectReplay } from '../support/posts.js';
import { until } from '../support/until.js';
import { Account } from '../sandbox/account.js';
import { HeldAccounts, lockWaits } from './held-account.js';
import { change } from '../support/change.js';

const TURNS = 3;
const LINE = 2;
const LONG_MS = 60_000;

/** Advances that do not end, of as many accounts as one process moves at once. */
describe('advances and resets of accounts', () => {
  let app: TestApp;
  let accounts: Account[];

  beforeAll(async () => {
    app = await startApp(
      'sandbox',
      { RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' },
      undefined,
      ({ accounts: bounds, database }) => {
        change(bounds, { movesAtOnce: TURNS, queueLength: LINE, waitMs: LONG_MS });
        change(database, { lockTimeoutMs: LONG_MS, statementTimeoutMs: LONG_MS });
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
  const waiting = (): number => (app.application.get(AccountTime) as any).slots.waitingOf();
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

  it('Advances and resets of accounts run one at a time for an account: a second advance and a duplicate are refused', async () => {
    const [first, ...rest] = accounts as [Account, ...Account[]];
    const heldAccounts = await HeldAccounts.hold(
      app,
      accounts.slice(0, TURNS).map(({ id }) => id),
    );
    const running = [advance(first, 'once'), ...rest.slice(0, TURNS - 1).map((text) => advance(text))];
    await taken();
    const duplicate = await advance(first, 'once');
    expect([duplicate.status, duplicate.body.error.code]).toEqual([
      409,
      expect.stringMatching(/_in_progress$/),
    ]);
    for (let count = 0; count < 5; count++) expectError(await advance(first), 409, 'advance_in_progress');
    expectError(await first.api.post('/simulation/reset', {}), 409, 'advance_in_progress');
    // Transfers of a busy account are refused, and hold no connection.
    const deposit = { user_id: first.userId, asset: 'USDC', amount: 10 };
    const transfers = Promise.all(Array.from({ length: 40 }, () => first.api.post('/positions', deposit)));
    const read = await Promise.all(
      Array.from({ length: 20 }, () => rest.at(-1)!.api.get('/partner/summary')),
    );
    expect(read.map(({ status }) => status)).toEqual(read.map(() => 200));
    expect(await lockWaits(app)).toBe(TURNS);
    for (const answer of await transfers) expectError(answer, 409, 'advance_in_progress');
    // No turn is free, and a duplicate needs none: the queue stays empty.
    const line = rest.slice(TURNS - 1, TURNS - 1 + LINE).map((text) => advance(text));
    await heldAccounts.letGo();
    const answers = await Promise.all([...running, ...line]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expectReplay(await advance(first, 'once'), answers[0]!);
  }, 60_000);

  it('Advances and resets of accounts wait in a bounded queue; beyond it they are answered 503, and who disconnects leaves it', async () => {
    const movers = accounts.slice(0, TURNS);
    const [early, leaving, late, last] = accounts.slice(TURNS) as [Account, Account, Account, Account];
    const heldAccounts = await HeldAccounts.hold(
      app,
      movers.map(({ id }) => id),
    );
    const running = movers.map((mover) => advance(mover));
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
    await heldAccounts.letGo();
    for (const answer of await Promise.all([...running, inLine, joined])) expectFirst(answer);
    expect(await leaving.read('/simulation/clock')).toMatchObject({
      hours_ahead: (await early.read('/simulation/clock')).hours_ahead - 1,
    });
    expect((await advance(last)).status).toBe(200);
  }, 60_000);

  it('Advances and resets of accounts are bounded together with catching up: a caller with many accounts leaves connections to others', async () => {
    const other = accounts[0]!;
    const late = await Promise.all(Array.from({ length: 12 }, () => createPartner(app.admin)));
    const heldAccounts = await HeldAccounts.hold(
      app,
      late.map(({ id }) => id),
    );
    const reads = late.map(({ api }) => api.get('/positions'));
    await taken();
    const answers = await Promise.all(Array.from({ length: 20 }, () => other.api.get('/positions')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await lockWaits(app)).toBe(TURNS);
    await heldAccounts.letGo();
    for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
  }, 60_000);
});
