import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CampaignService } from '../../src/domain/tenants/partners/campaign.service.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import { onlyVaults } from '../support/catalogue.js';
import { vaultline } from '../support/command.js';
import { differencesOf } from '../support/differences.js';
import { Engine, newTxHash, type Sights } from '../support/engine.js';

const UNIT = 1_000_000n;
const BEST = 'vlt_aave_v3_usdc';
const BETTER = 'vlt_compound_v3_usdc';

/** Verifies a deployment that has every kind of ledger entry. */
describe('vaultline ledger verify', () => {
  let engine: Engine;
  let moved: string;
  let closed: string;

  beforeAll(async () => {
    engine = await Engine.start('partner', {
      adjust: ({ signals }) => (signals.minSnapshots = 3),
      change: onlyVaults(BEST, BETTER),
    });
    const { context, settings } = engine;
    const sights = (yields: Record<string, number>): Sights =>
      Object.fromEntries(settings.vaults.map(({ id }) => [id, { apy: yields[id] ?? 0.03 }]));
    engine.sights = sights({ [BEST]: 0.06 });
    await engine.hours(6);
    const [first, second] = [await engine.createPartner(), await engine.createPartner(2_500)];
    await context.get(CampaignService).create(first, { name: 'Spring', multiplierHundredths: 150 });
    engine.wait();
    const [user, other] = [await engine.createUser(first), await engine.createUser(second)];
    moved = (await engine.deposit(user, 50_000n * UNIT, 'USDC', newTxHash())).id;
    closed = (await engine.deposit(user, 300n * UNIT, 'USDC', newTxHash())).id;
    await engine.deposit(other, 123_456_789n, 'USDC', newTxHash());
    await engine.hours(4);
    await engine.withdraw(closed, 100n * UNIT, newTxHash());
    await context.get(PartnerService).update(first, { revenueShareBps: 5_000 });
    engine.sights = sights({ [BETTER]: 0.3 });
    await engine.hours(72);
    await engine.withdraw(moved, 20_000n * UNIT, newTxHash());
    await engine.withdraw(closed, null, newTxHash());
  }, 60_000);
  afterAll(() => engine.stop());

  const command = async (env: Record<string, string> = {}) => {
    const { code, output } = await vaultline(['--contract', 'partner', 'ledger', 'verify'], {
      DATABASE_URL: engine.database.url,
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      ...env,
    });
    return { code, lines: output.trimEnd().split('\n') };
  };
  /** Each difference that the command prints, one a line. */
  const differences = (): Promise<string[]> => differencesOf(engine.context);
  /** Changes rows with all triggers disabled, which only the owner of the database can do. */
  const tamper = async (sql: string): Promise<void> => {
    await engine.sql('SET session_replication_role = replica');
    await engine.sql(sql);
    await engine.sql('SET session_replication_role = origin');
  };
  /** Differences found while a table is changed; the table is restored afterwards. */
  const foundAfter = async (table: string, change: string): Promise<string[]> => {
    await tamper(`CREATE TABLE kept AS SELECT * FROM ${table}`);
    await tamper(change);
    const lines = await differences();
    await tamper(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept; DROP TABLE kept`);
    return lines;
  };

  it('Vaultline ledger verify finds no difference after deposits, withdrawals, closings and moves, and exits 0', async () => {
    const types = await engine.sql<{ type: string }>('SELECT DISTINCT type FROM ledger_entries ORDER BY 1');
    expect(types.map(({ type }) => type)).toEqual(['deposit', 'rebalance', 'withdrawal', 'yield_accrual']);
    expect(await engine.row('SELECT status, vault_id FROM positions WHERE id = $1', [moved])).toEqual({
      status: 'active',
      vault_id: BETTER,
    });
    const { entries, rows } = await engine.row<{ entries: string; rows: string }>(
      `SELECT (SELECT count(*) FROM ledger_entries) AS entries,
              (SELECT count(*) FROM book_shares) + (SELECT count(*) FROM book_totals) + (SELECT count(*) FROM book_points)
              + (SELECT count(*) FROM book_revenue)              + (SELECT count(*) FROM vault_shares) AS rows`,
    );
    expect(await command()).toEqual({
      code: 0,
      lines: [
        `3 positions, ${entries} entries, 2 revenue accounts, 6 transfers and ${rows} rows of the books checked: 0 differences.`,
        expect.stringMatching(/^Also checked: 2 orders/),
        expect.stringMatching(/^Audit log: 0 entries, head 0 0{64}$/),
      ],
    });
  });

  it('Vaultline ledger verify refuses settings other than those of the deployment: right figures would differ by them', async () => {
    const { code, lines } = await command({ YIELDS: 'simulated' });
    expect([code, lines[0]]).toEqual([
      1,
      expect.stringMatching(/^YIELDS is simulated, but this database holds live yields/),
    ]);
  });

  it('Vaultline ledger verify prints each difference on a line of its own, and exits 1', async () => {
    await tamper(`UPDATE positions SET costs = costs + 3, withdrawals = 7 WHERE id = '${moved}'`);
    const { code, lines } = await command();
    await tamper(`UPDATE positions SET costs = costs - 3, withdrawals = 1 WHERE id = '${moved}'`);
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^${moved}: costs is \\d+, but according to the ledger it is \\d+$`)),
      `${moved}: withdrawals is 7, but according to the ledger it is 1`,
      expect.stringMatching(/: 2 differences\.$/),
      expect.stringMatching(/^Also checked: /),
      expect.stringMatching(/^Audit log: /),
    ]);
  });

  it('Vaultline ledger verify ends with an error, and no number of differences, when something cannot be read', async () => {
    await tamper('CREATE TABLE kept AS SELECT * FROM audit_chain; DELETE FROM audit_chain');
    const { code, lines } = await command();
    await tamper('INSERT INTO audit_chain OVERRIDING SYSTEM VALUE SELECT * FROM kept; DROP TABLE kept');
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/The audit chain has no ends/)]);
  });

  describe('finds a change of', () => {
    it.each([
      ['shares', 'shares + 1'],
      ['lending_shares', 'lending_shares + 1'],
      ['hold_shares', 'hold_shares + 1'],
      ['accrued', 'accrued + 1'],
      ['deposited', 'deposited + 1'],
      ['costs', 'costs + 1'],
      ['settled_lending', 'settled_lending - 1'],
      ['settled_hold', 'settled_hold + 1'],
      ['capital_moment', 'capital_moment + 1'],
      ['campaign_moment', 'campaign_moment + 1'],
      ['plain_moment', 'plain_moment + 1'],
      ['vault_id', `'${BEST}'`],
      ['opened_at', "opened_at + interval '1 ms'"],
      ['active_at', "active_at + interval '1 ms'"],
    ])('Vaultline ledger verify finds a change of a position: %s', async (column, value) => {
      const change = `UPDATE positions SET ${column} = ${value} WHERE id = '${moved}'`;
      expect(await foundAfter('positions', change)).toEqual([
        expect.stringMatching(`^${moved}: ${camelCase(column)} is .+, but according to the ledger it is .+$`),
      ]);
    });

    it("Vaultline ledger verify finds a change of a position that its entries do not show by the books, and by its user's partner", async () => {
      const lending = `UPDATE positions SET lending_vault_id = '${BETTER}' WHERE id = '${moved}'`;
      const lines = await foundAfter('positions', lending);
      const inBooks = lines.filter((line) => /^book_shares ptn_\w+ USDC lending /.test(line));
      expect(inBooks).toHaveLength(2);
      expect(lines).toContainEqual(
        expect.stringMatching(`^${moved}: entry evt_\\w+: index of the lending baseline is `),
      );
      const other = `(SELECT partner_id FROM positions WHERE id NOT IN ('${moved}', '${closed}'))`;
      const partner = `UPDATE positions SET partner_id = ${other} WHERE id = '${moved}'`;
      expect(await foundAfter('positions', partner)).toContainEqual(
        expect.stringMatching(`^${moved}: partnerId is ptn_\\w+, but its user's is ptn_\\w+$`),
      );
      const transit = `UPDATE positions SET transit_id = 'dec_none' WHERE id = '${moved}'`;
      expect(await foundAfter('positions', transit)).toEqual([
        `${moved}: is in transit by dec_none, by which no entry moved it into cash last`,
      ]);
    });

    it.each([
      ['book_shares', 'shares', 'ptn_\\w+ USDC routed vlt_\\w+ \\d+ base'],
      ['book_shares', 'positions', 'ptn_\\w+ USDC routed vlt_\\w+ \\d+ base'],
      ['book_revenue', 'partner_revenue', 'ptn_\\w+ USDC \\d+'],
      ['book_totals', 'costs', 'ptn_\\w+ USDC \\d+'],
      ['book_totals', 'settled_hold', 'ptn_\\w+ USDC \\d+'],
      ['book_totals', 'capital_moment', 'ptn_\\w+ USDC \\d+'],
      ['book_totals', 'closed', 'ptn_\\w+ USDC \\d+'],
      ['book_points', 'plain_moment', 'ptn_\\w+ USDC (cmp_\\w+)? \\d+'],
      ['vault_shares', 'shares', 'base vlt_\\w+ \\d+'],
    ])('Vaultline ledger verify finds a change of %s: %s', async (table, column, key) => {
      const where = table === 'book_shares' ? "WHERE book = 'routed'" : '';
      const change = `UPDATE ${table} SET ${column} = ${column} + 1 WHERE ctid = (SELECT min(ctid) FROM ${table} ${where})`;
      expect(await foundAfter(table, change)).toEqual([
        expect.stringMatching(
          `^${table} ${key}: ${camelCase(column)} is \\d+, but according to the ledger it is \\d+$`,
        ),
      ]);
    });

    it.each(['carried_loss', 'total_fee', 'settled'])(
      'Vaultline ledger verify finds a change of a revenue account: %s',
      async (column) => {
        const account = `user_id = (SELECT user_id FROM positions WHERE id = '${moved}')`;
        const lines = await foundAfter(
          'revenue_accounts',
          `UPDATE revenue_accounts SET ${column} = ${column} + 1 WHERE ${account}`,
        );
        expect(lines).toEqual([
          expect.stringMatching(
            `^revenue_accounts usr_\\w+ USDC: ${camelCase(column)} is \\d+, but according to the ledger it is \\d+$`,
          ),
        ]);
      },
    );

    it('Vaultline ledger verify finds that a revenue account was deleted although entries were settled in it', async () => {
      const gone = `DELETE FROM revenue_accounts WHERE user_id = (SELECT user_id FROM positions WHERE id = '${moved}')`;
      expect(await foundAfter('revenue_accounts', gone)).toContainEqual(
        expect.stringMatching(
          /^revenue_accounts usr_\w+ USDC: does not exist, but entries were settled in it$/,
        ),
      );
    });

    it('Vaultline ledger verify finds a change of the sum that a revenue account settled at its terms', async () => {
      const change = `UPDATE revenue_accounts SET sums = jsonb_set(sums, '{0,base}', '"7"') WHERE sums <> '[]'`;
      const lines = await foundAfter('revenue_accounts', change);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines)
        expect(line).toMatch(
          /^revenue_accounts usr_\w+ USDC: sums is .*7 at 1000\/\d+: .+, but according to the ledger it is /,
        );
    });

    it('Vaultline ledger verify finds a change of the ledger: a settlement’s sequence number and terms', async () => {
      const settled = `position_id = '${moved}' AND type = 'yield_accrual'`;
      const displaced = `UPDATE ledger_entries SET revenue_place = revenue_place + 1000 WHERE ${settled}`;
      expect(await foundAfter('ledger_entries', displaced)).toContainEqual(
        expect.stringMatching(
          /^revenue_accounts usr_\w+ USDC: entry evt_\w+ is at place \d+, after \d+ others$/,
        ),
      );
      const cheaper = `UPDATE ledger_entries SET fee_bps = fee_bps - 1 WHERE ${settled}`;
      expect(await foundAfter('ledger_entries', cheaper)).toContainEqual(
        expect.stringMatching(/^revenue_accounts usr_\w+ USDC: totalFee is /),
      );
    });

    it('Vaultline ledger verify finds a change of the ledger: the decision of a gain, which must have moved its position', async () => {
      const gains = async (decision: string): Promise<string[]> => {
        const change = `UPDATE ledger_entries SET decision_id = ${decision} WHERE position_id = '${moved}' AND type = 'yield_accrual'`;
        const lines = await foundAfter('ledger_entries', change);
        return lines.filter((line) => line.includes(' is a gain by '));
      };
      const of = (type: string): string =>
        `(SELECT min(decision_id) FROM ledger_entries WHERE position_id = '${moved}' AND type = '${type}')`;
      expect(await gains(of('rebalance'))).toEqual([]);
      for (const decision of [`'dec_none'`, of('deposit')])
        expect(await gains(decision)).toContainEqual(
          expect.stringMatching(
            `^${moved}: entry evt_\\w+ is a gain by dec_\\w+, but no entry of that decision moved it$`,
          ),
        );
    });

    it('Vaultline ledger verify finds a change of a sum of the books, where a missing row equals one of zero', async () => {
      const lines = await foundAfter('vault_shares', 'DELETE FROM vault_shares WHERE shares > 0');
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines)
        expect(line).toMatch(
          /^vault_shares base vlt_\w+ \d+: shares is 0, but according to the ledger it is [1-9]/,
        );
      const nothing = `INSERT INTO vault_shares VALUES ('base', 'vlt_none', 0, 0)`;
      expect(await foundAfter('vault_shares', nothing)).toEqual([]);
    });

    it('Vaultline ledger verify finds a change of the number of users', async () => {
      const change =
        'UPDATE book_users SET users = users + 5 WHERE ctid = (SELECT min(ctid) FROM book_users)';
      expect(await foundAfter('book_users', change)).toEqual([
        expect.stringMatching(/^book_users ptn_\w+: users is 6, but there are 1$/),
      ]);
    });

    it('Vaultline ledger verify finds a change of the ledger: an amount, and all that is derived from it', async () => {
      const first = `(SELECT min(id) FROM ledger_entries WHERE position_id = '${moved}' AND type = 'yield_accrual')`;
      const lines = await foundAfter(
        'ledger_entries',
        `UPDATE ledger_entries SET amount = amount + 1 WHERE id = ${first}`,
      );
      expect(lines.find((line) => line.includes(': entry '))).toMatch(
        new RegExp(`^${moved}: entry evt_\\w+: accrual is \\d+, but according to the shares it is \\d+$`),
      );
      expect(lines).toContainEqual(expect.stringMatching(`^${moved}: accrued is `));
      expect(lines).toContainEqual(expect.stringMatching(/^book_totals ptn_\w+ USDC \d+: accrued is /));
    });

    it('Vaultline ledger verify finds a change of the ledger: a deleted entry, and one without a position', async () => {
      const deposit = `position_id = '${moved}' AND type = 'deposit'`;
      const gone = await foundAfter('ledger_entries', `DELETE FROM ledger_entries WHERE ${deposit}`);
      expect(gone).toContain(`${moved}: is opened by no entry`);
      expect(gone).toContainEqual(
        expect.stringMatching(`^transfer 0x\\w{64}: is recorded with ${moved}, which has no such entry$`),
      );
      const lost = `UPDATE ledger_entries SET position_id = 'pos_none' WHERE ${deposit}`;
      expect(await foundAfter('ledger_entries', lost)).toContainEqual(
        expect.stringMatching(/^entry evt_\w+: is of pos_none, which is not there$/),
      );
    });

    it('Vaultline ledger verify finds a change of transfers: a record without its entry, and an entry without its record', async () => {
      const hash = newTxHash();
      const added = `INSERT INTO settlements (tx_hash, position_id, recorded_at, id, partner_id, asset) SELECT '${hash}', id, now(), 'set_added', partner_id, asset FROM positions WHERE id = '${moved}'`;
      expect(await foundAfter('settlements', added)).toEqual([
        `transfer ${hash}: is recorded with ${moved}, which has no such entry`,
      ]);
      const removed = `DELETE FROM settlements WHERE position_id = '${closed}'`;
      const lines = await foundAfter('settlements', removed);
      expect(lines).toHaveLength(3);
      for (const line of lines)
        expect(line).toMatch(
          new RegExp(
            `^${closed}: entry evt_\\w+ is of the transfer 0x\\w{64}, which is not recorded with the position$`,
          ),
        );
    });

    it('Vaultline ledger verify finds a change of nothing, once all changes are undone', async () =>
      expect(await differences()).toEqual([]));
  });

  it('Vaultline ledger verify finds no difference during traffic, as it reads one snapshot', async () => {
    const user = await engine.createUser(await engine.createPartner());
    let going = true;
    const traffic = (async () => {
      while (going) await engine.withdraw((await engine.deposit(user, UNIT)).id, null);
    })();
    for (let run = 0; run < 8; run++) expect(await differences()).toEqual([]);
    going = false;
    await traffic;
    const { closed: many } = await engine.row<{ closed: number }>(
      `SELECT count(*)::int AS closed FROM positions WHERE user_id = $1 AND status = 'closed'`,
      [user],
    );
    expect(many).toBeGreaterThan(0);
  });

  it.each(['snapshots', 'blended_points'])(
    'Vaultline ledger verify rests on a database that refuses an update of %s',
    async (table) => {
      await expect(engine.sql(`UPDATE ${table} SET hour = hour`)).rejects.toThrow(/ is append-only$/);
    },
  );

  it.each([
    ['ledger_entries', 'asset'],
    ['ledger_entries_2026_01', 'asset'],
    ['decisions', 'asset'],
    ['decision_markets', 'hour'],
  ])('Vaultline ledger verify rests on a database that refuses every change of %s', async (table, column) => {
    const { rows } = await engine.row<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`);
    expect(rows).toBeGreaterThan(0);
    // TRUNCATE has to name the tables that refer to this one.
    for (const change of [`UPDATE % SET ${column} = ${column}`, 'DELETE FROM %', 'TRUNCATE % CASCADE'])
      await expect(engine.sql(change.replace('%', table))).rejects.toThrow(/ is append-only$/);
  });
});

const camelCase = (column: string): string =>
  column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
