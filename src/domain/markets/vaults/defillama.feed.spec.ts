import { vaultOf } from '../../../../test/support/vault.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  answerOf,
  json,
  LlamaServer,
  point,
  row,
  status,
  USDC_POOL,
} from '../../../../test/support/llama-server.js';
import { DefiLlamaFeed, type DefiLlamaFeedOptions } from './defillama.feed.js';
import type { Observation } from './feed.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';

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
  const made = new DefiLlamaFeed({
    baseUrl: llama.url,
    timeoutMs: 5_000,
    maxBytes: 1_000_000,
    maxAgeMs: 3 * HOUR_MS,
    onTrouble: (message) => troubles.push(message),
    ...options,
  });
  feeds.push(made);
  return made;
}

const observe = (
  vaults: readonly Vault[] = [vault()],
  options?: Partial<DefiLlamaFeedOptions>,
): Promise<Map<string, Observation>> => feed(options).observe(vaults, HOUR);

const vault = (id = 'vlt_a', pool = USDC_POOL, apr = false): Vault =>
  vaultOf({ id, feed: { kind: 'defillama', pool, apr, tvl: null } });

describe('/pools', () => {
  it('provides all vaults in one request', async () => {
    llama.pools = json(
      answerOf([
        row({ apyBase: 3.28103, apy: 3.28103 }),
        row({ pool: OTHER, apyBase: 0, apy: 0, tvlUsd: 0 }),
      ]),
    );
    const before = Date.now();
    const seen = await observe([vault('vlt_a'), vault('vlt_b', OTHER), vault('vlt_c')]);
    expect([...seen.keys()]).toEqual(['vlt_a', 'vlt_b', 'vlt_c']);
    expect(seen.get('vlt_a')?.apy).toBeCloseTo(0.0328103, 15);
    expect(seen.get('vlt_a')?.tvl).toBe(152_003_211_000_000n);
    expect(seen.get('vlt_b')).toMatchObject({ apy: 0, tvl: 0n });
    expect(seen.get('vlt_a')!.observedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(seen.get('vlt_a')!.observedAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(llama.asked).toEqual(['GET /pools']);
    expect(troubles).toEqual([]);
  });

  it('has no deposits or liquidity unless the catalogue defines its TVL as one of them', async () => {
    const feedOf = (tvl: 'assets' | 'liquidity' | null) =>
      vaultOf({ id: `vlt_${tvl}`, feed: { kind: 'defillama', pool: USDC_POOL, apr: false, tvl } });
    const seen = await observe([feedOf(null), feedOf('assets'), feedOf('liquidity')]);
    const tvl = 152_003_211_000_000n;
    expect(seen.get('vlt_null')).toMatchObject({ tvl, assets: null, liquidity: null });
    expect(seen.get('vlt_assets')).toMatchObject({ tvl, assets: tvl, liquidity: null });
    expect(seen.get('vlt_liquidity')).toMatchObject({ tvl, assets: null, liquidity: tvl });
  });

  it('is combined with the deposits and liquidity of lending pools from /lendBorrow', async () => {
    llama.pools = json(answerOf([row({ tvlUsd: 20 }), row({ pool: OTHER })]));
    llama.lending = json(
      JSON.stringify([
        { pool: USDC_POOL, totalSupplyUsd: 100, totalBorrowUsd: 80.5 },
        { pool: OTHER, totalSupplyUsd: 100, totalBorrowUsd: null },
      ]),
    );
    const seen = await observe([vault('vlt_a'), vault('vlt_b', OTHER)]);
    expect(seen.get('vlt_a')).toMatchObject({
      tvl: 20_000_000n,
      assets: 100_000_000n,
      liquidity: 19_500_000n,
    });
    expect(seen.get('vlt_b')).toMatchObject({ assets: null, liquidity: null });
    llama.lending = status(500);
    expect((await observe()).get('vlt_a')).toMatchObject({ apy: 0.05, assets: null, liquidity: null });
    expect(troubles).toEqual(['DefiLlama: /lendBorrow: answered 500.']);
  });

  it('is not requested for vaults of other feeds', async () => {
    expect(await observe([{ ...vault(), feed: { kind: 'simulated' } }])).toEqual(new Map());
    expect(llama.asked).toEqual([]);
  });

  it('is requested below the path of the base URL', async () => {
    llama.pools = status(500);
    llama.chart = json(answerOf([row()]));
    expect((await observe(undefined, { baseUrl: `${llama.url}/v2` })).size).toBe(1);
    expect(llama.asked).toEqual(['GET /v2/pools']);
  });

  it('has an APR for vaults marked so, which is compounded by the hour', async () => {
    llama.pools = json(answerOf([row({ apyBase: 10, apy: 10 })]));
    const seen = await observe([vault('vlt_apr', USDC_POOL, true), vault('vlt_apy', USDC_POOL, false)]);
    expect(seen.get('vlt_apr')?.apy).toBeCloseTo(Math.expm1(8760 * Math.log1p(0.1 / 8760)), 14);
    expect(seen.get('vlt_apr')?.apy).toBeCloseTo(0.10517029, 8);
    expect(seen.get('vlt_apy')?.apy).toBe(0.1);
  });

  it.each([
    ['separates rewards from the base APY', { apyBase: 3, apyReward: 2, apy: 5 }, 0.03, 0.02],
    ['derives missing rewards from the total', { apyBase: 3, apyReward: null, apy: 5.1 }, 0.03, 0.021],
    ['drops rewards that are too high', { apyBase: 3, apyReward: 4000, apy: 4003 }, 0.03, undefined],
    ['uses the total without base APY and rewards', { apyBase: null, apyReward: null, apy: 5 }, 0.05, 0],
    ['uses the total if the rewards are 0', { apyBase: undefined, apyReward: 0, apy: 5 }, 0.05, 0],
    ['accepts 1000 %', { apyBase: 1000, apy: 1000 }, 10, 0],
  ])('%s', async (_name, over, apy, rewards) => {
    llama.pools = json(answerOf([row(over)]));
    const seen = (await observe()).get('vlt_a');
    expect([seen?.apy, seen?.rewardApy]).toEqual([apy, rewards]);
  });

  it.each([
    ['a null APY', { apy: null, apyBase: null }],
    ['a null APY beside a base', { apy: null, apyBase: 5 }],
    ['no APY', { apy: undefined, apyBase: undefined }],
    ['rewards alone', { apyBase: null, apyReward: 5, apy: 5 }],
    ['a string', { apyBase: '5' }],
    ['a string as the total', { apy: '5' }],
    ['an object', { apyBase: {} }],
    ['true', { apyBase: true }],
    ['a negative APY', { apyBase: -0.01 }],
    ['a negative total', { apy: -5 }],
    ['more than 1000 %', { apyBase: 1000.01, apy: 1000.01 }],
    ['a number without end', { apyBase: 'HUGE' }],
  ])('%s counts as no data, and is logged', async (_name, over) => {
    llama.pools = json(answerOf([row(over), row({ pool: OTHER })]).replace('"HUGE"', '1e999'));
    const seen = await observe([vault(), vault('vlt_b', OTHER)]);
    expect([...seen.keys()]).toEqual(['vlt_b']);
    expect(troubles).toEqual([expect.stringMatching(/^DefiLlama: vlt_a: .*\.$/)]);
    expect(llama.asked).toEqual(['GET /pools']);
  });

  it.each([
    [1.5, 1_500_000n],
    [19_999_999_999.25, 19_999_999_999_250_000n],
    [0.0000004, 0n],
    ['152003211', null],
    [null, null],
    [undefined, null],
    [-1, null],
    [1e300, null],
  ])('with a TVL of %p has %p micro-units', async (tvlUsd, expected) => {
    llama.pools = json(answerOf([row({ tvlUsd })]));
    expect((await observe()).get('vlt_a')).toMatchObject({ apy: 0.05, tvl: expected });
  });

  it('may contain invalid rows', async () => {
    llama.pools = json(answerOf([null, 5, 'x', [], {}, { pool: null }, row()]));
    expect((await observe()).size).toBe(1);
  });

  it('may contain a pool twice with equal figures', async () => {
    llama.pools = json(answerOf([row(), row({ count: 7 })]));
    expect((await observe()).get('vlt_a')?.apy).toBe(0.05);
  });

  it('has the age from its headers', async () => {
    const modified = new Date(Math.floor(Date.now() / 1000) * 1000 - 2 * HOUR_MS);
    llama.pools = json(answerOf([row()]), { 'last-modified': modified.toUTCString(), age: '60' });
    expect((await observe()).get('vlt_a')?.observedAt).toEqual(modified);
    llama.pools = json(answerOf([row()]), { age: '3600' });
    const aged = (await observe()).get('vlt_a')!.observedAt.getTime();
    expect(Math.abs(Date.now() - HOUR_MS - aged)).toBeLessThan(10_000);
  });

  it.each([
    { 'last-modified': new Date(Date.now() + HOUR_MS).toUTCString() },
    { 'last-modified': 'soon', age: '-9' },
  ])('is never dated in the future: %j', async (headers) => {
    llama.pools = json(answerOf([row()]), headers);
    expect((await observe()).get('vlt_a')!.observedAt.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

describe('a chart', () => {
  it('is requested only for a pool that is missing in /pools', async () => {
    llama.pools = json(answerOf([row({ pool: OTHER })]));
    llama.chart = json(
      answerOf([point(26 * HOUR_MS), point(2 * HOUR_MS, { apyBase: 6, apy: 7, tvlUsd: 12.5 })]),
    );
    const seen = await observe([vault(), vault('vlt_b', OTHER)]);
    expect(seen.get('vlt_a')).toMatchObject({ apy: 0.06, tvl: 12_500_000n });
    expect(Math.abs(Date.now() - 2 * HOUR_MS - seen.get('vlt_a')!.observedAt.getTime())).toBeLessThan(10_000);
    expect(seen.get('vlt_b')?.apy).toBe(0.05);
    expect(llama.asked).toEqual(['GET /pools', `GET /chart/${USDC_POOL}`]);
    expect(troubles).toEqual([`DefiLlama: vlt_a: pool ${USDC_POOL} is missing in /pools.`]);
  });

  it('is used instead of two rows that disagree', async () => {
    llama.pools = json(answerOf([row(), row({ apyBase: 500, apy: 500 })]));
    llama.chart = json(answerOf([point(0)]));
    expect((await observe()).get('vlt_a')?.apy).toBe(0.04);
    expect(troubles).toEqual([`DefiLlama: vlt_a: pool ${USDC_POOL} is twice, differently, in /pools.`]);
  });

  it('is requested for every vault if /pools is too old', async () => {
    llama.pools = json(answerOf([row()]), {
      'last-modified': new Date(Date.now() - 4 * HOUR_MS).toUTCString(),
    });
    llama.chart = json(answerOf([point(0)]));
    const seen = await observe([vault('vlt_a', USDC_POOL, true), vault('vlt_b', OTHER)]);
    expect(seen.get('vlt_a')?.apy).toBeCloseTo(Math.expm1(8760 * Math.log1p(0.04 / 8760)), 14);
    expect(seen.get('vlt_b')?.apy).toBe(0.04);
    expect(troubles).toEqual([expect.stringMatching(/^DefiLlama: \/pools: from .*Z, too old\.$/)]);
  });

  it('is read at its newest point, in any order of points', async () => {
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
    expect((await observe()).get('vlt_a')?.apy).toBe(0.09);
  });

  it.each([
    ['is old', () => answerOf([point(4 * HOUR_MS)]), 'its chart ends at .*Z, too old'],
    ['is empty', () => answerOf([]), 'its chart has no point'],
    ['is of another shape', () => JSON.stringify([point(0)]), 'its chart has no point'],
    [
      'ends with a point without an APY',
      () => answerOf([point(25 * HOUR_MS), point(0, { apy: null })]),
      'no APY',
    ],
    ['is an error', () => JSON.stringify({ status: 'error', data: [point(0)] }), 'its chart has no point'],
  ])('that %s counts as no data', async (_name, body, trouble) => {
    llama.pools = json(answerOf([]));
    llama.chart = json(body());
    expect(await observe()).toEqual(new Map());
    expect(troubles[1]).toMatch(new RegExp(`^DefiLlama: vlt_a: ${trouble}\\.$`));
  });

  it('that fails does not affect the chart of another vault', async () => {
    llama.pools = json(answerOf([]));
    llama.chart = (request, response) =>
      (request.url!.endsWith(USDC_POOL) ? status(500) : json(answerOf([point(0)])))(request, response);
    expect([...(await observe([vault(), vault('vlt_b', OTHER)])).keys()]).toEqual(['vlt_b']);
  });
});

it('reads a response of more than 10 MB', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) =>
    row({ pool: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` }),
  );
  const body = answerOf([...rows, row()]);
  expect(body.length).toBeGreaterThan(10_000_000);
  llama.pools = json(body);
  expect((await observe(undefined, { maxBytes: 40_000_000 })).get('vlt_a')?.apy).toBe(0.05);
});
