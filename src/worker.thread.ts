import { Worker as Thread } from 'node:worker_threads';
import type { DestinationStream, Logger } from 'pino';
import type { Settings } from './config/settings.js';
import type { ClaimedMove } from './domain/accounts/account-moves.js';
import type { Answered } from './domain/idempotency/idempotency.service.js';
import type { DatabaseState } from './domain/store/store.js';
import { StartFailure } from './start-failure.js';
import type { Figures } from './telemetry/metrics.js';
import { ThreadFigures } from './telemetry/thread-figures.js';
import type { Duty, WatchedWorker, WorkerState } from './telemetry/worker-state.js';
import type { ToldFailure } from './worker.failure.js';

/** Phases of a thread, by their number in the pulse. */
export const PHASES = ['starting', 'running', 'waiting'] as const satisfies readonly WorkerState[];

/** Conditions in which its database refuses every write, by their number in the pulse; null: none. */
export const CONDITIONS = [
  null,
  'read_only',
  'disk_full',
] as const satisfies readonly (DatabaseState | null)[];

export interface ThreadData {
  duty: Duty;
  settings: Settings;
  databaseUrl: string | null;
  /** Shared memory with heartbeat counter, phase and condition: both threads see it, however busy either is. */
  pulse: Int32Array;
}
export type ToThread = 'stop' | { figures: number } | { move: number; claimed: ClaimedMove };
export type FromThread =
  | 'started'
  | { line: string }
  | { reason: string }
  | { figures: Figures; to: number }
  | { moved: number; answered: Answered | null }
  | { moved: number; failure: ToldFailure };

export const SCRIPT = new URL('./worker.main.js', import.meta.url);
export const CHECK_MS = 1_000;
/**
 * Consecutive checks without heartbeat until a thread counts as stuck, and until it is replaced; during its start, loading modules may block it for
 * longer. Checks are counted and not seconds, because a thread is alive after the machine slept, or the main thread was busy.
 */
const STUCK_CHECKS = 10;
const REPLACED_CHECKS = 30;
const START_CHECKS = 60;
/** Pause before an ended thread is replaced; it grows, and is reset when a thread has run well for a while. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const RAN_WELL_MS = 60_000;
const FIGURES_MS = 2_000;

/**
 * Supervisor of the thread that runs a process's jobs. A thread that ended, or is stuck, is replaced while the process goes on: requests are
 * answered, and events wait in the queue. Its open claims are closed as interrupted, like those of a killed process.
 */
export class WorkerThread implements WatchedWorker {
  replacements = 0;
  isNeeded = true;
  private thread: Thread | null = null;
  private pulse = newPulse();
  private databaseUrl: string | null = null;
  private seen = 0;
  private silentChecks = 0;
  private begunAt = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private hasBegun = false;
  private stopping = false;
  private watch: NodeJS.Timeout | undefined;
  private next: NodeJS.Timeout | undefined;
  private readonly started = Promise.withResolvers<void>();
  private readonly asked = new Map<number, (isFresh: boolean) => void>();
  private readonly told = new ThreadFigures();
  private asks = 0;

  /**
   * @param lines destination of the thread's log: the process's
   * @param script module that runs in it, the interval of checks, and its duty
   */
  constructor(
    private readonly settings: Settings,
    private readonly log: Logger,
    private readonly lines: DestinationStream,
    private readonly script = SCRIPT,
    private readonly checkMs = CHECK_MS,
    readonly duty: Duty = 'jobs',
  ) {
    // Handlers may be attached later or never.
    this.started.promise.catch(() => undefined);
  }

  /**
   * @param databaseUrl of a migrated database; null: the thread locates it
   * @returns a promise that resolves once jobs are taken
   * @throws StartFailure when the first thread cannot start
   */
  start(databaseUrl: string | null): Promise<void> {
    this.databaseUrl = databaseUrl;
    this.watch = setInterval(() => this.look(), this.checkMs).unref();
    this.begin();
    return this.started.promise;
  }

