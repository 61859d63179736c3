import { AsyncLocalStorage } from 'node:async_hooks';
import { FairQueue } from '../../kernel/fair-semaphore.js';

interface PendingRequest<Ask, Answer> {
  ask: Ask;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Batching of a statement: requests that arrive while it runs wait and share the next run, in round-robin order of partners. A single request does
 * not wait; hundreds of concurrent ones share one statement and one connection.
 */
export class Batcher<Ask, Answer> {
  private readonly waiting = new FairQueue<PendingRequest<Ask, Answer>>();
  private running = false;
  /** The statement runs for all who wait, so it must not join the transaction of one of them. */
  private readonly outside = AsyncLocalStorage.snapshot();

  /** @param answer one answer for each request, in order */
  constructor(
    private readonly answer: (asks: Ask[]) => Promise<Answer[]>,
    private readonly most: number,
  ) {}

  /** @param owner partner, for the round-robin order @throws what the statement throws, to all of its batch */
  ask(owner: string, ask: Ask): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.waiting.push(owner, { ask, resolve, reject });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    while (!this.waiting.isEmpty) {
      const asked = this.next();
      try {
        const asks = asked.map(({ ask }) => ask);
        const answers = await this.outside(() => this.answer(asks));
        asked.forEach(({ resolve }, index) => resolve(answers[index]!));
      } catch (error) {
        asked.forEach(({ reject }) => reject(error));
      }
    }
    this.running = false;
  }

  private next(): PendingRequest<Ask, Answer>[] {
    const asked: PendingRequest<Ask, Answer>[] = [];
    while (asked.length < this.most && !this.waiting.isEmpty) asked.push(this.waiting.next()!);
    return asked;
  }
}
