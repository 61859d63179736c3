import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encodeFunctionData, getAddress, parseAbi } from 'viem/utils';
import { stringify } from 'yaml';
import type { Hex } from '../../src/domain/markets/chain/chain-provider.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import { type AccountCall, callsOf } from '../support/chain/account-calls.js';
import { Anvil, type DeployedContract } from '../support/chain/anvil.js';
import { ExecutedFunds } from '../support/chain/executed-funds.js';
import { type Alter, HostileServer } from '../support/chain/hostile-server.js';
import { dataOf } from '../support/fields.js';
import { A, B, IDLE } from '../support/moves.js';
import type { TestPartner } from '../support/partner.js';

const STRANGER: Hex = '0x000000000000000000000000000000000000dEaD';
const [COIN_VAULT, BASE_VAULT, COIN_IDLE] = ['vlt_coin', 'vlt_base', 'vlt_idle_usdt0'];
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Of the account's transactions in whole units: USDC has 6 decimals, the coin (USDT0) 18. */
const LIMITS = {
  USDC: { vault_limits: { transaction: 1200, day: 20_000 }, payout_limits: { transaction: 200, day: 1000 } },
  USDT0: { vault_limits: { transaction: 10, day: 25 }, payout_limits: { transaction: 10, day: 25 } },
};
const MAX_GAIN = 0.25;
const ERC20 = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function deposit(uint256 amount, address receiver)',
]);
const cash = (amount: number): { vault_id: string; amount: number }[] => [{ vault_id: IDLE, amount }];

