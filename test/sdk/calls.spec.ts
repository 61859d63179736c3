import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  isVaultlineError,
  type PartnerEvent,
  type RetryNotice,
  VaultlineConnectionError,
  VaultlineError,
  type VaultlineOptions,
  VaultlinePartner,
  VaultlineSandbox,
  VaultlineTimeoutError,
  verifyWebhook,
} from '../../sdk/src/index.js';
import { answerOf, refused, ScriptedServer } from './scripted.server.js';

const KEY = 'vl_live_NeverShownAnywhere0123456789abcdef';
const USER = { external_id: 'acme:1' };
let server: ScriptedServer;
let retries: RetryNotice[];

beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.close());

/** Delays of milliseconds: `onRetry` reports whether and how long the client waits. */
function client(options: Partial<VaultlineOptions> = {}): VaultlinePartner {
  retries = [];
  const onRetry = (retry: RetryNotice): void => void retries.push(retry);
  return new VaultlinePartner({ apiKey: KEY, baseUrl: server.url, retryDelayMs: 1, onRetry, ...options });
}

const failureOf = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error,
  );

describe('a call', () => {
  it.each([
    ['503', refused(503, 'service_unavailable')],
    ["a proxy's 502", { status: 502, body: '<html>Bad gateway</html>' }],
    ['409 while the first attempt is under way', refused(409, 'idempotency_in_progress')],
    ['a connection that broke', 'reset' as const],
    ['an answer that broke off', 'half an answer' as const],
  ])('A call is retried after %s, with the same Idempotency-Key and body', async (_, failure) => {
    server.script(failure, failure, answerOf({ id: 'usr_1' }, 201));
    expect(await client().createUser(USER)).toEqual({ id: 'usr_1' });
    expect(server.asked.map(({ body }) => JSON.parse(body))).toEqual([USER, USER, USER]);
    const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('A call has a new Idempotency-Key, or the given one', async () => {
    server.script(answerOf({}, 201));
    const sdkClient = client();
    await sdkClient.createUser(USER);
    await sdkClient.createUser(USER);
    await sdkClient.createUser(USER, { idempotencyKey: 'mine' });
    const [item, two, three] = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(item).not.toBe(two);
    expect(three).toBe('mine');
  });

  it.each([
    [400, 'validation_failed'],
    [409, 'external_id_taken'],
    [501, 'not_implemented'],
  ])('A call is not retried after %i %s', async (status, code) => {
    server.script(refused(status, code));
    const error = await failureOf(client().createUser(USER));
    expect(error).toMatchObject({ name: 'VaultlineError', code, status, attempts: 1, requestId: 'req_1' });
    expect(server.asked).toHaveLength(1);
  });

  it('A call waits for Retry-After, and fails at once if that exceeds the maximum wait', async () => {
    server.script(refused(429, 'rate_limited', { 'retry-after': '1' }), answerOf({}));
    await client().readPartnerSummary();
    expect(retries).toMatchObject([{ status: 429, code: 'rate_limited', path: '/api/v1/partner/summary' }]);
    expect(retries[0]!.delayMs).toBeGreaterThanOrEqual(1_000);
    server.script(refused(429, 'rate_limited', { 'retry-after': '61' }));
    const error = await failureOf(client().readPartnerSummary());
    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 61, attempts: 1 });
  });

  it('A call fails after its retries with the last error, and within its total timeout', async () => {
    server.script(refused(503, 'service_unavailable'));
    expect(await failureOf(client().readPartnerTvl())).toMatchObject({ status: 503, attempts: 4 });
    expect(await failureOf(client().readPartnerTvl({}, { maxRetries: 0 }))).toMatchObject({ attempts: 1 });
    // A wait that would exceed the total time is not begun.
    const short = client({ retryDelayMs: 60_000, maxRetryDelayMs: 60_000, totalTimeoutMs: 5_000 });
    expect(await failureOf(short.readPartnerTvl())).toMatchObject({ status: 503, attempts: 1 });
  });

  it('A call times out by attempt, and fails with its Idempotency-Key in the error', async () => {
    server.script('silence');
    const error = await failureOf(client({ timeoutMs: 40, maxRetries: 1 }).createUser(USER));
    expect(error).toBeInstanceOf(VaultlineTimeoutError);
    expect(error).toMatchObject({ code: 'timeout', attempts: 2, method: 'POST' });
    expect(server.asked[1]!.headers['idempotency-key']).toBe(error.idempotencyKey);
    expect(
      await failureOf(client({ timeoutMs: 1_000, totalTimeoutMs: 40 }).listVaults().page()),
    ).toMatchObject({
      code: 'timeout',
      attempts: 1,
    });
  });

  it("A call fails with the signal's reason once it is aborted, in an attempt or between two", async () => {
    const reason = new Error('The user left.');
    const aborted = new AbortController();
    server.script(() => {
      aborted.abort(reason);
      return 'silence';
    });
    expect(await failureOf(client().readPartnerTvl({}, { signal: aborted.signal }))).toBe(reason);
    expect(await failureOf(client().readPartnerTvl({}, { signal: aborted.signal }))).toBe(reason);
    expect(server.asked).toHaveLength(1);
    const waiting = new AbortController();
    server.script(refused(503, 'service_unavailable'));
    const slow = client({
      retryDelayMs: 60_000,
      maxRetryDelayMs: 60_000,
      onRetry: () => waiting.abort(reason),
    });
    expect(await failureOf(slow.readPartnerTvl({}, { signal: waiting.signal }))).toBe(reason);
  });

  it('A call fails with VaultlineConnectionError if the server is unreachable', async () => {
    const nobody = new VaultlineSandbox({ apiKey: KEY, baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    const error = await failureOf(nobody.simulation.advance(1));
    expect(error).toBeInstanceOf(VaultlineConnectionError);
    expect(error).not.toBeInstanceOf(VaultlineTimeoutError);
    expect(error.message).toMatch(/^POST \/api\/v1\/simulation\/clock\/advance had no answer: .+/);
    expect(isVaultlineError(error)).toBe(false);
  });

  it('A call fails with unexpected_response for a response of another server, and follows no redirect', async () => {
    server.script({ status: 200, body: '<html>Welcome</html>' });
    expect(await failureOf(client().readPartnerTvl())).toMatchObject({
      code: 'unexpected_response',
      status: 200,
    });
    server.script({ status: 404, body: 'nothing here' });
    expect(await failureOf(client().readPartnerTvl())).toMatchObject({
      code: 'unexpected_response',
      status: 404,
    });
    server.script({ status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' });
    expect(await failureOf(client({ maxRetries: 0 }).readPartnerTvl())).toBeInstanceOf(
      VaultlineConnectionError,
    );
  });

  it('A call counts a 404 as success only for a DELETE whose first response was lost', async () => {
    server.script('reset', refused(404, 'not_found'));
    expect(await client().deleteWebhook('wh_1')).toEqual({ id: 'wh_1', deleted: true });
    server.script(refused(404, 'not_found'));
    expect(await failureOf(client().deleteWebhook('wh_1'))).toMatchObject({ code: 'not_found' });
    server.script(refused(429, 'rate_limited', { 'retry-after': '0' }), refused(404, 'not_found'));
    expect(await failureOf(client().deleteWebhook('wh_1'))).toMatchObject({ code: 'not_found' });
  });

  it('A call gets its key before each attempt, and reports its response to onResponse', async () => {
    server.script(refused(503, 'service_unavailable'), answerOf({}));
    let asked = 0;
    const answers: unknown[] = [];
    const rotating = client({
      apiKey: async () => `vl_live_${++asked}`,
      onResponse: (item) => answers.push(item),
    });
    await rotating.readPartnerTvl();
    const sent = server.asked.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer vl_live_1', 'Bearer vl_live_2']);
    expect(answers).toMatchObject([{ status: 200, attempts: 2, requestId: 'req_2', replayed: false }]);
  });

  it('A call refuses an id that would change the path', async () => {
    server.script(answerOf({}));
    for (const id of ['', '../keys', 'a/b', undefined, 7] as string[])
      await expect(client().getPartner(id)).rejects.toThrow('takes its id as a string');
    expect(server.asked).toEqual([]);
  });

  it('A call by raw path has the same key and retries, and returns errors', async () => {
    server.script('reset', refused(409, 'external_id_taken'), answerOf({ id: 'usr_1' }, 201));
    const { error, response } = await client().raw.POST('/users', { body: USER });
    expect([response.status, error?.error.code]).toEqual([409, 'external_id_taken']);
    expect(server.asked[0]!.headers['idempotency-key']).toBe(server.asked[1]!.headers['idempotency-key']);
    expect((await client().raw.POST('/users', { body: USER })).data!.data.id).toBe('usr_1');
  });
});

describe('a list', () => {
  const page = (ids: string[], next?: string): any => ({
    status: 200,
    body: {
      object: 'list',
      data: ids.map((id) => ({ id })),
      meta: { has_more: next !== undefined, ...(next !== undefined && { next_cursor: next }) },
    },
  });
  const pages = ({ query }: { query: URLSearchParams }): any =>
    ({ a: page(['3', '4'], 'b'), b: page(['5']) })[query.get('cursor') ?? ''] ?? page(['1', '2'], 'a');
  const ids = (rows: { id: string }[]): string => rows.map(({ id }) => id).join('');

  it('A list is read to its end, with its filters on every page', async () => {
    server.script(pages);
    const users: { id: string }[] = [];
    for await (const row of client().listPositions({ asset: 'USDC', limit: 2 })) users.push(row);
    expect(ids(users)).toBe('12345');
    expect(server.asked.map(({ query }) => String(query))).toEqual([
      'asset=USDC&limit=2',
      'asset=USDC&limit=2&cursor=a',
      'asset=USDC&limit=2&cursor=b',
    ]);
  });

  it('A list is read lazily, page by page or from a cursor', async () => {
    server.script(pages);
    const list = client().listPartnerUsers();
    expect(server.asked).toHaveLength(0);
    for await (const { id } of list) if (id === '2') break;
    expect(server.asked).toHaveLength(1);
    expect(ids(await list.take(3))).toBe('123');
    expect(await list.take(0)).toEqual([]);
    const first = await list.page();
    expect([ids(first.data), first.hasMore, first.nextCursor]).toEqual(['12', true, 'a']);
    expect(await list.page('b')).toMatchObject({ hasMore: false, nextCursor: null });
    expect(ids((await client().listPartnerUsers({ cursor: 'a' }).page()).data)).toBe('34');
    const whole = [];
    for await (const { data } of list.pages()) whole.push(ids(data));
    expect(whole).toEqual(['12', '34', '5']);
  });

  it('A list retries the failed page alone', async () => {
    server.script(pages, refused(503, 'service_unavailable'), pages);
    expect(ids(await client().listPartnerUsers().take(9))).toBe('12345');
    expect(server.asked.map(({ query }) => query.get('cursor'))).toEqual([null, 'a', 'a', 'b']);
  });
});

describe('a key', () => {
  it('A key appears in no error and in no printed client', async () => {
    server.script(refused(401, 'invalid_api_key'));
    const sdkClient = client();
    const refusal = await failureOf(sdkClient.readPartnerTvl());
    server.script('reset');
    const broken = await failureOf(client({ maxRetries: 0 }).createUser(USER));
    for (const shown of [sdkClient, sdkClient.raw, sdkClient.listPartnerUsers(), refusal, broken])
      for (const text of [
        inspect(shown, { depth: 9, showHidden: true }),
        JSON.stringify(shown),
        String(shown),
      ])
        expect(text ?? '').not.toContain(KEY);
    expect(refusal.stack).not.toContain(KEY);
  });

  it('A key that is invalid in a header is refused without being printed', () => {
    for (const apiKey of [`${KEY}\n`, `${KEY} `, '', undefined as unknown as string])
      expect(() => client({ apiKey })).toThrow(/^apiKey is no API key: (?!.*NeverShown)/);
  });
});

it('The client refuses invalid settings', () => {
  for (const baseUrl of ['yield.example.com', 'ftp://x', 'https://me:secret@x', 'https://x/?a=1'])
    expect(() => client({ baseUrl })).toThrow(/^baseUrl (?!.*secret)/);
  for (const timeoutMs of [-1, NaN, Infinity]) expect(() => client({ timeoutMs })).toThrow('timeoutMs is');
  expect(() => client({ baseUrl: `${server.url}/api/v1/` })).not.toThrow();
});

it('The client narrows the type of an error by its code', () => {
  const call = { method: 'POST', path: '/users', attempts: 1, idempotencyKey: 'k' };
  const said = { message: 'No.', status: 409, requestId: null, details: [], retryAfterSeconds: null };
  const error: unknown = new VaultlineError({ code: 'wallet_taken', ...said, ...call });
  expect(isVaultlineError(error)).toBe(true);
  expect(isVaultlineError(error, 'external_id_taken')).toBe(false);
  if (!isVaultlineError(error, 'external_id_taken', 'wallet_taken')) throw error;
  const code: 'external_id_taken' | 'wallet_taken' = error.code;
  expect(code).toBe('wallet_taken');
});

it('A refusal in a log has its code, message, fields and request id', () => {
  const call = { method: 'POST', path: '/users', attempts: 1, idempotencyKey: 'k' };
  const refusal = {
    ...{ code: 'wallet_taken', message: 'A wallet is taken.', status: 409, retryAfterSeconds: null },
    details: [{ field: 'wallets[0]', message: 'belongs to your user usr_1', user_id: 'usr_1' }],
  };
  expect(String(new VaultlineError({ ...refusal, requestId: 'req_1', ...call }))).toBe(
    'VaultlineError: wallet_taken: A wallet is taken. wallets[0] belongs to your user usr_1. Request req_1.',
  );
  expect(String(new VaultlineError({ ...refusal, requestId: null, details: [], ...call }))).toBe(
    'VaultlineError: wallet_taken: A wallet is taken.',
  );
});

it('The balance of a user in an asset is zero where the user has no open position in it', async () => {
  const balance = { asset: 'USDC', value: 2.5, available: 2.5, positions: 1 };
  const { users } = client();
  server.script(
    answerOf({ id: 'usr_1', balances: [balance] }),
    answerOf({ id: 'usr_1', balances: [balance] }),
  );
  expect(await users.balance('usr_1', 'USDC')).toEqual(balance);
  expect(await users.balance('usr_1', 'USDT0')).toEqual({
    asset: 'USDT0',
    value: 0,
    available: 0,
    positions: 0,
  });
});

/** Compile-time tests, never called: the function must compile, and each marked line must not. */
export async function typesOfBothContracts(live: VaultlinePartner, sandbox: VaultlineSandbox): Promise<void> {
  const user = await live.createUser({ external_id: 'a' });
  const wallets: string[] = user.wallets;
  await live.updateWebhook('wh_1', { active: wallets.length > 0 });
  await live.readYieldHistory('USDT0', { interval: 'day' });
  await sandbox.readYieldHistory('USDT');
  await sandbox.withdrawPosition('pos_1');
  await sandbox.users.balance('usr_1', 'USDT');
  const { paid_amount }: { paid_amount: number | null } = await live.users.withdraw('usr_1', {
    asset: 'USDT0',
  });
  await (paid_amount === null ? live : sandbox).users.withdraw('usr_1', { asset: 'USDC' }, { wait: true });
  await live.listWebhookDeliveries({ limit: 5 }).page();
  const handle = ({ type, data }: PartnerEvent): string =>
    type === 'system.status' ? data.message : data.asset;
  for await (const event of live.listEvents()) handle(event);
  handle(await verifyWebhook<PartnerEvent>('', '', ''));
  // @ts-expect-error The sandbox has no PATCH /webhooks/{id}.
  await sandbox.updateWebhook('wh_1', { active: false });
  // @ts-expect-error Nothing is simulated in the live contract.
  await live.simulation.advance(1);
  // @ts-expect-error USDT is an asset of the sandbox.
  await live.readYieldHistory('USDT');
  // @ts-expect-error So it is for withdrawals.
  await live.users.withdraw('usr_1', { asset: 'USDT' });
  // @ts-expect-error A live deposit has a tx_hash.
  await live.createPosition({ user_id: 'usr_1', asset: 'USDC', amount: 1 });
  // @ts-expect-error The document has no such field.
  await live.createUser({ external_id: 'a', name: 'b' });
  // @ts-expect-error An idempotency key belongs to what has an effect.
  await live.readPartnerTvl({ idempotencyKey: 'a' });
}
