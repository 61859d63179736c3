interface Turn {
  /** Requested again since its slice began. */
  again: boolean;
  done: PromiseWithResolvers<boolean>;
}

/**
 * Round-robin scheduler of work in slices, by partner: after a slice, a partner with more work queues behind the others, so that each partner waits
 * for at most one slice of every other. A partner has one slice at a time, and costs no more memory than its name.
 */
export class Turns<Whose> {
  /** Partners that wait for a slice or run one. */
  private readonly turns = new Map<Whose, Turn>();
  private readonly line: Whose[] = [];
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  /**
   * @param slice a bounded piece of a partner's work
   * @returns whether there is more
   * @param atOnce concurrent slices, each of another partner
   */
  constructor(
    private readonly slice: (whose: Whose) => Promise<boolean>,
    private readonly atOnce: number,
  ) {}

  /**
   * Does all of the work that is there now.
   * @returns whether it was completed: a stop may interrupt it
   * @throws what a slice throws, to all who asked for it
   */
  ask(whose: Whose): Promise<boolean> {
    const under = this.turns.get(whose);
    if (under) {
      under.again = true;
      return under.done.promise;
    }
    if (this.stopped) return Promise.resolve(false);
    const turn: Turn = { again: false, done: Promise.withResolvers() };
    this.turns.set(whose, turn);
    this.line.push(whose);
    this.goOn();
    return turn.done.promise;
  }

  /** Starts no more slices and waits for those in progress. @returns partners with work left */
  async stop(): Promise<Whose[]> {
    this.stopped = true;
    await Promise.all(this.running);
    const left = [...this.turns];
    this.turns.clear();
    left.forEach(([, { done }]) => done.resolve(false));
    return left.map(([whose]) => whose);
  }

  private goOn(): void {
    while (!this.stopped && this.running.size < this.atOnce && this.line.length > 0) {
      const run = this.run(this.line.shift()!).finally(() => {
        this.running.delete(run);
        this.goOn();
      });
      this.running.add(run);
    }
  }

  private async run(whose: Whose): Promise<void> {
    const turn = this.turns.get(whose)!;
    turn.again = false;
    try {
      if ((await this.slice(whose)) || turn.again) {
        this.line.push(whose);
        return;
      }
      turn.done.resolve(true);
    } catch (error) {
      turn.done.reject(error);
    }
    this.turns.delete(whose);
  }
}
