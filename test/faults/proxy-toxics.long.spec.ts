import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import type { Answer } from '../support/api.js';
import { DatabaseProxy, type Fate } from '../support/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { expectError } from '../support/expected-error.js';
import { newTxHash, startMarket, type TestMarket } from '../support/market.js';
import { until } from '../support/until.js';
import { Random } from './load/random.js';
import { runs, SEED } from './load/runs.js';
import { change } from '../support/change.js';

const AT_ONCE = 12;

/** Faults of the network to the database: each request is answered in time, and no effect is partial. */
describe('a network that delays, splits, resets or drops database traffic', () => {
  const random = new Random(SEED);
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let market: TestMarket;
  let user: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.open(database.url);
    market = await startMarket('partner', {
      env: {
        DATABASE_URL: proxy.url,
        DATABASE_POOL_SIZE: String(AT_ONCE + 2),
        RATE_LIMIT_PER_MINUTE: '0',
        REQUESTS_AT_ONCE: '0',
        LOG_LEVEL: 'fatal',
      },
      // Shorter timeouts than those of a deployment, with the same behaviour.
      adjust: ({ database: bounds }) => {
        change(bounds, {
          // So many connections at once take a while on a busy machine.
          connectTimeoutMs: 4_000,
          // Twelve deposits of one partner queue for the rows of its books (hot rows), on a machine that may be busy.
          statementTimeoutMs: 2_500,
          answerGraceMs: 200,
        });
      },
    });
    // Housekeeping is stopped, so that only the test uses the pool, and the idle connections are known.
    await market.app.application.get(HousekeepingTimer).stop();
    user = await market.createUser();
  }, 60_000);
  afterEach(async () => {
    proxy.heal();
    await until(async () => (await health('ready')).status === 200);
  });
  afterAll(async () => {
    await market?.close();
    await proxy?.cut();
    await database?.drop();
  });

  const health = (what: string): Promise<Response> => fetch(`${market.app.url}/health/${what}`);
  const deposit = (key: string, tx_hash = newTxHash()): Promise<Answer> =>
    market.protocol.post(
      '/positions',
      { user_id: user, asset: 'USDC', amount: 10, tx_hash },
      { 'idempotency-key': key },
    );
  const rows = async (sql: string, values: unknown[]): Promise<number> =>
    (await database.query<{ rows: number }>('live', `SELECT count(*)::int AS rows FROM ${sql}`, values))[0]!
      .rows;
  /** Everything that a deposit writes, each exactly once. */
  const effects = async (hash: string): Promise<number[]> => [
    await rows('settlements WHERE tx_hash = $1', [hash]),
    await rows('ledger_entries WHERE tx_hash = $1', [hash]),
    await rows(`decisions JOIN ledger_entries e USING (position_id) WHERE e.tx_hash = $1`, [hash]),
    await rows(
      `events JOIN ledger_entries e ON envelope #>> '{data,id}' = e.position_id WHERE e.tx_hash = $1`,
      [hash],
    ),
  ];
  const ONCE = [1, 1, 1, 2];
  const isUnavailable = (answer: Answer): void => {
    expectError(answer, 503, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
  };
  /** Retries like a well-behaved client. */
  const untilAnswered = async (send: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await send();
      // A transaction that was cut off may hold its claim until the database notices.
      if (answer.status !== 503 && answer.body.error?.code !== 'idempotency_in_progress') return answer;
      await sleep(50);
    }
  };

  it('Reads and writes are identical, byte for byte, over a network that splits database traffic into pieces of one to three bytes', async () => {
    const name = 'Zoë 🏦 \u2028 名';
    const path = `/partners/${market.partner.id}`;
    const slice = (): number => random.between(1, 3);
    const before = (await market.app.admin.get(path)).text;
    proxy.trouble({ slice });
    expect((await market.app.admin.get(path)).text).toBe(before);
    expect((await market.app.admin.patch(path, { name })).body.data.name).toBe(name);
    const after = (await market.app.admin.get(path)).text;
    proxy.heal();
    expect((await market.app.admin.get(path)).text).toBe(after);
  });

  it('A network that delays, splits, resets or drops database traffic replaces connections that went silent, and stores no deposit on one twice', async () => {
    await Promise.all(Array.from({ length: AT_ONCE }, () => market.app.admin.get('/keys')));
    proxy.forget();
    const hashes = Array.from({ length: AT_ONCE }, () => newTxHash());
    const refused: Answer[] = [];
    const answers = await Promise.all(
      hashes.map((hash, turn) =>
        untilAnswered(async () => {
          const answer = await deposit(`stale-${turn}`, hash);
          if (answer.status === 503) refused.push(answer);
          return answer;
        }),
      ),
    );
    expect(refused.length).toBeGreaterThan(0);
    refused.forEach(isUnavailable);
    expect(answers.map(({ status }) => status)).toEqual(hashes.map(() => 201));
    for (const hash of hashes) expect(await effects(hash)).toEqual(ONCE);
  }, 60_000);

  it('A network that drops all database traffic causes 503 and unready processes, which recover unaided', async () => {
    proxy.silence();
    const answers = await Promise.all([
      ...Array.from({ length: AT_ONCE }, () => market.partner.api.get('/partner/summary')),
      ...Array.from({ length: AT_ONCE }, (_, turn) => deposit(`silence-${turn}`)),
    ]);
    answers.forEach(isUnavailable);
    expect((await health('live')).status).toBe(200);
    const ready = await health('ready');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'database_unavailable' }]);
    proxy.heal();
    await until(async () => (await health('ready')).status === 200);
    const again = await Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => deposit(`silence-${turn}`)));
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 201));
  });

  describe('that breaks the connection of a request', () => {
    let count = 0;
    /** One deposit whose connection breaks at a given message, and its retries. */
    const broken = async (
      fate: Omit<Fate, 'said'>,
    ): Promise<{ met: boolean; first: Answer; again: Answer; effects: number[] }> => {
      const key = `broken-${SEED}-${++count}`;
      const hash = newTxHash();
      let met = false;
      void proxy.meet({ said: key, ...fate }).then(() => (met = true));
      const first = await deposit(key, hash);
      proxy.heal();
      const again = await untilAnswered(() => deposit(key, hash));
      return { met, first, again, effects: await effects(hash) };
    };

    it('A connection that breaks before COMMIT is replaced: an internal retry succeeds with 201, without a trace for the caller', async () => {
      for (let later = 1; ; later++) {
        const {
          met,
          first,
          again,
          effects: found,
        } = await broken({ later, reaches: later % 2 === 0, how: 'reset' });
        expect({ later, found, text: again.text }).toEqual({ later, found: ONCE, text: expect.any(String) });
        if (first.status === 503) {
          // The last message is COMMIT: whether it succeeded is unknown, and a retry with the Idempotency-Key tells.
          isUnavailable(first);
          expect(later).toBeGreaterThan(3);
          continue;
        }
        expect({ later, status: first.status }).toEqual({ later, status: 201 });
        expect(again.text).toBe(first.text);
        expect(again.headers.get('idempotency-replayed')).toBe('true');
        if (!met) break;
      }
    }, 60_000);

    it.each([
      ['does not reach the database', false, null],
      ['reaches it, and its answer is lost', true, 'true'],
    ] as const)(
      'A connection that breaks at COMMIT, which %s, gets 503, and a retry with the Idempotency-Key has one effect',
      async (_, reaches, replayed) => {
        for (const how of ['reset', 'silence'] as const) {
          const { met, first, again, effects: effects } = await broken({ then: 'COMMIT', reaches, how });
          expect(met).toBe(true);
          isUnavailable(first);
          expect(again.status).toBe(201);
          expect(again.headers.get('idempotency-replayed')).toBe(replayed);
          expect(effects).toEqual(ONCE);
        }
      },
    );

    it(`A connection that breaks at any message, with a reset or in silence, leaves one effect (seed ${SEED})`, async () => {
      for (let run = 0; run < runs() * 2; run++) {
        const fate = {
          later: random.between(0, 20),
          reaches: random.chance(0.5),
          how: random.chance(0.3) ? ('reset' as const) : ('silence' as const),
        };
        const { first, again, effects: effects } = await broken(fate);
        if (first.status === 503) isUnavailable(first);
        else expect({ fate, status: first.status }).toEqual({ fate, status: 201 });
        expect({ fate, status: again.status, found: effects }).toEqual({ fate, status: 201, found: ONCE });
      }
    }, 600_000);
  });
});
