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
    // Not all that these tests redeem returns to the vault.
    await funds.run(funds.approve(funds.vault.address, 10n ** 12n), funds.deposit(10n ** 12n));
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
  const reportAll = (
    api: Api,
    id: string,
    step: Step,
    transactions: readonly { tx_hash: string; amount: number }[],
    more = {},
  ): Promise<Answer> => {
    stage.market.pass(1);
    return stage.post(`/moves/${id}/${step}`, { transactions, ...more }, {}, api);
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

  /** Redeems in two transactions of the vault, and reports of the second one 0.3 % less than it paid out. */
  const redeemedShort = async (api: Api) => {
    const { partner, ids, move } = await stage.ordered();
    const total = micro((await stage.move(move.id)).amount);
    const parts = [total / 3n, total - total / 3n] as const;
    const hashes = [await funds.run(funds.withdraw(parts[0])), await funds.run(funds.withdraw(parts[1]))];
    const short = (parts[1] * 997n) / 1000n;
    const transactions = [
      { tx_hash: hashes[0]!, amount: Number(parts[0]) / 1e6 },
      { tx_hash: hashes[1]!, amount: Number(short) / 1e6 },
    ] as const;
    const before = await valueOf(ids);
    const reported = await accepted(reportAll(api, move.id, 'redeemed', transactions));
    return { partner, ids, move, total, parts, transactions, reported, before };
  };

  it('A report on a move that is looked up names several transactions, one of them 0.3 % short: that one contradicts the chain, its key is stopped, and accepting books what both moved', async () => {
    const { api } = await stage.executor();
    const { partner, ids, move, total, parts, transactions, reported } = await redeemedShort(api);
    const sum = micro(transactions[0].amount) + micro(transactions[1].amount);
    expect(reported.redeemed).toMatchObject({
      tx_hash: transactions[1].tx_hash,
      amount: Number(sum) / 1e6,
      check: { status: 'unchecked', reason: 'not_checked_yet', found_amount: null },
      transactions: transactions.map((transaction) => ({
        ...transaction,
        explorer_url: `https://etherscan.io/tx/${transaction.tx_hash}`,
        check: { status: 'unchecked', reason: 'not_checked_yet' },
      })),
    });
    // In any order, and letter case.
    const again = transactions
      .map(({ tx_hash, amount }) => ({ tx_hash: tx_hash.replace(/[a-f]/g, (c) => c.toUpperCase()), amount }))
      .toReversed();
    expect((await accepted(reportAll(api, move.id, 'redeemed', again))).redeemed).toEqual(reported.redeemed);
    const less = [transactions[0], { ...transactions[1], amount: transactions[1].amount - 1 }];
    expectError(await reportAll(api, move.id, 'redeemed', less), 409, 'move_already_reported');
    for (const { tx_hash, amount } of [transactions[1], { ...transactions[1], amount: Number(sum) / 1e6 }])
      expectError(await report(api, move.id, 'redeemed', amount, tx_hash), 409, 'move_already_reported');

    const { moveChanges } = await check();
    const changes = moveChanges.filter(({ orderId }) => orderId === move.id);
    expect(changes.map(({ txHash, status }) => [txHash, status]).toSorted()).toEqual(
      [
        [transactions[0].tx_hash, 'confirmed'],
        [transactions[1].tx_hash, 'mismatch'],
      ].toSorted(),
    );
    const { redeemed } = await stage.move(move.id);
    expect(redeemed.transactions.map((transaction: any) => transaction.check)).toMatchObject([
      { status: 'confirmed', reason: null, found_amount: transactions[0].amount },
      { status: 'mismatch', reason: 'wrong_amount', found_amount: Number(parts[1]) / 1e6 },
    ]);
    expect(redeemed.check).toMatchObject({
      status: 'mismatch',
      reason: 'wrong_amount',
      found_amount: Number(total) / 1e6,
      resolution: null,
    });
    expect(await told(move.id, partner)).toEqual([['begun'], ['begun']]);
    expectError(
      await report(api, move.id, 'settled', Number(sum) / 1e6, newTxHash()),
      409,
      'report_unresolved',
    );

    expect(await valueOf(ids)).toBe(sum);
    const resolved = dataOf(await resolve(move.id, 'redeemed', 'accept'), 200);
    expect(resolved).toMatchObject({ status: 'arriving', amount: Number(total) / 1e6 });
    expect(resolved.redeemed.check).toMatchObject({ status: 'mismatch', resolution: 'accept' });
    expect(dataOf(await resolve(move.id, 'redeemed', 'accept'), 200)).toEqual(resolved);
    expect(await valueOf(ids)).toBe(total);
    expect(await told(move.id, partner)).toEqual([
      ['begun', 'over'],
      ['begun', 'over'],
    ]);
    const { data } = (await stage.market.app.admin.get('/audit?operation=reportMoveRedeemed&limit=50')).body;
    const [change] = data.filter(({ after }: any) => after?.[move.id]?.redeemed_transactions);
    expect(change.after[move.id].redeemed_transactions).toEqual(
      Object.fromEntries(transactions.map(({ tx_hash, amount }) => [tx_hash, amount])),
    );
    await perform(api, move.id, 'settled');
    await check();
    expect(await shown(move.id, 'settled')).toBe(`confirmed null ${Number(total) / 1e6}`);
  });

  it('A report on a move that is looked up names several transactions, one of them short, and is voided with all of them', async () => {
    const { api } = await stage.executor();
    const { ids, move, transactions, before } = await redeemedShort(api);
    expect(await valueOf(ids)).toBeLessThan(before);
    await check();
    const resolved = dataOf(await resolve(move.id, 'redeemed', 'void'), 200);
    expect(resolved).toMatchObject({ status: 'failed', failure: 'voided' });
    expect(resolved.redeemed.check).toMatchObject({ status: 'mismatch', resolution: 'void' });
    for (const id of ids) expect(await stage.position(id)).toMatchObject({ vault_id: A, status: 'active' });
    // The funds earned nothing meanwhile, and have what the report had cost.
    expect(Number((await valueOf(ids)) - before) / 1e6).toBeCloseTo(0, 1);
    // The hashes serve no report any more.
    const { move: next } = await stage.ordered();
    const { amount } = await stage.move(next.id);
    await accepted(report(api, next.id, 'redeemed', amount, transactions[0].tx_hash));
    await check();
    expect((await checkOf(next.id, 'redeemed')).found_amount).toBe(transactions[0].amount);
    dataOf(await resolve(next.id, 'redeemed', 'void'), 200);
  });

  it('A report on a move that is looked up names several transactions, and is accepted once each is looked up', async () => {
    const { api } = await stage.executor();
    const { move } = await stage.ordered();
    const total = micro((await stage.move(move.id)).amount);
    const paid = await funds.run(funds.withdraw(total - 2_000_000n));
    const missing = newTxHash();
    const transactions = [
      { tx_hash: paid, amount: Number(total - 1_000_000n) / 1e6 },
      { tx_hash: missing, amount: 1 },
    ];
    await accepted(reportAll(api, move.id, 'redeemed', transactions));
    await check();
    const { redeemed } = await stage.move(move.id);
    expect(redeemed.transactions.map((transaction: any) => transaction.check)).toMatchObject([
      { status: 'mismatch', reason: 'wrong_amount', found_amount: Number(total - 2_000_000n) / 1e6 },
      { status: 'unchecked', reason: 'not_in_a_block', found_amount: null },
    ]);
    expect(redeemed.check).toMatchObject({ status: 'mismatch', found_amount: null });
    const refused = await resolve(move.id, 'redeemed', 'accept');
    expectError(refused, 409, 'move_not_open');
    expect(refused.body.error.message).toContain(missing);
    stage.market.pass(3 * 3_600_000);
    await stage.sql('UPDATE settlements SET due_at = NULL');
    await check();
    // What was found is booked; of what was not found, the report stands.
    const resolved = dataOf(await resolve(move.id, 'redeemed', 'accept'), 200);
    expect(resolved.redeemed.transactions[1].check.status).toBe('not_found');
    expect(resolved.amount).toBe(Number(total - 1_000_000n) / 1e6);
    await stage.done(`/moves/${move.id}/failed`, { note: 'end of the test' });
  });

  it('A report on a move that is looked up divides each of its transactions over a batch, and each is confirmed', async () => {
    const { api } = await stage.executor();
    const [first, other] = [await stage.party(), await stage.party()];
    await stage.deposit(first.user, 60_000);
    await stage.deposit(other.user, 33_333.333333);
    stage.see(0.05, 0.12);
    const { id, batch_id } = await stage.untilOrdered(first.partner);
    const batch = (await stage.get('/moves?status=requested')).filter(
      (move: any) => move.batch_id === batch_id,
    );
    expect(batch.length).toBeGreaterThan(1);
    const total = batch.reduce((sum: bigint, { amount }: any) => sum + micro(amount), 0n);
    const parts = [total / 7n, total / 3n, total - total / 7n - total / 3n];
    const transactions: { tx_hash: string; amount: number }[] = [];
    for (const part of parts)
      transactions.push({ tx_hash: await funds.run(funds.withdraw(part)), amount: Number(part) / 1e6 });
    await accepted(reportAll(api, id, 'redeemed', transactions, { batch: true }));
    const repeated = await accepted(reportAll(api, id, 'redeemed', transactions, { batch: true }));
    for (const [index, part] of parts.entries())
      expect(
        repeated.reduce(
          (sum: bigint, { redeemed }: any) => sum + micro(redeemed.transactions[index].amount),
          0n,
        ),
      ).toBe(part);
    expectError(
      await reportAll(api, id, 'redeemed', transactions.slice(1), { batch: true }),
      409,
      'move_already_reported',
    );
    await check();
    for (const { id: one, redeemed } of repeated) {
      expect(redeemed.transactions.reduce((sum: bigint, { amount }: any) => sum + micro(amount), 0n)).toBe(
        micro(redeemed.amount),
      );
      expect(await checkOf(one, 'redeemed')).toMatchObject({
        status: 'confirmed',
        found_amount: redeemed.amount,
      });
      await stage.done(`/moves/${one}/failed`, { note: 'end of the test' });
    }
  });

  it('A report on a move is refused where its transactions do not say what moved, by the name of the field', async () => {
    const { api } = await stage.executor();
    const { move } = await stage.ordered();
    const [one, two] = [newTxHash(), newTxHash()];
    const refusals: [object, Record<string, string>][] = [
      [{}, { tx_hash: 'is required', amount: 'is required' }],
      [{ transactions: [] }, { transactions: 'should not be empty' }],
      [{ transactions: [null] }, { 'transactions[0]': 'must be an object' }],
      [
        { transactions: Array.from({ length: 17 }, () => ({ tx_hash: newTxHash(), amount: 1 })) },
        { transactions: 'must contain no more than 16 elements' },
      ],
      [
        { tx_hash: one, amount: 1, transactions: [{ tx_hash: two, amount: 1 }] },
        {
          tx_hash: 'is not allowed beside transactions, which have it each',
          amount: 'is not allowed beside transactions, which have it each',
        },
      ],
      [
        {
          transactions: [
            { tx_hash: one, amount: 1 },
            { tx_hash: '0x5', amount: 1 },
          ],
        },
        { 'transactions[1].tx_hash': 'must be 0x and 64 hexadecimal digits' },
      ],
      [
        {
          transactions: [
            { tx_hash: one, amount: 0 },
            { tx_hash: two, chain: 'ethereum', amount: 1 },
          ],
        },
        {
          'transactions[0].amount':
            'must be a number above 0 and at most 1000000000, with at most 6 decimals',
          'transactions[1].chain': 'is not a known field',
        },
      ],
      [
        {
          transactions: [
            { tx_hash: one, amount: 1 },
            { tx_hash: two, amount: 0.0000001 },
          ],
        },
        { 'transactions[1].amount': 'must be above 0 and at most 1000000000, with at most 6 decimals' },
      ],
      [
        {
          transactions: [
            { tx_hash: one, amount: 1 },
            { tx_hash: `0x${one.slice(2).toUpperCase()}`, amount: 1 },
          ],
        },
        { 'transactions[1].tx_hash': 'is named twice' },
      ],
    ];
    for (const [body, details] of refusals)
      for (const path of ['redeemed', 'settled']) {
        const refused = await stage.post(`/moves/${move.id}/${path}`, body, {}, api);
        expectError(refused, 400, 'validation_failed');
        expect(
          Object.fromEntries(refused.body.error.details.map(({ field, message }: any) => [field, message])),
        ).toEqual(details);
      }
    await stage.done(`/moves/${move.id}/failed`, { note: 'end of the test' });
  });

  it('A report on a received deposit names the transactions that allocated it', async () => {
    const { api } = await stage.executor();
    const { user } = await stage.party();
    const received = await stage.deposit(user, 500, { allocated: false });
    const [order] = await stage.get(`/moves?position_id=${received.id}`);
    const transactions = [
      { tx_hash: newTxHash(), amount: 200.5 },
      { tx_hash: newTxHash(), amount: 299.4 },
    ];
    const path = `/positions/${received.id}/allocated`;
    stage.market.pass(1);
    expect((await accepted(stage.post(path, { transactions }, {}, api))).status).toBe('active');
    const { settled } = await stage.move(order.id);
    expect(settled).toMatchObject({ amount: 499.9, tx_hash: transactions[1]!.tx_hash, transactions });
    expect((await stage.post(path, { transactions }, {}, api)).status).toBe(201);
    expectError(
      await stage.post(path, { transactions: transactions.slice(1) }, {}, api),
      409,
      'move_already_reported',
    );
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

  it('A report on a move that is looked up and confirmed does not count towards the bounds of its key, and counts towards its alerts', async () => {
    const { api } = await stage.executor();
    const { routing } = stage.market.app.settings.constants;
    const { maxMonthlyDeviation } = routing;
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
      routing.maxMonthlyDeviation = 0.0015;
      expect((await report(api, move.id, 'settled', less, newTxHash())).status).toBe(201);
      // More than half of the month's bound together, though what no chain confirms is less.
      await untilSettled(stage.market.app);
      const { body } = await stage.market.app.admin.get('/alerts/events?limit=500');
      const messages = body.data
        .filter(({ data }: any) => data.alert?.move_id === move.id)
        .map(({ data }: any) => data.message);
      expect(messages.join('\n')).toContain(
        'within 30 days, with what a chain confirmed: the vaults may have kept the rest',
      );
    } finally {
      routing.maxDailyDeviation = 0.01;
      routing.maxMonthlyDeviation = maxMonthlyDeviation;
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
