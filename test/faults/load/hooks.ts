import { Receiver, type Received } from '../../support/receiver.js';
import type { Random } from './random.js';

/** Receivers of webhooks on one port, a path each. Requests are kept and answered with 200, on some paths after a delay. */
export class Hooks {
  private constructor(private readonly receiver: Receiver) {}

  /** @param slowMs the longest delay of paths below `/slow` */
  static async open(random: Random, slowMs = 250): Promise<Hooks> {
    const receiver = await Receiver.start((response, { path }) => {
      const wait = path.startsWith('/slow') ? random.between(0, slowMs) : 0;
      if (wait > 0) setTimeout(() => response.end(), wait).unref();
      else response.end();
    });
    return new Hooks(receiver);
  }

  url(path: string): string {
    return new URL(path, this.receiver.url).href;
  }

  get received(): readonly Received[] {
    return this.receiver.received;
  }

  close(): Promise<void> {
    return this.receiver.close();
  }
}
