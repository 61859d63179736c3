import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hex } from '../../src/domain/markets/chain/chain-provider.js';
import { SettlementChecks } from '../../src/domain/routing/settlements/settlement-checks.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import { BLOCKS_TO_FINALITY } from '../support/chain/anvil.js';
import { ExecutedFunds } from '../support/chain/executed-funds.js';
import { type Mood, ProviderProxy } from '../support/chain/provider-proxy.js';
import { ThreeAccounts } from '../support/chain/three-accounts.js';
import { FaultPlan } from '../support/executor-faults.js';
import { dataOf } from '../support/fields.js';
import { A } from '../support/moves.js';
import type { TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';
import { runs, SEED } from '../faults/load/runs.js';

const ROUNDS = runs(12);
const MINUTE_MS = 60_000;
const PAUSED = '0x60006000fd';

/** The executor's own process, a deployment and a chain, each of which fails. */
describe(`faults of the executor (FAULT_SEED=${SEED} FAULT_RUNS=${ROUNDS})`, () => {
  let funds: ExecutedFunds;
  let partner: TestPartner;
  let accounts: ThreeAccounts;
  let proxies: ProviderProxy[];
  let plan: FaultPlan;
  const users = new Map<Hex, string>();
  let [wallet, userId] = ['0x' as Hex, ''];
  /** Transactions of the account that the executor did not send. */
  const foreign = new Set<Hex>();

  beforeAll(async () => {
    funds = await ExecutedFunds.start();
    await funds.stage.market.app.application.get(HousekeepingTimer).stop();
    ({ partner } = await funds.stage.party());
    for (const address of funds.anvil.accounts.slice(2, 5)) {
      const body = { external_id: address, wallets: [address] };
      users.set(address, dataOf(await partner.api.post('/users', body), 201).id);
    }
    [[wallet, userId]] = users as unknown as [[Hex, string]];
    accounts = new ThreeAccounts(funds, users);
    proxies = [await ProviderProxy.open(funds.anvil.url), await ProviderProxy.open(funds.anvil.url)];
    plan = await FaultPlan.open(SEED, funds);
    const urls = [funds.anvil.url, ...proxies.map(({ url }) => url)].join(',');
    await execute({ RPC_URL_ETHEREUM: urls });
    await funds.until(async () => funds.news.includes('the executor runs'));
    await funds.pay(wallet, 60_000_000_000n);
    await untilNothingIsOpen();
  }, 3 * MINUTE_MS);
  afterEach(async () => {
    expect(await funds.stage.differences()).toEqual([]);
    const chain = await accounts.chain();
    expect(await accounts.books()).toEqual(chain);
    expect(accounts.journal()).toEqual(chain);
    expect(accounts.repeated()).toEqual([]);
    const hashes = await accounts.hashes();
    expect(hashes.journal).toEqual(hashes.chain.filter((hash) => !foreign.has(hash)));
    expect(plan.premature).toEqual([]);
  });
  afterAll(async () => {
    await funds?.close();
    for (const proxy of proxies ?? []) proxy.close();
    plan?.close();
  });

  /** Deposits are reported by a key of their own: reports on payments may then be less. */
  const execute = async (more: Record<string, string>, chain?: object): Promise<void> => {
    const { api } = await funds.stage.executor();
    await funds.execute([partner.key], { DEPOSITS_API_KEY: api.key!, ...more }, chain);
  };
  /** Until everything that is on the chain now was seen, and nothing of it is open. */
  const untilNothingIsOpen = async (): Promise<void> => {
    const height = await funds.anvil.height();
    await funds.until(
      async () => funds.isRunning && accounts.scanned() >= height && (await accounts.open()).length === 0,
    );
  };
  /** Until the server has found every report on the chain. */
  const untilConfirmed = async (): Promise<void> => {
    const { market } = funds.stage;
    await funds.anvil.mine(BLOCKS_TO_FINALITY + 1, market.now());
    await until(async () => {
      market.pass(MINUTE_MS);
      await market.app.application.get(SettlementChecks).pass();
      const reports = await funds.stage.sql<{ status: string }>(
        'SELECT status FROM settlements UNION ALL SELECT status FROM report_checks',
      );
      return reports.every(({ status }) => status === 'confirmed');
    });
  };
  const withdraw = async (body: object): Promise<string> =>
    dataOf(await partner.api.post(`/users/${userId}/withdrawals`, { asset: 'USDC', ...body }), 201).id;
  const withdrawal = (id: string): Promise<any> => funds.stage.get(`/withdrawals/${id}`);
  const untilPaid = async (id: string): Promise<any> => {
    await funds.until(async () => (await withdrawal(id)).status === 'paid');
    await untilNothingIsOpen();
    return withdrawal(id);
  };

  it('The executor pays rightly while a provider of three lies, lags or is silent, and does nothing without a majority', async () => {
    const nonces: Mood = {
      single: ({ method }, answer) =>
        method === 'eth_getTransactionCount' ? { ...answer, result: '0xff' } : undefined,
    };
    for (const mood of ['lie', { lag: 40 }, 'logs', 'receipts', 'price', nonces, 'timeout'] as const) {
      proxies[0]!.mood = mood;
      expect(await untilPaid(await withdraw({ amount: 5 }))).toMatchObject({ paid_amount: 5, cost: 0 });
    }
    proxies[0]!.mood = 'logs';
    proxies[1]!.mood = 'refuse';
    const id = await withdraw({ amount: 5 });
    await until(async () => /and 2 have to|of 3 providers answer/.test(funds.news.slice(-2000)));
    await funds.anvil.mine(5);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await withdrawal(id)).status).not.toBe('paid');
    proxies.forEach((proxy) => (proxy.mood = 'honest'));
    expect(await untilPaid(id)).toMatchObject({ paid_amount: 5, cost: 0 });
  });

  it('The executor replaces a stuck transaction by others with higher fees, within the bound, and one of them is included', async () => {
    await funds.kill();
    await execute({ STUCK_SECONDS: '1' }, { max_fee_gwei: 1.5 });
    await funds.anvil.rpc('evm_setAutomine', false);
    const id = await withdraw({ amount: 20 });
    await until(async () => funds.news.includes('a higher fee is beyond the bound'), MINUTE_MS / 2);
    const [stuck] = accounts.read<{ id: number }>(`SELECT id FROM transactions WHERE status = 'pending'`);
    const fees = accounts
      .read<{ fee: string }>(
        `SELECT max_fee AS fee FROM attempts WHERE transaction_id = ${stuck!.id} ORDER BY number`,
      )
      .map(({ fee }) => Number(fee));
    expect(fees.length).toBeGreaterThan(2);
    fees.slice(1).forEach((fee, index) => expect(fee / fees[index]!).toBeGreaterThanOrEqual(1.125));
    expect(fees.at(-1)).toBeLessThanOrEqual(1.5e9);
    await funds.anvil.rpc('evm_setAutomine', true);
    expect(await untilPaid(id)).toMatchObject({ paid_amount: 20, cost: 0 });
  });

  it('The executor leaves what a paused vault refuses, says why, and carries it out once the vault is open', async () => {
    const code = await funds.anvil.rpc('eth_getCode', funds.vaults[A]!, 'latest');
    await funds.anvil.rpc('anvil_setCode', funds.vaults[A]!, PAUSED);
    const id = await withdraw({ amount: 30 });
    for (const amount of [1_000_000_000n, 2_000_000_000n]) await funds.pay(wallet, amount);
    await funds.until(async () => {
      const { left_alone, jobs } = JSON.parse(await funds.command('status'));
      const waits = jobs.filter(
        (job: any) => job.note?.includes('revert') || job.note?.includes('allowance'),
      );
      return (
        left_alone.some((entry: any) => entry.id === id && entry.reason.includes('reverts')) &&
        waits.length === 2
      );
    });
    expect(await withdrawal(id)).toMatchObject({ status: 'requested' });
    const { length } = accounts.sent();
    for (let block = 0; block < 30; block++) {
      await funds.anvil.mine(1);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // It does not approve again and again what it cannot deposit.
    expect(accounts.sent()).toHaveLength(length);
    await funds.anvil.rpc('anvil_setCode', funds.vaults[A]!, code);
    expect(await untilPaid(id)).toMatchObject({ paid_amount: 30, cost: 0 });
  });

  it('The executor reports a payment that is less than was asked for as what the wallet received', async () => {
    // Until then the server allows no shortfall of funds that this key put into their vault.
    await untilConfirmed();
    await funds.token.send('burn', funds.vaults[A]!, 20_000_000n);
    const before = await funds.balanceOf(wallet);
    const { paid_amount, cost } = await untilPaid(await withdraw({}));
    expect(BigInt(Math.round(paid_amount * 1e6))).toBe((await funds.balanceOf(wallet)) - before);
    expect(cost).toBeGreaterThan(19);
  });

  it(
    'The executor sends nothing twice, reports nothing that did not happen and forgets nothing, when it is killed at any step and the chain reorganises',
    async () => {
      await funds.kill();
      const { RPC_URL_ETHEREUM, VAULTLINE_URL } = plan.urls;
      await execute({ RPC_URL_ETHEREUM, VAULTLINE_URL, POLL_MS: '50' });
      for (let round = 0; round < ROUNDS; round++) await plan.round(round, partner, users, foreign);
      process.stdout.write(`${plan.summary()}\n`);
      await plan.heal();
      // A payment whose report waited for hours is less than the books by then: reports that the chain confirms bound by how much it may be.
      await untilConfirmed();
      await untilNothingIsOpen();
      expect(plan.kills).toBeGreaterThanOrEqual(ROUNDS);
      expect(plan.met.size).toBeGreaterThan(ROUNDS / 3);
      for (const address of Object.values(funds.vaults))
        expect(BigInt(await funds.token.call('allowance', funds.account, address))).toBe(0n);
      await untilConfirmed();
    },
    MINUTE_MS * (2 + ROUNDS / 4),
  );
});
