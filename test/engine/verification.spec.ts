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
const PARTNERS = 16;

describe('the nightly verification', () => {
  let engine: Engine;
  let user: string;
  const positions: string[] = [];
  const partners: string[] = [];

  const sights = (yields: Record<string, number>): Sights =>
    Object.fromEntries(engine.settings.vaults.map(({ id }) => [id, { apy: yields[id] ?? 0.03 }]));
  const verify = async () => {
    const differences: string[] = [];
    const { seventh, entries } = await engine.context
      .get(LedgerVerifier)
      .runNightly(({ subject, problem }) => differences.push(`${subject}: ${problem}`));
    return { seventh, entries, differences };
  };
  const week = async () => {
    const nights = [];
    for (let night = 0; night < 7; night++) nights.push(await verify());
    return nights;
  };
  const inLedger = async (): Promise<number> =>
    (await engine.row<{ count: number }>('SELECT count(*)::int AS count FROM ledger_entries')).count;
  /** Runs SQL with all triggers disabled, which only the owner of the database can do. */
  const tamper = async (sql: string): Promise<void> => {
    await engine.sql('SET session_replication_role = replica');
    await engine.sql(sql);
    await engine.sql('SET session_replication_role = origin');
  };
  const last = () => engine.context.get(LedgerVerifier).last();

  beforeAll(async () => {
    // Pages end between the positions, and between the revenue accounts, of a user.
    PAGE.positions = 1;
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
    while (partners.length < PARTNERS) {
      const partner = await engine.createPartner(2_500);
      partners.push(partner);
      await engine.deposit(await engine.createUser(partner), 1_000n * UNIT, 'USDC', newTxHash());
    }
    engine.sights = sights({ [BETTER]: 0.3 });
    await engine.hours(30);
    await engine.withdraw(positions[0]!, 100n * UNIT, newTxHash());
    await engine.withdraw(positions[3]!, null, newTxHash());
    await engine.hours(12);
  }, 60_000);
  afterAll(() => engine.stop());

  it('The nightly verification reads the whole ledger of all partners', async () => {
    expect(await last()).toBeNull();
    const types = await engine.sql(`SELECT FROM ledger_entries WHERE type = 'rebalance'`);
    expect(types.length).toBeGreaterThan(0);
    expect(await verify()).toEqual({ seventh: null, entries: await inLedger(), differences: [] });
    expect(await last()).toMatchObject({ isFull: true, entries: await inLedger(), differences: 0 });
  });

  it('The nightly verification ends although others lock a table for longer than a statement waits', async () => {
    await engine.sql('BEGIN');
    await engine.sql('LOCK TABLE book_totals');
    const verified = verify();
    await sleep(700);
    await engine.sql('ROLLBACK');
    expect((await verified).differences).toEqual([]);
  });

  it.each(['40001', '40P01'])(
    'The nightly verification ends although a statement fails once with %s',
    async (code) => {
      await engine.sql(`CREATE SEQUENCE turns`);
      await engine.sql(`CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('turns') = 1 THEN RAISE EXCEPTION 'others came first' USING ERRCODE = '${code}'; END IF; RETURN NEW; END $$`);
      await engine.sql(
        'CREATE TRIGGER fails_once BEFORE INSERT ON ledger_checks FOR EACH ROW EXECUTE FUNCTION fail_once()',
      );
      const { differences } = await verify();
      await engine.sql('DROP FUNCTION fail_once CASCADE; DROP SEQUENCE turns');
      expect(differences).toEqual([]);
    },
  );

  it('The nightly verification reports a changed entry, the first and the last alike, every night until it is corrected', async () => {
    for (const order of ['ASC', 'DESC']) {
      const change = (by: string): Promise<void> =>
        tamper(`UPDATE ledger_entries SET amount = amount ${by} WHERE id = (SELECT id FROM ledger_entries
          WHERE position_id = '${positions[0]}' AND type = 'yield_accrual' ORDER BY at ${order} LIMIT 1)`);
      await change('+ 1');
      for (const _ of [1, 2]) {
        const { differences } = await verify();
        expect(differences[0]).toMatch(new RegExp(`^${positions[0]}: entry evt_\\w+: accrual is `));
        expect(await last()).toMatchObject({ differences: differences.length });
      }
      await change('- 1');
    }
    expect((await verify()).differences).toEqual([]);
  });

  it('The nightly verification reports entries that were settled out of order', async () => {
    const swap = `UPDATE ledger_entries SET revenue_place = 3 - revenue_place WHERE revenue_place < 3`;
    await tamper(swap);
    expect((await verify()).differences).toContainEqual(
      expect.stringMatching(
        /^revenue_accounts usr_\w+ USDC: entry evt_\w+ is settled after one of a later date or id$/,
      ),
    );
    await tamper(swap);
    expect((await verify()).differences).toEqual([]);
  });

  describe('of a ledger beyond ledger.nightly_entries', () => {
    beforeAll(() => void (engine.settings.constants.ledger.nightlyEntries = 10));

    it('The nightly verification of a ledger beyond ledger.nightly_entries reads a seventh of the partners, and in a week each entry once', async () => {
      const nights = await week();
      expect(nights.map(({ seventh }) => seventh)).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect(nights.flatMap(({ differences }) => differences)).toEqual([]);
      expect(nights.reduce((sum, { entries }) => sum + entries, 0)).toBe(await inLedger());
      expect(Math.max(...nights.map(({ entries }) => entries))).toBeLessThan(await inLedger());
      expect(await last()).toMatchObject({ isFull: false, differences: 0 });
    });

    it.each([
      ['a position', 'positions', 'costs = costs + 1, deposited = deposited + 1'],
      ['a revenue account', 'revenue_accounts', 'total_fee = total_fee + 1'],
      ['a row of the books', 'book_totals', 'accrued = accrued + 1'],
      ['a closing', 'daily_closings', 'accrued = accrued + 1'],
      ['a share of a vault', 'book_shares', 'shares = shares + 1'],
    ])(
      'The nightly verification of a ledger beyond ledger.nightly_entries reports a change of %s on one night of the week',
      async (_, table, change) => {
        const [partner] = partners;
        await tamper(`CREATE TABLE kept AS SELECT * FROM ${table}`);
        await tamper(`UPDATE ${table} SET ${change} WHERE partner_id = '${partner}'`);
        const nights = await week();
        await tamper(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept; DROP TABLE kept`);
        expect(nights.filter(({ differences }) => differences.length > 0)).toHaveLength(1);
        expect((await week()).flatMap(({ differences }) => differences)).toEqual([]);
      },
    );

    it('The nightly verification of a ledger beyond ledger.nightly_entries reports all lost revenue accounts of a user', async () => {
      await tamper(`CREATE TABLE kept AS SELECT * FROM revenue_accounts`);
      await tamper(`DELETE FROM revenue_accounts WHERE partner_id = '${partners[0]}'`);
      const nights = await week();
      await tamper(
        `INSERT INTO revenue_accounts SELECT * FROM kept WHERE partner_id = '${partners[0]}'; DROP TABLE kept`,
      );
      expect(nights.flatMap(({ differences }) => differences)).toContainEqual(
        expect.stringMatching(
          /^revenue_accounts usr_\w+ USDC: does not exist, but entries were settled in it$/,
        ),
      );
    });

    it('The differences of a seventh stand until it is verified again, or all partners are', async () => {
      expect((await week()).flatMap(({ differences }) => differences)).toEqual([]);
      const change = (by: string) =>
        tamper(`UPDATE positions SET costs = costs ${by} WHERE partner_id = '${partners[0]}'`);
      await change('+ 1');
      const stands: boolean[] = [];
      for (let night = 0; night < 7; night++) {
        const isReported = (await verify()).differences.length > 0;
        stands.push((await last())!.differences > 0);
        expect(stands.at(-1)).toBe(isReported || stands.at(-2) === true);
      }
      expect(stands.at(-1)).toBe(true);
      await change('- 1');
      await engine.context.get(LedgerVerifier).run(() => undefined);
      expect(await last()).toMatchObject({ isFull: true, differences: 0 });
      expect((await week()).flatMap(({ differences }) => differences)).toEqual([]);
      expect(await last()).toMatchObject({ isFull: false, differences: 0 });
    });

    it('The nightly verification of a ledger beyond ledger.nightly_entries reports a change of a sum over all partners every night', async () => {
      await tamper('UPDATE vault_shares SET shares = shares + 1');
      for (const _ of [1, 2]) expect((await verify()).differences).not.toEqual([]);
      await tamper('UPDATE vault_shares SET shares = shares - 1');
      expect((await verify()).differences).toEqual([]);
    });

    it('The nightly verification of a ledger beyond ledger.nightly_entries is no reason for `ledger verify` to leave a partner out', async () => {
      const { seventh, entries } = await engine.context.get(LedgerVerifier).run(() => undefined);
      expect([seventh, entries]).toEqual([null, await inLedger()]);
    });
  });
});
