import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { getAddress } from 'viem/utils';
import { SettlementChecks } from '../../src/domain/routing/settlements/settlement-checks.js';
import type { Hex } from '../../src/domain/markets/chain/chain-provider.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import { BLOCKS_TO_FINALITY } from '../support/chain/anvil.js';
import { ExecutedFunds } from '../support/chain/executed-funds.js';
import { ProviderProxy } from '../support/chain/provider-proxy.js';
import { dataOf } from '../support/fields.js';
import { A, B } from '../support/moves.js';
import type { TestPartner } from '../support/partner.js';

const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';

/** The executor's own process against a deployment and a chain: three providers, one of which lies. */
describe('the executor', () => {
  let funds: ExecutedFunds;
  let partner: TestPartner;
  let proxies: ProviderProxy[];
  let wallet: Hex;
  let userId: string;
  let positionId: string;

  beforeAll(async () => {
    funds = await ExecutedFunds.start();
    await funds.stage.market.app.application.get(HousekeepingTimer).stop();
    ({ partner } = await funds.stage.party());
    wallet = funds.anvil.accounts[2]!;
    const user = await partner.api.post('/users', { external_id: 'depositor', wallets: [wallet] });
    userId = dataOf(user, 201).id;
    proxies = [await ProviderProxy.open(funds.anvil.url), await ProviderProxy.open(funds.anvil.url)];
    proxies[1]!.mood = 'lie';
    const urls = [funds.anvil.url, ...proxies.map(({ url }) => url)].join(',');
    await funds.execute([partner.key], { RPC_URL_ETHEREUM: urls });
  }, 120_000);
  afterEach(async () => {
    expect(await funds.stage.differences()).toEqual([]);
  });
  afterAll(async () => {
    await funds?.close();
    proxies?.forEach((proxy) => proxy.close());
  });

  const withdrawal = (id: string): Promise<any> => funds.stage.get(`/withdrawals/${id}`);
  const withdraw = async (body: object): Promise<string> =>
    dataOf(await partner.api.post(`/users/${userId}/withdrawals`, { asset: 'USDC', ...body }), 201).id;
  const status = async (): Promise<any> => JSON.parse(await funds.command('status'));
  /** Amounts of the account's approvals, in order, with the spender. */
  const approvals = async (): Promise<[string, bigint][]> => {
    const topics = [APPROVAL, `0x${funds.account.slice(2).padStart(64, '0')}`];
    const logs = (await funds.anvil.rpc('eth_getLogs', {
      fromBlock: '0x0',
      address: funds.token.address,
      topics,
    })) as { topics: string[]; data: string }[];
    return logs.map((log) => [`0x${log.topics[2]!.slice(-40)}`, BigInt(log.data)]);
  };

  it('The executor reports a deposit of a known wallet once it is final, and puts it into the vault that the server chose', async () => {
    await funds.pay(wallet, 60_000_000_000n);
    await funds.until(async () => {
      const [position] = await funds.stage.get('/positions?limit=1');
      return position?.user_id === userId && position.status === 'active';
    });
    const [position] = await funds.stage.get('/positions?limit=1');
    positionId = position.id;
    expect(position).toMatchObject({ principal: 60_000, vault_id: A });
    expect(await funds.balanceOf(funds.account)).toBe(0n);
    expect(await approvals()).toEqual([[funds.vaults[A], 60_000_000_000n]]);
  });

  it('The executor carries out an order between vaults, approves exactly what it deposits, and reports what the receipts say', async () => {
    funds.stage.see(0.05, 0.3);
    const order = await funds.stage.untilOrdered(partner);
    // The vault earned what the books expect.
    await funds.token.send('mint', funds.vaults[A]!, 1_000_000_000n);
    await funds.until(async () => (await funds.stage.move(order.id)).status === 'settled');
    const { redeemed, settled } = await funds.stage.move(order.id);
    expect(settled.amount).toBe(redeemed.amount);
    expect(await funds.stage.position(positionId)).toMatchObject({ vault_id: B });
    expect((await approvals())[1]).toEqual([funds.vaults[B], BigInt(Math.round(settled.amount * 1e6))]);
    expect(BigInt(await funds.token.call('allowance', funds.account, funds.vaults[B]!))).toBe(0n);
  });

  it('The executor pays a withdrawal to the wallet that deposited', async () => {
    const before = await funds.balanceOf(wallet);
    const id = await withdraw({ amount: 300 });
    await funds.until(async () => (await withdrawal(id)).status === 'paid');
    expect(await withdrawal(id)).toMatchObject({ paid_amount: 300, cost: 0, wallet: getAddress(wallet) });
    expect((await funds.balanceOf(wallet)) - before).toBe(300_000_000n);
  });

  it('The executor leaves a withdrawal to a wallet that it never saw until an operator approves it', async () => {
    const other = getAddress(funds.anvil.accounts[3]!);
    dataOf(await partner.api.send('PATCH', `/users/${userId}`, { wallets: [wallet, other] }), 200);
    const id = await withdraw({ amount: 50, wallet: other });
    await funds.until(async () => (await status()).left_alone.some((entry: any) => entry.id === id));
    expect((await status()).left_alone[0].reason).toContain(`approve ${id}`);
    expect(await withdrawal(id)).toMatchObject({ status: 'requested' });
    expect(JSON.parse(await funds.command('approve', id))).toMatchObject({ approved: id, wallet: other });
    await funds.until(async () => (await withdrawal(id)).status === 'paid');
    expect(await funds.balanceOf(other)).toBe(50_000_000n);
  });

  it('The chain confirms every report of the executor, and its journal has nothing open', async () => {
    await funds.anvil.mine(BLOCKS_TO_FINALITY + 1, funds.stage.market.now());
    funds.stage.market.pass(60_000);
    await funds.stage.market.app.application.get(SettlementChecks).pass();
    const settlements = await funds.stage.get('/settlements');
    expect(settlements.map((entry: any) => entry.status)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    const { counts } = await status();
    expect(counts).toMatchObject({ deposits_unreported: 0, jobs_open: 0, jobs_stopped: 0 });
    const { address } = JSON.parse(funds.log.split('\n')[0]!);
    const served = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${address.port}${path}`);
    expect(await (await served('/health')).json()).toMatchObject({ status: 'ok' });
    const metrics = await (await served('/metrics')).text();
    expect(metrics).toContain('vaultline_executor_records{kind="jobs_stopped"} 0');
    // The one that lies is outvoted.
    expect(metrics).toMatch(/provider_faults_total\{chain="ethereum",provider="3"\} [1-9]/);
    const secrets = ['59c6995e', partner.key, proxies[0]!.url];
    expect(secrets.filter((text) => (funds.log + metrics).includes(text))).toEqual([]);
  });

  it('The executor says in a dry run what it would do, and does none of it', async () => {
    await funds.kill('SIGTERM');
    const id = await withdraw({ amount: 10, wallet });
    const before = await funds.balanceOf(wallet);
    funds.run('run', '--dry-run');
    await funds.until(async () => funds.news.includes('dry run: would take and pay'));
    expect(funds.news).toContain('dry run: would report a deposit');
    await funds.kill();
    expect(await withdrawal(id)).toMatchObject({ status: 'requested' });
    expect(await funds.balanceOf(wallet)).toBe(before);
  });
});
