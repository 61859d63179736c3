import type { Calls } from './calls.js';
import type { components as Partner } from './generated/partner.js';
import type { components as Sandbox, paths } from './generated/sandbox.js';
import type { RequestOptions } from './operations.js';
import { untilPaid, waitOf, type WithdrawOptions } from './withdrawal.js';

type Schemas = (Partner | Sandbox)['schemas'];
type WithdrawalRequest = Sandbox['schemas']['CreateWithdrawalInput'];

export type UserBalance = Schemas['UserBalance'];

/** Operations of both contracts, for which one set of paths is enough: only their assets differ. */
type UserPaths = Pick<paths, '/users/{id}' | '/users/{id}/withdrawals' | '/withdrawals/{id}'>;

/** What end-users have, and its withdrawal. */
export class Users<Contract extends Schemas> {
  readonly #read;
  readonly #withdraw;
  readonly #readWithdrawal;

  constructor(calls: Pick<Calls<UserPaths>, 'read' | 'create'>) {
    this.#read = calls.read('/users/{id}');
    this.#withdraw = calls.create('/users/{id}/withdrawals');
    this.#readWithdrawal = calls.read('/withdrawals/{id}');
  }

  /**
   * What a user has in an asset, over all of its positions. Amounts are whole units; one that a double does not hold has its exact text beside it
   * (`value_exact`).
   * @returns zeros for a user without an open position in the asset
   * @throws VaultlineError `not_found` for an id that is not one of your users'
   */
  async balance(
    userId: string,
    asset: Contract['UserBalance']['asset'],
    options?: RequestOptions,
  ): Promise<Contract['UserBalance']> {
    const balances: UserBalance[] = (await this.#read(userId, options)).balances;
    const balance = balances.find((entry) => entry.asset === asset);
    return balance ?? { asset, value: 0, available: 0, positions: 0 };
  }

  /**
   * Withdraws an amount in whole units, of at most 6 decimals; without one, everything that the positions are worth when it is paid. Where an
   * executor pays, the answer is `requested`; with `wait` the call ends when it is paid.
   * @throws VaultlineError `insufficient_balance`, and the other refusals of the server; with `wait` also WithdrawalUnpaidError for one that failed
   * or lapsed, and WithdrawalPendingError for one that was not paid in time
   */
  async withdraw(
    userId: string,
    request: Contract['CreateWithdrawalInput'],
    options: WithdrawOptions = {},
  ): Promise<Contract['Withdrawal']> {
    const { wait, idempotencyKey, ...each } = options;
    const patience = waitOf(wait);
    const effect = { ...each, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    const requested = await this.#withdraw(userId, request as WithdrawalRequest, effect);
    return patience ? untilPaid(requested, this.#readWithdrawal, patience, each) : requested;
  }
}
