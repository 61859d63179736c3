import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  answerOf,
  type Handler,
  json,
  LlamaServer,
  point,
  row,
  status,
  USDC_POOL,
} from '../../../../test/support/llama-server.js';
import { times } from '../../../../test/support/observed.js';
import { vaultOf } from '../../../../test/support/vault.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';
import { DefiLlamaFeed, type DefiLlamaFeedOptions, FEED_MAX_BYTES } from './defillama.feed.js';
import type { Observation } from './feed.js';

const OTHER = '7da72d09-56ca-4ec5-a45f-59114353e487';
const HOUR_MS = 3_600_000;
const HOUR = new Date();

let llama: LlamaServer;
let feeds: DefiLlamaFeed[];
let troubles: string[];

beforeEach(async () => {
  [feeds, troubles] = [[], []];
  llama = await LlamaServer.open();
});
afterEach(async () => {
  for (const feed of feeds) await feed.close();
  llama.close();
});

function feed(options: Partial<DefiLlamaFeedOptions> = {}): DefiLlamaFeed {
  const feed = new DefiLlamaFeed({
    baseUrl: llama.url,
    timeoutMs: 5_000,
    maxBytes: 1_000_000,
    maxAgeMs: 3 * HOUR_MS,
    onTrouble: (message) => troubles.push(message),
    ...options,
  });
  feeds.push(feed);
  return feed;
}

type Source = { pool?: string; apr?: boolean; tvl?: 'assets' | 'liquidity' };
const vault = (id = 'vlt_a', source: Source = {}): Vault =>
  vaultOf({ id, feed: { kind: 'defillama', pool: USDC_POOL, apr: false, tvl: null, ...source } });
const BOTH = [vault(), vault('vlt_b', { pool: OTHER })];
const many = (count: number) => Array.from({ length: count }, (_, index) => vault(`vlt_${index}`));

const observe = (
  vaults: readonly Vault[] = [vault()],
  options?: Partial<DefiLlamaFeedOptions>,
): Promise<Map<string, Observation>> => feed(options).observe(vaults, HOUR);
const observed = async (): Promise<Observation | undefined> => (await observe()).get('vlt_a');

