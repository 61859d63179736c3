import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import { Client } from 'pg';
import type { Constants } from '../../src/config/constants.js';
import { RequestEntry } from '../../src/http/request/request.entry.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { startApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';
import { Caller } from './socket.js';

/** The largest of all answers. */
const LONG = '/docs/swagger-ui-bundle.js';
/** With LONG, more answers than any kernel buffers for a connection that is not read. */
const MANY = 8;
const PLAIN = 'Accept-Encoding: identity';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(
  adjust: (http: Constants['http']) => void = () => undefined,
  env: Record<string, string> = {},
): Promise<{ app: TestApp; open: (localAddress?: string) => Promise<Caller>; sockets: Set<Socket> }> {
  const app = await startApp('sandbox', env, undefined, ({ http }) => adjust(http));
  closing.push(() => app.close());
  const sockets = new Set<Socket>();
  const server = app.application.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const open = async (localAddress?: string): Promise<Caller> => {
    const caller = await Caller.open(app.url, localAddress);
    closing.push(() => caller.close());
    return caller;
  };
  return { app, open, sockets };
}

/** The number of requests that ended, with an answer or with the connection: those that the log has a line of. */
const handled = (app: TestApp, route: string): number => app.logs().split(`"route":"${route}"`).length - 1;
const held = (sockets: Set<Socket>): number =>
  [...sockets].reduce((bytes, socket) => bytes + socket.writableLength, 0);
const sizeOf = async ({ url }: TestApp): Promise<number> => (await (await fetch(url + LONG)).bytes()).length;
const isAlive = async ({ url }: TestApp): Promise<boolean> =>
  (await fetch(`${url}/health/live`, { headers: { connection: 'close' } })).ok;

describe('answers that nobody reads', () => {
  it('are made one at a time: what is sent ahead waits, however much it is', async () => {
    const { app, open, sockets } = await start();
    const begun = jest.spyOn(app.application.get(RequestEntry), 'take');
    const size = await sizeOf(app);
    const callers = await Promise.all(Array.from({ length: 30 }, () => open()));
    begun.mockClear();
    for (const caller of callers) caller.ask(LONG, 500, PLAIN);
    // One answer of each connection is stuck behind the full kernel buffer.
    await until(async () => held(sockets) >= 30 * size);
    expect(await isAlive(app)).toBe(true);
    expect(held(sockets)).toBeLessThan(31 * size);
    expect(begun.mock.calls.length).toBeLessThan(30 * MANY);
  });

  it('end their connections when the time to take them is over, and no other one', async () => {
    const { app, open, sockets } = await start((http) => (http.sendTimeoutSeconds = 1));
    const stalled = await Promise.all(Array.from({ length: 5 }, () => open()));
    const idle = await open();
    for (const caller of stalled) caller.ask(LONG, MANY, PLAIN);
    await until(async () => held(sockets) > 0);
    await until(async () => held(sockets) === 0 && sockets.size === 1);
    expect((await idle.ask('/health/live', 1, 'Connection: close').untilClosed()).statuses).toEqual([200]);
    const metrics = await app.application.get(Metrics).registry.metrics();
    expect(metrics).toContain('vaultline_http_connections_cut_total{bound="send_timeout"} 5');
  });

  it('are bounded in bytes over all connections, at the cost of the address that leaves most', async () => {
    const bound = 8_388_608;
    const { app, open, sockets } = await start((http) => (http.unsentBytes = bound));
    const slow = await open('127.0.0.3');
    slow.ask(LONG, MANY, PLAIN);
    await until(async () => held(sockets) > 0);
    for (let count = 0; count < 20; count++) {
      (await open('127.0.0.2')).ask(LONG, MANY, PLAIN);
      expect(await isAlive(app)).toBe(true);
      expect(held(sockets)).toBeLessThanOrEqual(bound);
    }
    const size = await sizeOf(app);
    await until(async () => held(sockets) <= bound && held(sockets) > bound - size);
    // A caller with few answers to read still gets them.
    slow.ask('/health/live', 1, 'Connection: close');
    expect((await slow.untilClosed()).statuses).toEqual(Array(MANY + 1).fill(200));
  });
});

