import { Injectable } from '@nestjs/common';
import type { Response } from 'express';

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
  private readonly underway = new Set<Response>();

  markStarted(): void {
    this.started = true;
  }

  markStopping(): void {
    this.stopping = true;
  }

  /**
   * Marks that the server no longer accepts connections. Answers close theirs from now on; not before, since a new connection would come back here,
   * and might come just too late.
   */
  markClosed(): void {
    this.closed = true;
    for (const response of this.underway) this.sendAway(response);
  }

  /** To be called with every answer at its beginning. */
  watch(response: Response): void {
    if (this.closed) return this.sendAway(response);
    this.underway.add(response);
    response.once('close', () => this.underway.delete(response));
  }

  get state(): 'starting' | 'ready' | 'stopping' {
    if (this.stopping) return 'stopping';
    return this.started ? 'ready' : 'starting';
  }

  private sendAway(response: Response): void {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
}
