import { type Received, Receiver } from '../support/receiver.js';
import type { Caller } from './caller.js';
import { BrokenRule, SkippedRule } from './check.js';
import { type Exchange, isSuccess, summaryOf } from './exchange.js';

const WAIT_MS = 10_000;

/** An endpoint at the inbox. */
export interface Hook {
  id: string;
  secret: string;
  url: string;
}

/** A receiver of webhooks on this machine. */
export class Inbox {
  readonly received: readonly Received[];
  readonly url: string;

  private constructor(private readonly receiver: Receiver) {
    ({ received: this.received, url: this.url } = receiver);
  }

  /**
   * Registers an endpoint at a receiver, and sends it a test event.
   *
   * @throws Skipped where the deployment does not reach it, Broken where it claims to
   */
  static async open(host: string, caller: Caller): Promise<{ inbox: Inbox; hook: Hook }> {
    const inbox = new Inbox(await Receiver.start(undefined, host));
    try {
      return { inbox, hook: await inbox.register(caller) };
    } catch (error) {
      await inbox.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  /** The request of that event. @throws Broken where none comes */
  async requestOf(eventId: string, answer: Exchange | null = null): Promise<Received> {
    const got = await this.comes(({ headers }) => headers['webhook-id'] === eventId);
    if (got === null) throw new BrokenRule(`no request came with the Webhook-Id ${eventId}`, answer);
    return got;
  }

  /** Waits for a request. null: it did not come. */
  async comes(is: (received: Received) => boolean): Promise<Received | null> {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const found = this.received.find(is);
      if (found || Date.now() > deadline) return found ?? null;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  private async register(caller: Caller): Promise<Hook> {
    const answer = await caller.post('/webhooks', { url: this.url, events: ['system.status'] });
    if (!isSuccess(answer)) throw this.unreached(answer, answer.body?.error?.message);
    const hook: Hook = answer.body.data;
    const test = await caller.post(`/webhooks/${hook.id}/test`);
    if (this.received.length === 0 && test.body?.data?.status === 'delivered')
      throw new BrokenRule('it is recorded as delivered, and no request came', test);
    if (this.received.length === 0) throw this.unreached(test, test.body?.data?.failure);
    return hook;
  }

  private unreached(answer: Exchange, why: unknown): SkippedRule {
    return new SkippedRule(
      `the deployment does not reach a receiver at ${this.url}: ${summaryOf(answer)}, ${String(why)}`,
    );
  }
}