  get state(): WorkerState {
    if (!this.thread) return this.hasBegun ? 'dead' : 'starting';
    const phase = PHASES[Atomics.load(this.pulse, 1)]!;
    return this.silentChecks >= (phase === 'starting' ? START_CHECKS : STUCK_CHECKS) ? 'stuck' : phase;
  }

  get degraded(): (typeof CONDITIONS)[number] {
    if (!this.thread || this.state === 'stuck') return null;
    return CONDITIONS[Atomics.load(this.pulse, 2)]!;
  }

  get silentSeconds(): number {
    return (this.silentChecks * this.checkMs) / 1000;
  }

  /** Metrics of the thread, with counts of those that it replaced; its last counts alone when it does not answer. */
  async figures(): Promise<Figures> {
    return this.told.read(await this.askFigures());
  }

  /** Lets it finish running work, within the shutdown deadline. */
  async stop(graceMs = this.settings.constants.http.shutdownGraceSeconds * 1000): Promise<void> {
    this.stopping = true;
    clearInterval(this.watch);
    clearTimeout(this.next);
    const { thread } = this;
    if (!thread) return;
    const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
    const grace = setTimeout(() => void thread.terminate(), this.state === 'stuck' ? 0 : graceMs);
    thread.postMessage('stop' satisfies ToThread);
    await ended;
    clearTimeout(grace);
  }

  /** @returns whether there is a thread to hear it: one that starts hears it later */
  protected post(message: ToThread): boolean {
    this.thread?.postMessage(message);
    return this.thread !== null;
  }

  protected hear(said: FromThread): void {
    if (said === 'started') this.started.resolve();
    else if ('line' in said) this.lines.write(said.line);
    else if ('figures' in said) {
      // An answer that is late is kept, too.
      this.told.hear(said.figures);
      this.asked.get(said.to)?.(true);
    } else if ('reason' in said) {
      this.log.error({ reason: said.reason }, 'the worker could not start');
      this.started.reject(new StartFailure(said.reason));
    }
  }

  protected ended(): void {
    this.thread = null;
    for (const answer of this.asked.values()) answer(false);
    this.told.end();
    if (this.stopping) return;
    if (performance.now() - this.begunAt > RAN_WELL_MS) this.pauseMs = FIRST_PAUSE_MS;
    this.log.error({ again_in_ms: this.pauseMs }, 'the worker ended; another one takes its place');
    this.next = setTimeout(() => {
      this.replacements++;
      this.begin();
    }, this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** @returns whether the thread has told its metrics */
  private askFigures(): Promise<boolean> {
    const { thread } = this;
    if (!thread || this.state === 'stuck') return Promise.resolve(false);
    const ask = ++this.asks;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.asked.set(ask, resolve);
    const patience = setTimeout(() => resolve(false), FIGURES_MS);
    thread.postMessage({ figures: ask } satisfies ToThread);
    return promise.finally(() => {
      clearTimeout(patience);
      this.asked.delete(ask);
    });
  }

  private begin(): void {
    this.pulse = newPulse();
    this.seen = this.silentChecks = 0;
    this.begunAt = performance.now();
    this.hasBegun = true;
    const workerData: ThreadData = {
      duty: this.duty,
      settings: this.settings,
      databaseUrl: this.databaseUrl,
      pulse: this.pulse,
    };
    const thread = new Thread(this.script, { workerData, name: `vaultline-${this.duty}` });
    this.thread = thread;
    thread.on('message', (said: FromThread) => this.hear(said));
    thread.on('error', (error) => this.log.error({ err: error }, 'the worker failed'));
    thread.once('exit', () => this.ended());
  }

  private look(): void {
    const beats = Atomics.load(this.pulse, 0);
    this.silentChecks = beats === this.seen ? this.silentChecks + 1 : 0;
    this.seen = beats;
    if (!this.thread || this.state !== 'stuck') return;
    if (this.silentChecks === STUCK_CHECKS)
      this.log.error({ silent_seconds: this.silentSeconds }, 'the worker is stuck: its jobs stand still');
    if (this.silentChecks >= REPLACED_CHECKS) void this.thread.terminate();
  }
}

const newPulse = (): Int32Array => new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
