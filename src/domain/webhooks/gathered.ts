import { AsyncLocalStorage } from 'node:async_hooks';
import { Line } from '../line.js';

interface Asked<Ask, Answer> {
  ask: Ask;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * A statement for many: what is asked while it runs waits and is asked together next, partner by partner in turn. Alone nothing waits; of hundreds that
 * ask at once each pays a small part of a statement, and one connection serves them all.
 */
export class Gathered<Ask, Answer> {
  private readonly waiting = new Line<Asked<Ask, Answer>>();
  private running = false;
  /** What runs is for all who ask, and belongs to no transaction that one of them may be in. */
  private readonly outside = AsyncLocalStorage.snapshot();

  /**
   * @param answer one answer for each that asks, in order
   * @param most that are asked together
   */
  constructor(
    private readonly answer: (asks: Ask[]) => Promise<Answer[]>,
    private readonly most: number,
  ) {}

  /** @param whose turn it takes @throws what the statement throws, to all that asked together */
  ask(whose: string, ask: Ask): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.waiting.push(whose, { ask, resolve, reject });
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

  private next(): Asked<Ask, Answer>[] {
    const asked: Asked<Ask, Answer>[] = [];
    while (asked.length < this.most && !this.waiting.isEmpty) asked.push(this.waiting.next()!);
    return asked;
  }
}
