import type { Column } from './column.js';
import type { Statement, StatementShape, ValuesOf } from './statement.js';
import type { Store } from './store.js';

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

  /**
   * Whatever has rows to remove, page by page by its id, until the run has done its share.
   *
   * @param find the next of a page, behind an id
   * @param remove of one of them @returns how many rows
   * @returns how many were removed
   */
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

/** Runs a statement that says how many rows it `removed`. */
export async function removedBy<Values extends StatementShape['values']>(
  store: Store,
  statement: Statement<{ values: Values; row: { removed: Column<number> } }>,
  values: ValuesOf<{ values: Values }>,
): Promise<number> {
  const [row] = await store.query(statement, values);
  return row!.removed;
}
