import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  VaultlinePartner,
  VaultlineSandbox,
  WithdrawalPendingError,
  WithdrawalUnpaidError,
  type WithdrawOptions,
} from '../../sdk/src/index.js';
import { answerOf, refused, ScriptedServer, type Step } from './scripted.server.js';

const REQUEST = { asset: 'USDC', amount: 40.5 } as const;
const RECORD = { id: 'wdr_1', object: 'withdrawal', user_id: 'usr_1', note: null };
let server: ScriptedServer;

beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.close());

/** Delays of milliseconds. */
const QUICK = { timeoutMs: 5_000, maxPauseMs: 1 };
const at = (status: string, more: object = {}): Step => answerOf({ ...RECORD, status, ...more });
const withdraw = (options?: WithdrawOptions): Promise<any> =>
  new VaultlinePartner({ apiKey: 'vl_live_1', baseUrl: server.url, retryDelayMs: 1 }).users.withdraw(
    'usr_1',
    REQUEST,
    options,
  );
const failureOf = (options: WithdrawOptions): Promise<any> =>
  withdraw(options).then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error,
  );
const asked = (): string[] => server.asked.map(({ method, path }) => `${method} ${path.slice(7)}`);
const REQUESTED = 'POST /users/usr_1/withdrawals';
const READ = 'GET /withdrawals/wdr_1';

describe('users.withdraw', () => {
  it('users.withdraw requests a withdrawal with an Idempotency-Key, and answers at once', async () => {
    server.script(refused(503, 'service_unavailable'), at('requested'));
    expect(await withdraw()).toMatchObject({ id: 'wdr_1', status: 'requested' });
    expect(await withdraw({ wait: false, idempotencyKey: 'payout:1' })).toMatchObject({ id: 'wdr_1' });
    expect(asked()).toEqual([REQUESTED, REQUESTED, REQUESTED]);
    expect(server.asked.map(({ body }) => JSON.parse(body))).toEqual([REQUEST, REQUEST, REQUEST]);
    const [one, two, mine] = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect([one, mine]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), 'payout:1']);
    expect(two).toBe(one);
  });

  it('users.withdraw that waits reads the withdrawal until it is paid, over refusals that pass', async () => {
    const failures = Array<Step>(5).fill(refused(503, 'service_unavailable'));
    server.script(at('requested'), at('requested'), 'reset', ...failures, at('taken'), at('paid'));
    expect(await withdraw({ wait: QUICK, idempotencyKey: 'payout:2' })).toMatchObject({ status: 'paid' });
    expect(asked()).toEqual([REQUESTED, ...Array(9).fill(READ)]);
    expect(server.asked.at(-1)!.headers).not.toHaveProperty('idempotency-key');
  });

  it('users.withdraw that waits reads nothing where the withdrawal is paid at once, as in the sandbox', async () => {
    server.script(at('paid'));
    const sandbox = new VaultlineSandbox({ apiKey: 'vl_sandbox_1', baseUrl: server.url });
    const everything = await sandbox.users.withdraw('usr_1', { asset: 'USDT' }, { wait: true });
    expect(everything.status).toBe('paid');
    expect(asked()).toEqual([REQUESTED]);
    expect(JSON.parse(server.asked[0]!.body)).toEqual({ asset: 'USDT' });
  });

  it.each([
    ['failed', 'The vault is paused.', 'The vault is paused.'],
    ['lapsed', null, 'no executor took it in time.'],
  ])(
    'users.withdraw that waits rejects a withdrawal that %s, with its note %p',
    async (status, note, why) => {
      server.script(at('requested'), at(status, { note }));
      const error = await failureOf({ wait: QUICK });
      expect(error).toBeInstanceOf(WithdrawalUnpaidError);
      expect(error).toMatchObject({ name: 'WithdrawalUnpaidError', status, note });
      expect(error.withdrawal).toMatchObject({ id: 'wdr_1', status, note });
      expect(error.message).toBe(
        `Withdrawal wdr_1 ${status}: ${why} To try again, request a new one with another idempotencyKey.`,
      );
    },
  );

  it('users.withdraw that waits rejects after its timeout, and names what to read instead of a second request', async () => {
    server.script(at('requested'), at('taken'));
    const error = await failureOf({ wait: { timeoutMs: 30, maxPauseMs: 5 } });
    expect(error).toBeInstanceOf(WithdrawalPendingError);
    expect(error).toMatchObject({ withdrawal: { id: 'wdr_1', status: 'taken' } });
    expect(error).not.toHaveProperty('cause');
    expect(error.message).toBe(
      "Withdrawal wdr_1 was not paid in time, and was last taken. It may still be paid, so do not request it again: readWithdrawal('wdr_1') shows its end.",
    );
    expect(asked().slice(0, 2)).toEqual([REQUESTED, READ]);
  });

  it('users.withdraw that waits names the withdrawal also where it can no longer be read', async () => {
    server.script(at('requested'), refused(401, 'invalid_api_key'));
    const refusal = await failureOf({ wait: QUICK });
    expect(refusal).toMatchObject({ withdrawal: { id: 'wdr_1' }, cause: { code: 'invalid_api_key' } });
    expect(refusal).toBeInstanceOf(WithdrawalPendingError);
    server.script(at('requested'), refused(503, 'service_unavailable'));
    const down = await failureOf({ wait: { timeoutMs: 30 } });
    expect(down).toMatchObject({ withdrawal: { id: 'wdr_1' }, cause: { status: 503 } });
  });

  it("users.withdraw that waits ends with the signal's reason, and begins with no invalid wait", async () => {
    const reason = new Error('The user left.');
    const leaving = new AbortController();
    server.script(at('requested'), () => {
      leaving.abort(reason);
      return 'silence';
    });
    expect(await failureOf({ wait: QUICK, signal: leaving.signal })).toBe(reason);
    server.script(at('requested'));
    await expect(withdraw({ wait: { timeoutMs: -1 } })).rejects.toThrow('wait.timeoutMs is -1');
    expect(server.asked).toEqual([]);
  });
});
