import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerVerifier } from '../../src/domain/books/ledger/ledger-verifier.js';
import { PAGE } from '../../src/domain/books/ledger/position-verifier.js';
import { onlyVaults } from '../support/catalogue.js';
import { employ } from '../support/executor.js';
import { Engine, newTxHash, type Sights } from '../support/engine.js';

const UNIT = 1_000_000n;
const BEST = 'vlt_aave_v3_usdc';
const BETTER = 'vlt_compound_v3_usdc';
const USDT0 = 'vlt_aave_v3_usdt0_plasma';

/** Nightly runs of the verifier in a deployment that lives on between them. */
describe('a checkpoint of the ledger', () => {
  let engine: Engine;
  let user: string;
  const positions: string[] = [];

  const sights = (yields: Record<string, number>): Sights =>
    Object.fromEntries(engine.settings.vaults.map(({ id }) => [id, { apy: yields[id] ?? 0.03 }]));
  const run = async (isFull = false) => {
    const differences: string[] = [];
    const { entries, ...checked } = await engine.context
      .get(LedgerVerifier)
      .run(isFull, ({ subject, problem }) => differences.push(`${subject}: ${problem}`));
    return { entries, isFull: checked.isFull, found: differences };
  };
  const inLedger = async (): Promise<number> =>
    (await engine.row<{ count: number }>('SELECT count(*)::int AS count FROM ledger_entries')).count;
  /** Runs SQL with all triggers disabled, which only the owner of the database can do. */
  const tamper = async (sql: string): Promise<void> => {
    await engine.sql('SET session_replication_role = replica');
    await engine.sql(sql);
    await engine.sql('SET session_replication_role = origin');
  };
  const entry = (order: string): string =>
    `id = (SELECT id FROM ledger_entries WHERE position_id = '${positions[0]}' AND type = 'yield_accrual' ORDER BY at ${order} LIMIT 1)`;

  beforeAll(async () => {
    // Pages end between the positions, and between the revenue accounts, of a user.
    PAGE.changed = 1;
    engine = await Engine.start('partner', {
      adjust: ({ signals, database }) => {
        signals.minSnapshots = 3;
        database.lockTimeoutMs = 300;
      },
      change: onlyVaults(BEST, BETTER, USDT0),
      settlement: 'reported',
    });
    employ(engine);
    engine.sights = sights({ [BEST]: 0.06 });
    await engine.hours(6);
    user = await engine.createUser(await engine.createPartner());
    while (positions.length < 6)
      positions.push((await engine.deposit(user, 50_000n * UNIT, 'USDC', newTxHash())).id);
    await engine.deposit(user, 50_000n * UNIT, 'USDT0', newTxHash());
    await engine.hours(48);
  }, 60_000);
  afterAll(() => engine.stop());

  it('is written by the first run, which reads the whole ledger; the next run reads nothing', async () => {
    expect(await engine.context.get(LedgerVerifier).last()).toBeNull();
    expect(await run()).toEqual({ entries: await inLedger(), isFull: true, found: [] });
    expect(await run()).toEqual({ entries: 0, isFull: false, found: [] });
    expect(await engine.context.get(LedgerVerifier).last()).toMatchObject({ isFull: false, differences: 0 });
  });

  it('advances by the new entries alone: accruals, moves, withdrawals, closings and deposits', async () => {
    for (const [day, yields] of [{ [BETTER]: 0.3 }, { [BEST]: 0.5 }].entries()) {
      const before = await inLedger();
      engine.sights = sights(yields);
      await engine.withdraw(positions[day]!, 100n * UNIT, newTxHash());
      await engine.withdraw(positions[day + 3]!, null, newTxHash());
      const other = await engine.createUser(await engine.createPartner(2_500));
      await engine.deposit(other, 1_000n * UNIT, 'USDC', newTxHash());
      await engine.hours(36);
      expect(await run()).toEqual({ entries: (await inLedger()) - before, isFull: false, found: [] });
    }
    const types = await engine.sql(`SELECT FROM ledger_entries WHERE type = 'rebalance'`);
    expect(types.length).toBeGreaterThan(0);
    expect(await run(true)).toEqual({ entries: await inLedger(), isFull: true, found: [] });
  });

  it('is written although others lock a table for longer than a statement waits', async () => {
    await engine.sql('BEGIN');
    await engine.sql('LOCK TABLE checked_totals');
    const verified = run();
    await sleep(700);
    await engine.sql('ROLLBACK');
    expect((await verified).found).toEqual([]);
  });

  it.each(['40001', '40P01'])('is written although a statement fails once with %s', async (code) => {
    await engine.sql(`CREATE SEQUENCE turns`);
    await engine.sql(`CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('turns') = 1 THEN RAISE EXCEPTION 'others came first' USING ERRCODE = '${code}'; END IF; RETURN NEW; END $$`);
    await engine.sql(
      'CREATE TRIGGER fails_once BEFORE INSERT ON ledger_checks FOR EACH ROW EXECUTE FUNCTION fail_once()',
    );
    const { found: differences } = await run();
    await engine.sql('DROP FUNCTION fail_once CASCADE; DROP SEQUENCE turns');
    expect(differences).toEqual([]);
  });

  it('does not advance past a difference: every run reports it until it is corrected', async () => {
    await engine.hours(24);
    await tamper(`UPDATE ledger_entries SET amount = amount + 1 WHERE ${entry('DESC')}`);
    for (const _ of [1, 2]) {
      const { found: differences } = await run();
      expect(differences[0]).toMatch(new RegExp(`^${positions[0]}: entry evt_\\w+: accrual is `));
      expect(await engine.context.get(LedgerVerifier).last()).toMatchObject({
        differences: differences.length,
      });
    }
    await tamper(`UPDATE ledger_entries SET amount = amount - 1 WHERE ${entry('DESC')}`);
    expect((await run()).found).toEqual([]);
  });

  it.each([
    ['a position that no entry changed', `UPDATE positions SET costs = costs + 1, deposited = deposited + 1`],
    ['a revenue account', 'UPDATE revenue_accounts SET total_fee = total_fee + 1'],
    ['a row of the books', 'UPDATE book_totals SET accrued = accrued + 1'],
  ])('detects a later change of %s', async (_, change) => {
    const table = change.split(' ')[1]!;
    await tamper(`CREATE TABLE kept AS SELECT * FROM ${table}`);
    await tamper(change);
    const { found: differences } = await run();
    await tamper(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept; DROP TABLE kept`);
    expect(differences).not.toEqual([]);
    expect((await run()).found).toEqual([]);
  });

  it('has a hash of older entries, by which a full run detects a change', async () => {
    await tamper(`UPDATE ledger_entries SET apy = 0.9 WHERE ${entry('ASC')}`);
    expect((await run()).found).toEqual([]);
    expect((await run(true)).found).toEqual([
      expect.stringMatching(`^${positions[0]}: has other entries until 20.+Z than it had when`),
      expect.stringMatching(`^${positions[0]}: entry evt_\\w+: apy is 0.9, by the hour of its vault it is `),
    ]);
    await tamper(`UPDATE ledger_entries SET apy = 0.06 WHERE ${entry('ASC')}`);
    expect((await run(true)).found).toEqual([]);
  });

  it('detects entries that were settled out of order', async () => {
    const swap = `UPDATE ledger_entries SET revenue_place = 3 - revenue_place WHERE revenue_place < 3`;
    await tamper(swap);
    expect((await run(true)).found).toContainEqual(
      expect.stringMatching(
        /^revenue_accounts usr_\w+ USDC: entry evt_\w+ is settled after one of a later date or id$/,
      ),
    );
    await tamper(swap);
    expect((await run(true)).found).toEqual([]);
  });

  it('is sealed: after a change of the checkpoint itself the whole ledger is read again', async () => {
    const all = await inLedger();
    await tamper(`UPDATE checked_positions SET accrued = accrued + 1 WHERE id = '${positions[0]}'`);
    expect(await run()).toEqual({
      entries: all,
      isFull: true,
      found: [expect.stringMatching(/^checkpoint \d+: was changed after it was stored$/)],
    });
    await tamper(`UPDATE checked_positions SET accrued = accrued - 1 WHERE id = '${positions[0]}'`);
    expect(await run()).toEqual({ entries: 0, isFull: false, found: [] });
  });
});
