import { Injectable } from '@nestjs/common';

/** What a load balancer is told: ready once connected to the database, and no more once a stop began. Who comes all the same is answered until then. */
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
