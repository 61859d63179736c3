import 'reflect-metadata';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Settings } from './config/settings.js';
import { explain } from './start-failure.js';
import { createLogger } from './telemetry/logger.js';
import { WorkerApplication } from './worker.application.js';
import { tell } from './worker.failure.js';
import { CONDITIONS, type FromThread, PHASES, type ThreadData, type ToThread } from './worker.thread.js';

const BEAT_MS = 1_000;
/** Niceness of the thread that moves accounts: where cores are scarce, whoever waits for an answer comes first. */
const NICENESS = 5;

/** Thread of a process's jobs, or of the moves of its accounts. Its log lines and metrics are passed to the process through this port. */
const port = parentPort!;
const say = (said: FromThread): void => port.postMessage(said);
const { duty, settings: given, databaseUrl, pulse } = workerData as ThreadData;
// `workerData` is a structured clone: `Settings` and `Buffer` arrive as plain objects.
const settings = Object.assign(new Settings(), given, { secretsKey: Buffer.from(given.secretsKey) });
const log = createLogger(settings, { write: (line) => say({ line }) });
// Node's default output would include all fields of an error, such as the parameters of a statement.
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'unexpected end of the worker');
  process.exit(1);
});
process.removeAllListeners('warning').on('warning', (warning) => {
  log.warn({ err: warning }, 'warning of the runtime');
});

// Elsewhere it would be the whole process's.
if (duty === 'accounts' && process.platform === 'linux') setPriority(0, NICENESS);

let application: WorkerApplication | null = null;
let started = false;
/** Moves may be handed over before there is anything to carry them out. */
const ready = Promise.withResolvers<WorkerApplication>();
const beat = (): void => {
  const phase = application?.isRunning ? 'running' : started ? 'waiting' : 'starting';
  Atomics.store(pulse, 1, PHASES.indexOf(phase));
  const condition = CONDITIONS.findIndex((one) => one === application?.database);
  Atomics.store(pulse, 2, Math.max(0, condition));
  Atomics.add(pulse, 0, 1);
};
setInterval(beat, BEAT_MS);

port.on('message', (asked: ToThread) => {
  if (asked === 'stop') return void stop();
  if ('move' in asked) return void carryOut(asked);
  const figures = application ? application.figures() : Promise.resolve([]);
  void figures.then((found) => say({ figures: found, to: asked.figures }));
});

try {
  application = await WorkerApplication.create(settings, log, databaseUrl);
  await application.start(duty);
  started = true;
  beat();
  ready.resolve(application);
  say('started');
} catch (error) {
  say({ reason: explain(error, process.env) });
  process.exit(1);
}

async function carryOut({ move, claimed }: Extract<ToThread, { move: number }>): Promise<void> {
  try {
    say({ moved: move, answered: await (await ready.promise).carryOut(claimed) });
  } catch (error) {
    say({ moved: move, failure: tell(error) });
  }
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
