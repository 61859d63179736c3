import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../support/replica.js';
import { until } from '../support/until.js';
import { SERVES } from '../support/child-environment.js';

/** Resources of a process at a moment. */
export interface Resources {
  rss: number;
  /** Open file descriptors: sockets, mostly. */
  files: number;
  handles: number;
}

const METRICS = {
  rss: 'process_resident_memory_bytes',
  files: 'process_open_fds',
  handles: 'nodejs_active_handles_total',
} as const;

/** A process of a deployment, with its metrics and its inspector. */
export class Process {
  private output = '';

  private constructor(
    readonly name: string,
    readonly url: string,
    private readonly metricsUrl: string,
    private readonly inspectorUrl: string,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-20_000)));
  }

  /** Starts a process and waits until it is ready. */
  static async start(name: string, program: string, env: Record<string, string>): Promise<Process> {
    const [port, metricsPort, inspectorPort] = [await freePort(), await freePort(), await freePort()];
    const child = spawn(process.execPath, [`--inspect=127.0.0.1:${inspectorPort}`, program], {
      env: { ...env, PORT: String(port), MANAGEMENT_PORT: String(metricsPort) },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...SERVES,
    });
    // Ends the child however this process exits.
    process.once('exit', () => child.kill('SIGKILL'));
    const [url, metricsUrl, inspectorUrl] = [
      `http://127.0.0.1:${port}`,
      `http://127.0.0.1:${metricsPort}/metrics`,
      `http://127.0.0.1:${inspectorPort}/json`,
    ];
    const started = new Process(name, url, metricsUrl, inspectorUrl, child);
    await until(async () => (await fetch(`${url}/health/ready`).catch(() => null))?.ok === true, 60_000);
    return started;
  }

  /** The end of the log. */
  get logs(): string {
    return this.output;
  }

  async resources(): Promise<Resources> {
    const text = await (await fetch(this.metricsUrl)).text();
    const value = (name: string): number =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
    return { rss: value(METRICS.rss), files: value(METRICS.files), handles: value(METRICS.handles) };
  }

  /** The held heap: bytes in use right after a garbage collection. */
  async heldHeap(): Promise<number> {
    const [target] = (await (await fetch(this.inspectorUrl)).json()) as [{ webSocketDebuggerUrl: string }];
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    const ask = async (id: number, method: string): Promise<any> => {
      const answered = Promise.withResolvers<any>();
      socket.addEventListener('message', ({ data }) => {
        const answer = JSON.parse(String(data));
        if (answer.id === id) answered.resolve(answer.result);
      });
      socket.addEventListener('error', () => answered.reject(new Error('The inspector does not answer.')));
      socket.send(JSON.stringify({ id, method }));
      return answered.promise;
    };
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    try {
      await ask(1, 'HeapProfiler.collectGarbage');
      return (await ask(2, 'Runtime.getHeapUsage')).usedSize;
    } finally {
      socket.close();
    }
  }

  /** Ends the process. @returns its exit code */
  async stop(): Promise<number | null> {
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    return this.child.exitCode;
  }
}
