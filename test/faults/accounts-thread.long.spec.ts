import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsThread } from '../../src/accounts.thread.js';
import { AccountMoves } from '../../src/domain/accounts/account-moves.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { expectFirst, expectReplay } from '../support/posts.js';
import { until } from '../support/until.js';
import { Account } from '../sandbox/account.js';

const CHECK_MS = 50;
const MONTH = 744;
const DAY = 24;
/** The bundled worker, as a deployment runs it. */
const BUILT = pathToFileURL(fileURLToPath(new URL('../../dist/bundle/worker.main.js', import.meta.url)));
/** A fake worker script: it answers an advance by one hour, refuses two, fails at three and exits at any other number. */
const MADE_UP = new URL(
  `data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from 'node:worker_threads';
const { pulse } = workerData;
setInterval(() => Atomics.add(pulse, 0, 1), 5);
Atomics.store(pulse, 1, 1);
const rule = { code: 'quota_exceeded', message: 'There is no room for that.', details: [], retryAfterSeconds: null };
const error = { name: 'error', message: 'terminating connection', code: '57P01' };
parentPort.on('message', (asked) => {
  if (asked === 'stop') process.exit(0);
  if (asked.figures) return parentPort.postMessage({ to: asked.figures, figures: [] });
  const told = [{ answered: { text: '{"object":"made_up","data":{}}', replayed: false } }, { failure: { rule } }, { failure: { error } }];
  const answer = told[asked.claimed.move.hours - 1];
  if (!answer) process.exit(1);
  parentPort.postMessage({ moved: asked.move, ...answer });
});
parentPort.postMessage('started');`)}`,
);

/** Accounts are moved in a worker thread, while the main thread answers requests. */
describe('moves of accounts in a thread of their own', () => {
  let app: TestApp;
  let thread: AccountsThread | undefined;
  let lines: string[];

  beforeAll(async () => {
    app = await startApp('sandbox', { RATE_LIMIT_PER_MINUTE: '0' }, undefined, ({ accounts }) =>
      Object.assign(accounts, { movesAtOnce: 2, waitMs: 120_000 }),
    );
  }, 60_000);
  afterEach(async () => {
    await thread?.stop();
  });
  afterAll(() => app?.close());

  /** The worker thread takes the place of the one that the application started. */
  const begin = (script: URL): void => {
    lines = [];
    const output = { write: (line: string) => void lines.push(line) };
    thread = new AccountsThread(app.settings, createLogger(app.settings, output), output, script, CHECK_MS);
    const accounts = thread;
    app.application.get(AccountMoves).elsewhere = (claimed) => accounts.carryOut(claimed, app.database.url);
  };
  const advance = (account: Account, hours: number, key?: string) =>
    account.api.post('/simulation/clock/advance', { hours }, key ? { 'idempotency-key': key } : {});
  const says = (text: string): boolean => lines.some((line) => line.includes(text));

  it('runs the hours of ten accounts there, while requests of others are answered here', async () => {
    begin(BUILT);
    const accounts = await Promise.all(Array.from({ length: 10 }, () => Account.open(app)));
    for (const account of accounts) await account.deposit(10_000);
    const other = await Account.open(app);
    // The main thread may carry out no advance itself.
    app.application.get(AccountMoves).carryOutHere = () => Promise.reject(new Error('not here'));
    let under = accounts.length;
    const advances = accounts.map((account, at) =>
      advance(account, at === 0 ? MONTH : DAY, `hours-${at}`).finally(() => under--),
    );
    await until(async () => says('accounts are taken'), 60_000);
    const read: number[] = [];
    do read.push((await other.api.get('/webhooks')).status);
    while (under > 0);
    expect(new Set(read)).toEqual(new Set([200]));
    const answers = await Promise.all(advances);
    for (const answer of answers) expectFirst(answer);
    expect(answers.map(({ body }) => body.data.hours)).toEqual([MONTH, ...Array<number>(9).fill(DAY)]);
    expect(answers[0]!.body).toMatchObject({
      object: 'simulation_advance',
      data: { object: 'simulation_advance' },
    });
    const [first] = accounts as [Account];
    expect(await first.read('/simulation/clock')).toMatchObject({ hours_ahead: MONTH });
    // Claims and answers are stored by the worker and read by the main thread; a refusal in the worker is a refusal here, and leaves no claim.
    expectReplay(await advance(first, MONTH, 'hours-0'), answers[0]!);
    expectError(await advance(first, 1, 'hours-0'), 422, 'idempotency_key_reused');
    const reset = await first.api.post(
      '/simulation/reset',
      { seed: 'anew' },
      { 'idempotency-key': 'a-reset' },
    );
    expectFirst(reset);
    expect(reset.body.data).toMatchObject({ object: 'simulation_clock', seed: 'anew', hours_ahead: 0 });
    await app.database.query(
      'sandbox',
      `UPDATE markets SET hours_ahead = 87600, ticked_hour = ticked_hour + interval '87600 hours' WHERE owner_id = $1`,
      [other.id],
    );
    const far = await advance(other, 1, 'too-far');
    expectError(far, 400, 'validation_failed');
    expect(far.body.error.details).toEqual([{ field: 'hours', message: expect.stringContaining('reset') }]);
    expectError(await advance(other, 1, 'too-far'), 400, 'validation_failed');
  }, 180_000);

  it('answers what it is told, to the byte, and goes on with another thread where one ends', async () => {
    begin(MADE_UP);
    const account = await Account.open(app);
    expect(await advance(account, 1)).toMatchObject({ status: 200, text: '{"object":"made_up","data":{}}' });
    expectError(await advance(account, 2), 409, 'quota_exceeded');
    expectError(await advance(account, 3), 503, 'service_unavailable');
    const cut = await advance(account, 4);
    expectError(cut, 503, 'service_unavailable');
    expect(cut.headers.get('retry-after')).toBe('2');
    expect(says('the worker ended; another one takes its place')).toBe(true);
    expect((await account.api.get('/simulation/clock')).body.data.hours_ahead).toBe(0);
    // Until the new thread is ready, no thread takes the request.
    await until(async () => (await advance(account, 1)).status === 200);
  });
});
