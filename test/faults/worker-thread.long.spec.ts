import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../src/config/settings.js';
import { createLogger } from '../../src/telemetry/logger.js';
import { WorkerProcess } from '../../src/worker.process.js';
import { WorkerThread } from '../../src/worker.thread.js';
import { SECRETS_KEY } from '../support/secrets-key.js';
import { until } from '../support/until.js';
import { freePort } from '../support/replica.js';

const CHECK_MS = 50;
const DONE = 'vaultline_jobs_total{task="tick",outcome="done"}';
const REPLACEMENTS = 'vaultline_worker_replacements_total{thread="jobs"}';
const HEAD = `import { parentPort, workerData } from 'node:worker_threads';
const { pulse } = workerData;
const beat = () => { Atomics.store(pulse, 1, 1); Atomics.add(pulse, 0, 1); };
parentPort.on('message', (asked) => {
  if (asked === 'stop') process.exit(0);
  if (asked === 'hang') for (;;);
  if (asked.figures) parentPort.postMessage({ to: asked.figures, figures: [
    { name: 'vaultline_jobs_total', help: 'Jobs.', type: 'counter', aggregator: 'sum', values: [{ value: 7, labels: { task: 'tick', outcome: 'done' } }] },
    { name: 'vaultline_deliveries_queued', help: 'Queue.', type: 'gauge', aggregator: 'max', values: [{ value: 3, labels: {} }] },
  ] });
});`;
const script = (body: string): URL => new URL(`data:text/javascript,${encodeURIComponent(HEAD + body)}`);
const WELL = script(`setInterval(beat, 5); beat(); parentPort.postMessage('started');`);
const hangsAfter = (ms: number): URL =>
  script(
    `setInterval(beat, 5); beat(); parentPort.postMessage('started'); setTimeout(() => { for (;;); }, ${ms});`,
  );
const HANGS_SOON = hangsAfter(100);

/** A process that supervises the worker thread of its jobs: threads that run, hang and exit. */
describe('a process that runs jobs', () => {
  let lines: string[];
  let running: WorkerProcess;
  let url: string;
  let metricsUrl: string;

  beforeEach(() => {
    lines = [];
  });
  afterEach(() => running.stop());

  const start = async (thread: URL): Promise<void> => {
    const [port, managementPort] = [await freePort(), await freePort()];
    const settings = loadSettings({
      CONTRACT: 'sandbox',
      ROLE: 'worker',
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      SECRETS_KEY,
    });
    url = `http://127.0.0.1:${port}`;
    metricsUrl = `http://127.0.0.1:${managementPort}/metrics`;
    const output = { write: (line: string) => void lines.push(line) };
    const log = createLogger(settings, output);
    running = new WorkerProcess(settings, log, new WorkerThread(settings, log, output, thread, CHECK_MS));
    const { ready } = await running.listen();
    ready.catch(() => undefined);
  };
  const ready = async (): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${url}/health/ready`);
    return { status: response.status, body: await response.json() };
  };
  const isReady = async (): Promise<boolean> => (await ready()).status === 200;
  const figure = async (name: string): Promise<number | null> => {
    const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(await (await fetch(metricsUrl)).text());
    return found && Number(found[1]);
  };
  const says = (text: string): boolean => lines.some((line) => line.includes(text));

  it('answers probes alone, says its role, and shows figures of its thread among its own', async () => {
    await start(WELL);
    await until(isReady);
    expect(await ready()).toEqual({
      status: 200,
      body: { status: 'ready', role: 'worker', worker: 'running' },
    });
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const refused = await fetch(`${url}/api/v1/keys`);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ error: { code: 'route_not_found' } });
    expect(await figure('vaultline_role{role="worker"}')).toBe(1);
    expect(await figure('vaultline_worker_state{thread="jobs",state="running"}')).toBe(1);
    expect(await figure(DONE)).toBe(7);
    expect(await figure('vaultline_deliveries_queued')).toBe(3);
  });

  it('tells a thread that is stuck, and puts another one in its place', async () => {
    await start(HANGS_SOON);
    await until(async () => (await ready()).status === 503 && says('the worker is stuck'));
    expect(await ready()).toEqual({
      status: 503,
      body: { status: 'worker_stuck', role: 'worker', worker: 'stuck' },
    });
    expect(await figure('vaultline_worker_state{thread="jobs",state="stuck"}')).toBe(1);
    await until(async () => (await figure(REPLACEMENTS)) === 1 && (await isReady()));
  });

  it('counts on over a thread that is stuck, and one that was replaced; what it observed is not said meanwhile', async () => {
    await start(hangsAfter(500));
    await until(async () => (await figure(DONE)) === 7);
    await until(async () => says('the worker is stuck'));
    expect(await figure('vaultline_deliveries_queued')).toBeNull();
    const seen = [await figure(DONE)];
    await until(async () => seen[seen.push(await figure(DONE)) - 1] === 14);
    expect(new Set(seen)).toEqual(new Set([7, 14]));
  });

  it('tells a thread that ended, and begins another one', async () => {
    await start(script(`beat(); throw new Error('out of the blue');`));
    await until(async () => ((await ready()).body as { status: string }).status === 'worker_dead');
    expect(says('out of the blue')).toBe(true);
    await until(async () => (await figure(REPLACEMENTS))! > 0);
  });
});
