import type { Calls } from './calls.js';
import type { components, paths } from './generated/partner.js';
import type { RequestOptions } from './operations.js';

export type UserBalance = components['schemas']['UserBalance'];

/** Operations of both contracts, for which one set of types is enough. */
type UserPaths = Pick<paths, '/users/{id}'>;

/** What end-users have. */
export class Users {
  readonly #read;

  constructor(calls: Pick<Calls<UserPaths>, 'read'>) {
    this.#read = calls.read('/users/{id}');
  }

  /**
   * What a user has in an asset, over all of its positions. Amounts are whole units; one that a double does not hold has its exact text beside it
   * (`value_exact`).
   * @returns zeros for a user without an open position in the asset
   * @throws VaultlineError `not_found` for an id that is not one of your users'
   */
  async balance(userId: string, asset: UserBalance['asset'], options?: RequestOptions): Promise<UserBalance> {
    const { balances } = await this.#read(userId, options);
    const balance = balances.find((entry) => entry.asset === asset);
    return balance ?? { asset, value: 0, available: 0, positions: 0 };
  }
}
