import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Gauge } from 'prom-client';
import { loadSettings } from '../../config/settings.js';
import { Metrics } from '../../telemetry/metrics.js';
import { expectError } from '../../../test/support/expected-error.js';
import { sendRaw } from '../../../test/support/raw.js';
import { SECRETS_KEY } from '../../../test/support/secrets-key.js';
import { listenForHealth, listenForManagement } from './management.server.js';

const settings = loadSettings({ CONTRACT: 'partner', HOST: '127.0.0.1', PORT: '0', SECRETS_KEY });

describe('the port of a worker, and that of metrics', () => {
  let server: Server;
  afterEach(() => void server.close());

  const ask = (path: string): ReturnType<typeof sendRaw> =>
    sendRaw(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      `GET ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`,
    );

  it('The ports of a worker and of metrics answer with an id; what they do not have, with an envelope', async () => {
    server = await listenForHealth(settings, { health: async () => ({ status: 'ready' }) });
    const { status, headers } = await ask('/health/ready');
    expect([status, headers.get('x-request-id')]).toEqual([200, expect.stringMatching(/^req_/)]);
    expectError(await ask('/metrics'), 404, 'route_not_found');
  });

  it('The ports of a worker and of metrics answer with an envelope when the metrics cannot be collected', async () => {
    const metrics = new Metrics(settings);
    const collect = (): never => {
      throw new Error('no figure');
    };
    new Gauge({ name: 'broken', help: 'Fails.', registers: [metrics.registry], collect });
    server = await listenForManagement(settings, metrics, '127.0.0.1', 0);
    expectError(await ask('/metrics'), 500, 'internal_error');
    expectError(await ask('/health/live'), 404, 'route_not_found');
  });
});
