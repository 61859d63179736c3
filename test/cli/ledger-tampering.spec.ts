import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerVerifier } from '../../src/domain/books/ledger/ledger-verifier.js';
import { AuditChain } from '../../src/domain/tenants/audit/audit-chain.js';
import { contradict } from '../support/contradict.js';
import { dataOf } from '../support/fields.js';
import { newTxHash } from '../support/market.js';
import { A, B, C, MovesStage } from '../support/moves.js';
import { untilSettled } from '../support/settled.js';
import { FOUND, NOT_FOUND, type Tampering } from './ledger-tampering.table.js';

describe('vaultline ledger verify, of a history that a server wrote', () => {
  let stage: MovesStage;
  const ids: Record<string, string> = {};

  const sql = <Row>(text: string): Promise<Row[]> => stage.sql<Row>(text);
  const first = async (text: string): Promise<string> => (await sql<{ id: string }>(text))[0]!.id;
  const filled = (text: string, quote = ''): string =>
    text.replaceAll(/\{(\w+)\}/g, (all, name: string) => (name in ids ? quote + ids[name]! + quote : all));
  /** The differences while rows are changed; the tables are restored afterwards. */
  const after = async ({ tables, sql: change }: Tampering): Promise<string[]> => {
    const names = tables.split(' ');
    const each = (of: (table: string) => string): string => names.map(of).join('; ');
    const inReplica = (text: string) =>
      sql(`SET session_replication_role = replica; ${text}; SET session_replication_role = origin`);
    await inReplica(each((table) => `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`));
    try {
      await inReplica(filled(change, "'"));
      const changed = names.map(
        (table) => `(SELECT hashtext(string_agg(t::text, ' ' ORDER BY t::text)) FROM ${table} t)
        IS DISTINCT FROM (SELECT hashtext(string_agg(t::text, ' ' ORDER BY t::text)) FROM kept_${table} t)`,
      );
      expect(await sql(`SELECT ${changed.join(' OR ')} AS changed`)).toEqual([{ changed: true }]);
      return await stage.differences();
    } finally {
      await sql('SET session_replication_role = replica');
      for (const table of names)
        await sql(
          `DELETE FROM ${table}; INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}; DROP TABLE kept_${table}`,
        );
      await sql('SET session_replication_role = origin');
    }
  };

  beforeAll(async () => {
    stage = await MovesStage.start();
    const { app } = stage.market;
    const { partner, user } = await stage.party();
    ids['partner'] = partner.id;
    ids['user'] = user;
    dataOf(
      await app.admin.post(`/partners/${partner.id}/campaigns`, { name: 'Spring', points_multiplier: 1.5 }),
      201,
    );
    dataOf(
      await partner.api.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['position.opened'] }),
      201,
    );
    const rules = { allowed_vaults: [A, B, C], max_risk_tier: null, min_gain: null, paused: false };
    dataOf(await partner.api.put('/partner/policy', rules), 200);
    dataOf(await partner.api.send('PATCH', `/users/${user}`, { wallets: [`0x${'34'.repeat(20)}`] }), 200);
    const large = await stage.deposit(user, 60_000);
    const claimed = { user_id: user, asset: 'USDC', amount: 40_000, tx_hash: newTxHash() };
    const small = dataOf(await stage.post('/positions', claimed, { 'idempotency-key': 'claimed' }), 201);
    ids['moved'] = large.id;
    stage.see(0.05, 0.12);
    const move = await stage.untilOrdered(partner);
    await stage.report(move.id, 'redeemed', move.amount - 3);
    await stage.report(move.id, 'settled', move.amount - 3);
    await stage.hours(26);
    dataOf(await app.admin.send('PATCH', `/partners/${partner.id}`, { revenue_share_bps: 5_000 }), 200);
    await stage.hours(26);
    await stage.withdraw(large.id, 5_000);
    await stage.withdraw(small.id);
    // Paid in part by its vault; and one that is still reserved.
    await stage.deposit(user, 7_000);
    for (const [name, amount] of [
      ['payout', 1_000],
      ['requested', 2_000],
    ] as const) {
      const path = `/users/${user}/withdrawals`;
      ids[name] = dataOf(await stage.post(path, { asset: 'USDC', amount }, {}, partner.api), 201).id;
    }
    await stage.done(`/withdrawals/${ids['requested']}/taken`);
    await stage.done(`/withdrawals/${ids['payout']}/paid`, { tx_hash: newTxHash(), amount: 999 });
    const stranger = await stage.party();
    ids.stranger = stranger.partner.id;
    ids.other = stranger.user;
    const received = await stage.deposit(stranger.user, 1_000, { allocated: false });
    stage.market.pass(1);
    await stage.done(`/positions/${received.id}/allocated`, {
      tx_hash: `0x${'77'.repeat(32)}`,
      amount: 1_002,
    });
    const [contradicted] = [await contradict(app, received.id)];
    ids['contradicted'] = contradicted;
    dataOf(await stage.post(`/settlements/${contradicted}/resolve`, { action: 'accept', note: 'seen' }), 200);
    const key = dataOf(await app.admin.post('/keys', { label: 'former', scopes: ['read'] }), 201);
    await app.admin.send('DELETE', `/keys/${key.id}`);
    ids['revoked'] = key.id;
    await stage.hours(30);
    // Outcomes are known after the horizon of a move: here at once.
    await sql(
      `UPDATE move_orders SET due_hour = (SELECT ticked_hour FROM markets) - interval '1 hour' WHERE due_hour IS NOT NULL`,
    );
    await stage.hours(1);
    await untilSettled(app);
    await app.application.get(AuditChain).extend();
    const ofMoved = (more: string) =>
      first(`SELECT id FROM ledger_entries WHERE position_id = '${large.id}' AND ${more} LIMIT 1`);
    ids['deposit'] = await ofMoved(`type = 'deposit'`);
    ids['accrual'] = await ofMoved(`type = 'yield_accrual' AND fee > 0`);
    ids['rebalance'] = await ofMoved(`type = 'rebalance' AND cost > 0 AND decision_id IS NOT NULL`);
    ids['borne'] = await first(
      `SELECT id FROM ledger_entries WHERE type = 'rebalance' AND decision_id IS NULL`,
    );
    ids['decision'] = move.decision_id;
    ids['settlement'] = await first(
      `SELECT id FROM settlements WHERE position_id = '${large.id}' ORDER BY recorded_at LIMIT 1`,
    );
    ids['audited'] = await first(`SELECT entry_id AS id FROM audit_links WHERE number = 5`);
    ids['day'] = await first(
      `SELECT max(day)::text AS id FROM closed_books WHERE partner_id = '${partner.id}'`,
    );
    ids['hour'] = await first(`SELECT (ticked_hour - interval '30 hours')::text AS id FROM markets`);
  }, 120_000);
  afterAll(() => stage.close());

  it('Vaultline ledger verify finds no difference before anything is changed, and names how many rows of each kind it compared', async () => {
    const verifier = stage.market.app.application.get(LedgerVerifier);
    const { differences, compared, ...checked } = await verifier.run(() => undefined);
    expect(differences).toBe(0);
    const counted = async (rows: string): Promise<number> =>
      Number(await first(`SELECT count(*)::text AS id FROM ${rows}`));
    const [positions, entries, settlements, accounts] = [
      await counted('positions'),
      await counted('ledger_entries'),
      await counted('settlements'),
      await counted('revenue_accounts'),
    ];
    expect(checked).toMatchObject({ positions, entries, settlements, accounts });
    expect(compared).toMatchObject({
      orders: await counted('move_orders'),
      'hours of vaults': await counted('snapshots'),
      decisions: await counted('decisions'),
      outcomes: await counted('move_orders WHERE realised IS NOT NULL'),
      settlements,
      closings: await counted('closed_books'),
      users: await counted('users'),
      campaigns: await counted('campaigns'),
      'api keys': await counted('api_keys'),
      'policy versions': await counted('partner_policies'),
      'resolutions of settlements': settlements,
      'deposits that were asked for': positions,
      'reports of moves': await counted('move_orders WHERE redeemed_at IS NOT NULL'),
      withdrawals: await counted('withdrawals'),
      'withdrawals that were asked for and reported': await counted('withdrawals'),
    });
    expect(compared['indexes']).toBeGreaterThan(entries);
    // No month ends in most of these histories.
    for (const [what, count] of Object.entries(compared))
      if (!/invoices/.test(what)) expect([what, count > 0]).toEqual([what, true]);
  });

  it.each(['audit_chain', 'ledger_heads', 'markets'])(
    'Vaultline ledger verify does not say 0 differences when %s is not there to be read',
    async (table) => {
      await sql(`ALTER TABLE ${table} RENAME TO hidden`);
      try {
        await expect(stage.differences()).rejects.toThrow(/./);
      } finally {
        await sql(`ALTER TABLE hidden RENAME TO ${table}`);
      }
    },
  );

  it.each(FOUND)('Vaultline ledger verify finds $kind', async (tampering) => {
    const lines = await after(tampering);
    expect(lines).toContainEqual(expect.stringMatching(filled(tampering.found)));
  });

  it.each(NOT_FOUND)('Vaultline ledger verify does not find $kind', async (tampering) => {
    expect(await after(tampering)).toEqual([]);
  });

  it('Vaultline ledger verify finds no difference when all of it is undone', async () => {
    expect(await stage.differences()).toEqual([]);
  });
});
