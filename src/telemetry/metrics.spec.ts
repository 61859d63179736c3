import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../config/settings.js';
import { SECRETS_KEY } from '../../test/support/secrets-key.js';
import { type Figures, Metrics } from './metrics.js';
import type { WorkerState } from './worker-state.js';

const SETTINGS = loadSettings({ CONTRACT: 'sandbox', SECRETS_KEY });
const thread = (duty: 'jobs' | 'accounts', state: WorkerState, figures: Figures = []) => ({
  ...{ duty, state, isNeeded: true, silentSeconds: 3, replacements: 2 },
  figures: async () => figures,
});
const valuesOf = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(name) && !/ 0$/.test(line));

describe('metrics of a process', () => {
  it('have no value of an observation that nobody made', async () => {
    const metrics = new Metrics(SETTINGS);
    const observed =
      /^vaultline_(tick|feed|jobs_waiting|jobs_oldest|deliveries_(queued|oldest)|replicas|database|storage|move_orders)/m;
    expect(await metrics.text()).not.toMatch(observed);
    const observing = new Metrics(SETTINGS);
    observing.observeStorage(1_000, false);
    const text = await observing.text();
    expect(text).toMatch(/^vaultline_database_bytes 1000$/m);
    expect(text).toMatch(/^vaultline_storage_nearly_full 0$/m);
    // The process adds nothing to what its thread observed.
    metrics.watchRole('worker', [thread('jobs', 'running', await observing.figures())]);
    expect(await metrics.text()).toMatch(/^vaultline_storage_nearly_full 0$/m);
    expect(await metrics.text()).toMatch(/^vaultline_database_bytes 1000$/m);
  });

  it('name each thread by its duty, once it is needed', async () => {
    const metrics = new Metrics(SETTINGS);
    const accounts = { ...thread('accounts', 'dead'), isNeeded: false };
    metrics.watchRole('all', [thread('jobs', 'running'), accounts]);
    expect(valuesOf(await metrics.text(), 'vaultline_worker_')).toEqual([
      'vaultline_worker_state{thread="jobs",state="running"} 1',
      'vaultline_worker_silent_seconds{thread="jobs"} 3',
      'vaultline_worker_replacements_total{thread="jobs"} 2',
      'vaultline_worker_replacements_total{thread="accounts"} 2',
    ]);
    accounts.isNeeded = true;
    const text = await metrics.text();
    expect(valuesOf(text, 'vaultline_worker_state')).toEqual([
      'vaultline_worker_state{thread="jobs",state="running"} 1',
      'vaultline_worker_state{thread="accounts",state="dead"} 1',
    ]);
    expect(text).toContain('vaultline_worker_silent_seconds{thread="accounts"} 3');
  });
});
