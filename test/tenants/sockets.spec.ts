import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { until } from '../support/until.js';

/** Requests for the largest of all answers: more than any kernel buffers for a connection that is not read. */
const MANY =
  'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: test\r\nAccept-Encoding: identity\r\n\r\n'.repeat(8);
const LAST = 'GET /health/live HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n';

describe('a connection', () => {
  let app: TestApp;
  /** Connections as the server holds them. */
  const sockets = new Set<Socket>();
  const callers: Socket[] = [];

  beforeAll(async () => {
    app = await startApp('sandbox', {}, undefined, ({ http }) => (http.sendTimeoutSeconds = 1));
    const server = app.application.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  });
  afterAll(async () => {
    for (const caller of callers) caller.destroy();
    await app.close();
  });

  /** A caller that reads nothing until it is told to. */
  const open = async (): Promise<Socket> => {
    const caller = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1' }).pause();
    callers.push(caller.on('error', () => undefined));
    await once(caller, 'connect');
    return caller;
  };
  const held = (): number => [...sockets].reduce((bytes, { writableLength }) => bytes + writableLength, 0);

  it('is closed after the send timeout if its client does not read responses; others stay open', async () => {
    const stalled = await Promise.all(Array.from({ length: 5 }, open));
    const idle = await open();
    for (const caller of stalled) caller.write(MANY);
    await until(async () => held() > 0);
    await until(async () => held() === 0 && sockets.size === 1);
    idle.resume().write(LAST);
    const [answer] = (await once(idle, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    const metrics = await app.metrics();
    expect(metrics).toContain('vaultline_http_connections_cut_total{bound="send_timeout"} 5');
  });

  it('is closed by the server after malformed bytes, even if the client keeps its end open', async () => {
    await until(async () => sockets.size === 0);
    const caller = await open();
    caller.allowHalfOpen = true;
    caller.resume().write('@@@\r\n\r\n');
    const [answer] = (await once(caller, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
    await until(async () => sockets.size === 0);
  });
});
