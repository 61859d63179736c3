import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Anvil, type DeployedContract } from '../../../../test/support/chain/anvil.js';
import {
  type Answer,
  ProviderProxy,
  type Reply,
  type Ways,
} from '../../../../test/support/chain/provider-proxy.js';
import { addHours } from '../../kernel/clock.js';
import type { ChainReceipt } from './chain-pass.js';
import type { Hex } from './chain-provider.js';
import { Chains } from './chains.js';
import { MULTICALL } from './contract-call.js';

/** Nodes of many clients and gateways: each refuses and fails in its own words, and none is recognised by them. */
const [ALICE, NOBODY]: Hex[] = [`0x${'a1'.repeat(20)}`, `0x${'34'.repeat(20)}`];
const BALANCE = 5_000_000n;
const USUAL = { timeoutMs: 2_000, batchCalls: 5 };

let anvil: Anvil;
let token: DeployedContract;
let proxies: ProviderProxy[];
let transfers: Hex[];
let code: unknown;
let now = new Date();
let bounds = USUAL;
let opened: Chains | null = null;
const troubles: string[] = [];

beforeAll(async () => {
  anvil = await Anvil.start({ at: new Date(Date.now() - 60_000) });
  token = await anvil.deploy('TestToken');
  transfers = [await token.send('mint', ALICE, 2_000_000n), await token.send('mint', ALICE, 3_000_000n)];
  code = await anvil.rpc('eth_getCode', MULTICALL, 'latest');
  await anvil.mine(12);
  proxies = await Promise.all([anvil, anvil, anvil].map(({ url }) => ProviderProxy.open(url)));
});

afterEach(async () => {
  await opened?.close();
  bounds = USUAL;
  for (const proxy of proxies) proxy.mood = 'honest';
});

afterAll(async () => {
  proxies?.forEach((proxy) => proxy.close());
  await anvil?.stop();
});

function chainsOf(...ways: (Ways | 'honest')[]): Chains {
  now = new Date();
  ways.forEach((mood, index) => (proxies[index]!.mood = mood));
  for (const proxy of proxies) proxy.asked.length = 0;
  opened = new Chains({
    rpcUrls: { ethereum: proxies.slice(0, ways.length).map(({ url }) => url) },
    chainIds: { ethereum: 1 },
    constants: {
      ...bounds,
      maxBytes: 200_000,
      maxLagSeconds: 3_600,
      maxAgeMinutes: 10_000,
    },
    now: () => now,
    onTrouble: (sentence) => troubles.push(sentence),
  });
  troubles.length = 0;
  return opened;
}

/** On a chain without Multicall3, where the calls are sent one by one or in batches. */
async function withoutMulticall(work: () => Promise<void>): Promise<void> {
  await anvil.rpc('anvil_setCode', MULTICALL, '0x');
  await anvil.mine(3);
  try {
    await work();
  } finally {
    await anvil.rpc('anvil_setCode', MULTICALL, code);
    await anvil.mine(3);
  }
}

const balance = { signature: 'function balanceOf(address) view returns (uint256)', args: [ALICE] };
const reverting = { signature: 'function nothing() view returns (uint256)' };
const calls = () => [
  { to: token.address, ...balance },
  { to: token.address, ...reverting },
  { to: NOBODY!, ...balance },
  ...Array.from({ length: 5 }, () => ({ to: token.address, ...balance })),
];
const RESULTS = [BALANCE, null, null, ...Array.from({ length: 5 }, () => BALANCE)];
const read = async (chains: Chains): Promise<unknown> => (await chains.pass('ethereum'))?.readAgreed(calls());

const failure = (error: number, message: string, id: unknown = null): Answer => ({
  id,
  error: { code: error, message },
});
const each =
  (error: number, message: string) =>
  (answers: Answer[]): Reply => ({
    body: answers.map(({ id }) => failure(error, message, id)),
  });

