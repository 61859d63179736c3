interface Turn {
  /** Asked for since its slice began. */
  again: boolean;
  done: PromiseWithResolvers<boolean>;
}

/**
 * Work in slices, partner by partner: who has more to do goes behind the others, so that nobody waits for longer than a slice of each. One partner has one slice at a time,
 * and takes up no more memory than its name.
 */
export class Turns<Whose> {
  /** Those that wait for a slice or have one. */
  private readonly turns = new Map<Whose, Turn>();
  private readonly line: Whose[] = [];
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  /**
   * @param slice a bounded piece of one's work @returns whether there is more
   * @param atOnce slices, each of another one's work
   */
  constructor(
    private readonly slice: (whose: Whose) => Promise<boolean>,
    private readonly atOnce: number,
  ) {}

  /** Does all of its work, as far as it is there now. @returns whether it was done: a stop may come before. @throws what a slice throws, to all who asked for it */
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

  /** Begins no more slices and waits for those under way. @returns whose work is left */
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
