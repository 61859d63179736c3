import { type Call, Caller, type Outcome } from '../faults/load/caller.js';
import type { Random } from '../faults/load/random.js';

/** Accepted answers of an operation: `acknowledged`, or codes of refusals. */
export type Expected = readonly string[];

/** A kind of request, and its weight. */
export interface Kind {
  name: string;
  share: number;
  send: () => Promise<void>;
}

const AT_ONCE = 16;

/** Sends at a steady rate, and counts the answers. Unexpected answers are kept, a sentence each. */
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

  /** @param expected accepted answers @returns the answer */
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

  /** @param aSecond requests a second; fewer while too many are in flight */
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
