import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import type { Constants } from '../../src/config/constants.js';
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

describe('answers that nobody reads', () => {
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
});

describe('requests that are sent ahead', () => {
  it('are answered in order, each once', async () => {
    const { app, open } = await start();
    const caller = (await open())
      .ask('/health/live', 3)
      .ask('/api/v1/nowhere')
      .ask('/health/live', 1, 'Connection: close');
    expect((await caller.untilClosed()).statuses).toEqual([200, 200, 200, 404, 200]);
    await until(async () => handled(app, '/health/live') === 4);
  });

  it('leave the connection open, with bodies and however they arrive', async () => {
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

  it('are answered before the connection ends for what is no request', async () => {
    const { open } = await start();
    const caller = (await open()).ask('/health/live');
    caller.socket.write('@@@\r\n\r\n');
    expect((await caller.untilClosed()).statuses[0]).toBe(200);
  });
});

describe('connections', () => {
  it('that are refused end also where their callers do not close them', async () => {
    const { open, sockets } = await start();
    const caller = await open();
    caller.socket.allowHalfOpen = true;
    caller.read().socket.write('@@@\r\n\r\n');
    await until(async () => caller.statuses.includes(400));
    await until(async () => sockets.size === 0);
  });
});