describe('a node that refuses batches', () => {
  it.each<[string, NonNullable<Ways['batch']>]>([
    ['as an invalid request', () => ({ body: failure(-32600, 'batching is disabled') })],
    ['with a code of its own', () => ({ body: failure(-32005, 'daily limit of batches reached') })],
    ['with an error without a code', () => ({ body: { error: 'no batches' } })],
    ['with 400 and an error', () => ({ status: 400, body: failure(-32600, 'invalid request') })],
    ['with 403', () => ({ status: 403, body: 'forbidden' })],
    ['with 405', () => ({ status: 405, body: '' })],
    ['with 413', () => ({ status: 413, body: 'too large' })],
    ['with 429', () => ({ status: 429, body: 'slow down' })],
    ['with 500', () => ({ status: 500, body: '<h1>Internal Server Error</h1>' })],
    ['with 502', () => ({ status: 502, body: '' })],
    ['with a page of HTML', () => ({ body: '<!doctype html><title>Sorry</title>' })],
    ['with an empty body', () => ({ body: '' })],
    ['with null', () => ({ body: null })],
    ['with an object', () => ({ body: {} })],
    ['with an empty list', () => ({ body: [] })],
    ['with nulls', (answers) => ({ body: answers.map(() => null) })],
    ['with one error in a list', () => ({ body: [failure(-32600, 'invalid request')] })],
    ['by answering the first call alone', ([first]) => ({ body: first })],
    ['by leaving calls out', (answers) => ({ body: answers.slice(1) })],
    ['by leaving ids out', (answers) => ({ body: answers.map(({ result }) => ({ result })) })],
    ['with an error for each call', each(-32601, 'batch requests are not supported')],
    [
      'with an error for all but the first call',
      ([first, ...rest]) => ({
        body: [first, ...rest.map(({ id }) => failure(-32005, 'too many calls in a batch', id))],
      }),
    ],
    [
      'with an answer of neither result nor error',
      (answers) => ({ body: answers.map(({ id }) => ({ id })) }),
    ],
    ['by resetting the connection', () => 'reset'],
  ])('A node that refuses batches %s is asked singly, and is no worse than another', async (_, batch) => {
    const chains = chainsOf({ batch });
    await withoutMulticall(async () => expect(await read(chains)).toEqual(RESULTS));
    expect([chains.counts, troubles]).toEqual([[], []]);
    const [before] = proxies.map(({ asked }) => asked.length);
    await chains.pass('ethereum');
    expect(proxies[0]!.asked.slice(before)).toEqual([1, 1]);
  });

  it('A node that refuses batches is asked with batches again after six hours', async () => {
    const chains = chainsOf({ batch: () => ({ body: null }) });
    await chains.pass('ethereum');
    proxies[0]!.mood = 'honest';
    for (const [hours, sizes] of [
      [5.9, [1, 1]],
      [6.1, [2]],
      [6.2, [2]],
    ] as const) {
      now = addHours(new Date(), hours);
      proxies[0]!.asked.length = 0;
      expect(await chains.pass('ethereum')).not.toBeNull();
      expect(proxies[0]!.asked).toEqual(sizes);
    }
  });

  it('A node that refuses batches is dropped when its single answers take four times as long as a batch may', async () => {
    bounds = { timeoutMs: 500, batchCalls: 20 };
    const slow: Ways = { batch: () => ({ body: null }), single: () => sleep(150, undefined) };
    const chains = chainsOf(slow);
    const pass = (await chains.pass('ethereum'))!;
    expect(await pass.receipts(Array.from({ length: 16 }, () => transfers[0]!))).toBeNull();
    expect(chains.counts).toMatchObject([{ reason: 'timeout' }]);
  });

  it('A node that refuses batches is dropped when it answers single calls no better, with one request more', async () => {
    const reply = { status: 503, body: 'down' };
    const chains = chainsOf({ batch: () => reply, single: () => reply });
    expect(await chains.pass('ethereum')).toBeNull();
    expect(proxies[0]!.asked).toEqual([2, 1]);
    expect(chains.counts).toMatchObject([{ reason: 'status', count: 1 }]);
  });
});

describe('a node that reads no block by its hash', () => {
  const byHash = (reply: (id: unknown) => Answer | Reply): Ways => ({
    single: ({ id, params: [, at] }) => (typeof at === 'object' && at !== null ? reply(id) : undefined),
  });

  it.each<[string, (id: unknown) => Answer | Reply]>([
    ['invalid parameters', (id) => failure(-32602, 'invalid argument 1', id)],
    ['a code of its own', (id) => failure(-32000, 'unsupported block parameter', id)],
    ['an internal error', (id) => failure(-32603, 'cannot unmarshal object', id)],
    ['400 and an error', (id) => ({ status: 400, body: failure(-32602, 'invalid params', id) })],
    ['500', () => ({ status: 500, body: 'oops' })],
    ['a reset connection', () => 'reset'],
  ])('A node that reads no block by its hash but answers with %s is read by number', async (_, reply) => {
    const chains = chainsOf(byHash(reply));
    expect(await read(chains)).toEqual(RESULTS);
    const before = proxies[0]!.asked.length;
    expect(await read(chains)).toEqual(RESULTS);
    // The finalized block, the calls, and the block at that height.
    expect(proxies[0]!.asked.slice(before)).toEqual([2, 1, 1]);
    expect(chains.counts).toEqual([]);
  });
});