/** The executor's own process, whose server was taken over: nothing leaves the allowlist, and nothing is paid to a stranger. */
describe('the executor with a hostile server', () => {
  let funds: ExecutedFunds;
  let base: Anvil;
  let hostile: HostileServer;
  let partner: TestPartner;
  let userId: string;
  let [wallet, second, dusty]: [Hex, Hex, Hex] = [STRANGER, STRANGER, STRANGER];
  let coin: DeployedContract;
  let coinVault: DeployedContract;
  /** The last block before the executor started. */
  let origin: number;
  let mark: number;

  beforeAll(async () => {
    funds = await ExecutedFunds.start();
    const { anvil, token, account, stage } = funds;
    await stage.market.app.application.get(HousekeepingTimer).stop();
    ({ partner } = await stage.party());
    [wallet, second, dusty] = [anvil.accounts[2]!, anvil.accounts[4]!, anvil.accounts[5]!];
    userId = dataOf(await partner.api.post('/users', { external_id: 'first', wallets: [wallet] }), 201).id;
    // What an attacker would want: cash, and a token of 18 decimals, in the account and in a vault.
    await token.send('mint', account, 5_400_000_000n);
    coin = await anvil.deploy('TestVault', token.address, 12);
    coinVault = await anvil.deploy('TestVault', coin.address, 0);
    const act = (to: Hex, functionName: 'approve' | 'deposit', args: [any, any]): Promise<unknown> =>
      anvil.rpc('eth_sendTransaction', {
        from: account,
        to,
        data: encodeFunctionData({ abi: ERC20, functionName, args }),
      });
    await act(token.address, 'approve', [coin.address, 400_000_000n]);
    await act(coin.address, 'deposit', [400_000_000n, account]);
    await act(coin.address, 'approve', [coinVault.address, 200n * 10n ** 18n]);
    await act(coinVault.address, 'deposit', [200n * 10n ** 18n, account]);
    await anvil.mine(4);
    origin = await anvil.height();
    base = await Anvil.start({ chainId: 8453 });
    const baseToken = await base.deploy('TestToken');
    const baseVault = await base.deploy('TestVault', baseToken.address, 12);
    await baseToken.send('mint', account, 1_000_000_000n);
    const ethereum = {
      max_fee_gwei: 100,
      deposits_from_block: origin + 1,
      tokens: {
        USDC: { address: getAddress(token.address), decimals: 6, ...LIMITS.USDC },
        USDT0: { address: getAddress(coin.address), decimals: 18, ...LIMITS.USDT0 },
      },
      vaults: {
        [A]: { kind: 'erc4626', asset: 'USDC', address: getAddress(funds.vaults[A]!) },
        [B]: { kind: 'aave-v3', asset: 'USDC', address: getAddress(funds.vaults[B]!) },
        [COIN_VAULT]: { kind: 'erc4626', asset: 'USDT0', address: getAddress(coinVault.address) },
      },
    };
    const onBase = {
      max_fee_gwei: 100,
      tokens: { EURC: { address: getAddress(baseToken.address), decimals: 6, ...LIMITS.USDC } },
      vaults: { [BASE_VAULT]: { kind: 'erc4626', asset: 'EURC', address: getAddress(baseVault.address) } },
    };
    const path = join(funds.folder, 'hostile.yaml');
    const chains = { ethereum, base: onBase };
    writeFileSync(path, stringify({ account: getAddress(account), max_gain: MAX_GAIN, chains }));
    hostile = await HostileServer.open(stage.market.app.admin.url);
    const settings = { VAULTLINE_URL: hostile.url, ALLOWLIST: path, RPC_URL_BASE: base.url };
    await funds.execute([partner.key], settings);
    for (let count = 0; count < 2; count++) await funds.pay(wallet, 1_000_000_000n);
    await untilActive(2);
  }, 240_000);
  beforeEach(() => {
    mark = funds.log.length;
  });
  afterEach(async () => {
    hostile.beHonest();
    await requireAllowed();
  });
  afterAll(async () => {
    hostile?.close();
    await funds?.close();
    await base?.stop();
  });

  const untilActive = (count: number): Promise<void> =>
    funds.until(async () => {
      const list: any[] = await funds.stage.get('/positions?limit=100');
      return list.filter(({ status }) => status === 'active').length >= count;
    });
  const said = (...texts: string[]): Promise<void> =>
    funds.until(async () => {
      const log = funds.log.slice(mark);
      return texts.every((text) => log.includes(text));
    });
  const withdraw = async (amount: number, user = userId): Promise<string> =>
    dataOf(await partner.api.post(`/users/${user}/withdrawals`, { asset: 'USDC', amount }), 201).id;
  const untilPaid = (id: string): Promise<void> =>
    funds.until(async () => (await funds.stage.get(`/withdrawals/${id}`)).status === 'paid');
  const status = async (): Promise<any> => JSON.parse(await funds.command('status'));
  const seen: AccountCall[] = [];
  let scanned = 0;
  /** All transactions of the account since the executor started. */
  const calls = async (): Promise<AccountCall[]> => {
    const height = await funds.anvil.height();
    seen.push(...(await callsOf(funds.anvil, funds.account, Math.max(origin, scanned), height)));
    scanned = height;
    return [...seen];
  };
  /** A row of lists and of look-ups, of one kind. */
  const rowsOf =
    (prefix: string, change: (row: any, call: string) => object): Alter =>
    (row, call) =>
      typeof row?.id === 'string' && row.id.startsWith(prefix) ? { ...row, ...change(row, call) } : row;
  const spent = (sent: AccountCall[], to: Hex): bigint =>
    sent
      .filter(({ method, parties }) => method === 'transfer' && parties[0] === to.toLowerCase())
      .reduce((sum, { amount }) => sum + amount, 0n);

  /** Of all that the account ever did: each transaction is in the allowlist, within the limits, for itself or for a wallet that deposited. */
  async function requireAllowed(): Promise<void> {
    const { anvil, account } = funds;
    const sent = await calls();
    const tokens = [
      {
        address: funds.token.address,
        unit: 10n ** 6n,
        vaults: [funds.vaults[A]!, funds.vaults[B]!],
        ...LIMITS.USDC,
      },
      { address: coin.address, unit: 10n ** 18n, vaults: [coinVault.address], ...LIMITS.USDT0 },
    ];
    for (const { address, unit, vaults, vault_limits, payout_limits } of tokens) {
      const topics = [TRANSFER, null, `0x${account.slice(2).padStart(64, '0')}`];
      const logs = (await anvil.rpc('eth_getLogs', {
        fromBlock: `0x${origin.toString(16)}`,
        address,
        topics,
      })) as any[];
      const deposited = new Map<string, bigint>();
      const ours = new Set(sent.map(({ hash }) => hash));
      for (const {
        topics: [, from],
        data,
        transactionHash,
      } of logs) {
        const holder = `0x${from.slice(-40)}`;
        if (!ours.has(transactionHash) && BigInt(from) > 0n)
          deposited.set(holder, (deposited.get(holder) ?? 0n) + BigInt(data));
      }
      const limit = (whole: number): bigint => BigInt(whole) * unit;
      const [paid, moved] = [new Map<string, bigint>(), { sum: 0n }];
      for (const { to, method, amount, parties } of sent) {
        if (method === 'transfer' && to === address.toLowerCase()) {
          expect(amount).toBeLessThanOrEqual(limit(payout_limits.transaction));
          paid.set(parties[0]!, (paid.get(parties[0]!) ?? 0n) + amount);
        } else if (method !== 'transfer' && vaults.some((vault) => to === vault.toLowerCase())) {
          expect(amount).toBeLessThanOrEqual(limit(vault_limits.transaction));
          for (const party of parties) expect([account, address.toLowerCase()]).toContain(party);
          moved.sum += amount;
        } else if (method === 'approve' && to === address.toLowerCase()) {
          expect(amount).toBeLessThanOrEqual(limit(vault_limits.transaction));
          expect(vaults).toContain(parties[0]);
        }
      }
      expect(moved.sum).toBeLessThanOrEqual(limit(vault_limits.day));
      expect([...paid.values()].reduce((sum, amount) => sum + amount, 0n)).toBeLessThanOrEqual(
        limit(payout_limits.day),
      );
      for (const [holder, amount] of paid)
        expect(amount * 4n).toBeLessThanOrEqual((deposited.get(holder) ?? 0n) * BigInt(4 * (1 + MAX_GAIN)));
    }
    const known = tokens.flatMap(({ address, vaults }) => [address, ...vaults]);
    for (const { to, value } of sent) {
      expect(known.map((address) => address.toLowerCase())).toContain(to);
      expect(value).toBe(0n);
    }
    expect(await callsOf(base, account, 0, await base.height())).toEqual([]);
    expect(await funds.balanceOf(STRANGER)).toBe(0n);
  }

  it('The executor with a hostile server leaves an order into another vault, beyond the limits, or of other assets and chains', async () => {
    let turn = 0;
    const changes = [
      { to_vault_id: 'vlt_stranger' },
      { amount: 1200.000001 },
      { asset: 'USDT0' },
      { to_vault_id: BASE_VAULT },
    ];
    hostile.alter = rowsOf('mov_', () => changes[turn]!);
    const before = await calls();
    await funds.pay(wallet, 100_000_000n);
    const reasons = [
      'vlt_stranger is not in the allowlist',
      'more than 1200 USDC in a transaction',
      'is a vault of USDC',
      'vlt_base is a vault of EURC',
    ];
    for (; turn < changes.length; turn++) await said(reasons[turn]!);
    turn = 0;
    hostile.alter = rowsOf('mov_', ({ id }) => (id.includes('forged') ? {} : changes[0]!));
    hostile.move(A, COIN_VAULT, 5);
    hostile.move(COIN_VAULT, A, 5, 'USDT0');
    hostile.move(A, BASE_VAULT, 5);
    hostile.move(IDLE, COIN_IDLE, 5);
    await said(
      'vlt_coin is a vault of USDT0, and the order is of USDC',
      'and the order is of USDT0',
      'it is between no vaults',
    );
    expect(await calls()).toEqual(before);
    hostile.beHonest();
    await untilActive(3);
  });

  it('The executor with a hostile server does nothing more for an order whose amount grows once it is taken, and goes on when it is as before', async () => {
    hostile.alter = rowsOf('mov_', ({ amount }, call) =>
      call === 'GET /moves' ? {} : { amount: amount * 1.02 },
    );
    await funds.pay(wallet, 100_000_000n);
    await said('the server asks for 102000000 units, and the order has 101000000');
    hostile.beHonest();
    await untilActive(4);
  });

  it('The executor with a hostile server does not read the calldata, the spender or the receiver of an answer', async () => {
    const data = `0xa9059cbb${STRANGER.slice(2).padStart(64, '0')}${'f'.repeat(64)}`;
    const bait = {
      spender: STRANGER,
      receiver: STRANGER,
      to: STRANGER,
      account: STRANGER,
      calls: [{ to: funds.token.address, data }],
    };
    hostile.alter = (row) => ({ ...row, ...bait });
    await funds.pay(wallet, 100_000_000n);
    await untilActive(5);
    await untilPaid(await withdraw(1));
  });

  it('The executor with a hostile server leaves a payment to a fresh wallet, in another asset, with parts of two chains, or with more in its parts than in all', async () => {
    let turn = 0;
    const parts = (...amounts: [string, number][]): object => ({
      parts: amounts.map(([vault_id, amount]) => ({ vault_id, amount })),
    });
    const changes = [
      { wallet: STRANGER },
      { asset: 'USDT0' },
      parts([A, 1], [BASE_VAULT, 1]),
      parts([A, 2]),
      { wallet: funds.vaults[A] },
      { wallet: null },
    ];
    hostile.alter = rowsOf('wdr_', () => changes[turn]!);
    const id = await withdraw(1);
    const reasons = [
      `no deposit from ${STRANGER}`,
      'is no vault of USDT0|was seen',
      'several chains',
      'parts are more',
      'no deposit from',
      'no wallet is known',
    ];
    for (; turn < changes.length; turn++) {
      await funds.until(async () => new RegExp(reasons[turn]!).test(funds.log.slice(mark)));
      mark = funds.log.length;
    }
    turn = 0;
    hostile.beHonest();
    await untilPaid(id);
  });

  it('The executor with a hostile server stops a payment whose wallet changes once it is taken, and pays others', async () => {
    hostile.alter = rowsOf('wdr_', (_, call) => (call === 'GET /withdrawals' ? {} : { wallet: STRANGER }));
    const id = await withdraw(1);
    await said('stopped, an operator has to look at it: the server names another wallet');
    hostile.beHonest();
    await untilPaid(await withdraw(1));
    const stopped = (await status()).jobs.find((job: any) => job.id === id);
    expect(stopped).toMatchObject({ status: 'stopped', transactions: [] });
  });

  it('The executor with a hostile server pays a withdrawal once, whether it is listed twice, is unpaid again, or comes back with another amount', async () => {
    const before = await funds.balanceOf(wallet);
    const id = await withdraw(3);
    hostile.alter = (row, call) => (call === 'GET /withdrawals' && row.id === id ? [row, row] : row);
    await untilPaid(id);
    const paid = await funds.stage.get(`/withdrawals/${id}`);
    const again = { ...paid, status: 'requested', amount: 150, ended_at: null, parts: cash(150) };
    hostile.reply = (call, response) => {
      if (call !== 'GET /withdrawals' && !call.includes(id)) return false;
      const data =
        call === 'GET /withdrawals'
          ? [again]
          : { ...again, status: ['taken', 'paid'][Math.round(Math.random())] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
      return true;
    };
    const [passes, height] = [5, await funds.anvil.height()];
    await funds.until(async () => (await funds.anvil.height()) > height + 10 * passes);
    hostile.beHonest();
    await untilPaid(await withdraw(1));
    expect((await funds.balanceOf(wallet)) - before).toBe(4_000_000n);
  });

  it('The executor with a hostile server redeems no more for a withdrawal than was taken, however its parts change', async () => {
    const id = hostile.withdrawal(wallet, 10, [{ vault_id: COIN_VAULT, amount: 10 }]);
    await said('is no vault of USDC');
    let isRedeemed = false;
    hostile.alter = rowsOf(id, () => ({ parts: [{ vault_id: isRedeemed ? A : B, amount: 10 }] }));
    // Its redemption is final only after further blocks, which are mined later.
    await said('"step":"redeem"');
    isRedeemed = true;
    await said('20000000 units are more than was taken');
    hostile.alter = rowsOf(id, () => ({ parts: [{ vault_id: B, amount: 10 }] }));
    await funds.until(async () => hostile.statusOf(id) === 'paid');
  });

  it('The executor with a hostile server takes no amount or id of another form', async () => {
    const amounts = [-1, '1e3', '1', 1e21, null, 'NaN', 1e-7, { valueOf: 1 }, [1], '0x10', 1e300, true];
    const ids = ['../../keys', '', 5, null, {}, 'x'.repeat(1_000_000), 'wdr_%2e%2e', '__proto__/taken'];
    const forms: object[] = [
      ...amounts.map((amount) => ({ amount })),
      ...ids.map((id) => ({ id })),
      { amount_exact: '-5' },
      { amount_exact: '1e5' },
    ];
    forms.push(
      { asset: 'constructor' },
      { asset: '__proto__' },
      { from_vault_id: 7 },
      { to_vault_id: ['a'] },
    );
    const tried = new Set<object>();
    let turn = 0;
    hostile.alter = rowsOf('mov_', (_, call) => {
      const form = forms[turn % forms.length]!;
      if (call === 'GET /moves') turn += 1;
      tried.add(form);
      return form;
    });
    const forged = hostile.move(A, IDLE, 5);
    await funds.until(async () => tried.size === forms.length);
    expect(hostile.statusOf(forged)).toBe('requested');
    hostile.beHonest();
    await untilPaid(await withdraw(1));
    expect((await status()).counts).toMatchObject({ jobs_open: 0 });
    expect(funds.log.slice(mark).length).toBeLessThan(1_000_000);
  });

  it('The executor with a hostile server reads no answer without an end, of too many bytes, of endless pages, or of another host', async () => {
    let visits = 0;
    const other = createServer((_, response) => (visits++, response.end()));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const located = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api/v1/moves`;
    const bomb = gzipSync(Buffer.alloc(100_000_000, ' '));
    const type = { 'content-type': 'application/json' };
    const ways: [string, (response: ServerResponse) => unknown][] = [
      [
        'has more than',
        (response) => response.writeHead(200, { ...type, 'content-encoding': 'gzip' }).end(bomb),
      ],
      ['has more than', pour],
      ['had no answer after', (response) => response.writeHead(307, { location: located }).end()],
      ['in time', (response) => response.writeHead(200, type).write('{"data":[')],
    ];
    for (const [reason, way] of ways) {
      mark = funds.log.length;
      hostile.reply = (call, response) => call === 'GET /moves' && (way(response), true);
      await said(reason);
    }
    let pages = 0;
    hostile.reply = (call, response) => {
      if (call !== 'GET /moves') return false;
      response.writeHead(200, type).end(`{"data":[],"meta":{"has_more":true,"next_cursor":"c${++pages}"}}`);
      return true;
    };
    const id = await withdraw(1);
    await untilPaid(id);
    expect([visits, pages > 5]).toEqual([0, true]);
    expect(funds.log.split('the executor runs')).toHaveLength(2);
    other.close();
  }, 240_000);

  it('The executor with a hostile server pays a wallet of dust what it deposited and the gain, for whichever user', async () => {
    await funds.pay(dusty, 1_000_000n);
    await said('no user has the wallet');
    const large = hostile.withdrawal(dusty, 100, cash(100));
    await said('was paid more than it deposited');
    const small = hostile.withdrawal(dusty, 1.2, cash(1.2));
    await funds.until(async () => hostile.statusOf(small) === 'paid');
    mark = funds.log.length;
    const rest = hostile.withdrawal(dusty, 0.050001, cash(0.050001));
    await said(rest);
    expect([hostile.statusOf(large), hostile.statusOf(rest)]).toEqual(['requested', 'requested']);
    expect(await funds.balanceOf(dusty)).toBe(1_200_000n);
  });

  it('The executor with a hostile server pays no vault, although it redeemed from it while nobody told it the users of wallets', async () => {
    hostile.reply = (call, response) =>
      call === 'GET /partner/users' && (response.writeHead(400).end(), true);
    await funds.pay(dusty, 1000n);
    await said('deposits: ');
    await untilPaid(await withdraw(2));
    const ids = [
      hostile.withdrawal(funds.vaults[A]!, 1, cash(1)),
      hostile.withdrawal(funds.account, 1, cash(1)),
      hostile.withdrawal(funds.token.address, 1, cash(1)),
    ];
    await said(...ids, `no deposit from ${getAddress(funds.vaults[A]!)}`);
    expect(ids.map((id) => hostile.statusOf(id))).toEqual(['requested', 'requested', 'requested']);
  });

  it('The executor with a hostile server that names another user of a deposit pays that user nothing', async () => {
    const other = dataOf(
      await partner.api.post('/users', { external_id: 'thief', wallets: [second] }),
      201,
    ).id;
    hostile.alter = (row, call) => (call === 'GET /partner/users' ? { ...row, id: other } : row);
    await funds.pay(wallet, 50_000_000n);
    await untilActive(6);
    const id = await withdraw(40, other);
    await said(`no deposit from ${getAddress(second)}`);
    expect((await funds.stage.get(`/withdrawals/${id}`)).status).toBe('requested');
    expect(await funds.balanceOf(second)).toBe(0n);
  });

  it('The executor with a hostile server that changes a payment before its approval has nothing approved but what the operator names', async () => {
    const id = hostile.withdrawal(getAddress(second), 5, cash(5));
    await said(`approve ${id} ${getAddress(second)} 5 USDC`);
    hostile.alter = rowsOf(id, () => ({ wallet: STRANGER, amount: 150, parts: cash(150) }));
    await said(`approve ${id} ${STRANGER} 150 USDC`);
    await expect(funds.command('approve', id)).rejects.toThrow('waits for no approval');
    await expect(funds.command('approve', id, getAddress(second), '5', 'USDC')).rejects.toThrow(
      'waits for no approval',
    );
    hostile.alter = null;
    mark = funds.log.length;
    await said(`approve ${id} ${getAddress(second)} 5 USDC`);
    expect(hostile.statusOf(id)).toBe('requested');
  });

  it('The executor with a hostile server exceeds no limit of a day by many small orders, across restarts', async () => {
    const before = spent(await calls(), wallet);
    const payouts = Array.from({ length: 8 }, () => hostile.withdrawal(wallet, 150, cash(150)));
    const moves = Array.from({ length: 6 }, () => hostile.move(COIN_VAULT, COIN_IDLE, 5, 'USDT0'));
    hostile.withdrawal(wallet, 200.000001, cash(200.000001));
    await said('more than 200 USDC in a transaction');
    await funds.until(async () => payouts.filter((id) => hostile.statusOf(id) === 'paid').length >= 2);
    await funds.kill();
    funds.run();
    await said('more than 1000 USDC in a day', 'more than 25 USDT0 in a day');
    await funds.kill();
    funds.run();
    await funds.pay(wallet, 20_000_000n);
    await untilActive(7);
    const sent = await calls();
    const most = (1_000_000_000n - before) / 150_000_000n;
    expect((spent(sent, wallet) - before) / 150_000_000n).toBeLessThanOrEqual(most);
    expect(sent.filter(({ to }) => to === coinVault.address.toLowerCase())).toHaveLength(5);
    expect(moves.filter((id) => hostile.statusOf(id) === 'settled')).toHaveLength(5);
  }, 240_000);
});

function pour(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (response.write('['.repeat(65_536)));
  };
  response.on('drain', more).on('error', () => undefined);
  more();
}
