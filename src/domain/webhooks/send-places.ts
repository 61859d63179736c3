import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Places } from '../places.js';

/** Of all places. */
const FURTHER_SHARE = 0.25;
/** How long a test send waits for a place: most sends are over sooner. */
const PATIENCE_MS = 1_000;
/** From one look for a place at the endpoint to the next. */
const LOOK_AGAIN_MS = 200;

/** A test send has no place. Nothing of it was stored. */
export class NoPlaceError extends Error {
  /** @param why a sentence, shown to the caller @param retryAfterSeconds until a send that is in flight now has ended */
  constructor(
    readonly why: string,
    readonly retryAfterSeconds: number,
  ) {
    super(why);
    this.name = 'NoPlaceError';
  }
}

/** Where sends run in this process. One partner holds no more places than its endpoints can use, and those that wait for one take turns by partner. */
@Injectable()
export class SendPlaces {
  /** For one send of each endpoint at a time, and for test sends. Receivers that hang take one each, and leave the rest to the others. */
  readonly first: Places;
  /** For further sends to the same endpoints, where there is one to spare at the moment. */
  readonly further: Places;
  /** Of one partner each. */
  private readonly tests: Places;
  /** Fewer than a partner's requests at once: a receiver that calls back before it answers finds a place. */
  private readonly mostTests: number;

  constructor(private readonly settings: Settings) {
    const { concurrency, concurrency_per_endpoint, endpoints_per_partner, test_sends_per_partner } =
      settings.constants.webhooks;
    const further = Math.floor(concurrency * FURTHER_SHARE);
    this.first = new Places({
      places: concurrency - further,
      share: endpoints_per_partner + test_sends_per_partner,
      refusal: () => this.noPlace('As many webhooks as this server sends at a time are in flight.'),
    });
    this.further = new Places({
      places: further,
      share: endpoints_per_partner * (concurrency_per_endpoint - 1),
    });
    const { requestsAtOnce } = settings;
    this.mostTests =
      requestsAtOnce === 0
        ? test_sends_per_partner
        : Math.min(test_sends_per_partner, Math.max(1, requestsAtOnce - 1));
    this.tests = new Places({
      share: this.mostTests,
      refusal: () => this.noPlace(`A partner has at most ${this.mostTests} test sends in flight.`),
    });
  }

  /**
   * Runs a test send where there is a place within a moment. No connection is held meanwhile.
   *
   * @param work may say with a NoPlaceError that its endpoint has none; then it is run again, as long as there is time
   * @throws NoPlaceError
   */
  async forTest<T>(partnerId: string, work: () => Promise<T>): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    const left = (): number => Math.max(0, until - performance.now());
    const send = (): Promise<T> =>
      this.first.run(() => this.patiently(left, work), partnerId, { ms: left() });
    return this.tests.run(send, partnerId, { ms: left() });
  }

  noPlace(why: string): NoPlaceError {
    return new NoPlaceError(why, Math.ceil(this.settings.webhooks.timeoutMs / 1000));
  }

  private async patiently<T>(left: () => number, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof NoPlaceError) || left() === 0) throw error;
        await sleep(Math.min(left(), LOOK_AGAIN_MS));
      }
    }
  }
}
