import { Calls } from './calls.js';
import type { VaultlineOptions } from './options.js';

/** What the clients of both contracts have. A method gives `data` of the answer, or rejects: with a `VaultlineError` where it was refused, with a `VaultlineConnectionError` where no answer came. */
export abstract class Client<Paths extends object> {
  /** Makes the methods. */
  protected readonly calls: Calls<Paths>;

  constructor(options: VaultlineOptions) {
    this.calls = new Calls(options);
  }

  /** Every operation by its path, typed, with the same key and retries. It answers with `{ data, error, response }`, and throws only where no answer came. */
  get raw(): Calls<Paths>['raw'] {
    return this.calls.raw;
  }
}
