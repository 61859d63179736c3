import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Anvil, type DeployedContract } from '../../../../test/support/chain/anvil.js';
import { type Mood, ProviderProxy } from '../../../../test/support/chain/provider-proxy.js';
import type { ChainReceipt } from './chain-pass.js';
import { type ChainReading, Chains } from './chains.js';
import type { Hex } from './chain-provider.js';
import { tokenTransfers } from './receipt.js';

const CONSTANTS: ChainReading = {
  timeoutMs: 5_000,
  maxBytes: 200_000,
  batchCalls: 5,
  maxLagSeconds: 5,
  maxAgeMinutes: 120,
};
const [ALICE, BOB]: Hex[] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`];

let anvil: Anvil;
let token: DeployedContract;
let proxies: ProviderProxy[];
let transfer: Hex;
const opened: Chains[] = [];
const troubles: string[] = [];

beforeAll(async () => {
  anvil = await Anvil.start({ at: new Date(Date.now() - 60_000) });
  token = await anvil.deploy('TestToken');
  await token.send('mint', ALICE, 7n);
  transfer = await token.send('mint', ALICE, 5_000_000n);
  await anvil.mine(12);
  proxies = await Promise.all([anvil, anvil, anvil].map(({ url }) => ProviderProxy.open(url)));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((chains) => chains.close()));
  for (const proxy of proxies) proxy.mood = 'honest';
});

afterAll(async () => {
  proxies?.forEach((proxy) => proxy.close());
  await anvil?.stop();
});

/** @param moods behaviour of each provider, in order */
function chainsOf(moods: readonly Mood[], over: Partial<ChainReading> = {}, chainId = 1): Chains {
  moods.forEach((mood, index) => (proxies[index]!.mood = mood));
  const chains = new Chains({
    rpcUrls: { ethereum: proxies.slice(0, moods.length).map(({ url }) => url) },
    chainIds: { ethereum: chainId },
    constants: { ...CONSTANTS, ...over },
    now: () => new Date(),
    onTrouble: (sentence) => troubles.push(sentence),
  });
  opened.push(chains);
  troubles.length = 0;
  return chains;
}

const balance = { signature: 'function balanceOf(address) view returns (uint256)', args: [ALICE] };
const reasons = (chains: Chains): string[] =>
  chains.counts.map(({ provider, reason }) => `${provider.split(' ')[0]} ${reason}`).sort();

describe('a pass', () => {
  it('A pass is pinned to the first provider and the finalized block', async () => {
    const chains = chainsOf(['honest', 'honest']);
    const pass = (await chains.pass('ethereum'))!;
    expect(Number(pass.block.number)).toBe((await anvil.height()) - 2);
    expect(pass.provider).toMatch(/^1 127\.0\.0\.1:\d+$/);
    await token.send('mint', ALICE, 1n);
    expect(await pass.read([{ to: token.address, ...balance }])).toEqual([5_000_007n]);
    expect(reasons(chains)).toEqual([]);
    await anvil.mine(3);
  });

  it.each<[string, Mood, string]>([
    ['lags', { lag: 10 }, 'lagging'],
    ['has another block at the height', 'lie', 'other_hash'],
    ['breaks off its response', 'cut', 'cut'],
    ['answers with an error status', 'refuse', 'status'],
    ['sends an endless response', 'endless', 'too_large'],
  ])('A pass drops a provider that %s, and counts the reason', async (_, mood, reason) => {
    const chains = chainsOf([mood, 'honest', 'honest']);
    const pass = (await chains.pass('ethereum'))!;
    expect(pass.provider).toMatch(/^2 /);
    expect(reasons(chains)).toEqual([`1 ${reason}`]);
    expect(troubles).toEqual([expect.stringMatching(/^ethereum: provider 1 127\.0\.0\.1:\d+: /)]);
  });

  it('A pass drops a provider that never answers', async () => {
    const chains = chainsOf(['timeout', 'honest'], { timeoutMs: 300 });
    expect((await chains.pass('ethereum'))!.provider).toMatch(/^2 /);
    expect(reasons(chains)).toEqual(['1 timeout']);
  });

  it('A pass accepts neither of two providers that disagree', async () => {
    const chains = chainsOf(['lie', 'honest']);
    expect(await chains.pass('ethereum')).toBeNull();
    expect(reasons(chains)).toEqual(['1 other_hash', '2 other_hash']);
  });

  it('A pass rejects a provider of another chain, and a block that is too old', async () => {
    expect(await chainsOf(['honest'], {}, 10).pass('ethereum')).toBeNull();
    const chains = new Chains({
      rpcUrls: { ethereum: [proxies[0]!.url] },
      chainIds: { ethereum: 1 },
      constants: CONSTANTS,
      now: () => new Date(Date.now() + 3 * 3_600_000),
      onTrouble: (sentence) => troubles.push(sentence),
    });
    opened.push(chains);
    expect(await chains.pass('ethereum')).toBeNull();
    expect([...reasons(opened[0]!), ...reasons(chains)]).toEqual(['1 wrong_chain', '1 lagging']);
  });

  it('A pass shows no part of a provider’s URL except its host', async () => {
    const chains = chainsOf(['refuse', 'cut', 'lie']);
    await chains.pass('ethereum');
    expect(JSON.stringify([chains.counts, troubles])).not.toContain('0123456789abcdef');
  });
});

describe('a read of state', () => {
  /** More calls than a batch takes; every third address has no contract. */
  const calls = () =>
    Array.from({ length: 12 }, (_, index) => ({ to: index % 3 === 2 ? BOB! : token.address, ...balance }));

  it.each<[string, Mood]>([['complete in one batch', 'honest']])('A read of state is %s', async (_, mood) => {
    const chains = chainsOf([mood]);
    const pass = (await chains.pass('ethereum'))!;
    const results = (await pass.read(calls()))!;
    expect(results.map((result) => (result === null ? null : 'read'))).toEqual(
      calls().map((_, index) => (index % 3 === 2 ? null : 'read')),
    );
    expect(reasons(chains)).toEqual([]);
  });

  it('A read of state has the same results on a chain without Multicall3', async () => {
    const code = await anvil.rpc('eth_getCode', '0xcA11bde05977b3631167028862bE2a173976CA11', 'latest');
    await anvil.rpc('anvil_setCode', '0xcA11bde05977b3631167028862bE2a173976CA11', '0x');
    await anvil.mine(3);
    const pass = (await chainsOf(['honest']).pass('ethereum'))!;
    expect((await pass.read(calls()))!.filter((result) => result !== null)).toHaveLength(8);
    await anvil.rpc('anvil_setCode', '0xcA11bde05977b3631167028862bE2a173976CA11', code);
    await anvil.mine(3);
  });

  it('A read of state continues at the same block with the next provider', async () => {
    const chains = chainsOf(['honest', 'honest']);
    const pass = (await chains.pass('ethereum'))!;
    proxies[0]!.mood = 'cut';
    expect(await pass.read([{ to: token.address, ...balance }])).toEqual([expect.any(BigInt)]);
    expect(pass.provider).toMatch(/^2 /);
    proxies[1]!.mood = 'refuse';
    expect(await pass.read([{ to: token.address, ...balance }])).toBeNull();
    expect(reasons(chains)).toEqual(['1 cut', '2 status']);
  });

  it('A read of state accepts the answer of the majority of providers', async () => {
    const chains = chainsOf(['price', 'honest', 'honest']);
    const pass = (await chains.pass('ethereum'))!;
    const truth = BigInt(await token.call('balanceOf', ALICE));
    expect(await pass.readAgreed([{ to: token.address, ...balance }])).toEqual([truth]);
    expect(pass.provider).toMatch(/^2 /);
    expect(reasons(chains)).toEqual(['1 other_answer']);
  });

  it('A read of state accepts neither of two providers that disagree', async () => {
    const pass = (await chainsOf(['price', 'honest']).pass('ethereum'))!;
    expect(await pass.readAgreed([{ to: token.address, ...balance }])).toEqual([undefined]);
  });
});

describe('a transaction lookup', () => {
  it('A transaction lookup returns its block, whether that is final, and its token transfers', async () => {
    const pass = (await chainsOf(['honest', 'honest']).pass('ethereum'))!;
    const receipt = (await pass.receipts([transfer]))!.get(transfer) as ChainReceipt;
    expect(receipt).toMatchObject({
      txHash: transfer,
      finalized: true,
      succeeded: true,
      block: { number: 3n },
    });
    expect(tokenTransfers(receipt.logs)).toEqual([
      { token: token.address, from: `0x${'0'.repeat(40)}`, to: ALICE, amount: 5_000_000n },
    ]);
  });

  it('A transaction lookup distinguishes failed, unfinalized and absent transactions', async () => {
    const failed = await token.send('transfer', BOB, 10n ** 30n);
    await anvil.mine(3);
    const fresh = await token.send('mint', BOB, 1n);
    const unknown: Hex = `0x${'12'.repeat(32)}`;
    const chains = chainsOf(['honest', 'honest']);
    const receipts = (await (await chains.pass('ethereum'))!.receipts([failed, fresh, unknown]))!;
    expect(receipts.get(failed)).toMatchObject({ succeeded: false, finalized: true, logs: [] });
    expect(receipts.get(fresh)).toMatchObject({ succeeded: true, finalized: false });
    expect(receipts.get(unknown)).toBe('absent');
    await anvil.reorganise(1);
    const pass = (await chains.pass('ethereum'))!;
    expect((await pass.receipts([fresh]))!.get(fresh)).toBe('absent');
    expect(reasons(chains)).toEqual([]);
  });

  it.each<[Mood, string, unknown]>([
    ['receipts', '1 missing_receipt', { succeeded: true }],
    ['logs', '1 other_answer', { succeeded: true }],
  ])('A transaction lookup drops a provider with false %s', async (mood, reason, expected) => {
    const chains = chainsOf([mood, 'honest', 'honest']);
    const pass = (await chains.pass('ethereum'))!;
    expect((await pass.receipts([transfer]))!.get(transfer)).toMatchObject(expected as object);
    expect(reasons(chains)).toEqual([reason]);
  });

  it('A transaction lookup returns disputed if two providers disagree', async () => {
    const pass = (await chainsOf(['logs', 'honest']).pass('ethereum'))!;
    expect((await pass.receipts([transfer]))!.get(transfer)).toBe('disputed');
  });
});
