import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../config/environment.js';
import type { Order, Reply } from './deployment.main.js';
import type { Prepared } from './prepared.js';

const PROGRAM = fileURLToPath(new URL('./deployment.main.js', import.meta.url));
/** As in docker/Dockerfile. */
const SMALL_HEAP = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
/** Tries of a start. */
const TRIES = 2;
/** A process that says nothing for so long hangs: one that is slow reports every few seconds that it is alive. */
const SILENT_MS = 60_000;
/** Deadline of a stop, longer than a server's own. */
const STOP_MS = 60_000;

interface Launched {
  child: ChildProcess;
  /** Resolves once it serves. */
  started: Promise<Prepared>;
}

/** Process that prepares a deployment and then serves it. One that hangs is ended and started once more. */
export class DeploymentProcess {
  /** Exit code of the process, when it ends by itself. */
  readonly ended: Promise<number>;
  private readonly end: (code: number) => void;
  private launched: Launched;

  /** Starts the process, which loads its modules and waits for its order. */
  constructor(
    private readonly contract: Contract,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    ({ promise: this.ended, resolve: this.end } = Promise.withResolvers<number>());
    this.launched = this.launch();
  }

  /** Has it prepare the deployment and serve it. @throws Error with the reason why it does not start */
  async start(order: Order): Promise<Prepared> {
    for (let tried = 1; tried <= TRIES; tried++) {
      const { child, started } = this.launched;
      if (child.connected) child.send(order);
      try {
        return await started;
      } catch (error) {
        if (!(error instanceof HungError) || tried === TRIES) throw error;
        process.stderr.write(`${error.message} It was ended, and the start is tried once more.\n`);
        this.launched = this.launch();
        child.kill('SIGKILL');
        await exitCode(child);
      }
    }
    throw new Error(`The ${this.contract} contract did not start.`);
  }

  async stop(): Promise<void> {
    const { child } = this.launched;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exitCode(child);
    clearTimeout(late);
  }

  /** The IPC channel closes when this process ends, however that happens. */
  private launch(): Launched {
    const child = spawn(process.execPath, [...SMALL_HEAP, PROGRAM], {
      env: this.env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const { promise: started, resolve, reject } = Promise.withResolvers<Prepared>();
    const silence = setTimeout(() => {
      const silent = `Process ${child.pid} of the ${this.contract} contract was silent for ${SILENT_MS / 1000} s.`;
      reject(new HungError(silent));
    }, SILENT_MS);
    child.on('exit', () => clearTimeout(silence));
    let prepared: Prepared;
    // The child reports readiness itself: another process might answer on its port.
    child.on('message', (message: Reply | 'alive' | 'ready') => {
      silence.refresh();
      if (message === 'alive') return;
      if (message === 'ready') resolve(prepared);
      else if ('failed' in message) reject(new Error(message.failed));
      else ({ prepared } = message);
    });
    // A handler may be attached later or never, so a rejection is marked as handled.
    started.catch(() => undefined);
    void exitCode(child).then((code) => child === this.launched.child && this.end(code));
    return { child, started };
  }
}

class HungError extends Error {}

async function exitCode(child: ChildProcess): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? 1;
}
