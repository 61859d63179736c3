import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';

/** Summing a row within the database costs about a tenth of reading it. */
const SUMMED_A_ROW = 10;

/** Counts the rows that a read takes, wherever it reads them. The store counts those that it returns; who has rows summed counts them here. */
@Injectable()
export class Meter {
  private readonly current = new AsyncLocalStorage<((rows: number) => void) | null>();

  /** Runs work whose rows are counted. @param count called after each statement with the rows since the call before */
  run<T>(count: (rows: number) => void, work: () => T): T {
    return this.current.run(count, work);
  }

  /** Runs work that is not counted, because the request that comes upon it did not ask for it. */
  apart<T>(work: () => T): T {
    return this.current.run(null, work);
  }

  read(rows: number): void {
    this.current.getStore()?.(rows);
  }

  summed(rows: number): void {
    this.read(rows / SUMMED_A_ROW);
  }
}
