import 'reflect-metadata';
import { parentPort, workerData } from 'node:worker_threads';
import { Settings } from './config/settings.js';
import { explain } from './start-failure.js';
import { createLogger } from './telemetry/logger.js';
import { WorkerApplication } from './worker.application.js';
import { PHASES, type ThreadData, type ToThread } from './worker.thread.js';

const BEAT_MS = 1_000;

/** Thread of a process's jobs. Its log lines and metrics are passed to the process through this port. */
const port = parentPort!;
const { settings: given, databaseUrl, pulse } = workerData as ThreadData;
// `workerData` is a structured clone: `Settings` and `Buffer` arrive as plain objects.
const settings = Object.assign(new Settings(), given, { secretsKey: Buffer.from(given.secretsKey) });
const log = createLogger(settings, { write: (line) => port.postMessage({ line }) });
// Node's default output would include all fields of an error, such as the parameters of a statement.
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'unexpected end of the worker');
  process.exit(1);
});
process.removeAllListeners('warning').on('warning', (warning) => {
  log.warn({ err: warning }, 'warning of the runtime');
});

let application: WorkerApplication | null = null;
let started = false;
const beat = (): void => {
  const phase = application?.isRunning ? 'running' : started ? 'waiting' : 'starting';
  Atomics.store(pulse, 1, PHASES.indexOf(phase));
  Atomics.add(pulse, 0, 1);
};
setInterval(beat, BEAT_MS);

port.on('message', (asked: ToThread) => {
  if (asked === 'stop') return void stop();
  const figures = application ? application.figures() : Promise.resolve([]);
  void figures.then((found) => port.postMessage({ figures: found, to: asked.figures }));
});

try {
  application = await WorkerApplication.create(settings, log, databaseUrl);
  await application.start();
  started = true;
  beat();
  port.postMessage('started');
} catch (error) {
  port.postMessage({ failure: explain(error, process.env) });
  process.exit(1);
}

async function stop(): Promise<void> {
  try {
    await application?.stop();
    process.exit(0);
  } catch (error) {
    log.error({ err: error }, 'the stop of the worker failed');
    process.exit(1);
  }
}
