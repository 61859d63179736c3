import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/replica.js';
import { SERVES } from '../../support/child-environment.js';

/** Resources that a server has used since it was started. */
export interface Usage {
  cpuMicros: number;
  statements: number;
  /** 99th percentile and largest delay of the event loop since the usage before; null: not asked for. */
  lateMs: [number, number] | null;
}

const PROBE = new URL('probe.mjs', import.meta.url).href;
const READY_MS = 60_000;

/** A server in a process of its own, whose standard output goes to a file, as in a deployment. */
export class BenchServer {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly log: FileHandle,
  ) {}

  /**
   * Starts a server and waits until it is ready.
   *
   * @param program path of the program and what Node is given before it
   * @param env without `PORT`
   */
  static async start(
    program: { path: string; execArgv?: string[] },
    env: Record<string, string>,
    logPath: string,
  ): Promise<BenchServer> {
    const port = await freePort();
    const log = await open(logPath, 'w');
    // Options for profiles and other diagnostics of the measured server.
    const diagnoses = process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? [];
    const args = [...(program.execArgv ?? []), ...diagnoses, '--import', PROBE, program.path];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], ...env, HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', log.fd, 'inherit', 'ipc'],
      ...SERVES,
    });
    const served = new BenchServer(port, child, log);
    try {
      await served.untilReady();
    } catch (error) {
      await served.stop();
      throw error;
    }
    return served;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async usage(): Promise<Usage> {
    this.child.send('usage');
    for (;;) {
      // The server also sends `ready` once it accepts requests.
      const [said] = (await once(this.child, 'message')) as [Usage | 'ready'];
      if (said !== 'ready') return said;
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill();
      await gone;
    }
    await this.log.close();
  }

  private async untilReady(): Promise<void> {
    for (const until = performance.now() + READY_MS; performance.now() < until; await sleep(50)) {
      if (this.child.exitCode !== null) break;
      const answer = await fetch(`${this.url}/health/ready`).catch(() => null);
      if (answer?.ok) return;
    }
    throw new Error('a server did not become ready');
  }
}
