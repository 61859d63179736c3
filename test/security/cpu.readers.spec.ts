import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseRetryAfter } from '../../sdk/src/retry.policy.js';
import { settingsOf } from '../../sdk/src/options.js';
import { verifyWebhook } from '../../sdk/src/webhook.js';
import type { Settings } from '../../src/config/settings.js';
import { meantBy, shownText } from '../../src/config/spelling.js';
import { ChainProvider } from '../../src/domain/markets/chain/chain-provider.js';
import { readState } from '../../src/domain/markets/chain/contract-call.js';
import { toReceipt } from '../../src/domain/markets/chain/receipt.js';
import { DefiLlamaFeed } from '../../src/domain/markets/vaults/defillama.feed.js';
import { UrlGuard } from '../../src/domain/outbound/egress/url-guard.js';
import { JsonSource } from '../../src/domain/kernel/json-source.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { attacks, cpuOf, MOST_CPU_MS, slowOf } from '../support/attacks.js';
import { LlamaServer, status, USDC_POOL } from '../support/llama-server.js';
import { PublishedDocument } from '../support/published-document.js';
import { vaultOf } from '../support/vault.js';

const MEGABYTE = 1_000_000;
const FIELD = 16_000;
const SECRET = `whsec_${'a'.repeat(40)}`;

/** A text that is read in megabytes: what beyond `JSON.parse` is bounded in proportion to it. */
async function expectLinear(text: string, read: () => unknown): Promise<void> {
  const parsing = await cpuOf(() => JSON.parse(text) as unknown, 0);
  const bound = MOST_CPU_MS + 15 * parsing;
  expect(await cpuOf(read, bound)).toBeLessThanOrEqual(bound);
}

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('a text of someone else takes at most 50 ms of CPU', () => {
  it.each(['partner', 'sandbox'] as const)(
    'A text of someone else takes at most 50 ms of CPU by each pattern of the %s contract’s document',
    async (contract) => {
      const patterns = [
        ...JSON.stringify(new PublishedDocument(contract).content).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g),
      ];
      const texts = attacks(['a', '0', '-', '_', ',', '.', ' ', 'usr_', '2026-01-01', 'vlt_a'], 65_536);
      for (const pattern of new Set(patterns.map(([, literal]) => JSON.parse(literal!) as string)))
        expect([pattern, await slowOf(texts, (text) => new RegExp(pattern).test(text))]).toEqual([
          pattern,
          [],
        ]);
    },
  );

  it('A text of someone else takes at most 50 ms of CPU in a line of the log, in which secrets are looked for', async () => {
    const log = createLogger(
      { contract: 'partner', logLevel: 'info' } as Settings,
      new Writable({ write: (_chunk, _encoding, done) => done() }),
    );
    const texts = attacks(['://', '@', 'vl_live_', 'whsec_', 'a', '"', ' ', '/', ':', '22'], 65_536);
    const value = (text: string): Error => Object.assign(new Error(text), { code: '22P02' });
    expect(await slowOf(texts, (text) => log.info({ err: value(text) }, text))).toEqual([]);
  });

  it('A text of someone else takes at most 50 ms of CPU in the name or value of a variable of the environment', async () => {
    const names = attacks(['DATABASE_URL', '_', 'A', 'a', 'DATABASE'], 100_000);
    const settings = Array.from({ length: 100 }, (_, n) => `DATABASE_URL_${n}`);
    expect(await slowOf(names, (name) => meantBy(name, settings))).toEqual([]);
    expect(await slowOf(attacks(['://', '@', ' ', 'a', ':'], 100_000), shownText)).toEqual([]);
  });

  it('A text of someone else takes at most 50 ms of CPU in the headers that the SDK reads', async () => {
    const texts = attacks(['t=', 'v1=', ',', '0', 'a', ' ', '(', 'Mon', ':'], FIELD);
    const verify = (text: string): Promise<unknown> => verifyWebhook('{}', text, SECRET).catch(() => null);
    expect(await slowOf(texts, verify)).toEqual([]);
    expect(await slowOf(texts, (text) => parseRetryAfter(text))).toEqual([]);
    const roots = attacks(['/', 'a', '%'], FIELD).map((text) => `https://a.example/${text}`);
    expect(await slowOf(roots, (baseUrl) => settingsOf({ baseUrl, apiKey: 'k' }))).toEqual([]);
  });

  it('A text of someone else takes at most 50 ms of CPU in the addresses of a name server', async () => {
    const addresses = Array.from({ length: 100_000 }, () => ({ address: '::', family: 6 as const }));
    const guard = new UrlGuard({
      allowedNetworks: [],
      requireHttps: false,
      resolve: () => Promise.resolve(addresses),
    });
    const check = () => guard.check('https://a.example', 'send').catch(() => null);
    expect(await cpuOf(check)).toBeLessThan(MOST_CPU_MS);
  });
});

