import { type Call, Caller, type Outcome } from '../faults/load/caller.js';
import type { Random } from '../faults/load/random.js';

/** What an operation may be answered with: `acknowledged`, or codes of refusals. */
export type Expected = readonly string[];

/** One kind of request, and how often it comes. */
export interface Kind {
  name: string;
  share: number;
  send: () => Promise<void>;
}

const AT_ONCE = 16;

/** Sends at a steady pace, and counts how it was answered. What is not expected is kept, as a sentence. */
export class Traffic {
  readonly counts = new Map<string, number>();
  readonly surprises: string[] = [];
  private readonly caller: Caller;
  private readonly underWay = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    readonly name: string,
    url: string,
    private readonly random: Random,
  ) {
    this.caller = new Caller(() => [url]);
  }

  /** @param expected of the answer @returns it */
  async send(kind: string, call: Call, expected: Expected = ['acknowledged']): Promise<Outcome> {
    const outcome = await this.caller.send(call);
    const answered = outcome.kind === 'refused' ? outcome.code : outcome.kind;
    const counted = `${kind}: ${answered}`;
    this.counts.set(counted, (this.counts.get(counted) ?? 0) + 1);
    if (!expected.includes(answered) && this.surprises.length < 50)
      this.surprises.push(`${this.name}: ${kind}, ${call.method} ${call.path}: ${JSON.stringify(outcome)}`);
    return outcome;
  }

  of(kind: string, answered = 'acknowledged'): number {
    return this.counts.get(`${kind}: ${answered}`) ?? 0;
  }

  /** @param aSecond requests; fewer while too many are under way */
  start(kinds: readonly Kind[], aSecond: number): void {
    const sum = kinds.reduce((all, { share }) => all + share, 0);
    this.timer = setInterval(() => {
      if (this.underWay.size >= AT_ONCE) return;
      let drawn = this.random.next() * sum;
      const { name, send } = kinds.find(({ share }) => (drawn -= share) < 0)!;
      const run = send()
        .catch((error: unknown) => void this.surprises.push(`${this.name}: ${name}: ${String(error)}`))
        .finally(() => this.underWay.delete(run));
      this.underWay.add(run);
    }, 1000 / aSecond);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer ?? undefined);
    await Promise.all(this.underWay);
  }

  close(): Promise<void> {
    return this.caller.close();
  }
}
