import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../config/settings.js';
import { SECRETS_KEY } from '../../test/support/secrets-key.js';
import type { ObservedBacklogs } from './deployment.metrics.js';
import { Metrics } from './metrics.js';

const SETTINGS = loadSettings({ CONTRACT: 'sandbox', SECRETS_KEY });
const NOTHING: ObservedBacklogs = {
  tick: { lagSeconds: null },
  jobs: [],
  deliveries: { queued: 0, oldestSeconds: null },
  feeds: [],
  divergent: [],
  unresolved: {},
  ledger: null,
};
const valuesOf = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(name));

describe('the metrics of a process', () => {
  it('The metrics of a process have no value before its first observation', async () => {
    const metrics = new Metrics(SETTINGS);
    const observed =
      /^vaultline_(tick|feed|jobs_waiting|jobs_oldest|deliveries_(queued|oldest)|replica|database|storage|move_orders)/m;
    expect(await metrics.text()).not.toMatch(observed);
    metrics.deployment.observeStorage(1_000, false);
    const text = await metrics.text();
    expect(text).toMatch(/^vaultline_database_bytes 1000$/m);
    expect(text).toMatch(/^vaultline_storage_nearly_full 0$/m);
  });

  it('The metrics of a process show whether it runs jobs, unless its role is api', async () => {
    const worker = { isRunning: false };
    const [api, all] = [new Metrics(SETTINGS), new Metrics(SETTINGS)];
    api.watchRole('api', worker);
    all.watchRole('all', worker);
    const running = async (metrics: Metrics): Promise<string[]> =>
      valuesOf(await metrics.text(), 'vaultline_worker_running');
    expect(await running(api)).toEqual([]);
    expect(await running(all)).toEqual(['vaultline_worker_running 0']);
    worker.isRunning = true;
    expect(await running(all)).toEqual(['vaultline_worker_running 1']);
  });

  it('The metrics of a process show the longest silence of each role, and the number of replicas that are not silent', async () => {
    const metrics = new Metrics(SETTINGS);
    const replica = (role: string, silentSeconds: number) => ({
      role,
      silentSeconds,
      silent: silentSeconds > 60,
    });
    metrics.deployment.observeBacklogs(NOTHING, [
      replica('api', 3),
      replica('worker', 90),
      replica('worker', 12),
    ]);
    expect(valuesOf(await metrics.text(), 'vaultline_replica')).toEqual([
      'vaultline_replicas_seen 2',
      'vaultline_replica_silent_seconds{role="api"} 3',
      'vaultline_replica_silent_seconds{role="worker"} 90',
    ]);
    metrics.deployment.observeBacklogs(NOTHING, [replica('api', 5)]);
    expect(valuesOf(await metrics.text(), 'vaultline_replica')).toEqual([
      'vaultline_replicas_seen 1',
      'vaultline_replica_silent_seconds{role="api"} 5',
    ]);
  });
});