describe('megabytes of a source of yields take CPU in proportion to their length', () => {
  let llama: LlamaServer;
  beforeAll(async () => void (llama = await LlamaServer.open()));
  afterAll(() => llama.close());

  const vaults = Array.from({ length: 50 }, (_, n) =>
    vaultOf({
      id: `vlt_${n}`,
      feed: { kind: 'defillama', pool: n === 0 ? USDC_POOL : `${USDC_POOL}-${n}`, apr: false, tvl: null },
    }),
  );

  it.each([
    ['rows of nothing', '{}'],
    ['rows of the pool', `{"pool":"${USDC_POOL}"}`],
    ['rows that are none', '0'],
    ['lists within lists', deep(100_000)],
    ['a yield of lists within lists', `{"pool":"${USDC_POOL}","apy":${deep(0.9 * MEGABYTE)}}`],
    ['points of long times', `{"timestamp":"${'('.repeat(100_000)}"}`],
    ['points of many times', '{"timestamp":"2026-01-01T00:00:00.000Z"}'],
  ])('%s', async (_, row) => {
    const rows = `${row},`.repeat(Math.floor((2 * MEGABYTE) / (row.length + 1)));
    const text = `{"status":"success","data":[${rows}0]}`;
    const troubles: string[] = [];
    const feed = new DefiLlamaFeed({
      baseUrl: llama.url,
      timeoutMs: 60_000,
      maxBytes: 10 * MEGABYTE,
      maxAgeMs: Infinity,
      onTrouble: (message) => troubles.push(message),
    });
    llama.chart = status(404);
    llama.pools = llama.lending = (_request, response) => void response.end(text);
    await expectLinear(text, () => feed.observe(vaults, new Date()));
    llama.chart = (_request, response) => void response.end(text);
    llama.pools = status(500);
    await expectLinear(text, () => feed.observe(vaults.slice(0, 1), new Date()));
    expect(Math.max(...troubles.map(({ length }) => length))).toBeLessThan(200);
    await feed.close();
  });
});

describe('megabytes of a provider of a chain take CPU in proportion to their length', () => {
  let server: Server;
  let result = '';
  let provider: ChainProvider;
  const source = new JsonSource(10 * MEGABYTE);
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => response.end(result));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    provider = new ChainProvider(url, 1, source, { timeoutMs: 60_000, batchCalls: 40 }, () => new Date(0));
  });
  afterAll(async () => {
    await source.close();
    server.close();
  });

  const word = (value: number): string => value.toString(16).padStart(64, '0');
  /** Results of as many calls, each of which is the same bytes. */
  const overlapping = (calls: number, bytes: number): string =>
    `0x${word(32)}${word(calls)}${word(calls * 32).repeat(calls)}${word(1)}${word(64)}${word(bytes)}${'00'.repeat(bytes)}`;
  const call = {
    to: `0x${'a1'.repeat(20)}` as const,
    signature: 'function totalAssets() view returns (uint256)',
  };
  const block = { number: 1n, hash: `0x${'0'.repeat(64)}` as const, at: new Date(0) };

  it.each([
    ['50 results that share their bytes', `"${overlapping(50, 2 * MEGABYTE)}"`],
    ['many results that share their bytes', `"${overlapping(8_000, MEGABYTE)}"`],
    ['bytes without an end', `"0x${'00'.repeat(2 * MEGABYTE)}x"`],
    ['lists within lists', deep(MEGABYTE)],
  ])('%s', async (_, given) => {
    result = `{"jsonrpc":"2.0","id":0,"result":${given}}`;
    const read = () =>
      readState(provider, block, Array<typeof call>(50).fill(call)).catch((error: Error) => error);
    await expectLinear(result, read);
    expect(await read()).toMatchObject({ name: 'Error', message: expect.stringMatching(/^.{5,80}$/) });
  });

  it.each([
    ['as long as one may be, which are read', 640, 0n],
    ['that are too long, which are none', 28_000, null],
  ])('50 results %s', async (_, bytes, value) => {
    result = `{"jsonrpc":"2.0","id":0,"result":"${overlapping(50, bytes)}"}`;
    const read = () => readState(provider, block, Array<typeof call>(50).fill(call));
    await expectLinear(result, read);
    expect(await read()).toEqual(Array(50).fill(value));
  });

  it.each(['code', 'message'])('An error whose %s is a list within lists', async (name) => {
    result = `{"jsonrpc":"2.0","id":0,"error":{"${name}":${deep(MEGABYTE)}}}`;
    await expectLinear(result, () => provider.send([{ method: 'eth_chainId', params: [] }]));
    expect(await provider.send([{ method: 'eth_chainId', params: [] }])).toMatchObject([{ ok: false }]);
  });

  it('A receipt of many logs', async () => {
    const hash = `0x${'a'.repeat(64)}`;
    const log = { address: `0x${'a1'.repeat(20)}`, topics: [hash, hash, hash], data: hash };
    const receipt = { transactionHash: hash, blockHash: hash, blockNumber: '0x1', status: '0x1' };
    const text = JSON.stringify({ ...receipt, logs: Array(8_000).fill(log) });
    await expectLinear(text, () => toReceipt(JSON.parse(text), hash as `0x${string}`));
  });
});
