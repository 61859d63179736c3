import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hourOf } from '../../src/domain/kernel/clock.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { HeldBooks } from '../../src/domain/reporting/reserves/held-books.js';
import { ReservesTask } from '../../src/jobs/tasks/reserves.task.js';
import { DeploymentCounts } from '../../src/jobs/deployment-counts.js';
import { expectError } from '../support/expected-error.js';
import { dataOf } from '../support/fields.js';
import { newTxHash } from '../support/market.js';
import { A, B, C, IDLE } from '../support/moves.js';
import type { TestPartner } from '../support/partner.js';
import { ReservesStage } from '../support/reserves.js';

const micro = (units: number): number => Math.round(units * 1e6);
const THIEF = '0x00000000000000000000000000000000000007e1';

describe('partner contract: reserves', () => {
  let stage: ReservesStage;
  let party: { partner: TestPartner; user: string };
  /** A deposit of 100,000 in A. */
  let id: string;

  beforeAll(async () => {
    stage = await ReservesStage.start();
    party = await stage.moves.party();
  }, 90_000);
  afterAll(() => stage?.close());

  const valueOf = async (position: string): Promise<number> =>
    micro((await stage.moves.position(position)).value);

  /** The contract of A pays what it lacked in the last reading, such as the yield since it last paid any. */
  const payYield = async (): Promise<void> => {
    const { difference } = (await stage.rows())[A];
    if (difference < 0) await stage.token.send('mint', stage.shares.address, -micro(difference));
  };

  it('Reserves follow a deposit, its allocation, its yield and a withdrawal to the unit, without an alert', async () => {
    await stage.token.send('mint', stage.custody, micro(100_000));
    ({ id } = await stage.moves.deposit(party.user, 100_000, { allocated: false }));
    let rows = await stage.read();
    const even = { difference: 0, coverage: 1, in_flight: 0, reason: null };
    expect(rows['cash']).toMatchObject({
      ...even,
      chain: 'ethereum',
      asset: 'USDC',
      books: 100_000,
      chain_holds: 100_000,
      custody_accounts: [stage.custody.toLowerCase()],
    });
    expect(rows[A]).toMatchObject({ ...even, books: 0, chain_holds: 0, coverage: null });
    expect(rows['cash'].block).toBe((await stage.anvil.height()) - 2);

    await stage.shares.send('deposit', micro(100_000), stage.custody);
    await stage.moves.done(`/positions/${id}/allocated`, { tx_hash: newTxHash() });
    rows = await stage.read();
    expect(rows['cash']).toMatchObject({ books: 0, chain_holds: 0 });
    // An hour at 5 % that the contract has not paid yet.
    expect(rows[A].difference).toBeLessThan(0);
    expect(rows[A].coverage).toBeCloseTo(1, 4);

    for (let day = 0; day < 3; day++) {
      await stage.moves.hours(11);
      const earned = (await valueOf(id)) - micro(100_000);
      const paid = Number(await stage.token.call('balanceOf', stage.shares.address)) - micro(100_000);
      await stage.token.send('mint', stage.shares.address, earned - paid);
      rows = await stage.read();
      expect(Math.abs(rows[A].difference)).toBeLessThan(1.5);
    }

    const { body } = await party.partner.api.post(`/users/${party.user}/withdrawals`, {
      asset: 'USDC',
      amount: 20_000,
    });
    await stage.moves.done(`/withdrawals/${body.data.id}/taken`);
    await stage.shares.send('withdraw', micro(20_000), THIEF, stage.custody);
    for (let reading = 0; reading < 3; reading++) {
      rows = await stage.read();
      expect(rows[A]).toMatchObject({ in_flight: 20_000 });
      expect(rows[A].difference).toBeCloseTo(-20_000, -1);
    }
    await stage.moves.done(`/withdrawals/${body.data.id}/paid`, { tx_hash: newTxHash() });
    rows = await stage.read();
    expect(rows[A]).toMatchObject({ in_flight: 0 });
    expect(Math.abs(rows[A].difference)).toBeLessThan(3);
    expect(await stage.alerts()).toEqual([]);
  });

  it('Reserves are stored once an hour: a reading that is repeated changes nothing, and no row can be changed', async () => {
    const { app } = stage.moves.market;
    const before = await stage.rows();
    await stage.token.send('mint', stage.custody, micro(7));
    await stage.finalize();
    await app.application.get(ReservesTask).run();
    expect(await stage.rows()).toEqual(before);
    await stage.token.send('burn', stage.custody, micro(7));
    await expect(app.sql('UPDATE reserves SET books = 0')).rejects.toThrow();
  });

  it('Reserves compare the chain with the books at the time of its block: a later transfer, and one that is not final, count on neither side', async () => {
    await stage.finalize();
    stage.moves.market.pass(600_000);
    await stage.token.send('mint', stage.custody, micro(5_000));
    const deposit = await stage.moves.deposit(party.user, 5_000, { allocated: false });
    const rows = await stage.read({ final: false });
    expect(rows['cash']).toMatchObject({ books: 0, chain_holds: 0, difference: 0 });
    expect((await stage.read())['cash']).toMatchObject({ books: 5_000, chain_holds: 5_000 });
    await stage.token.send('burn', stage.custody, micro(5_000));
    await stage.moves.withdraw(deposit.id);
    expect((await stage.read())['cash']).toMatchObject({ books: 0, chain_holds: 0 });
  });

  it('Reserves do not count a transfer that a reorganisation removes', async () => {
    await stage.finalize();
    await stage.token.send('mint', stage.custody, micro(500));
    expect((await stage.read({ final: false }))['cash'].chain_holds).toBe(0);
    await stage.anvil.reorganise(1);
    expect((await stage.read())['cash'].chain_holds).toBe(0);
    expect(await stage.alerts()).toEqual([]);
  });

  it('Reserves read an Aave and a Compound vault by the balances of the account', async () => {
    await stage.aToken.send('mint', stage.custody, 300_000);
    await stage.comet.send('setBalance', stage.custody, 200_000);
    const rows = await stage.read();
    expect(rows[B]).toMatchObject({ books: 0, chain_holds: 0.3, difference: 0.3, coverage: null });
    expect(rows[C]).toMatchObject({ books: 0, chain_holds: 0.2, difference: 0.2 });
  });

  it('Reserves that exceed the books by a donation begin an alert in the second reading, which the first even one clears', async () => {
    await payYield();
    await stage.token.send('mint', stage.custody, micro(500));
    expect((await stage.read())['cash']).toMatchObject({ difference: 500, coverage: null });
    expect(await stage.alerts()).toEqual([]);
    await stage.read();
    expect(await stage.alerts()).toEqual([`reserves_over begun ${IDLE}`]);
    await stage.read();
    await stage.token.send('burn', stage.custody, micro(500));
    await stage.read();
    expect(await stage.alerts()).toEqual([`reserves_over begun ${IDLE}`, `reserves_over over ${IDLE}`]);
  });

  it('Reserves of which the owner of the custody account takes a part without a report are found within two readings, and an unknown one changes nothing', async () => {
    await payYield();
    const before = (await stage.alerts()).length;
    await stage.shares.send('withdraw', micro(1_000), THIEF, stage.custody);
    const row = (await stage.read())[A];
    expect(row.coverage).toBeLessThan(0.99);
    expect((await stage.alerts()).slice(before)).toEqual([]);
    for (const provider of stage.providers) provider.mood = 'refuse';
    const unknown = { reason: 'no_finalized_block', chain_holds: null, difference: null, coverage: null };
    expect((await stage.read())[A]).toMatchObject({ ...unknown, block: null, block_at: null });
    expect((await stage.alerts()).slice(before)).toEqual([]);
    for (const provider of stage.providers) provider.mood = 'honest';
    await stage.read();
    expect((await stage.alerts()).slice(before)).toEqual([`reserves_short begun ${A}`]);
    const { body } = await stage.moves.market.app.admin.get('/alerts/events?limit=500');
    const { data } = body.data.find((event: any) => event.data.alert?.kind === 'reserves_short');
    expect(data.message).toMatch(
      /^The custody accounts hold less than the books of the vault .*: 79\d{3}\.\d+ of 80\d{3}\.\d+ USDC at block \d+ of ethereum\.$/,
    );
    expect(data.alert.what_to_do).toContain('GET /reserves/history');
    // Its partners are not notified.
    const events = dataOf(await party.partner.api.get('/events?types=system.status&limit=500'), 200);
    expect(events.filter((event: any) => event.data.alert?.kind.startsWith('reserves_'))).toEqual([]);

    for (const provider of stage.providers) provider.mood = 'refuse';
    await stage.read();
    for (const provider of stage.providers) provider.mood = 'honest';
    expect((await stage.alerts()).slice(before)).toEqual([`reserves_short begun ${A}`]);
    await stage.read();
    await payYield();
    await stage.read();
    expect((await stage.alerts()).slice(before)).toEqual([
      `reserves_short begun ${A}`,
      `reserves_short over ${A}`,
    ]);
  });

  it('Reserves are believed of two providers against one that lies, and are unknown where two contradict each other', async () => {
    stage.providers[1]!.mood = 'price';
    expect((await stage.read())['cash']).toMatchObject({ chain_holds: 0, reason: null });
    stage.providers[2]!.mood = 'refuse';
    await stage.token.send('mint', stage.custody, 900_000);
    const rows = await stage.read();
    expect(rows['cash']).toMatchObject({ reason: 'providers_disagree', chain_holds: null });
    for (const provider of stage.providers) provider.mood = 'honest';
    expect((await stage.read())['cash']).toMatchObject({ chain_holds: 0.9, reason: null });
  });

  it('Reserves show a partner its own part of the books, and a reader the coverage alone', async () => {
    const { app, reader, protocol } = stage.moves.market;
    const all = await stage.rows();
    const hidden = { chain_holds: null, difference: null, in_flight: null, custody_accounts: [] };
    const own = await stage.rows(party.partner.api);
    expect(Object.keys(own)).toEqual([A]);
    expect(own[A]).toEqual({ ...all[A], ...hidden });
    expect(own[A].books).toBeGreaterThan(80_000);
    expect(await stage.rows(reader)).toEqual(
      Object.fromEntries(
        Object.entries(all).map(([vault, row]) => [vault, { ...row, ...hidden, books: null }]),
      ),
    );
    const { partner } = await stage.moves.party();
    expect(await stage.rows(partner.api)).toEqual({});
    const past = dataOf(await party.partner.api.get('/reserves/history?limit=2'), 200);
    expect(past.map(({ vault_id, books, chain_holds }: any) => [vault_id, books, chain_holds])).toEqual([
      [A, null, null],
      [A, null, null],
    ]);
    expectError(await protocol.get('/reserves'), 403, 'insufficient_scope');
    await app.application.get(DeploymentCounts).countReserves();
    const metrics = (await app.metrics()).split('\n').filter((line) => line.startsWith('vaultline_reserves'));
    const labels = (vault: string): string => `{chain="ethereum",asset="USDC",vault="${vault}"}`;
    expect(metrics).toEqual(
      expect.arrayContaining([
        `vaultline_reserves_coverage${labels(A)} ${all[A].coverage}`,
        `vaultline_reserves_difference_units${labels(IDLE)} 0.9`,
        expect.stringMatching(/^vaultline_reserves_age_seconds \d+/),
      ]),
    );
  });

  it('Reserves of the past are listed by hour, newest first, with filters, and as CSV', async () => {
    const { admin } = stage.moves.market.app;
    const first = await admin.get(`/reserves/history?vault_id=${A}&limit=1`);
    expect(first.body.data).toEqual([{ ...(await stage.rows())[A], as_of: first.body.data[0].as_of }]);
    const cursor = first.body.meta.next_cursor;
    const [second] = dataOf(await admin.get(`/reserves/history?vault_id=${A}&limit=1&cursor=${cursor}`), 200);
    expect(second.as_of < first.body.data[0].as_of).toBe(true);
    const until = second.as_of;
    const older = dataOf(await admin.get(`/reserves/history?asset=USDC&chain=ethereum&to=${until}`), 200);
    expect(older[0].as_of).toBe(until);
    expect(dataOf(await admin.get('/reserves/history?chain=arbitrum'), 200)).toEqual([]);
    expectError(await admin.get('/reserves/history?from=2026-02-01&to=2026-01-01'), 400, 'validation_failed');
    const { text } = await admin.get(`/reserves/history?vault_id=${A}`, { accept: 'text/csv' });
    expect(text.split('\n')[0]).toContain('coverage');
    expect(text).toContain(stage.custody.toLowerCase());
  });

  it('Reserves of the reading nearest to midnight stand in the statement of the day', async () => {
    const { market } = stage.moves;
    do await stage.moves.hours(1);
    while (market.now().getUTCHours() !== 23);
    await stage.read();
    await market.app.application.get(HourlyCycle).run();
    const day = new Date(market.now().getTime() - 86_400_000).toISOString().slice(0, 10);
    const { reserves } = dataOf(await party.partner.api.get(`/partner/statements/${day}`), 200);
    expect(reserves.coverage).toBeGreaterThan(0.99);
    expect(reserves.as_of.slice(0, 13)).toBe(market.now().toISOString().slice(0, 13));
    const readings = dataOf(await market.app.admin.get('/reserves/history?limit=500'), 200);
    const before = new Date(Date.parse(readings.at(-1).as_of) - 2 * 86_400_000).toISOString().slice(0, 10);
    const past = dataOf(await party.partner.api.get(`/partner/statements/${before}`), 200);
    expect(past.reserves).toBeNull();
  });

  it('Reserves take a position at the shares and the index of a past moment, before what was booked since', async () => {
    const { market } = stage.moves;
    const { application } = market.app;
    const at = new Date(market.now().getTime() - 5_400_000);
    const hour = hourOf(at);
    const [row] = await market.app.sql<{ shares: string; index: string; factor: string }>(
      `SELECT p.shares, s.share_index AS index, s.factor FROM positions p JOIN snapshots s ON s.vault_id = p.vault_id AND s.hour = $2 WHERE p.id = $1`,
      [id, hour],
    );
    const index = BigInt(row!.index);
    const passed = BigInt(at.getTime() - hour.getTime());
    const grown = index + (index * BigInt(row!.factor) * passed) / (3_600_000n * 10n ** 18n);
    const expected = (BigInt(row!.shares) * grown) / 10n ** 30n;
    const books = application.get(HeldBooks);
    const held = async (moment: Date) => (await books.byHolder(moment, false)).books.get(null)!;
    expect((await held(at)).get(A)).toBe(expected);
    expect((await books.ofPartner(party.partner.id, at)).get(A)).toBe(expected);
    await stage.moves.withdraw(id, 1_000);
    expect((await held(at)).get(A)).toBe(expected);
    expect((await books.ofPartner(party.partner.id, at)).get(A)).toBe(expected);
    const now = Number((await held(market.now())).get(A)! - expected) / 1e6;
    expect(now).toBeCloseTo(-1_000, -1);
  });

  it('Reserves have what is in flight beside its vaults and cash until it is reported, and a gain that waits for a review in the books', async () => {
    const { market } = stage.moves;
    const books = market.app.application.get(HeldBooks);
    const held = async (moment: Date) => (await books.byHolder(moment, false)).books.get(null)!;
    const inFlight = async (moment: Date) => (await books.byHolder(moment, false)).inFlight.get(null);
    const { move } = await stage.moves.ordered();
    const taken = await stage.moves.done(`/moves/${move.id}/taken`);
    const before = market.now();
    const placesOf = async (at: Date): Promise<[string, bigint][]> =>
      [...((await inFlight(at)) ?? [])].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const amount = BigInt(micro(move.amount));
    expect((await placesOf(before)).map(([vault]) => vault)).toEqual([A, B, IDLE].toSorted());
    expect(Number((await inFlight(before))!.get(A)! - amount)).toBeLessThan(micro(10));
    market.pass(1_000);
    const paid = Math.round(taken.amount * 1.003 * 100) / 100;
    const cash = (await held(market.now())).get(IDLE) ?? 0n;
    const redeemed = await stage.moves.report(move.id, 'redeemed', paid);
    expect(redeemed.review).toMatchObject({ status: 'pending_review' });
    market.pass(1_000);
    expect((await held(market.now())).get(IDLE)! - cash).toBe(BigInt(micro(paid)));
    expect((await placesOf(market.now())).map(([vault]) => vault)).toEqual([B, IDLE].toSorted());
    // As of the moment before the report, it was still in flight out of its vault.
    expect((await placesOf(before)).map(([vault]) => vault)).toEqual([A, B, IDLE].toSorted());
    market.pass(25 * 3_600_000);
    expect(await placesOf(market.now())).toEqual([]);
  });
});
