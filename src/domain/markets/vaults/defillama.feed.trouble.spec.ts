import { vaultOf } from '../../../../test/support/vault.js';
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
import { DefiLlamaFeed, type DefiLlamaFeedOptions } from './defillama.feed.js';
import type { Observation } from './feed.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';

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

describe('a failure of DefiLlama', () => {
  /** Failures of /pools; charts are then tried, except for a host that asked to be left alone. */
  it.each<[string, Handler, string, boolean]>([
    ['500', status(500), 'answered 500', true],
    ['404', status(404), 'answered 404', true],
    ['204', (_request, response) => void response.writeHead(204).end(), 'answered 204', true],
    ['429', status(429, { 'retry-after': '1' }), 'answered 429', false],
    ['HTML', json('<!doctype html><title>Just a moment...</title>'), 'an answer that is not JSON', true],
    ['nothing', json(''), 'an answer that is not JSON', true],
    ['half a document', json(answerOf([row()]).slice(0, -20)), 'an answer that is not JSON', true],
    ['deep nesting', json('['.repeat(500_000)), 'an answer that is not JSON', true],
    ['NaN', json('{"status":"success","data":[NaN]}'), 'an answer that is not JSON', true],
    ['null', json('null'), 'not of the expected shape', true],
    ['a string', json('"success"'), 'not of the expected shape', true],
    ['a bare list', json(JSON.stringify([row()])), 'not of the expected shape', true],
    ['no list', json('{"status":"success","data":{}}'), 'not of the expected shape', true],
    ['an error', json('{"status":"error","data":[]}'), 'not of the expected shape', true],
  ])(
    'at /pools (%s) is logged, and charts are read instead, except after 429',
    async (_name, handler, trouble, goesOn) => {
      llama.pools = handler;
      llama.chart = json(answerOf([point(0)]));
      const seen = await observe();
      expect(troubles).toEqual([`DefiLlama: /pools: ${trouble}.`]);
      expect(seen.size).toBe(goesOn ? 1 : 0);
      expect(llama.asked).toHaveLength(goesOn ? 2 : 1);
    },
  );

  it('by a redirect is not followed', async () => {
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

  it('by a content-length beyond the limit is detected before the body is read', async () => {
    llama.pools = (_request, response) => {
      response.writeHead(200, { 'content-length': '50000000' });
      response.write('{');
    };
    expect(await observe()).toEqual(new Map());
    expect(troubles[0]).toBe('DefiLlama: /pools: an answer of more than 1000000 bytes.');
  });

  it('by an endless response ends at the size limit', async () => {
    let sent = 0;
    llama.pools = (_request, response) => {
      response.writeHead(200);
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, ' '))) sent += 65_536;
      };
      response.on('drain', pour);
      pour();
    };
    await observe();
    expect(troubles[0]).toBe('DefiLlama: /pools: an answer of more than 1000000 bytes.');
    expect(sent).toBeLessThan(50_000_000);
  });

  it('by a truncated body counts as no data', async () => {
    llama.pools = (_request, response) => {
      response.writeHead(200, { 'content-length': '5000' });
      response.write(answerOf([row()]), () => response.socket!.destroy());
    };
    expect(await observe()).toEqual(new Map());
    expect(troubles[0]).toMatch(/^DefiLlama: \/pools: an answer cut off \(UND_ERR_SOCKET\)\.$/);
    expect(llama.asked.filter((path) => path === 'GET /pools')).toHaveLength(1);
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
  ])('by %s ends at the deadline', async (_name, handler) => {
    llama.pools = llama.chart = handler;
    const started = performance.now();
    const vaults = Array.from({ length: 30 }, (_, index) => vault(`vlt_${index}`));
    expect(await observe(vaults, { timeoutMs: 300 })).toEqual(new Map());
    // One deadline for /pools, one for all charts together.
    expect(performance.now() - started).toBeGreaterThanOrEqual(590);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(troubles[0]).toMatch(/^DefiLlama: \/pools: no (whole )?answer within the deadline\.$/);
    expect(troubles).toHaveLength(31);
  });

  it('by a connection reset is retried once', async () => {
    const answer = json(answerOf([row()]));
    llama.pools = (request, response) => {
      if (llama.asked.length === 1) request.socket.resetAndDestroy();
      else answer(request, response);
    };
    expect((await observe()).size).toBe(1);
    expect(llama.asked).toEqual(['GET /pools', 'GET /pools']);
    expect(troubles).toEqual([]);
  });

  it('by repeated connection resets ends after one retry', async () => {
    llama.pools = (request) => void request.socket.resetAndDestroy();
    llama.chart = json(answerOf([point(0)]));
    expect(await observe()).toEqual(new Map());
    expect(llama.asked).toEqual(['GET /pools', 'GET /pools']);
    expect(troubles).toEqual([expect.stringMatching(/^DefiLlama: \/pools: no connection \(\w+\)\.$/)]);
  });

  it('by an unreachable host is logged each hour', async () => {
    const down = feed({ baseUrl: 'http://127.0.0.1:1' });
    for (let hour = 0; hour < 3; hour++) {
      expect(await down.observe([vault()], new Date(HOUR.getTime() + hour * HOUR_MS))).toEqual(new Map());
    }
    expect(troubles).toEqual(Array(3).fill('DefiLlama: /pools: no connection (ECONNREFUSED).'));
  });

  it('by an unknown host name is logged', async () => {
    expect(await observe(undefined, { baseUrl: 'http://no-such-host.invalid' })).toEqual(new Map());
    expect(troubles).toEqual([expect.stringMatching(/no connection \((ENOTFOUND|EAI_AGAIN)\)/)]);
  });

  it('by 429 for a chart stops further requests', async () => {
    llama.pools = json(answerOf([]));
    llama.chart = status(429);
    await observe(Array.from({ length: 20 }, (_, index) => vault(`vlt_${index}`)));
    expect(llama.asked.length).toBeLessThanOrEqual(5);
  });

  it('ends when the host has recovered', async () => {
    const lasting = feed();
    llama.pools = llama.chart = status(503);
    expect((await lasting.observe([vault()], HOUR)).size).toBe(0);
    llama.pools = json(answerOf([row()]));
    expect((await lasting.observe([vault()], HOUR)).size).toBe(1);
  });

  it('by a closed feed counts as no data', async () => {
    const closed = feed();
    await closed.close();
    await closed.close();
    expect(await closed.observe([vault()], HOUR)).toEqual(new Map());
    expect(llama.connections).toBe(0);
  });
});
