import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Anvil, type DeployedContract } from '../../../../test/support/chain/anvil.js';
import { ProviderProxy } from '../../../../test/support/chain/provider-proxy.js';
import { vaultOf } from '../../../../test/support/vault.js';
import { Chains } from '../chain/chains.js';
import type { Hex } from '../chain/chain-provider.js';
import { ChainFeed } from './chain.feed.js';
import type { Observation } from './feed.js';
import type { ChainSource, Vault } from '../../kernel/catalogue/catalogue.js';

const HOUR = new Date();
const RAY = 10n ** 27n;

let anvil: Anvil;
let proxies: ProviderProxy[];
let chains: Chains;
let token: DeployedContract;
const troubles: string[] = [];

beforeAll(async () => {
  anvil = await Anvil.start({ at: new Date(Date.now() - 3_600_000) });
  token = await anvil.deploy('TestToken');
  proxies = await Promise.all([anvil.url, anvil.url].map((url) => ProviderProxy.open(url)));
  chains = new Chains({
    rpcUrls: { ethereum: proxies.map(({ url }) => url) },
    chainIds: { ethereum: 1 },
    now: () => new Date(),
    onTrouble: () => undefined,
  });
});

afterEach(() => {
  for (const proxy of proxies) proxy.mood = 'honest';
  troubles.length = 0;
});

afterAll(async () => {
  await chains?.close();
  proxies?.forEach((proxy) => proxy.close());
  await anvil?.stop();
});

const vault = (standard: ChainSource['standard'], address: Hex, reserve: Hex | null = null): Vault =>
  vaultOf({
    id: `vlt_${address}`,
    feed: { kind: 'chain', standard, address, reserve, holder: null, secondSource: null },
  });

async function look(...vaults: Vault[]): Promise<Map<string, Observation>> {
  await anvil.finalize();
  return new ChainFeed(chains, (message) => troubles.push(message)).observe(vaults, HOUR);
}

/** ERC-4626 vault with a deposit. */
async function erc4626(amount: bigint, offset: number): Promise<DeployedContract> {
  const shares = await anvil.deploy('TestVault', token.address, offset);
  await token.send('mint', anvil.accounts[0], amount);
  await token.send('approve', shares.address, amount);
  if (amount > 0n) await shares.send('deposit', amount, anvil.accounts[0]);
  return shares;
}

/** Interest of an hour at 5 % a year. */
const interest = (amount: bigint): bigint => (amount * 5_569_669n) / 10n ** 12n;
const changeOf = (before: Observation, after: Observation): number =>
  Number(((after.price!.value - before.price!.value) * 10n ** 15n) / before.price!.value) / 1e15;