describe('/pools', () => {
  it('/pools provides all vaults in one request', async () => {
    llama.pools = json(
      answerOf([
        null,
        ...[5, 'x', [], {}, { pool: null }],
        row({ apyBase: 3.28103, apy: 3.28103 }),
        row({ apyBase: 3.28103, apy: 3.28103 }),
        row({ pool: OTHER, apyBase: 0, apy: 0, tvlUsd: 0 }),
      ]),
    );
    const before = Date.now();
    const observations = await observe([...BOTH, vault('vlt_c')]);
    expect([...observations.keys()]).toEqual(['vlt_a', 'vlt_b', 'vlt_c']);
    expect(observations.get('vlt_a')).toMatchObject({
      apy: expect.closeTo(0.0328103, 15),
      tvl: 152_003_211_000_000n,
    });
    expect(observations.get('vlt_b')).toMatchObject({ apy: 0, tvl: 0n });
    const at = observations.get('vlt_a')!.observedAt.getTime();
    // A Date is in whole seconds.
    expect(at >= before - 2_000 && at <= Date.now()).toBe(true);
    expect(llama.asked).toEqual(['GET /pools']);
    expect(troubles).toEqual([]);
  });

  it.each<[string, Source, object, object]>(
    // prettier-ignore
    [
      ['no deposits or liquidity by itself', {}, { assets: null, liquidity: null }, {}],
      ['a TVL that the catalogue defines as deposits', { tvl: 'assets' }, { assets: 20_000_000n, liquidity: null }, {}],
      ['a TVL that the catalogue defines as liquidity', { tvl: 'liquidity' }, { assets: null, liquidity: 20_000_000n }, {}],
      ['deposits and liquidity of a lending pool', {}, { assets: 100_000_000n, liquidity: 19_500_000n }, { totalSupplyUsd: 100, totalBorrowUsd: 80.5 }],
      ['no liquidity of a lending pool with more loans than deposits', {}, { liquidity: 0n }, { totalSupplyUsd: 100, totalBorrowUsd: 101 }],
      ['no liquidity of a lending pool with unknown loans', {}, { assets: null, liquidity: null }, { totalSupplyUsd: 100, totalBorrowUsd: null }],
    ],
  )('/pools has %s', async (_, source, depth, loans) => {
    llama.pools = json(answerOf([row({ tvlUsd: 20 })]));
    llama.lending = json(JSON.stringify([{ pool: USDC_POOL, ...loans }]));
    const observations = await observe([vault('vlt_a', source)]);
    expect(observations.get('vlt_a')).toMatchObject({ tvl: 20_000_000n, ...depth });
  });

  it('/pools is used without /lendBorrow if that fails', async () => {
    llama.lending = status(500);
    expect(await observed()).toMatchObject({ apy: 0.05, assets: null, liquidity: null });
    expect(troubles).toEqual(['DefiLlama: /lendBorrow: answered 500.']);
  });

  it('/pools is not requested for vaults of other feeds', async () => {
    expect(await observe([{ ...vault(), feed: { kind: 'simulated' } }])).toEqual(new Map());
    expect(llama.asked).toEqual([]);
  });

  it('/pools has an APR for vaults marked so, which is compounded by the hour', async () => {
    llama.pools = json(answerOf([row({ apyBase: 10, apy: 10 })]));
    const observations = await observe([vault('vlt_apr', { apr: true }), vault('vlt_apy')]);
    expect(observations.get('vlt_apr')?.apy).toBeCloseTo(0.10517029, 8);
    expect(observations.get('vlt_apy')?.apy).toBe(0.1);
    llama.pools = json(answerOf([row({ apyBase: -10, apy: -10 })]));
    expect((await observe([vault('vlt_apr', { apr: true })])).get('vlt_apr')?.apy).toBeCloseTo(-0.0951631, 8);
  });

  it.each([
    ['separates rewards from the base APY', { apyBase: 3, apyReward: 2, apy: 5 }, 0.03, 0.02],
    ['derives missing rewards from the total', { apyBase: 3, apyReward: null, apy: 5.1 }, 0.03, 0.021],
    ['drops rewards that are too high', { apyBase: 3, apyReward: 4000, apy: 4003 }, 0.03, undefined],
    ['uses the total without base APY and rewards', { apyBase: null, apyReward: null, apy: 5 }, 0.05, 0],
    ['uses the total if the rewards are 0', { apyBase: undefined, apyReward: 0, apy: 5 }, 0.05, 0],
    ['accepts 1000 %', { apyBase: 1000, apy: 1000 }, 10, 0],
    ['accepts a loss', { apyBase: -3, apy: -3 }, -0.03, 0],
    ['accepts a loss down to just above -100 %', { apyBase: -99.5, apy: -99.5 }, -0.995, 0],
    ['separates rewards from a loss', { apyBase: -3, apyReward: 5, apy: 2 }, -0.03, 0.05],
    ['uses a negative total without base APY and rewards', { apyBase: null, apy: -3 }, -0.03, 0],
    ['accepts a base APY of 0', { apyBase: 0, apy: 0 }, 0, 0],
    ['accepts a total of 0 with known rewards', { apyBase: null, apyReward: 0, apy: 0 }, 0, 0],
  ])('/pools %s', async (_name, over, apy, rewards) => {
    llama.pools = json(answerOf([row(over)]));
    const observations = await observed();
    expect([observations?.apy, observations?.rewardApy]).toEqual([apy, rewards]);
  });

  it.each([
    ['no APY', { apy: undefined, apyBase: undefined }, 'no APY'],
    ['a null APY beside a base', { apy: null, apyBase: 5 }, 'no APY'],
    ['rewards alone', { apyBase: null, apyReward: 5, apy: 5 }, 'an APY from rewards alone'],
    ['a string', { apyBase: '5' }, 'an invalid APY (5 %)'],
    ['a string as the total', { apy: '5' }, 'an invalid APY (5 %)'],
    [
      'an APY of 0 without base and rewards',
      { apyBase: null, apy: 0 },
      'an APY of 0 without base and rewards',
    ],
    ['-100 %', { apyBase: -100, apy: -100 }, 'an invalid APY (-100 %)'],
    ['a total of -100 %', { apyBase: -3, apy: -100 }, 'an invalid APY (-3 %)'],
    ['a loss in total beside a gain', { apy: -5 }, 'an invalid APY (5 %)'],
    ['a base APY that is no number', { apyBase: {}, apy: 5 }, 'an invalid APY (no number)'],
    ['more than 1000 %', { apyBase: 1000.01, apy: 1000.01 }, 'an invalid APY (1000.01 %)'],
    ['a number without end', { apyBase: 'HUGE' }, 'an invalid APY (Infinity %)'],
  ])('/pools with %s counts as no data, and is logged', async (_name, over, trouble) => {
    llama.pools = json(answerOf([row(over), row({ pool: OTHER })]).replace('"HUGE"', '1e999'));
    expect([...(await observe(BOTH)).keys()]).toEqual(['vlt_b']);
    expect(troubles).toEqual([`DefiLlama: vlt_a: ${trouble}.`]);
    expect(llama.asked).toEqual(['GET /pools']);
  });

  it.each([
    [1.5, 1_500_000n],
    [19_999_999_999.25, 19_999_999_999_250_000n],
    [0.0000004, 0n],
    ['152003211', null],
    [undefined, null],
    [-1, null],
    [1e300, null],
  ])('/pools with a TVL of %p has %p micro-units', async (tvlUsd, expected) => {
    llama.pools = json(answerOf([row({ tvlUsd })]));
    expect(await observed()).toMatchObject({ apy: 0.05, tvl: expected });
  });
});

