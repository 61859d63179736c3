import { Injectable } from '@nestjs/common';

/** State of a process's jobs: taken, or waiting for the database. */
export type WorkerState = 'running' | 'waiting';

/**
 * Readiness for the load balancer: true once the database is connected, false once shutdown began. Requests that still arrive during shutdown are
 * answered.
 */
@Injectable()
export class Readiness {
  /** State of this process's jobs; null where it has none. */
  worker: () => WorkerState | null = () => null;
  private started = false;
  private stopping = false;
  private closed = false;

  markStarted(): void {
    this.started = true;
  }

  markStopping(): void {
    this.stopping = true;
  }

  /** Marks that the server no longer accepts connections. */
  markClosed(): void {
    this.closed = true;
  }

  /**
   * Whether answers close their connections during shutdown (`Connection: close`). Not before the listener is closed: a new connection would come
   * back here, and might come just too late.
   */
  get sendsAway(): boolean {
    return this.closed;
  }

  get state(): 'starting' | 'ready' | 'stopping' {
    if (this.stopping) return 'stopping';
    return this.started ? 'ready' : 'starting';
  }
}