describe('requests that are sent ahead', () => {
  it('are answered in order, each once, up to a bound; with its answer the connection ends', async () => {
    const { app, open } = await start((http) => (http.requestsAhead = 4));
    const caller = (await open()).ask('/health/live', 3).ask('/api/v1/nowhere').ask('/health/live', 500);
    expect((await caller.untilClosed()).statuses).toEqual([200, 200, 200, 404, 200]);
    expect(caller.text.match(/^Connection: .*$/gim)).toEqual([
      ...Array(4).fill('Connection: keep-alive'),
      'Connection: close',
    ]);
    await until(async () => handled(app, '/health/live') === 4);
  });

  it('within the bound leave the connection open, with bodies and however they arrive', async () => {
    const { app, open } = await start();
    const caller = (await open()).read();
    const body = '{"label":"Ahead"}';
    const post = [
      'POST /api/v1/keys HTTP/1.1',
      ...['Host: test', `Authorization: Bearer ${app.adminKey}`, 'Content-Type: application/json'],
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
    for (let round = 1; round <= 5; round++) {
      const bytes = post.repeat(5);
      // The last request is cut off within its body.
      caller.socket.write(bytes.slice(0, -7));
      await until(async () => caller.statuses.length >= round * 5 - 1);
      caller.socket.write(bytes.slice(-7));
      await until(async () => caller.statuses.length === round * 5);
    }
    expect(caller.statuses).toEqual(Array(25).fill(201));
    caller.ask('/health/live', 1, 'Connection: close');
    expect((await caller.untilClosed()).statuses).toHaveLength(26);
  });

  it('are answered before a CONNECT behind them, which is answered last and ends the connection', async () => {
    const { app, open } = await start();
    const caller = await open();
    const read = 'GET /health/ready HTTP/1.1\r\nHost: test\r\n\r\n';
    caller.socket.write(`${read.repeat(3)}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n${read}`);
    expect((await caller.untilClosed()).statuses).toEqual([200, 200, 200, 405]);
    await until(async () => handled(app, '/health/ready') === 3);
  });

  it('are answered before the connection ends for what is no request', async () => {
    const { open } = await start();
    const caller = (await open()).ask('/health/live');
    caller.socket.write('@@@\r\n\r\n');
    expect((await caller.untilClosed()).statuses[0]).toBe(200);
  });
});

describe('connections', () => {
  const few = (http: Constants['http']): void => {
    http.connectionsPerAddress = 5;
  };

  it('of one address are bounded: one that waits for its caller makes room, and other addresses keep theirs', async () => {
    const { app, open, sockets } = await start(few);
    const other = await open('127.0.0.2');
    await Promise.all(Array.from({ length: 15 }, () => open()));
    await until(() => isAlive(app));
    await until(async () => sockets.size <= 6);
    expect((await other.ask('/health/live', 1, 'Connection: close').untilClosed()).statuses).toEqual([200]);
  });

  it('of one address that are all at work refuse a further one with 429 and Retry-After', async () => {
    const { app, open } = await start(few);
    const holding = new Client({ connectionString: app.database.url, options: '-c search_path=sandbox' });
    await holding.connect();
    closing.push(() => holding.end());
    await holding.query('BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
    const busy = await Promise.all(Array.from({ length: 5 }, () => open('127.0.0.4')));
    for (const caller of busy) caller.ask('/api/v1/keys', 1, `Authorization: Bearer ${app.adminKey}`);
    const refused = (await open('127.0.0.4')).ask('/health/live');
    const { statuses, text } = await refused.untilClosed();
    expect(statuses).toEqual([429]);
    expect(text).toMatch(/^Retry-After: \d+$/im);
    expect(JSON.parse(text.slice(text.indexOf('{'))).error.code).toBe('rate_limited');
    const elsewhere = (await open('127.0.0.2')).ask('/health/live', 1, 'Connection: close');
    expect((await elsewhere.untilClosed()).statuses).toEqual([200]);
    await holding.query('ROLLBACK');
    for (const caller of busy) await until(async () => caller.read().statuses.includes(200));
  });

  it('of a trusted proxy carry everybody, and are not counted for its address', async () => {
    const { open } = await start(few, { TRUSTED_PROXIES: '127.0.0.0/8' });
    const callers = await Promise.all(Array.from({ length: 30 }, () => open()));
    for (const caller of callers) caller.ask('/health/live', 1, 'Connection: close');
    for (const caller of callers) expect((await caller.untilClosed()).statuses).toEqual([200]);
  });

  it('that are refused end also where their callers do not close them', async () => {
    const { open, sockets } = await start();
    const caller = await open();
    caller.socket.allowHalfOpen = true;
    caller.read().socket.write('@@@\r\n\r\n');
    await until(async () => caller.statuses.includes(400));
    await until(async () => sockets.size === 0);
  });
});
