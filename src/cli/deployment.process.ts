import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { StartRequest, Reply } from './deployment.main.js';
import type { PreparedDeployment } from './prepared.js';

const PROGRAM = fileURLToPath(new URL('./deployment.main.js', import.meta.url));
/** As in docker/Dockerfile. */
const SMALL_HEAP = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
/** Deadline of a stop, longer than a server's own. */
const STOP_MS = 60_000;

/** Process that prepares a deployment and then serves it. The IPC channel closes when this process ends, however that happens. */
export class DeploymentProcess {
  private readonly child: ChildProcess;
  /** Resolves once it serves. */
  private readonly started: Promise<PreparedDeployment>;
  /** Its exit code. */
  readonly ended: Promise<number>;

  /** Starts the process, which loads its modules and waits for its order. */
  constructor(env: NodeJS.ProcessEnv) {
    const child = spawn(process.execPath, [...SMALL_HEAP, PROGRAM], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.child = child;
    this.ended = once(child, 'exit').then(() => child.exitCode ?? 1);
    const { promise, resolve, reject } = Promise.withResolvers<PreparedDeployment>();
    let prepared: PreparedDeployment;
    // The child reports readiness itself: another process might answer on its port.
    child.on('message', (message: Reply | 'ready') => {
      if (message === 'ready') resolve(prepared);
      else if ('failed' in message) reject(new Error(message.failed));
      else ({ prepared } = message);
    });
    // A handler may be attached later or never, so a rejection is marked as handled.
    promise.catch(() => undefined);
    this.started = promise;
  }

  /** Prepares and serves the deployment. @throws Error with the reason why it does not start */
  start(order: StartRequest): Promise<PreparedDeployment> {
    if (this.child.connected) this.child.send(order);
    return this.started;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(late);
  }
}
