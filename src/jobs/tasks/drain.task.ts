import { Injectable } from '@nestjs/common';
import type { DeliveryTarget } from '../../domain/outbound/webhooks/backlog.js';
import { Dispatcher } from '../../domain/outbound/webhooks/dispatcher.js';
import { JOBS } from '../../domain/outbound/webhooks/event.service.js';
import type { Task } from '../task.js';

/** Sends the queued deliveries of an endpoint. */
@Injectable()
export class DrainTask implements Task {
  readonly name = JOBS.drain;

  constructor(private readonly dispatcher: Dispatcher) {}

  /** Does not wait for receivers that hang, which would occupy a slot of the queue. */
  async run(target: DeliveryTarget): Promise<void> {
    this.dispatcher.wake(target);
  }

  stop(): Promise<void> {
    return this.dispatcher.stop();
  }
}
