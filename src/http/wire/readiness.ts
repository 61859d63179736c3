import { Injectable } from '@nestjs/common';
import type { WorkerState } from '../../telemetry/worker-state.js';

/** What a load balancer is told: ready once connected to the database, and no more once a stop began. Who comes all the same is answered until then. */
@Injectable()
export class Readiness {
  /** How this process's jobs are; null: it runs none. */
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

  /** From here on a caller finds nobody who takes its connection. */
  markClosed(): void {
    this.closed = true;
  }

  /** Whether callers are asked to come back elsewhere. Not before they can: a new connection would come here once more, and perhaps just too late. */
  get sendsAway(): boolean {
    return this.closed;
  }

  get state(): 'starting' | 'ready' | 'stopping' {
    if (this.stopping) return 'stopping';
    return this.started ? 'ready' : 'starting';
  }
}
