/** State of a worker thread: `waiting` for its database; `stuck`, without a heartbeat; `dead`, until it is replaced. Jobs wait in the queue meanwhile. */
export type WorkerState = 'starting' | 'running' | 'waiting' | 'stuck' | 'dead';

/** Duty of a thread: queued and recurring jobs, or moves of accounts that it is given. */
export type Duty = 'jobs' | 'accounts';

/** Worker, as its supervisor sees it. */
export interface WatchedWorker {
  readonly duty: Duty;
  /** Whether it has to run: the thread that moves accounts is started by the first move. */
  readonly isNeeded: boolean;
  readonly state: WorkerState;
  /** Seconds since its last heartbeat. */
  readonly silentSeconds: number;
  /** Number of replaced threads, ended or stuck. */
  readonly replacements: number;
}
