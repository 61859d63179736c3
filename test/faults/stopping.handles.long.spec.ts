import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { childEnvironment, SERVES } from '../support/child-environment.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import { Api } from '../support/api.js';
import { startApp } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { answerOf } from '../support/llama-server.js';
import { createPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { freePort } from '../support/replica.js';
import { until } from '../support/until.js';

const DIST = new URL('../../dist/', import.meta.url).href;
/** The server without its call of process.exit: after a stop, the process ends when no handle keeps it alive. */
const SERVER = `
const { Application } = await import('${DIST}application.js');
const { loadSettings } = await import('${DIST}config/settings.js');
const { createProcessLogger } = await import('${DIST}telemetry/logger.js');
const settings = loadSettings(process.env);
const application = await Application.create(settings, createProcessLogger(settings).log);
process.on('SIGTERM', () => application.stop());
await (await application.listen()).ready;`;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('a stop', () => {
  it('leaves nothing behind that would keep the process alive', async () => {
    const database = await createTestDatabase();
    closing.push(() => database.drop());
    // A receiver that keeps connections open as long as its clients do.
    const receiver = await Receiver.start((response) =>
      response.setHeader('Keep-Alive', 'timeout=600').end(),
    );
    closing.push(() => receiver.close());
    const adminKey = newKeySecret('live');
    const [port, managementPort] = [await freePort(), await freePort()];
    const child = spawn(process.execPath, ['--input-type=module', '--eval', SERVER], {
      env: {
        ...childEnvironment(),
        CONTRACT: 'partner',
        HOST: '127.0.0.1',
        PORT: String(port),
        MANAGEMENT_PORT: String(managementPort),
        DATABASE_URL: database.url,
        SECRETS_KEY: Buffer.alloc(32).toString('base64'),
        BOOTSTRAP_ADMIN_KEY: adminKey,
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
        LOG_LEVEL: 'warn',
      },
      stdio: 'inherit',
      ...SERVES,
    });
    closing.push(() => child.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${url}/health/ready`).catch(() => null))?.ok ?? false, 20_000);
    const { api } = await createPartner(new Api(url, adminKey));
    const { id } = (await api.post('/webhooks', { url: receiver.url })).body.data;
    expect((await api.post(`/webhooks/${id}/test`)).body.data.status).toBe('delivered');
    expect((await api.get('/partner/summary')).status).toBe(200);
    await (await fetch(`http://127.0.0.1:${managementPort}/metrics`)).text();
    child.kill('SIGTERM');
    await until(async () => child.exitCode !== null, 15_000);
    expect(child.exitCode).toBe(0);
  }, 60_000);

  it('lets go of the connections to its feed and to receivers', async () => {
    const server = createServer((_request, response) =>
      response.setHeader('Keep-Alive', 'timeout=600').end(answerOf([])),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    // The clients must close the connections, not an idle timeout of this server.
    server.keepAliveTimeout = 600_000;
    const open = (): Promise<number> =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const app = await startApp('partner', { DEFILLAMA_BASE_URL: url });
    closing.push(() => app.close());
    const partner = await createPartner(app.admin);
    const { id } = (await partner.api.post('/webhooks', { url: `${url}/hook` })).body.data;
    expect((await partner.api.post(`/webhooks/${id}/test`)).body.data.status).toBe('delivered');
    // The tick at the start asks the feed.
    await until(async () => (await open()) >= 2);
    await app.application.stop();
    await until(async () => (await open()) === 0, 2_000);
  });
});
