import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Partner } from '../../src/domain/tenants/partners/partner.entity.js';
import { Store } from '../../src/domain/kernel/store/store.js';
import type { Answer } from '../support/api.js';
import { expectError } from '../support/expected-error.js';
import { newTxHash, startMarket, type TestMarket } from '../support/market.js';
import { until } from '../support/until.js';
import { Random } from './load/random.js';
import { SEED } from './load/runs.js';

/** The first attempt and three retries. */
const ATTEMPTS = 4;

/** PostgreSQL aborts a transaction (deadlock, serialization failure), which must be repeated as a whole. */
describe('a transaction that PostgreSQL aborts', () => {
  let market: TestMarket;
  let user: string;
  const pauses: number[] = [];

  beforeAll(async () => {
    market = await startMarket('partner', {
      env: { LOG_LEVEL: 'fatal', RATE_LIMIT_PER_MINUTE: '0', REQUESTS_AT_ONCE: '0' },
    });
    user = await market.createUser();
    const random = new Random(SEED);
    market.app.application.get(Store).chance = () => {
      const drawn = random.next();
      pauses.push(drawn);
      return drawn;
    };
    // A sequence counts attempts, because a rollback does not undo it.
    await market.app.sql(`CREATE SEQUENCE attempts;
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE attempt bigint := nextval('attempts');
        BEGIN
          IF attempt <= TG_ARGV[1]::bigint THEN RAISE EXCEPTION 'attempt %', attempt USING ERRCODE = TG_ARGV[0]; END IF;
          RETURN NULL;
        END $$`);
  }, 60_000);
  afterEach(async () => {
    pauses.length = 0;
    await market.app.sql('DROP TRIGGER IF EXISTS fail ON settlements; DROP TRIGGER IF EXISTS fail ON events');
  });
  afterAll(() => market?.close());

  const store = (): Store => market.app.application.get(Store);
  const attempts = async (): Promise<number> =>
    (await market.app.sql<{ value: number }>('SELECT last_value::int AS value FROM attempts'))[0]!.value;
  /** Makes the first transactions that write the table fail. @param at IMMEDIATE: with the statement; DEFERRED: at COMMIT */
  const failing = async (code: string, times: number, table: string, at = 'IMMEDIATE'): Promise<void> => {
    await market.app.sql('ALTER SEQUENCE attempts RESTART');
    await market.app.sql(`CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON ${table} DEFERRABLE INITIALLY ${at}
      FOR EACH ROW EXECUTE FUNCTION fail('${code}', ${times})`);
  };
  const deposit = (tx_hash: string, key: string): Promise<Answer> =>
    market.protocol.post(
      '/positions',
      { user_id: user, asset: 'USDC', amount: 10, tx_hash },
      { 'idempotency-key': key },
    );
  /** All rows that a deposit leaves, and the jobs of its events. */
  const effects = async (hash: string): Promise<unknown> => {
    const [row] = await market.app.sql(
      `WITH p AS (SELECT position_id AS id FROM ledger_entries WHERE tx_hash = $1)
       SELECT (SELECT count(*)::int FROM p) AS entries,
              (SELECT count(*)::int FROM settlements WHERE tx_hash = $1) AS settlements,
              (SELECT count(*)::int FROM decisions JOIN p ON p.id = position_id) AS decisions,
              (SELECT count(*)::int FROM events JOIN p ON p.id = envelope #>> '{data,id}') AS events`,
      [hash],
    );
    return row;
  };
  const ONCE = { entries: 1, settlements: 1, decisions: 1, events: 2 };
  const NONE = { entries: 0, settlements: 0, decisions: 0, events: 0 };

  it.each([
    ['a serialization failure, first', '40001', 'settlements', 'IMMEDIATE'],
    ['a deadlock, last', '40P01', 'events', 'IMMEDIATE'],
    ['a serialization failure at COMMIT', '40001', 'events', 'DEFERRED'],
  ])(
    'A transaction that PostgreSQL aborts is invisible to the caller if the fourth attempt succeeds, with one effect: %s',
    async (_, code, table, at) => {
      const hash = newTxHash();
      await failing(code, ATTEMPTS - 1, table, at);
      const answer = await deposit(hash, hash);
      expect(answer.status).toBe(201);
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
      expect(await effects(hash)).toEqual(ONCE);
      // One attempt is counted for each failed transaction, and one for each row of the last.
      expect(await attempts()).toBe(ATTEMPTS - 1 + (table === 'events' ? 2 : 1));
      expect(pauses).toHaveLength(ATTEMPTS - 1);
    },
  );

  it('A transaction that PostgreSQL aborts is 503 without an effect if all four attempts fail; a later request succeeds', async () => {
    const hash = newTxHash();
    await failing('40P01', ATTEMPTS, 'settlements');
    const refused = await deposit(hash, hash);
    expectError(refused, 503, 'service_unavailable');
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await effects(hash)).toEqual(NONE);
    expect(await attempts()).toBe(ATTEMPTS);
    const answer = await deposit(hash, hash);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(await effects(hash)).toEqual(ONCE);
  });

  it('A transaction that PostgreSQL aborts is not repeated after an ordinary failure', async () => {
    const hash = newTxHash();
    await failing('22012', 1, 'settlements');
    expectError(await deposit(hash, hash), 500, 'internal_error');
    expect(await attempts()).toBe(1);
    expect(await effects(hash)).toEqual(NONE);
  });

  it('A transaction that PostgreSQL aborts succeeds after it was the victim of a deadlock', async () => {
    const position = await market.deposit(user, 100);
    const outside = new Client({
      connectionString: market.app.database.url,
      // A long deadlock_timeout, so that PostgreSQL always picks the other session as the victim.
      options: '-c search_path=live -c deadlock_timeout=60s',
    });
    outside.on('error', () => undefined);
    await outside.connect();
    await outside.query('BEGIN');
    await outside.query('SELECT FROM vault_shares WHERE vault_id = $1 FOR UPDATE', [position.vault_id]);
    const hash = newTxHash();
    const withdrawal = market.protocol.post(`/positions/${position.id}/withdrawals`, {
      amount: 40,
      tx_hash: hash,
    });
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'vaultline-partner'`;
    await until(async () => (await market.app.sql(waiting)).length === 1);
    // The withdrawal holds the user's revenue account and waits for the vault; this session locks them in reverse order.
    await outside.query('SELECT FROM revenue_accounts WHERE user_id = $1 FOR UPDATE', [user]);
    await until(async () => (await market.app.sql(waiting)).length === 1);
    await outside.query('COMMIT');
    await outside.end();
    const { status, body } = await withdrawal;
    expect(status).toBe(201);
    expect(body.data.amount).toBe(40);
    expect(pauses).toHaveLength(1);
    expect(
      await market.app.sql(
        `SELECT type, trunc(amount)::int AS amount FROM ledger_entries WHERE tx_hash = $1`,
        [hash],
      ),
    ).toEqual([{ type: 'withdrawal', amount: 40_000_000 }]);
    expect(
      await market.app.sql(`SELECT withdrawn::int AS withdrawn FROM positions WHERE id = $1`, [position.id]),
    ).toEqual([{ withdrawn: 40_000_000 }]);
  }, 30_000);

  it('A transaction that PostgreSQL aborts is rolled back when a statement failed, although its error was caught', async () => {
    const lost = store().transaction(async () => {
      const partners = store().repository(Partner);
      await partners.query(`UPDATE partners SET name = 'unkept'`);
      await partners.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(lost).rejects.toThrow('a query of the transaction failed, and its error was swallowed');
    expect(await market.app.sql(`SELECT FROM partners WHERE name = 'unkept'`)).toEqual([]);
  });

  it('A transaction that PostgreSQL aborts accepts no statement once it has ended', async () => {
    let late = Promise.resolve<unknown>(null);
    const failed = store().transaction(async () => {
      late = new Promise((resolve) => setTimeout(resolve, 100)).then(() =>
        store().query(
          {
            name: 'test.late',
            reads: [],
            shape: { values: [], row: {} },
            text: `UPDATE partners SET name = 'late'`,
          },
          [],
        ),
      );
      throw new Error('on second thoughts');
    });
    await expect(failed).rejects.toThrow('on second thoughts');
    await expect(late).rejects.toThrow('the transaction has ended already');
    expect(await market.app.sql(`SELECT FROM partners WHERE name = 'late'`)).toEqual([]);
  });
});