describe('the chart of a pool', () => {
  it('The chart of a pool is read for a vault whose pool is missing in /pools', async () => {
    llama.pools = json(answerOf([row({ pool: OTHER })]));
    llama.chart = json(answerOf([point(2 * HOUR_MS, { apy: 6, apyBase: 6, tvlUsd: 12.5 })]));
    const observations = await observe(BOTH);
    expect(observations.get('vlt_a')).toMatchObject({ apy: 0.06, tvl: 12_500_000n });
    expect(Math.abs(Date.now() - 2 * HOUR_MS - observations.get('vlt_a')!.observedAt.getTime())).toBeLessThan(
      10_000,
    );
    expect(observations.get('vlt_b')?.apy).toBe(0.05);
    expect(llama.asked).toEqual(['GET /pools', `GET /chart/${USDC_POOL}`]);
    expect(troubles).toEqual([`DefiLlama: vlt_a: pool ${USDC_POOL} is missing in /pools.`]);
  });

  it('The chart of a pool is used instead of two rows that disagree', async () => {
    llama.pools = json(answerOf([row(), row({ apyBase: 500, apy: 500 })]));
    llama.chart = json(answerOf([point(0)]));
    expect((await observed())?.apy).toBe(0.04);
    expect(troubles).toEqual([
      `DefiLlama: vlt_a: pool ${USDC_POOL} is listed twice, with different figures, in /pools.`,
    ]);
  });

  const ago = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toUTCString();
  it.each<[string, Record<string, string>]>([
    ['Last-Modified', { 'last-modified': ago(4) }],
    ['Age', { age: '14400' }],
    ['Age, though it was modified later', { age: '14400', 'last-modified': ago(-1) }],
    ['Date', { date: ago(4) }],
    ['Date, though its Age is unreadable', { date: ago(4), age: 'young' }],
  ])('The chart of a pool is read for every vault if /pools is too old by its %s', async (_, old) => {
    llama.pools = json(answerOf([row()]), old);
    llama.chart = json(answerOf([point(0, { apy: 10, apyBase: 10 })]));
    const observations = await observe([vault('vlt_a', { apr: true }), BOTH[1]!]);
    expect(observations.get('vlt_a')?.apy).toBeCloseTo(0.10517029, 8);
    expect(observations.get('vlt_b')?.apy).toBe(0.1);
    expect(troubles).toEqual([expect.stringMatching(/^DefiLlama: \/pools: from .*Z, too old\.$/)]);
  });

  it('The chart of a pool is read at its newest point that is not in the future, in any order of points', async () => {
    llama.pools = json(answerOf([]));
    llama.chart = json(
      answerOf([
        point(HOUR_MS, { apy: 9, apyBase: 9 }),
        point(48 * HOUR_MS),
        { timestamp: 'never', apy: 1, apyBase: 1 },
        { timestamp: 1e300, apy: 1, apyBase: 1 },
        point(-HOUR_MS, { apy: 2, apyBase: 2 }),
        null,
      ]),
    );
    expect((await observed())?.apy).toBe(0.09);
  });

  it.each(
    // prettier-ignore
    [
      ['is old', () => answerOf([point(4 * HOUR_MS)]), 'its chart ends at .*Z, too old'],
      ['is empty', () => answerOf([]), 'its chart has no point'],
      ['is of another shape', () => JSON.stringify([point(0)]), 'its chart has no point'],
      ['is an error', () => JSON.stringify({ status: 'error', data: [point(0)] }), 'its chart has no point'],
      ['ends with a point of 0 without base', () => answerOf([point(HOUR_MS), point(0, { apy: 0, apyBase: null })]), 'an APY of 0 without base and rewards'],
      ['ends with a point without an APY', () => answerOf([point(25 * HOUR_MS), point(0, { apy: null })]), 'no APY'],
    ],
  )('A chart that %s counts as no data', async (_name, body, trouble) => {
    llama.pools = json(answerOf([]));
    llama.chart = json(body());
    expect(await observe()).toEqual(new Map());
    expect(troubles[1]).toMatch(new RegExp(`^DefiLlama: vlt_a: ${trouble}\\.$`));
  });

  it('A chart that fails does not affect the chart of another vault', async () => {
    llama.pools = json(answerOf([]));
    llama.chart = (request, response) =>
      (request.url!.endsWith(USDC_POOL) ? status(500) : json(answerOf([point(0)])))(request, response);
    expect([...(await observe(BOTH)).keys()]).toEqual(['vlt_b']);
  });
});

