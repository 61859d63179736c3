import { Injectable } from '@nestjs/common';

/** Whether the process may answer: it can once it is connected to its database, and no more once it shuts down. */
@Injectable()
export class Readiness {
  private started = false;
  private stopping = false;

  markStarted(): void {
    this.started = true;
  }

  markStopping(): void {
    this.stopping = true;
  }

  get state(): 'starting' | 'ready' | 'stopping' {
    if (this.stopping) return 'stopping';
    return this.started ? 'ready' : 'starting';
  }
}