describe('share prices from the chain', () => {
  it.each([
    ['6', 0],
    ['18', 12],
  ])(
    'Share prices from the chain show one hour of interest with shares of %s decimals over a token of 6',
    async (_, offset) => {
      const amount = 10n ** 12n;
      const shares = await erc4626(amount, offset);
      const followed = vault('erc4626', shares.address);
      const before = (await look(followed)).get(followed.id)!;
      expect(before).toMatchObject({ apy: null, tvl: amount, assets: amount, liquidity: null });
      await token.send('mint', shares.address, interest(amount));
      const after = (await look(followed)).get(followed.id)!;
      expect(changeOf(before, after)).toBeCloseTo(Number(interest(amount)) / 1e12, 12);
      expect(troubles).toEqual([]);
    },
  );

  it('Share prices from the chain include the liquidity if a configured holder’s balance reveals it', async () => {
    const shares = await erc4626(1_000n, 0);
    const [holder] = anvil.accounts;
    const followed = vault('erc4626', shares.address);
    const withHolder = { ...followed, feed: { ...(followed.feed as ChainSource), holder: holder! } };
    const liquidity = async () => (await look(withHolder)).get(followed.id)!.liquidity;
    expect(await liquidity()).toBe(1_000n);
    await shares.send('setLiquidity', 30n);
    expect(await liquidity()).toBe(30n);
    await token.send('approve', shares.address, 20_000n);
    await token.send('mint', holder, 20_000n);
    await shares.send('deposit', 20_000n, anvil.accounts[1]);
    await shares.send('setLiquidity', 5_000n);
    expect(await liquidity()).toBeNull();
    withHolder.feed.holder = anvil.accounts[2]!;
    expect(await liquidity()).toBeNull();
  });

  it('Share prices from the chain of a nearly empty vault jump by the full amount of a donation', async () => {
    const shares = await erc4626(10n, 0);
    const followed = vault('erc4626', shares.address);
    const before = (await look(followed)).get(followed.id)!;
    await token.send('mint', shares.address, 11n);
    expect(changeOf(before, (await look(followed)).get(followed.id)!)).toBeCloseTo(1, 9);
  });

  it('Share prices from the chain of Aave are a reserve’s income index, with its liquidity', async () => {
    const pool = await anvil.deploy('TestAavePool');
    const aToken = await anvil.deploy('TestToken');
    await aToken.send('mint', anvil.accounts[0], 60_000_000n);
    await token.send('mint', aToken.address, 7_000_000n);
    await pool.send('setIncome', token.address, (RAY * 105n) / 100n, aToken.address);
    const followed = vault('aave-v3', pool.address, token.address);
    const absent = vault('aave-v3', pool.address, `0x${'12'.repeat(20)}`);
    const observations = await look(followed, absent);
    expect(observations.get(followed.id)).toMatchObject({
      tvl: 7_000_000n,
      assets: 60_000_000n,
      liquidity: 7_000_000n,
      price: { value: (RAY * 105n) / 100n },
    });
  });

  it('Share prices from the chain of Compound include the interest since the market was last updated', async () => {
    const comet = await anvil.deploy('TestComet', token.address);
    await token.send('mint', comet.address, 9_000_000n);
    await comet.send('set', 11n * 10n ** 14n, 1_585_489_599n);
    await comet.send('setSupply', 50_000_000n);
    const followed = vault('compound-v3', comet.address);
    const before = (await look(followed)).get(followed.id)!;
    const touched = before.price!.blockAt;
    await anvil.mine(1, new Date(touched.getTime() + 1_200_000));
    const after = (await look(followed)).get(followed.id)!;
    expect(after).toMatchObject({ tvl: 9_000_000n, assets: 50_000_000n, liquidity: 9_000_000n });
    const seconds = (after.price!.blockAt.getTime() - touched.getTime()) / 1000;
    expect(changeOf(before, after)).toBeCloseTo((seconds * 1_585_489_599) / 1e18, 12);
  });

  const feeOf = async (tag: string): Promise<number> => {
    const block = (await anvil.rpc('eth_getBlockByNumber', tag, false)) as { baseFeePerGas: Hex };
    return Number(block.baseFeePerGas);
  };

  it('Share prices from the chain include the base fee of their chain if the vault has gas', async () => {
    const shares = await erc4626(1_000n, 0);
    const followed = vault('erc4626', shares.address);
    expect((await look(followed)).get(followed.id)).not.toHaveProperty('baseFee');
    const fee = await feeOf('finalized');
    const observations = await look({ ...followed, gas: { entry: 1, exit: 1, tokenPrice: 1n } });
    expect(observations.get(followed.id)!.baseFee).toBeGreaterThan(0);
    expect(Math.abs(Math.log(observations.get(followed.id)!.baseFee! / fee))).toBeLessThan(5);
  });

  it('Share prices from the chain are from one block for all kinds of vaults', async () => {
    const comet = await anvil.deploy('TestComet', token.address);
    const shares = await erc4626(1_000n, 0);
    const observations = await look(vault('compound-v3', comet.address), vault('erc4626', shares.address));
    expect(new Set([...observations.values()].map(({ price }) => price!.blockHash)).size).toBe(1);
    expect(observations.size).toBe(2);
  });

  it('Share prices from the chain are missing for an address without a contract, and if two providers disagree', async () => {
    const shares = await erc4626(1_000n, 0);
    const followed = vault('erc4626', shares.address);
    const none = vault('erc4626', `0x${'34'.repeat(20)}`);
    const observations = await look(followed, none);
    expect([...observations.keys()]).toEqual([followed.id]);
    expect(troubles).toEqual([expect.stringContaining(none.id)]);
    proxies[1]!.mood = 'price';
    expect((await look(followed)).size).toBe(0);
    for (const proxy of proxies) proxy.mood = 'refuse';
    expect((await look(followed)).size).toBe(0);
    expect(troubles.at(-1)).toContain('no reliable provider');
  });
});