describe('a call that fails by itself', () => {
  const ofClient = (reply: (id: unknown) => Answer | Reply): Ways => ({
    single: ({ id, method }, { error }) => (method === 'eth_call' && error ? reply(id) : undefined),
  });

  it.each<[string, (id: unknown) => Answer | Reply]>([
    ['geth, reth, anvil', (id) => failure(3, 'execution reverted', id)],
    ['older geth', (id) => failure(-32000, 'execution reverted', id)],
    ['nethermind', (id) => failure(-32015, 'VM execution error.', id)],
    ['besu', (id) => failure(-32000, 'Execution reverted', id)],
    ['erigon', (id) => failure(-32000, 'invalid opcode: INVALID', id)],
    ['hardhat', (id) => failure(-32603, 'Error: Transaction failed', id)],
    ['an unknown client', (id) => failure(4711, 'Aufruf gescheitert', id)],
    ['a client without codes', (id) => ({ id, error: 'it failed' })],
    ['a gateway with 400', (id) => ({ status: 400, body: failure(-32000, 'bad call', id) })],
    ['a gateway with 500', (id) => ({ status: 500, body: failure(-32603, 'bad call', id) })],
  ])('A call that fails by itself is null, and the others are read, in the words of %s', async (_, reply) => {
    const chains = chainsOf(ofClient(reply));
    await withoutMulticall(async () => {
      expect(await read(chains)).toEqual(RESULTS);
      const pass = (await chains.pass('ethereum'))!;
      expect(await pass.readAgreed([{ to: token.address, ...reverting }])).toEqual([null]);
    });
    expect(chains.counts).toEqual([]);
  });

  it('A call that fails by itself may be a Multicall beyond the gas that a node spends: its calls are then sent without', async () => {
    const chains = chainsOf({
      single: ({ id, method, params: [call] }) =>
        method === 'eth_call' && (call as { to: string }).to === MULTICALL
          ? failure(-32000, 'out of gas', id)
          : undefined,
    });
    expect(await read(chains)).toEqual(RESULTS);
    expect(chains.counts).toEqual([]);
  });

  it('A call that fails by itself does not excuse a node that lacks the state of the block: it is dropped, and another one is read', async () => {
    const pruned: Ways = {
      single: ({ id, method }) =>
        method === 'eth_call' ? failure(-32000, 'execution reverted', id) : undefined,
    };
    const chains = chainsOf(pruned, 'honest');
    expect(await (await chains.pass('ethereum'))!.read(calls())).toEqual(RESULTS);
    expect(chains.counts).toMatchObject([{ provider: expect.stringMatching(/^1 /), reason: 'error' }]);
  });
});

describe('what a node does not know', () => {
  it('A base fee that a node does not know is null, and affects no other reading', async () => {
    const chains = chainsOf({
      single: ({ id, method }) =>
        method === 'eth_feeHistory' ? failure(-32601, 'the method does not exist', id) : undefined,
    });
    const pass = (await chains.pass('ethereum'))!;
    expect(await pass.baseFee()).toBeNull();
    expect(await pass.readAgreed(calls())).toEqual(RESULTS);
    expect(chains.counts).toEqual([]);
  });

  it.each([`0x${'f'.repeat(30)}`, '0x0'])('A base fee that no chain has is null: %s', async (fee) => {
    const chains = chainsOf({
      single: ({ id, method }) =>
        method === 'eth_feeHistory' ? { id, result: { baseFeePerGas: [fee] } } : undefined,
    });
    expect(await (await chains.pass('ethereum'))!.baseFee()).toBeNull();
  });

  it('A transaction that a node does not know does not hide another one', async () => {
    const [first, second] = transfers as [Hex, Hex];
    const lacks = (missing: Hex): Ways => ({
      single: ({ id, params: [hash] }) =>
        hash === missing ? failure(-32000, 'transaction indexing is in progress', id) : undefined,
    });
    const looks = async (...ways: Ways[]) =>
      (await (await chainsOf(...ways).pass('ethereum'))!.receipts([first, second]))!;
    const alone = await looks(lacks(first));
    expect(alone.get(first)).toBe('disputed');
    expect((alone.get(second) as ChainReceipt).succeeded).toBe(true);
    const both = await looks(lacks(first), lacks(second));
    for (const hash of [first, second]) expect((both.get(hash) as ChainReceipt).finalized).toBe(true);
  });
});

describe('a node that lies about its finalized block', () => {
  const finalized = (over: object): Ways => ({
    single: ({ id, method, params: [at] }, { result }) =>
      method === 'eth_getBlockByNumber' && at === 'finalized'
        ? { id, result: { ...(result as object), ...over } }
        : undefined,
  });

  it.each([
    ['time without end', { timestamp: `0x${'f'.repeat(64)}` }],
    ['height far below the others', { number: '0x1', hash: `0x${'1e'.repeat(32)}` }],
  ])('A node that lies about its finalized block with a %s is dropped alone', async (_, over) => {
    const chains = chainsOf(finalized(over), 'honest', 'honest');
    const pass = (await chains.pass('ethereum'))!;
    expect(Number(pass.block.number)).toBe((await anvil.height()) - 2);
    expect(await pass.readAgreed(calls())).toEqual(RESULTS);
    expect(chains.counts).toMatchObject([{ provider: expect.stringMatching(/^1 /), count: 1 }]);
  });
});
