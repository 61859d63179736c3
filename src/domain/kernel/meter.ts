import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';

/** Summing a row within the database costs about a tenth of reading it. */
const SUMMED_A_ROW = 10;

/** Counts the rows that a request reads. The store counts the rows that it returns; a caller that has SQL sum rows counts them here. */
@Injectable()
export class Meter {
  private readonly current = new AsyncLocalStorage<((rows: number) => void) | null>();

  /** Runs work whose rows are counted. @param count called after each statement with the rows since the call before */
  run<T>(count: (rows: number) => void, work: () => T): T {
    return this.current.run(count, work);
  }

  /** Runs work that is not counted, because it is not part of the caller's request. */
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
