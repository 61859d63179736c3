import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hex } from '../../src/domain/markets/chain/chain-provider.js';
import {
  SettlementChecks,
  type SettlementPass,
} from '../../src/domain/routing/settlements/settlement-checks.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import { DeploymentCounts } from '../../src/jobs/deployment-counts.js';
import type { Answer } from '../support/api.js';
import { untilSettled } from '../support/settled.js';
import { Anvil, BLOCKS_TO_FINALITY, type DeployedContract } from '../support/chain/anvil.js';
import { differencesOf } from '../support/differences.js';
import { expectError } from '../support/expected-error.js';
import { dataOf, expectRefused, TIME } from '../support/fields.js';
import { callsOf, runCall } from '../support/guide.js';
import { newTxHash, startMarket, type TestMarket } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { expectReplay } from '../support/posts.js';
import { until } from '../support/until.js';
import { change } from '../support/change.js';

const MICRO = 1_000_000;
const MINUTE_MS = 60_000;
const TREASURY = '0x00000000000000000000000000000000000070e5';

describe('partner contract: settlements', () => {
  let anvil: Anvil;
  let token: DeployedContract;
  let market: TestMarket;
  /** A user with the wallet that sends all of the chain's transactions. */
  let user: string;

  beforeAll(async () => {
    anvil = await Anvil.start();
    const wallet = anvil.accounts[0]!;
    token = await anvil.deploy('TestToken');
    await token.send('mint', wallet, 1_000_000 * MICRO);
    market = await startMarket('partner', {
      env: { RPC_URL_ETHEREUM: anvil.url },
      adjust: ({ settlements }, settings) => {
        settlements.notFoundHours = 2;
        // The chain of this file has tokens, but no vaults.
        settings.vaults = settings.vaults.map((vault) =>
          vault.feed.kind === 'chain' ? { ...vault, feed: vault.feed.secondSource! } : vault,
        );
      },
    });
    const { settings, application } = market.app;
    settings.tokens = [{ asset: 'USDC', chain: 'ethereum', address: token.address, decimals: 6 }];
    // The tests run the checks themselves: the scheduled job would take due checks first.
    await application.get(HousekeepingTimer).stop();
    await market.app.sql(
      `SELECT live_jobs.remove_job(key) FROM live_jobs.jobs WHERE key LIKE 'settlements %'`,
    );
    user = await createUser(market.partner, [wallet]);
  }, 60_000);
  afterAll(async () => {
    await market?.close();
    await anvil?.stop();
  });

  let count = 0;
  async function createUser({ api }: TestPartner, wallets: string[]): Promise<string> {
    const input = { external_id: `settlements:${++count}`, wallets };
    return dataOf(await api.post('/users', input), 201).id;
  }
  /** Transfers tokens from the user's wallet. @returns the hash of the transaction, which is in a block */
  const sent = (amount: number, to: string = TREASURY): Promise<Hex> =>
    token.send('transfer', to, amount * MICRO);
  const deposit = (amount: number, tx_hash: string, over: object = {}): Promise<Answer> =>
    market.protocol.post('/positions', { user_id: user, asset: 'USDC', amount, tx_hash, ...over });
  /** @returns the position */
  const deposited = async (amount: number, tx_hash: string, over: object = {}): Promise<any> =>
    dataOf(await deposit(amount, tx_hash, over), 201);
  const withdraw = (id: string, tx_hash: string, amount?: number): Promise<Answer> =>
    market.protocol.post(`/positions/${id}/withdrawals`, { tx_hash, ...(amount && { amount }) });
  const positionOf = async (id: string): Promise<any> =>
    dataOf(await market.protocol.get(`/positions/${id}`), 200);
  const activeEvents = (id: string): Promise<{ id: string }[]> =>
    market.app.sql(
      `SELECT id FROM events WHERE type = 'position.active' AND envelope->'data'->>'id' = $1 ORDER BY id`,
      [id],
    );
  const settlementOf = async (id: string): Promise<any> => (await positionOf(id)).settlement;
  const settlementsOf = async (id: string, query = ''): Promise<any[]> =>
    dataOf(await market.protocol.get(`/settlements?position_id=${id}${query}`), 200);
  const resolve = (id: string, action: string, headers = {}): Promise<Answer> =>
    market.protocol.post(`/settlements/${id}/resolve`, { action, note: 'Asked for.' }, headers);
  const ledgerOf = async (owner: string, api = market.partner.api): Promise<any[]> =>
    dataOf(await api.get(`/users/${owner}/ledger`), 200);
  /** Runs a check after the time at which a transaction in a block is due again. */
  const check = async (): Promise<SettlementPass> => {
    market.pass(MINUTE_MS);
    return (await market.app.application.get(SettlementChecks).pass())!;
  };
  /** Runs a check after every transaction became final, with a newest block that is recent by the deployment's clock. */
  /** Metrics after a census, as any process with a management port makes it. */
  const observed = async (): Promise<string> => {
    await market.app.application.get(DeploymentCounts).countBacklogs();
    return market.app.metrics();
  };
  const checkFinal = async (): Promise<SettlementPass> => {
    await finalize();
    return check();
  };
  const finalize = async (): Promise<void> => {
    market.pass(MINUTE_MS);
    await anvil.mine(BLOCKS_TO_FINALITY + 1, market.now());
  };
  /** Differences that `ledger verify` finds. */
  const differences = (): Promise<string[]> => differencesOf(market.app.application);
  const expectVerified = async (): Promise<void> => expect(await differences()).toEqual([]);
  /** A position whose deposit is reported with 100, while the chain moved 90. */
  const contradicted = async (): Promise<{ id: string; settlementId: string; hash: Hex }> => {
    const hash = await sent(90);
    const { id } = await deposited(100, hash);
    await checkFinal();
    const { id: settlementId, status } = await settlementOf(id);
    expect(status).toBe('mismatch');
    return { id, settlementId, hash };
  };

  it('Settlements of a deposit are seen, reorganised away, seen again and confirmed, without a change of the books', async () => {
    const hash = await sent(100);
    const raw = await anvil.rpc('eth_getRawTransactionByHash', hash);
    const { id, settlement } = await deposited(100, hash);
    const explorer_url = `https://etherscan.io/tx/${hash}`;
    const unknown = {
      block: null,
      checked_at: null,
      resolution: null,
      tx_hash: hash,
      chain: 'ethereum',
      explorer_url,
    };
    expect(settlement).toEqual({
      id: expect.stringMatching(/^set_/),
      status: 'unchecked',
      reason: 'not_checked_yet',
      ...unknown,
    });
    const block = await anvil.height();
    const seenSettlement = { ...settlement, status: 'seen', reason: null, block, checked_at: TIME };
    await check();
    expect(await settlementOf(id)).toEqual(seenSettlement);
    await anvil.reorganise(1);
    await check();
    expect(await settlementOf(id)).toEqual({
      ...seenSettlement,
      status: 'unchecked',
      reason: 'not_in_a_block',
      block: null,
    });
    await anvil.rpc('eth_sendRawTransaction', raw);
    await check();
    const again = await anvil.height();
    expect(await settlementOf(id)).toEqual({ ...seenSettlement, block: again });
    const { changes } = await checkFinal();
    expect(changes).toMatchObject([{ positionId: id, before: 'seen', status: 'confirmed', reason: null }]);
    const confirmed = { ...seenSettlement, status: 'confirmed', block: again };
    expect(await positionOf(id)).toMatchObject({ principal: 100, settlement: confirmed });
    const [entry] = (await ledgerOf(user)).filter(({ position_id }) => position_id === id);
    expect(entry).toMatchObject({ type: 'deposit', amount: 100, settlement: confirmed });
    // A final settlement is not checked again.
    expect(await check()).toMatchObject({ checked: 0 });
    await expectVerified();
  });

  it('Settlements with a mismatch send an alert to partner and administrators, and another one when resolved', async () => {
    const { app, partner, protocol } = market;
    await app.admin.post('/alerts/webhooks', { url: 'http://127.0.0.1:9/', active: false });
    const { id, settlementId } = await contradicted();
    const path = `/settlements/${settlementId}/resolve`;
    expect((await protocol.post(path, { action: 'accept', note: 'as it was agreed' })).status).toBe(200);
    await untilSettled(app);
    const answers = [await partner.api.get('/events?limit=500'), await app.admin.get('/alerts/events')];
    for (const { body } of answers) {
      const told = body.data.filter(({ data }: any) => data.alert?.settlement_id === settlementId);
      expect(told.map(({ type, data }: any) => [type, data.alert.kind, data.alert.state])).toEqual([
        ['system.status', 'settlement_mismatch', 'begun'],
        ['system.status', 'settlement_mismatch', 'over'],
      ]);
      const [begun, over] = told.map(({ data }: any) => data);
      expect(begun.message).toContain(`The deposit of 100 USDC of position ${id} contradicts the chain`);
      expect(begun.alert).toMatchObject({ vault_id: null, until: null });
      expect(begun.alert.what_to_do).toContain('/settlements/{id}/resolve');
      expect(over.alert.since).toBe(begun.alert.since);
      expect(over.message).toContain('was resolved, by accept');
    }
  });

  it('Settlements show a status and reason for each transaction: wrong amount, failed, no transfer, not found', async () => {
    const other = await anvil.deploy('TestToken');
    await other.send('mint', anvil.accounts[0], 10 * MICRO);
    const reports: [expected: string, hash: string][] = [
      ['confirmed null 10', await sent(10)],
      ['mismatch wrong_amount 9', await sent(9)],
      ['mismatch transaction_failed 0', await token.send('transfer', TREASURY, 10_000_000 * MICRO)],
      ['mismatch no_transfer 0', await other.send('transfer', TREASURY, 10 * MICRO)],
      ['unchecked not_in_a_block null', newTxHash()],
    ];
    const ids: string[] = [];
    for (const [, hash] of reports) ids.push((await deposited(10, hash)).id);
    const { id: unknown } = await positionOf(ids.at(-1)!);
    const paid = await positionOf(ids[0]!);
    const hash = await sent(4, anvil.accounts[1]);
    expect((await withdraw(paid.id, hash, 4)).status).toBe(201);
    const { checked } = await checkFinal();
    expect(checked).toBe(6);
    // Any process counts them, also one that checks none.
    const metrics = await observed();
    expect(metrics).toMatch(/^vaultline_settlements_unresolved\{status="mismatch"\} 4$/m);
    expect(metrics).toMatch(/^vaultline_settlements_unresolved\{status="not_found"\} 0$/m);
    const reasons: string[] = [];
    for (const id of ids) {
      const { status, reason, found_amount } = (await settlementsOf(id)).at(-1);
      reasons.push(`${status} ${reason} ${found_amount}`);
    }
    expect(reasons).toEqual(reports.map(([expected]) => expected));
    // The tokens went to a stranger's wallet: the user received nothing.
    expect(await settlementsOf(paid.id)).toMatchObject([
      { type: 'withdrawal', amount: 4, status: 'mismatch', reason: 'wrong_amount', found_amount: -4 },
      { type: 'deposit', status: 'confirmed' },
    ]);

    // The transaction is still unknown after hours; then a block contains it.
    market.pass(3 * 60 * MINUTE_MS);
    await checkFinal();
    expect(await settlementOf(unknown)).toMatchObject({ status: 'not_found', reason: null, block: null });
    const open = dataOf(await market.protocol.get('/settlements?status=not_found&resolution=open'), 200);
    expect(open).toMatchObject([{ position_id: unknown, partner_id: market.partner.id, user_id: user }]);
    expectError(await withdraw(unknown, newTxHash()), 409, 'settlement_unresolved');
  });

  it('Settlements with a mismatch block further transfers of their position until an executor accepts them', async () => {
    const { id, settlementId, hash } = await contradicted();
    const free = await deposited(10, await sent(10));
    for (const amount of [1, undefined])
      expectError(await withdraw(id, newTxHash(), amount), 409, 'settlement_unresolved');
    expectError(await withdraw(id, hash), 409, 'settlement_already_recorded');
    expect((await withdraw(free.id, newTxHash(), 1)).status).toBe(201);
    const headers = { 'idempotency-key': newTxHash() };
    const accepted = await resolve(settlementId, 'accept', headers);
    expect(dataOf(accepted, 200)).toMatchObject({
      id: settlementId,
      object: 'settlement',
      status: 'mismatch',
      reason: 'wrong_amount',
      amount: 100,
      found_amount: 90,
      chain: 'ethereum',
      tx_hash: hash,
      resolution: 'accept',
      note: 'Asked for.',
      resolved_at: TIME,
    });
    expectReplay(await resolve(settlementId, 'accept', headers), accepted);
    expectError(await resolve(settlementId, 'void'), 409, 'settlement_resolved');
    expect(await settlementsOf(id, '&resolution=open')).toEqual([]);
    expect((await withdraw(id, newTxHash(), 1)).status).toBe(201);
    await expectVerified();

    const turn = (resolution: string, from: string, to: string): Promise<unknown> =>
      market.app.sql(
        `UPDATE settlements SET resolution = '${resolution}', ${to} = ${from}, ${from} = NULL WHERE id = $1`,
        [settlementId],
      );
    await turn('void', 'tx_hash', 'voided_tx_hash');
    expect(await differences()).toEqual([
      `transfer ${hash}: is voided, and no entry of ${id} takes it back`,
      `settlements ${settlementId}: resolution is "void", but according to the audit log it is "accept"`,
      `settlements ${settlementId}: voided_tx_hash is "${hash}", but according to the audit log it is null`,
    ]);
    await turn('accept', 'voided_tx_hash', 'tx_hash');
  });

  it('Settlements are resolved by the calls of docs/live.md as printed', async () => {
    const { id, settlementId: SETTLEMENT, hash } = await contradicted();
    const [list, resolution, ...more] = callsOf('docs/live.md', 'Settlements');
    expect(more).toEqual([]);
    const run = (call: string | undefined): Promise<any> => runCall(call, market.protocol, { SETTLEMENT });
    expect(await run(list)).toContainEqual(expect.objectContaining({ id: SETTLEMENT, position_id: id }));
    const voided = await run(resolution);
    expect(voided).toMatchObject({ id: SETTLEMENT, resolution: 'void', tx_hash: hash });
    expect(await run(resolution)).toEqual(voided);
    expect(await positionOf(id)).toMatchObject({ status: 'closed', value: 0 });
    // The deposit is reported again with its true amount; vaults were observed this hour.
    await market.tick();
    expect(await deposited(90, hash)).toMatchObject({ status: 'active', value: 90 });
    await expectVerified();
  });

  it('A void of a deposit reverses its value, yield and fees, and frees its hash for a correct report', async () => {
    const reports = async (): Promise<any[]> => {
      const read = async (path: string): Promise<any> => {
        const { as_of: _, ...data } = dataOf(await owner.api.get(`/partner/${path}`), 200);
        return data;
      };
      return [await read('deposits'), await read('yield'), await read('revenue'), await read('points')];
    };
    const owner = await createPartner(market.app.admin);
    const holder = await createUser(owner, [anvil.accounts[0]!]);
    const before = await reports();
    const hash = await sent(90_000);
    await market.tick();
    const { id } = await deposited(100_000, hash, { user_id: holder });
    await market.advance(30);
    expect((await withdraw(id, newTxHash(), 50)).status).toBe(201);
    expect((await reports())[2]).not.toEqual(before[2]);
    await checkFinal();
    const [reported] = await settlementsOf(id, '&status=mismatch');
    const voided = dataOf(await resolve(reported.id, 'void'), 200);
    expect(voided).toMatchObject({ status: 'mismatch', resolution: 'void', tx_hash: hash });
    expect(await positionOf(id)).toMatchObject({ status: 'closed', value: 0, principal: 0, yield: 0 });
    const entries = (await ledgerOf(holder, owner.api)).reverse();
    expect(entries.at(-1)).toMatchObject({ type: 'withdrawal', amount: 99_950, settlement: null });
    expect(entries.at(-1).note).toContain(`Void of the deposit ${hash}`);
    expect(entries.at(-1).voids).toBe(hash);
    expect(entries[0].settlement).toMatchObject({ id: reported.id, resolution: 'void' });
    const earned = entries.filter(({ type }) => type === 'yield_accrual').map(({ amount }) => amount);
    expect(earned.length).toBeGreaterThan(2);
    expect(earned.reduce((sum, amount) => sum + Math.round(amount * MICRO), 0)).toBe(0);
    // The paid-out amount stays paid, and is all that remains of the deposit.
    const [deposits, yielded, revenue, points] = await reports();
    expect(deposits).toMatchObject({ total: 50, count: 1 });
    expect([yielded, revenue, points]).toEqual(before.slice(1));
    await expectVerified();

    const again = await deposited(90_000, hash, { user_id: holder });
    await check();
    expect(again.id).not.toBe(id);
    expect(await settlementOf(again.id)).toMatchObject({ status: 'confirmed' });
    expectError(await deposit(90_000, hash, { user_id: holder }), 409, 'settlement_already_recorded');
    await expectVerified();
  });

  it('Settlements of a split deposit are one for all its positions: one amount to find, one void for all of them', async () => {
    const split = async (amount: number, hash: string): Promise<any[]> =>
      dataOf(await deposit(amount, hash, { split: true }), 201);
    const right = await split(800, await sent(800));
    const hash = await sent(700);
    const wrong = await split(800, hash);
    await checkFinal();
    for (const { id } of right) expect(await settlementOf(id)).toMatchObject({ status: 'confirmed' });
    const [first, last] = [wrong[0], wrong.at(-1)];
    const [reported] = await settlementsOf(last.id);
    expect(reported).toMatchObject({
      position_id: first.id,
      deposit_id: last.deposit_id,
      amount: 800,
      found_amount: 700,
    });
    expectError(await withdraw(last.id, newTxHash(), 1), 409, 'settlement_unresolved');
    await expectVerified();
    expect(dataOf(await resolve(reported.id, 'void'), 200)).toMatchObject({ resolution: 'void' });
    for (const { id } of wrong)
      expect(await positionOf(id)).toMatchObject({ status: 'closed', principal: 0 });
    const entries = await ledgerOf(user);
    expect(entries.filter(({ settlement }) => settlement?.id === reported.id)).toHaveLength(8);
    await expectVerified();
    expect(await split(700, hash)).toHaveLength(8);
    expect((await withdraw(right[0].id, newTxHash())).status).toBe(201);
    await expectVerified();
  });

  it('A void of a withdrawal restores its amount, and reopens the position it closed', async () => {
    const { id } = await deposited(1_000, await sent(1_000));
    await market.advance(5);
    const part = dataOf(await withdraw(id, await token.send('burn', TREASURY, 1), 400), 201);
    const hash = await token.send('mint', TREASURY, MICRO);
    const all = dataOf(await withdraw(id, hash), 201);
    expect([part.status, all.status]).toEqual(['active', 'closed']);
    await checkFinal();
    const [last, first] = await settlementsOf(id, '&status=mismatch');
    expect([last.amount, first.amount]).toEqual([all.amount, 400]);
    expect(dataOf(await resolve(last.id, 'void'), 200)).toMatchObject({ resolution: 'void', tx_hash: hash });
    const open = await positionOf(id);
    expect(open).toMatchObject({ status: 'active', closed_at: null, settlement: { id: first.id } });
    expect(open.value).toBeCloseTo(all.amount, 3);
    await expectVerified();
    const reopened = await activeEvents(id);
    dataOf(await resolve(first.id, 'void'), 200);
    expect(await activeEvents(id)).toEqual(reopened);
    const whole = await positionOf(id);
    expect(whole.principal).toBe(1_000);
    expect(whole.value).toBeCloseTo(400 + all.amount, 3);
    const [entry] = await ledgerOf(user);
    expect(entry).toMatchObject({ type: 'deposit', amount: 400, settlement: null });
    expect(entry.note).toContain(`Void of the withdrawal ${first.tx_hash}`);
    await market.advance(2);
    await expectVerified();
    expect(dataOf(await withdraw(id, newTxHash()), 201).status).toBe('closed');
    await expectVerified();
  });

  it.each([
    ['in full', undefined, 'position_closed'],
    ['but for its yield', 2_000, 'insufficient_balance'],
  ])('A void of a deposit that was paid out %s is refused; it can be accepted', async (_, paid, code) => {
    const { id } = await deposited(2_000, await sent(1));
    await market.advance(2);
    dataOf(await withdraw(id, newTxHash(), paid), 201);
    await checkFinal();
    const { id: settlementId } = (await settlementsOf(id, '&status=mismatch'))[0];
    expectError(await resolve(settlementId, 'void'), 409, code);
    expect(dataOf(await resolve(settlementId, 'accept'), 200).resolution).toBe('accept');
    await expectVerified();
  });

  it('Settlements with a mismatch are logged and counted by the job that checks them', async () => {
    const { id } = await deposited(5, await sent(4));
    await finalize();
    await market.app.sql(`SELECT live_jobs.add_job('settlements')`);
    await until(async () => (await settlementOf(id)).status === 'mismatch');
    await until(async () => market.app.logs().includes(`"positionId":"${id}"`));
    expect(market.app.logs()).toContain('the chain contradicts a reported transfer');
    const metrics = await observed();
    expect(metrics).toMatch(/vaultline_settlements_total\{status="mismatch"\} \d/);
    expect(metrics).toMatch(/vaultline_settlements_unresolved\{status="mismatch"\} [1-9]/);
  });

  it("Settlements of one partner, however many, do not delay another's", async () => {
    using _ = change(market.app.settings.constants.settlements, {
      checksPerPass: 10,
      checksPerPassPerPartner: 6,
    });
    const [many, smallPartner] = [
      await createPartner(market.app.admin),
      await createPartner(market.app.admin),
    ];
    const [crowd, single] = [
      await createUser(many, []),
      await createUser(smallPartner, [anvil.accounts[0]!]),
    ];
    for (let index = 0; index < 20; index++) await deposited(1, newTxHash(), { user_id: crowd });
    const { id } = await deposited(7, await sent(7), { user_id: single });
    const { checked } = await checkFinal();
    expect(checked).toBeLessThanOrEqual(10);
    expect(await settlementOf(id)).toMatchObject({ status: 'confirmed' });
  });

  it('Settlements of an unavailable chain stay unchecked, and are checked again', async () => {
    const { id } = await deposited(6, await sent(6));
    const { settings } = market.app;
    const tokens = settings.tokens;
    settings.tokens = [];
    try {
      await check();
      expect(await settlementOf(id)).toMatchObject({ status: 'unchecked', reason: 'token_unknown' });
    } finally {
      settings.tokens = tokens;
    }
    await until(async () => {
      await checkFinal();
      return (await settlementOf(id)).status === 'confirmed';
    });
  });

  it('Settlements need a chain in the report if the asset is on several', async () => {
    const reasons: unknown[] = [];
    for (const chain of [undefined, 'ethereum', 'arbitrum'])
      reasons.push((await deposited(1, newTxHash(), { asset: 'USDT0', chain })).settlement.reason);
    expect(reasons).toEqual(['chain_not_named', 'token_unknown', 'token_unknown']);
    for (const chain of ['base', 'solana'])
      expectRefused(await deposit(1, newTxHash(), { asset: 'USDT0', chain }), 'chain');
    for (const chain of ['', 'Ethereum', 'e', 7, null, ['ethereum']])
      expectRefused(await deposit(1, newTxHash(), { chain }), 'chain');
    expectRefused(await deposit(1, newTxHash(), { chain: 'arbitrum' }), 'chain');
  });
});
