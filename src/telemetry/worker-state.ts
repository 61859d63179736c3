/**
 * How the thread that runs jobs is: `waiting` for its database; `stuck`, with nothing heard of it; `dead`, until another one takes its place. What it does
 * not do meanwhile waits in the queue.
 */
export type WorkerState = 'starting' | 'running' | 'waiting' | 'stuck' | 'dead';

/** A worker, as whoever watches it sees it. */
export interface WatchedWorker {
  readonly state: WorkerState;
  /** Since its last beat. */
  readonly silentSeconds: number;
  /** Threads that took the place of one that had ended, or that was stuck. */
  readonly replacements: number;
}
