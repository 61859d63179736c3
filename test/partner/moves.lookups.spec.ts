import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  SettlementChecks,
  type SettlementPass,
} from '../../src/domain/routing/settlements/settlement-checks.js';
import { DeploymentCounts } from '../../src/jobs/deployment-counts.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import type { Answer, Api } from '../support/api.js';
import { MovedFunds } from '../support/chain/moved-funds.js';
import { expectError } from '../support/expected-error.js';
import { dataOf } from '../support/fields.js';
import { callsOf, runCall } from '../support/guide.js';
import { newTxHash } from '../support/market.js';
import { A, B, C, IDLE, type MovesStage } from '../support/moves.js';
import { untilSettled } from '../support/settled.js';

const STRANGER = '0x00000000000000000000000000000000000070e5';
const micro = (units: number): bigint => BigInt(Math.round(units * 1e6));
type Step = 'redeemed' | 'settled';

/** Reports of moves against a chain with an ERC-4626 vault, a pool of Aave's, a market of Compound's and a custody account. */
describe('partner contract: a report on a move that is looked up', () => {
  let funds: MovedFunds;
  let stage: MovesStage;

  beforeAll(async () => {
    funds = await MovedFunds.start();
    ({ stage } = funds);
    const { app } = stage.market;
    await app.application.get(HousekeepingTimer).stop();
    await app.sql(`SELECT live_jobs.remove_job(key) FROM live_jobs.jobs WHERE key LIKE 'settlements %'`);
    await app.admin.post('/alerts/webhooks', { url: 'http://127.0.0.1:9/', active: false });
  }, 60_000);
  afterEach(async () => {
    expect(await stage.differences()).toEqual([]);
  });
  afterAll(() => funds?.close());

  /** What an accepted report answers. */
  const accepted = async (reporting: Promise<Answer>): Promise<any> => {
    const { status, text, body } = await reporting;
    if (status !== 201) throw new Error(`answered ${status}: ${text}`);
    return body.data;
  };
  const report = (
    api: Api,
    id: string,
    step: Step,
    amount: number,
    tx_hash: string,
    more = {},
  ): Promise<Answer> => {
    stage.market.pass(1);
    return stage.post(`/moves/${id}/${step}`, { tx_hash, amount, ...more }, {}, api);
  };
  /** Sends what the API says, and reports it. */
  const perform = async (api: Api, id: string, step: Step): Promise<void> => {
    const { amount } = await stage.move(id);
    const hash = await funds.run(...(await funds.callsOf(id, step)));
    await accepted(report(api, id, step, amount, hash));
  };
  const check = async (): Promise<SettlementPass> => {
    await funds.finalize();
    return (await stage.market.app.application.get(SettlementChecks).pass())!;
  };
  const checkOf = async (id: string, step: Step): Promise<any> => (await stage.move(id))[step].check;
  const shown = async (id: string, step: Step): Promise<string> => {
    const { status, reason, found_amount } = await checkOf(id, step);
    return `${status} ${reason} ${found_amount}`;
  };
  const resolve = (id: string, step: Step, action: string): Promise<Answer> => {
    stage.market.pass(1);
    const body = { step, action, note: 'compared with the transaction' };
    return stage.post(`/moves/${id}/resolve`, body, {}, stage.market.app.admin);
  };
  const valueOf = async (ids: string[]): Promise<bigint> => {
    const positions = await Promise.all(ids.map((id) => stage.position(id)));
    return positions.reduce((sum, { value }) => sum + micro(value), 0n);
  };
  /** Kinds and states of alerts about a move, of administrators and of its partner. */
  const told = async (id: string, partner: { api: Api }): Promise<string[][]> => {
    await untilSettled(stage.market.app);
    const lists = [
      await stage.market.app.admin.get('/alerts/events?limit=500'),
      await partner.api.get('/events?limit=500'),
    ];
    return lists.map((list) =>
      dataOf(list, 200)
        .filter(({ data }: any) => data.alert?.move_id === id && data.alert.kind === 'report_contradicted')
        .map(({ data }: any) => data.alert.state),
    );
  };
  /** Unresolved mismatches, by the metrics. */
  const counted = async (): Promise<number> => {
    await stage.market.app.application.get(DeploymentCounts).countOrders();
    const text = await stage.market.app.metrics();
    return Number(/^vaultline_move_reports_unresolved\{status="mismatch"\} (.+)$/m.exec(text)?.[1]);
  };
  const nextBest = { [A]: [0.05, 0.12, 0.03], [B]: [0.04, 0.05, 0.14], [C]: [0.16, 0.04, 0.05] } as const;

  it('A report on a move that is looked up is confirmed where vault and custody account moved what was reported: ERC-4626, Aave v3 and Compound v3', async () => {
    const { api } = await stage.executor();
    const { partner, move } = await stage.ordered();
    let next = move;
    for (const [from, to] of [
      [A, B],
      [B, C],
      [C, A],
    ] as const) {
      if (from !== A) {
        const [a, b, c] = nextBest[from];
        stage.see(a, b, c);
        next = await stage.untilOrdered(partner);
      }
      expect(next).toMatchObject({ from_vault_id: from, to_vault_id: to });
      await perform(api, next.id, 'redeemed');
      expect(await checkOf(next.id, 'redeemed')).toMatchObject({
        status: 'unchecked',
        reason: 'not_checked_yet',
        block: null,
      });
      await perform(api, next.id, 'settled');
      const { moveChanges } = await check();
      expect(moveChanges.map(({ orderId, step, status }) => [orderId, step, status]).toSorted()).toEqual([
        [next.id, 'redeemed', 'confirmed'],
        [next.id, 'settled', 'confirmed'],
      ]);
      const { redeemed, settled } = await stage.move(next.id);
      for (const { amount, check: done } of [redeemed, settled])
        expect(done).toMatchObject({
          status: 'confirmed',
          reason: null,
          found_amount: amount,
          resolution: null,
        });
      expect(await told(next.id, partner)).toEqual([[], []]);
    }
    // A final report is not checked again.
    expect(await stage.market.app.application.get(SettlementChecks).pass()).toMatchObject({ checked: 0 });
  });

  it('A report on a move that is looked up shares its transaction with those of its batch, and with the arrival of a move in one transaction', async () => {
    const { api } = await stage.executor();
    const [first, other] = [await stage.party(), await stage.party()];
    await stage.deposit(first.user, 60_000);
    await stage.deposit(other.user, 33_333.333333);
    stage.see(0.05, 0.12);
    const one = await stage.untilOrdered(first.partner);
    const [two] = await stage.openOf(other.partner);
    expect(two.batch_id).toBe(one.batch_id);
    // Funds of other tests may leave with them.
    const batch = (await stage.get('/moves?status=requested')).filter(
      ({ batch_id }: any) => batch_id === one.batch_id,
    );
    const total = batch.reduce((sum: bigint, { amount }: any) => sum + micro(amount), 0n);
    const [, approve, supply] = await funds.stage
      .get(`/moves/${one.id}?account=${funds.account.address}`)
      .then(({ calls }: any) => calls);
    // The pool's call, with the amount of the batch.
    const whole = (data: string): `0x${string}` =>
      data.replace(
        micro(one.amount).toString(16).padStart(64, '0'),
        total.toString(16).padStart(64, '0'),
      ) as `0x${string}`;
    const hash = await funds.run(
      funds.withdraw(total),
      { to: approve.to, data: whole(approve.data) },
      { to: supply.to, data: whole(supply.data) },
    );
    await accepted(report(api, one.id, 'redeemed', Number(total) / 1e6, hash, { batch: true }));
    await accepted(report(api, one.id, 'settled', Number(total) / 1e6, hash, { batch: true }));
    await check();
    for (const { id } of batch)
      for (const step of ['redeemed', 'settled'] as const)
        expect(await checkOf(id, step)).toMatchObject({
          status: 'confirmed',
          found_amount: (await stage.move(id))[step].amount,
        });
  });

  it('A report on a move that is looked up before another one by its transaction contradicts the chain until that is reported, which its key still may', async () => {
    const { api } = await stage.executor();
    const { partner, move } = await stage.ordered();
    const { amount } = await stage.move(move.id);
    const calls = await stage.get(`/moves/${move.id}?account=${funds.account.address}`);
    const hash = await funds.run(...calls.calls);
    await accepted(report(api, move.id, 'redeemed', amount, hash));
    await check();
    expect(await shown(move.id, 'redeemed')).toBe('mismatch wrong_amount 0');
    await accepted(report(api, move.id, 'settled', amount, hash));
    await check();
    expect(await checkOf(move.id, 'redeemed')).toMatchObject({ status: 'confirmed', found_amount: amount });
    expect(await checkOf(move.id, 'settled')).toMatchObject({ status: 'confirmed', found_amount: amount });
    expect(await told(move.id, partner)).toEqual([
      ['begun', 'over'],
      ['begun', 'over'],
    ]);
  });

  it('A report on a move that is looked up is found 0.3 % short: its key reports nothing more until an administrator accepts it, which books the rest as a gain', async () => {
    const [thief, other] = [await stage.executor(), await stage.executor()];
    const { partner, ids, move } = await stage.ordered();
    const { amount } = await stage.move(move.id);
    const short = Number((micro(amount) * 997n) / 1000n) / 1e6;
    const hash = await funds.run(...(await funds.callsOf(move.id, 'redeemed')));
    await accepted(report(thief.api, move.id, 'redeemed', short, hash));
    const before = await counted();
    await check();
    expect(await shown(move.id, 'redeemed')).toBe(`mismatch wrong_amount ${amount}`);
    expect(await told(move.id, partner)).toEqual([['begun'], ['begun']]);
    expect(await counted()).toBe(before + 1);

    const refused = await report(thief.api, move.id, 'settled', short, newTxHash());
    expectError(refused, 409, 'report_unresolved');
    expect(refused.body.error.message).toContain(`POST /moves/${move.id}/resolve`);
    // Nor by the same hash for another move.
    const { move: next } = await stage.ordered();
    expectError(await report(thief.api, next.id, 'redeemed', next.amount, hash), 409, 'report_unresolved');
    await stage.done(`/moves/${next.id}/failed`, { note: 'end of the test' });
    // A repeat changes nothing, and is answered.
    expect((await report(thief.api, move.id, 'redeemed', short, hash)).status).toBe(201);
    const { user } = await stage.party();
    const received = await stage.deposit(user, 500, { allocated: false });
    for (const path of [
      `/positions/${received.id}/allocated`,
      `/moves/${(await stage.get(`/moves?position_id=${received.id}`))[0].id}/taken`,
    ])
      expectError(
        await stage.post(path, path.endsWith('taken') ? {} : { tx_hash: newTxHash() }, {}, thief.api),
        409,
        'report_unresolved',
      );
    expect(
      (await stage.post(`/positions/${received.id}/allocated`, { tx_hash: newTxHash() }, {}, other.api))
        .status,
    ).toBe(201);

    expect(await valueOf(ids)).toBe(micro(short));
    const resolved = dataOf(await resolve(move.id, 'redeemed', 'accept'), 200);
    expect(await counted()).toBe(before);
    expect(resolved.redeemed.check).toMatchObject({
      status: 'mismatch',
      resolution: 'accept',
      note: 'compared with the transaction',
    });
    expect(resolved).toMatchObject({ status: 'arriving', amount });
    expect(dataOf(await resolve(move.id, 'redeemed', 'accept'), 200)).toEqual(resolved);
    expectError(await resolve(move.id, 'redeemed', 'void'), 409, 'move_not_open');
    expect(await valueOf(ids)).toBe(micro(amount));
    expect(await told(move.id, partner)).toEqual([
      ['begun', 'over'],
      ['begun', 'over'],
    ]);
    const { data } = (await stage.market.app.admin.get('/audit?operation=resolveMove&limit=2')).body;
    expect(data[1].after[move.id]).toEqual({ redeemed_resolution: 'accept: compared with the transaction' });

    await perform(thief.api, move.id, 'settled');
    expect(await valueOf(ids)).toBe(micro(amount));
    await check();
    expect(await shown(move.id, 'settled')).toBe(`confirmed null ${amount}`);
  });

  it('A report on a move that is looked up is found where a part went to another account: accepting it is a cost of the positions, in transit or not', async () => {
    const { api } = await stage.executor();
    const { partner, ids, move } = await stage.ordered();
    const { amount } = await stage.move(move.id);
    const hash = await funds.run(
      ...(await funds.callsOf(move.id, 'redeemed')),
      funds.transfer(STRANGER, 300_000_000n),
    );
    await accepted(report(api, move.id, 'redeemed', amount, hash));
    await check();
    const left = Number(micro(amount) - 300_000_000n) / 1e6;
    expect(await shown(move.id, 'redeemed')).toBe(`mismatch wrong_amount ${left}`);
    expect(dataOf(await resolve(move.id, 'redeemed', 'accept'), 200)).toMatchObject({
      status: 'arriving',
      amount: left,
    });
    expect(await valueOf(ids)).toBe(micro(left));
    for (const id of ids) expect(await stage.position(id)).toMatchObject({ vault_id: IDLE });

    // The vault gets less than is reported, and the rest stays in the account.
    const arrived = left - 50;
    const calls = await funds.callsOf(move.id, 'settled');
    const less = calls.map(({ to, data }) => ({
      to,
      data: data.replace(
        micro(left).toString(16).padStart(64, '0'),
        micro(arrived).toString(16).padStart(64, '0'),
      ) as `0x${string}`,
    }));
    await accepted(report(api, move.id, 'settled', left, await funds.run(...less)));
    await check();
    expect(await shown(move.id, 'settled')).toBe(`mismatch wrong_amount ${arrived}`);
    stage.market.pass(3_600_000 - 120_000);
    const before = await valueOf(ids);
    const [call, ...more] = callsOf('docs/live.md', 'Reports are looked up');
    expect(more).toEqual([]);
    const resolved = await runCall(call, stage.market.app.admin, { MOVE: move.id });
    expect(resolved.settled.check).toMatchObject({ resolution: 'accept', note: 'The vault charged a fee.' });
    const after = await valueOf(ids);
    expect(Number(before - after) / 1e6).toBeCloseTo(50, 2);
    for (const id of ids) expect(await stage.position(id)).toMatchObject({ vault_id: B });
    expect(await told(move.id, partner)).toEqual([
      ['begun', 'over', 'begun', 'over'],
      ['begun', 'over', 'begun', 'over'],
    ]);
  });

  it('A report on a move that is looked up with the hash of another transaction, or one that paid another account, is found, and voided: the funds return, and are ordered again', async () => {
    const { api } = await stage.executor();
    const { partner, ids, move } = await stage.ordered();
    const { amount } = await stage.move(move.id);
    const before = await valueOf(ids);
    const foreign = await funds.token.send('transfer', STRANGER, 0n);
    await accepted(report(api, move.id, 'redeemed', Number(micro(amount) - 60_000_000n) / 1e6, foreign));
    await check();
    expect(await shown(move.id, 'redeemed')).toBe('mismatch wrong_account 0');
    expect(dataOf(await resolve(move.id, 'redeemed', 'void'), 200)).toMatchObject({
      status: 'failed',
      failure: 'voided',
      note: 'compared with the transaction',
      redeemed: { check: { resolution: 'void' } },
    });
    for (const id of ids) expect(await stage.position(id)).toMatchObject({ vault_id: A, status: 'active' });
    // The funds earned nothing meanwhile, and have what the report had cost.
    expect(Number((await valueOf(ids)) - before) / 1e6).toBeCloseTo(0, 1);
    const again = await stage.untilOrdered(partner);
    expect(again).toMatchObject({ from_vault_id: A, positions: 2 });

    const worth = await stage.move(again.id);
    const gone = await funds.run(funds.withdraw(micro(worth.amount), STRANGER));
    await accepted(report(api, again.id, 'redeemed', worth.amount, gone));
    await check();
    expect(await shown(again.id, 'redeemed')).toBe('mismatch wrong_account 0');
    dataOf(await resolve(again.id, 'redeemed', 'void'), 200);
  });

  it('A report on a move that is looked up is voided after its arrival, unless more was booked since', async () => {
    const { api } = await stage.executor();
    const { partner, ids, move } = await stage.ordered();
    await perform(api, move.id, 'redeemed');
    const { amount } = await stage.move(move.id);
    const failed = await funds.token.send('transfer', STRANGER, 10n ** 18n);
    await accepted(report(api, move.id, 'settled', Number(micro(amount) - 40_000_000n) / 1e6, failed));
    await check();
    expect(await shown(move.id, 'settled')).toBe('mismatch transaction_failed 0');
    expectError(await resolve(move.id, 'redeemed', 'void'), 409, 'move_not_open');
    stage.market.pass(600_000);
    expect(dataOf(await resolve(move.id, 'settled', 'void'), 200)).toMatchObject({
      status: 'failed',
      failure: 'voided',
    });
    expect(await valueOf(ids)).toBe(micro(amount));
    for (const id of ids) expect(await stage.position(id)).toMatchObject({ vault_id: IDLE });

    const again = await stage.untilOrdered(partner);
    expect(again.from_vault_id).toBe(IDLE);
    // The deposits themselves are on no chain, which would block their positions.
    await stage.sql('UPDATE settlements SET due_at = NULL');
    const { amount: cash } = await stage.move(again.id);
    await accepted(report(api, again.id, 'settled', cash, newTxHash()));
    stage.market.pass(3 * 3_600_000);
    await check();
    expect(await shown(again.id, 'settled')).toBe('not_found null null');
    await stage.withdraw(ids[0], 10);
    const refused = await resolve(again.id, 'settled', 'void');
    expectError(refused, 409, 'move_not_open');
    expect(refused.body.error.message).toContain('accept it');
    const value = await valueOf(ids);
    dataOf(await resolve(again.id, 'settled', 'accept'), 200);
    // A millisecond of yield.
    expect(Number((await valueOf(ids)) - value)).toBeLessThan(100);
  });

  it('A report on a move that is looked up and confirmed does not count towards the bounds of its key', async () => {
    const { api } = await stage.executor();
    const { routing } = stage.market.app.settings.constants;
    routing.maxDailyDeviation = 0.001;
    try {
      const { move } = await stage.ordered();
      const { amount } = await stage.move(move.id);
      // The vault pays out 0.09 % less than the books expect.
      const paid = (micro(amount) * 9991n) / 10_000n;
      await accepted(
        report(api, move.id, 'redeemed', Number(paid) / 1e6, await funds.run(funds.withdraw(paid))),
      );
      const less = Number((paid * 9998n) / 10_000n) / 1e6;
      expectError(await report(api, move.id, 'settled', less, newTxHash()), 422, 'amount_out_of_bounds');
      await check();
      expect(await shown(move.id, 'redeemed')).toBe(`confirmed null ${Number(paid) / 1e6}`);
      expect((await report(api, move.id, 'settled', less, newTxHash())).status).toBe(201);
    } finally {
      routing.maxDailyDeviation = 0.01;
    }
  });

  it('A payment of a withdrawal by user is looked up net of the custody account: what it keeps of the vault is found', async () => {
    const { api } = await stage.executor();
    const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const { partner } = await stage.party();
    const body = { external_id: `payments:${Date.now()}`, wallets: [wallet] };
    const { id: user } = dataOf(await partner.api.post('/users', body), 201);
    const { id } = await stage.deposit(user, 10_000);
    await stage.sql('UPDATE settlements SET due_at = NULL');
    const statusOf = async (...sent: Parameters<MovedFunds['run']>): Promise<string> => {
      const withdrawal = dataOf(
        await partner.api.post(`/users/${user}/withdrawals`, { asset: 'USDC', amount: 1_000 }),
        201,
      );
      stage.market.pass(1);
      const paid = { tx_hash: await funds.run(...sent), amount: 999.5, chain: 'ethereum' };
      dataOf(await stage.post(`/withdrawals/${withdrawal.id}/paid`, paid, {}, api), 201);
      await check();
      const [{ status, reason }] = await stage.get(`/settlements?position_id=${id}`);
      return `${status} ${reason}`;
    };
    const [whole, part] = [1_000_000_000n, 999_500_000n];
    // Out of the account, and out of the vault, which charged a fee.
    expect(await statusOf(funds.transfer(wallet, part))).toBe('confirmed null');
    expect(await statusOf(funds.withdraw(part), funds.transfer(wallet, part))).toBe('confirmed null');
    expect(await statusOf(funds.withdraw(part, wallet))).toBe('confirmed null');
    expect(await statusOf(funds.withdraw(whole), funds.transfer(wallet, part))).toBe(
      'mismatch wrong_custody_amount',
    );
  });

  it('A report on a move says why it cannot be looked up', async () => {
    const { api } = await stage.executor();
    const { settings } = stage.market.app;
    const { move } = await stage.ordered();
    await perform(api, move.id, 'redeemed');
    const reasonOf = async (): Promise<string> => (await checkOf(move.id, 'redeemed')).reason;
    const accounts = settings.custodyAccounts;
    settings.custodyAccounts = {};
    expect(await reasonOf()).toBe('no_custody_account');
    expect(await stage.market.app.application.get(SettlementChecks).pass()).toMatchObject({
      moveChanges: [],
    });
    settings.custodyAccounts = accounts;
    const vault = stage.vault(A);
    vault.exitDelayHours = 24;
    expect(await reasonOf()).toBe('contract_unknown');
    vault.exitDelayHours = 0;
    expect(await reasonOf()).toBe('not_checked_yet');
    await check();
    expect((await checkOf(move.id, 'redeemed')).status).toBe('confirmed');
  });
});
