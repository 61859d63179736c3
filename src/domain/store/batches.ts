/** Rows that one statement removes: its locks are held for some tens of milliseconds. */
const ROWS = 1_000;
/** Some seconds of work. */
const BATCHES_A_RUN = 200;

/**
 * Removal batch by batch. Each is one statement, which commits by itself: a run that is cut off has removed some of it, and the next one goes on. A run
 * ends after so many batches, however much is there, so that a backlog of any size is worked off and nothing waits for it.
 */
export class Batches {
  private left: number;

  constructor(
    private readonly rows = ROWS,
    batches = BATCHES_A_RUN,
  ) {
    this.left = batches;
  }

  /** True when the run has done its share. */
  get spent(): boolean {
    return this.left <= 0;
  }

  /**
   * Until a batch is not full, or the run has done its share.
   *
   * @param remove at most so many rows @returns how many they were
   * @returns how many were removed
   */
  async run(remove: (rows: number) => Promise<number>): Promise<number> {
    let sum = 0;
    while (!this.spent) {
      this.left--;
      const removed = await remove(this.rows);
      sum += removed;
      if (removed < this.rows) break;
    }
    return sum;
  }
}