describe('a failure of DefiLlama', () => {
  const [NOT_JSON, SHAPE, LARGE] = [
    'an answer that is not JSON',
    'not of the expected shape',
    'an answer of more than 1000000 bytes',
  ];
  let poured = 0;
  const endless: Handler = (_request, response) => {
    poured = 0;
    response.writeHead(200);
    const pour = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, ' '))) poured += 65_536;
    };
    response.on('drain', pour);
    pour();
  };
  const announced: Handler = (_request, response) => {
    response.writeHead(200, { 'content-length': '50000000' });
    response.write('{');
  };
  const truncated: Handler = (_request, response) => {
    response.writeHead(200, { 'content-length': '5000' });
    response.write(answerOf([row()]), () => response.socket!.destroy());
  };
  const reset: Handler = (request) => void request.socket.resetAndDestroy();

  /** Charts are then tried, except for a host that asked to be left alone. */
  it.each<[string, Handler, string, number]>([
    ['500', status(500), 'answered 500', 1],
    ['204', (_request, response) => void response.writeHead(204).end(), 'answered 204', 1],
    ['429', status(429, { 'retry-after': '1' }), 'answered 429', 0],
    ['HTML', json('<!doctype html><title>Just a moment...</title>'), NOT_JSON, 1],
    ['nothing', json(''), NOT_JSON, 1],
    ['half a document', json(answerOf([row()]).slice(0, -20)), NOT_JSON, 1],
    ['deep nesting', json('['.repeat(500_000)), NOT_JSON, 1],
    ['null', json('null'), SHAPE, 1],
    ['a bare list', json(JSON.stringify([row()])), SHAPE, 1],
    ['no list', json('{"status":"success","data":{}}'), SHAPE, 1],
    ['an error', json('{"status":"error","data":[]}'), SHAPE, 1],
    ['a body announced beyond the limit', announced, LARGE, 1],
    ['an endless body', endless, LARGE, 1],
    ['a truncated body', truncated, 'an answer cut off (UND_ERR_SOCKET)', 1],
    ['repeated connection resets', reset, 'no connection (UND_ERR_SOCKET)', 0],
  ])(
    'A failure of /pools (%s) is logged, and charts are read instead, except after 429',
    async (_, handler, trouble, read) => {
      llama.pools = handler;
      llama.chart = json(answerOf([point(0)]));
      expect((await observe()).size).toBe(read);
      expect(troubles).toEqual([expect.stringMatching(/^DefiLlama: \/pools: /)]);
      expect(troubles[0]!.replace(/ECONNRESET/, 'UND_ERR_SOCKET')).toBe(`DefiLlama: /pools: ${trouble}.`);
      const retries = handler === reset ? 1 : 0;
      expect(llama.asked).toHaveLength(1 + retries + read);
      expect(poured).toBeLessThan(50_000_000);
    },
  );

  it('A redirect of DefiLlama is not followed', async () => {
    const elsewhere = createServer((_request, response) => void response.end(answerOf([row()])));
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    let reached = 0;
    elsewhere.on('connection', () => reached++);
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/pools`;
    llama.pools = llama.chart = status(302, { location });
    expect(await observe()).toEqual(new Map());
    expect(troubles[0]).toBe('DefiLlama: /pools: answered 302.');
    expect(reached).toBe(0);
    elsewhere.close();
  });

  it.each<[string, Handler]>([
    ['no answer', () => undefined],
    [
      'a slowly dripping response',
      (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])(
    'A response of DefiLlama that %s ends at one deadline for /pools and one for all charts together',
    async (_name, handler) => {
      llama.pools = llama.chart = handler;
      const started = performance.now();
      expect(await observe(many(30), { timeoutMs: 300 })).toEqual(new Map());
      expect(performance.now() - started).toBeGreaterThanOrEqual(590);
      expect(performance.now() - started).toBeLessThan(3_000);
      expect(troubles[0]).toMatch(/^DefiLlama: \/pools: no (complete )?answer within the deadline\.$/);
      expect(troubles).toHaveLength(31);
    },
  );

  it('One connection reset by DefiLlama is not noticed, as the request is repeated once', async () => {
    const answer = json(answerOf([row()]));
    llama.pools = (request, response) => (llama.asked.length === 1 ? reset : answer)(request, response);
    expect((await observe()).size).toBe(1);
    expect(llama.asked).toEqual(['GET /pools', 'GET /pools']);
    expect(troubles).toEqual([]);
  });

  it('An unreachable host of DefiLlama is logged each hour', async () => {
    const down = feed({ baseUrl: 'http://127.0.0.1:1' });
    for (let hour = 0; hour < 3; hour++)
      expect(await down.observe([vault()], new Date(HOUR.getTime() + hour * HOUR_MS))).toEqual(new Map());
    expect(troubles).toEqual(times(3, 'DefiLlama: /pools: no connection (ECONNREFUSED).'));
  });

  it('A 429 of DefiLlama for a chart stops further requests', async () => {
    llama.pools = json(answerOf([]));
    llama.chart = status(429);
    await observe(many(20));
    expect(llama.asked.length).toBeLessThanOrEqual(5);
  });
});

it('An answer is read up to the limit of bytes, which is above the 12 MB of today, and refused beyond it', async () => {
  for (const [length, limit, size] of [
    [1_000_000, 1_000_000, 1],
    [1_000_001, 1_000_000, 0],
    [12_000_000, FEED_MAX_BYTES, 1],
  ] as const) {
    const body = answerOf([row()]).padEnd(length);
    llama.pools = (_request, response) => void response.writeHead(200).end(body); // In chunks: no length is announced.
    expect((await observe(undefined, { maxBytes: limit })).size).toBe(size);
  }
  expect(troubles[0]).toBe('DefiLlama: /pools: an answer of more than 1000000 bytes.');
});
