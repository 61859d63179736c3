import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { FairSemaphore } from '../../kernel/fair-semaphore.js';

/** Share of all slots for further sends to an endpoint that already has one. */
const FURTHER_SHARE = 0.25;
/** Slots of a partner for test sends, which its concurrent requests limit too. */
const TEST_SENDS = 4;
/** Interval at which a test send tries again to get a slot of its endpoint. */
const RETRY_MS = 200;

/** No free slot for a test send. Nothing of it was stored. */
export class NoSlotError extends Error {
  /** @param retryAfterSeconds time until a send that is in flight now has ended */
  constructor(
    readonly reason: string,
    readonly retryAfterSeconds: number,
  ) {
    super(reason);
    this.name = 'NoSlotError';
  }
}

/** Concurrency slots of sends in this process. A partner holds no more than its endpoints can use, and waiting partners are served round-robin. */
@Injectable()
export class SendSlots {
  /** Slots for one send of each endpoint, and for test sends. A hanging receiver takes one of these and leaves the rest to others. */
  readonly first: FairSemaphore;
  /** Slots for further concurrent sends to the same endpoints, when one is free at that moment. */
  readonly further: FairSemaphore;
  /** Wait of a test send for a slot, ms: most sends end sooner. */
  patienceMs = 1_000;
  constructor(private readonly settings: DomainSettings) {
    const { concurrency, concurrencyPerEndpoint, endpointsPerPartner } = settings.constants.webhooks;
    const further = Math.floor(concurrency * FURTHER_SHARE);
    this.first = new FairSemaphore({
      slots: concurrency - further,
      share: endpointsPerPartner + TEST_SENDS,
      refusal: () => this.noSlot('All send slots of this server are in use.'),
    });
    this.further = new FairSemaphore({
      slots: further,
      share: endpointsPerPartner * (concurrencyPerEndpoint - 1),
    });
  }

  /** Runs a test send once a slot is free, or fails soon. @param work tried again while it throws NoSlotError and there is time */
  async runTest<T>(partnerId: string, work: () => Promise<T>): Promise<T> {
    const until = performance.now() + this.patienceMs;
    const patiently = async (): Promise<T> => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          const remainingMs = until - performance.now();
          if (!(error instanceof NoSlotError) || remainingMs <= 0) throw error;
          await sleep(Math.min(remainingMs, RETRY_MS));
        }
      }
    };
    return this.first.run(patiently, partnerId, { ms: this.patienceMs });
  }

  noSlot(reason: string): NoSlotError {
    return new NoSlotError(reason, Math.ceil(this.settings.webhookTimeoutMs / 1000));
  }
}
