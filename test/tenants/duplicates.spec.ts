import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { expectFirst, expectReplay } from '../support/posts.js';
import { until } from '../support/until.js';
import { Account } from '../sandbox/account.js';
import { HeldAccounts, lockWaits } from './held-account.js';

const DUPLICATES = 50;
const LONG_MS = 60_000;

/** Retries of a request that is still being processed, by a caller that sends far too many. */
describe('duplicates of one Idempotency-Key', () => {
  let app: TestApp;
  /** A second process on the same database, simulated by a second application. */
  let second: TestApp;
  let hostile: Account;
  let other: Account;
  let held: HeldAccounts | null = null;

  beforeAll(async () => {
    const env = {
      RATE_LIMIT_PER_MINUTE: '0',
      REQUESTS_AT_ONCE: '0',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    app = await startApp('sandbox', env, undefined, ({ database, simulation }) => {
      simulation.historyHours = 9 * 24;
      Object.assign(database, { lockTimeoutMs: LONG_MS, statementTimeoutMs: LONG_MS });
    });
    second = await startApp(
      'sandbox',
      { ...env, BOOTSTRAP_ADMIN_KEY: app.adminKey },
      app.database,
      ({ simulation }) => void (simulation.historyHours = 9 * 24),
    );
    [hostile, other] = [await Account.open(app), await Account.open(app)];
  }, 60_000);
  afterEach(async () => {
    await held?.letGo();
    held = null;
  });
  afterAll(async () => {
    await second?.close();
    await app?.close();
  });

  const reset = (key: string, on = app): Promise<Answer> =>
    hostile.api.key === undefined
      ? Promise.reject(new Error('no key'))
      : on.admin.as(hostile.api.key).post('/simulation/reset', {}, { 'idempotency-key': key });
  /** The first request, which cannot end before `held` releases its lock. */
  const beginReset = async (key: string): Promise<Promise<Answer>[]> => {
    held = await HeldAccounts.hold(app, [hostile.id]);
    const first = reset(key);
    await until(async () => (await lockWaits(app)) === 1);
    return [first];
  };
  const othersAreAnswered = async (): Promise<void> => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        other.api.post('/positions', { user_id: other.userId, asset: 'USDC', amount: 1 }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  };

  it('are refused at once, in each process; everybody else is answered, and a later one gets the answer', async () => {
    const [first] = await beginReset('slow');
    const duplicates = await Promise.all(
      Array.from({ length: DUPLICATES }, (_, n) => reset('slow', n % 2 === 0 ? app : second)),
    );
    // Within the transaction of the first, or before it while the account's time is moved.
    for (const { status, body } of duplicates)
      expect([status, body.error.code]).toEqual([
        409,
        expect.stringMatching(/^(idempotency|advance)_in_progress$/),
      ]);
    // Only the first request waits for a lock with a connection.
    expect(await lockWaits(app)).toBe(1);
    await othersAreAnswered();
    expect(await lockWaits(app)).toBe(1);
    await held!.letGo();
    held = null;
    const begun = await first!;
    expectFirst(begun);
    for (const on of [app, second]) expectReplay(await reset('slow', on), begun);
  }, 60_000);

  it('are not the only way to ask again: other keys for the same account are answered at once, and take no turn', async () => {
    const [first] = await beginReset('many');
    const answers = await Promise.all(Array.from({ length: 30 }, (_, number) => reset(`many-${number}`)));
    // Requests with other keys are other requests: they are refused at once because the account is being moved, without taking a turn.
    for (const answer of answers) expectError(answer, 409, 'advance_in_progress');
    expect(await lockWaits(app)).toBe(1);
    await othersAreAnswered();
    await held!.letGo();
    held = null;
    expectFirst(await first!);
  }, 60_000);

  it('that have another body are refused: as in progress at first, and as another request once the first is answered', async () => {
    const headers = { 'idempotency-key': 'two-bodies' };
    const send = (amount: number) =>
      other.api.post('/positions', { user_id: other.userId, asset: 'USDC', amount }, headers);
    const answers = await Promise.all([send(1), send(2)]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect([409, 422]).toContain(answers.find(({ status }) => status !== 201)!.status);
    expectError(await send(3), 422, 'idempotency_key_reused');
  });
});
