import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../../src/config/deployments.js';
import { Api } from './api.js';
import { childEnvironment, SERVES } from './child-environment.js';
import { SECRETS_KEY } from './secrets-key.js';
import { searchText, watchEnvironment } from './secret-watch.js';
import { until } from './until.js';

const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));

/** A real process of the built server, on its own port. */
export class Replica {
  private output = '';

  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.once('close', () => searchText('the output of a process', this.output));
  }

  /**
   * Starts a process without waiting for it.
   *
   * @param stdout a file for the output, which `logs` then does not have
   * @param main the program of another build than this checkout's
   * @param flags of Node
   */
  static async spawn(
    contract: Contract | undefined,
    env: Record<string, string>,
    stdout: 'pipe' | number = 'pipe',
    main = MAIN,
    flags: readonly string[] = [],
  ): Promise<Replica> {
    const port = env['PORT'] ?? String(await freePort());
    const environment = {
      ...childEnvironment(),
      ...(contract && { CONTRACT: contract }),
      HOST: '127.0.0.1',
      PORT: port,
      SECRETS_KEY,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      // The feed's address is on this machine, and nothing listens there.
      DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
      ...env,
    };
    watchEnvironment(environment);
    const child = spawn(process.execPath, [...flags, main], {
      env: environment,
      stdio: ['ignore', stdout, 'pipe'],
      ...SERVES,
    });
    return new Replica(child, `http://127.0.0.1:${port}`);
  }

  /** Starts a process and waits until it is ready. */
  static async start(contract: Contract, env: Record<string, string>, main = MAIN): Promise<Replica> {
    const replica = await Replica.spawn(contract, env, 'pipe', main);
    await replica.untilReady();
    return replica;
  }

  /** The output on standard output and standard error. */
  get logs(): string {
    return this.output;
  }

  api(key: string): Api {
    return new Api(this.url, key);
  }

  /** @throws Error with the output, when the process ends or is not ready within a minute */
  async untilReady(): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const response = await fetch(`${this.url}/health/ready`).catch(() => null);
      if (response?.ok) return;
      if (this.child.exitCode !== null || Date.now() > deadline) throw new Error(`not ready: ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Waits until a process has started that takes no deposits for a reason. */
  async untilDegraded(reason: string): Promise<void> {
    await until(async () => {
      const response = await fetch(`${this.url}/health/ready`).catch(() => null);
      return ((await response?.json()) as { degraded?: string } | undefined)?.degraded === reason;
    }, 60_000);
  }

  /** The exit code; null when a signal ended it. */
  async exit(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  async kill(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null) this.child.kill(signal);
    return this.exit();
  }
}

/** A free port below the ephemeral range, so that no outgoing connection takes it before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const listens = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]);
    if (!listens) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
