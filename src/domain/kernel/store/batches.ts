/** Rows that one statement removes, so that its locks are held for some tens of milliseconds. */
const ROWS = 1_000;
/** Batches of one run; some seconds of work. */
const BATCHES_A_RUN = 200;

/** Removal in batches, each a statement that commits by itself. A run ends after a number of them, so that a large backlog delays nothing. */
export class Batches {
  private remaining: number;

  constructor(
    private readonly rows = ROWS,
    batches = BATCHES_A_RUN,
  ) {
    this.remaining = batches;
  }

  get spent(): boolean {
    return this.remaining <= 0;
  }

  /** Removes until a batch is not full or the run has used its batches. @param remove returns how many rows it removed @returns the sum */
  async run(remove: (rows: number) => Promise<number>): Promise<number> {
    let sum = 0;
    while (!this.spent) {
      this.remaining--;
      const removed = await remove(this.rows);
      sum += removed;
      if (removed < this.rows) break;
    }
    return sum;
  }

  /** Removes rows owner by owner, in pages by id. @param find next page of owners after an id @param remove removes rows of one owner */
  async runEach(
    pageSize: number,
    find: (after: string, limit: number) => Promise<{ id: string; due: boolean }[]>,
    remove: (id: string) => Promise<number>,
  ): Promise<number> {
    let sum = 0;
    for (let after = ''; !this.spent;) {
      const page = await find(after, pageSize);
      for (const { id } of page.filter(({ due }) => due)) sum += await remove(id);
      if (page.length < pageSize) break;
      after = page.at(-1)!.id;
    }
    return sum;
  }
}
