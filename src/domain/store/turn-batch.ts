interface Asked<Ask, Answer> {
  ask: Ask;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Batching by turn of the event loop: requests that arrive together share a statement, which begins after the last of them. A single request waits no
 * longer than the rest of its turn, and a slow statement blocks nobody else.
 */
export class TurnBatch<Ask, Answer> {
  private waiting: Asked<Ask, Answer>[] = [];

  /**
   * @param answer one answer for each request, in order
   * @param most requests in one batch
   */
  constructor(
    private readonly answer: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
    private readonly most: number,
  ) {}

  /** @throws what `answer` throws, to all of its batch */
  ask(ask: Ask): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.waiting.push({ ask, resolve, reject });
      // After the sockets that are read in this turn.
      if (this.waiting.length === 1) setImmediate(() => this.run());
      else if (this.waiting.length === this.most) this.run();
    });
  }

  private run(): void {
    const asked = this.waiting;
    if (asked.length === 0) return;
    this.waiting = [];
    this.answer(asked.map(({ ask }) => ask)).then(
      (answers) => asked.forEach(({ resolve }, index) => resolve(answers[index]!)),
      (error: unknown) => asked.forEach(({ reject }) => reject(error)),
    );
  }
}
