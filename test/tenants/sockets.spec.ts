import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { createPartner, type TestPartner } from '../support/partner.js';
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
    app = await startApp('partner', { RATE_LIMIT_PER_MINUTE: '0' }, undefined, ({ http }) => {
      http.sendTimeoutSeconds = 1;
    });
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
  const bufferedBytes = (): number =>
    [...sockets].reduce((bytes, { writableLength }) => bytes + writableLength, 0);

  it('A connection is closed after the send timeout if its client does not read responses; others stay open', async () => {
    const stalled = await Promise.all(Array.from({ length: 5 }, open));
    const idle = await open();
    for (const caller of stalled) caller.write(MANY);
    await until(async () => bufferedBytes() > 0);
    await until(async () => bufferedBytes() === 0 && sockets.size === 1);
    idle.resume().write(LAST);
    const [answer] = (await once(idle, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
    const metrics = await app.metrics();
    expect(metrics).toContain('vaultline_http_connections_cut_total{bound="send_timeout"} 5');
  });

  it('A connection is closed by the server after malformed bytes, even if the client keeps its end open', async () => {
    await until(async () => sockets.size === 0);
    const caller = await open();
    caller.allowHalfOpen = true;
    caller.resume().write('@@@\r\n\r\n');
    const [answer] = (await once(caller, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
    await until(async () => sockets.size === 0);
  });

  describe('that reads a long list as CSV', () => {
    const CSV = { accept: 'text/csv' };
    const USERS = 5_000;
    let partner: TestPartner;
    beforeAll(async () => {
      partner = await createPartner(app.admin);
      await app.sql(
        `INSERT INTO users (id, partner_id, external_id, label, metadata, status, created_at, updated_at)
         SELECT 'usr_' || lpad(n::text, 26, '0'), $1, 'u' || n, repeat('x', 4000), '{}', 'active', now(), now() FROM generate_series(1, $2::int) AS n`,
        [partner.id, USERS],
      );
    });

    /** A caller that has asked for the list, and read none of it. */
    const asking = async (key = partner.key): Promise<Socket> => {
      const caller = await open();
      caller.write(
        `GET /api/v1/partner/users HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nAccept: text/csv\r\n\r\n`,
      );
      await once(caller, 'readable');
      return caller;
    };
    /** Reads to the end. @returns whether it has the last chunk, which says that this is all */
    const isComplete = async (caller: Socket): Promise<boolean> => {
      let text = '';
      caller
        .setEncoding('utf8')
        .on('data', (part) => (text += String(part)))
        .resume();
      await once(caller, 'close');
      return text.endsWith('0\r\n\r\n');
    };

    it('A connection that reads a long list as CSV gets all of it', async () => {
      const { text } = await partner.api.get('/partner/users', CSV);
      expect(text.split('\r\n')).toHaveLength(USERS + 2);
    });

    it('A connection that reads a long list as CSV is the only one of its partner; while it stalls no transaction is open, and it is cut', async () => {
      const caller = await asking();
      expectError(await partner.api.get('/partner/users', CSV), 429, 'rate_limited');
      expect((await partner.api.get('/partner/users')).status).toBe(200);
      const other = await createPartner(app.admin);
      expect((await other.api.get('/partner/users', CSV)).status).toBe(200);
      const transactions = await app.sql(
        `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`,
      );
      expect(transactions).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(await isComplete(caller)).toBe(false);
      expect((await partner.api.get('/partner/users', CSV)).status).toBe(200);
    });

    it('A connection that reads a long list as CSV is cut when its key is revoked', async () => {
      const input = { label: 'csv', scopes: ['partner:read'], partner_id: partner.id };
      const key = (await app.admin.post('/keys', input)).body.data;
      const caller = await asking(key.secret);
      await app.admin.delete(`/keys/${key.id}`);
      expect(await isComplete(caller)).toBe(false);
    });
  });
});
