import { Calls } from './calls.js';
import type { VaultlineOptions } from './options.js';

/**
 * The base of both clients. A method resolves to `data` of the answer, or rejects: with a `VaultlineError` for a refusal, with a
 * `VaultlineConnectionError` without an answer.
 */
export abstract class Client<Paths extends object> {
  /** Makes the methods of the client. */
  protected readonly calls: Calls<Paths>;

  constructor(options: VaultlineOptions) {
    this.calls = new Calls(options);
  }

  /**
   * Every operation by its path, typed, with the same key and retries. It resolves to `{ data, error, response }`, and rejects only without an
   * answer.
   */
  get raw(): Calls<Paths>['raw'] {
    return this.calls.raw;
  }
}
