import { erc20Abi } from 'viem';
import type { Allowlist } from './allowlist.js';
import { availableIn, balanceOf, callOf, type Intent, limitOf } from './contracts.js';
import type { Journal } from './journal.js';
import { NotNow, obstacleOf } from './problem.js';
import type { Providers } from './providers.js';
import type { ChainName } from './settings.js';

const DAY_MS = 86_400_000;

/** What the account on a chain can and may do now. */
export class Account {
  constructor(
    private readonly chain: ChainName,
    private readonly providers: Providers,
    private readonly allowlist: Allowlist,
    private readonly journal: Journal,
  ) {}

  /** Simulates what would be the first transaction of a job. @throws NotAllowed, NotNow */
  async tryOut(intent: Intent, now: number): Promise<void> {
    const call = callOf(this.allowlist, intent);
    this.requireWithin(intent, now);
    await this.providers.client.call({ account: this.allowlist.account, ...call });
  }

  /**
   * A redemption as it is possible now. The books may expect a little more than the vault has: then it is all that the vault has.
   * @throws NotAllowed, NotNow
   */
  async redeemable(intent: Intent, now: number): Promise<Intent> {
    try {
      await this.tryOut(intent, now);
      return intent;
    } catch (error) {
      if (!(obstacleOf(error) instanceof NotNow)) throw error;
      const { asset, units, vault_id } = intent;
      const { account } = this.allowlist;
      const vault = this.allowlist.vaultOf(this.chain, asset, vault_id);
      const token = this.allowlist.token(this.chain, asset).address;
      // A vault that does not say what it has refuses as it did.
      const available = await availableIn(this.providers.client, vault, token, account).catch(() => 0n);
      if (available >= units || available < this.allowlist.leastOf(units)) throw error;
      const reduced = { ...intent, units: available };
      await this.tryOut(reduced, now);
      return reduced;
    }
  }

  /** @throws NotNow */
  async requireCash({ asset, units }: Intent): Promise<void> {
    const { address } = this.allowlist.token(this.chain, asset);
    const balance = await balanceOf(this.providers.client, address, this.allowlist.account);
    if (balance < units)
      throw new NotNow(`the account has ${balance} of ${units} units of ${asset} on ${this.chain}`);
  }

  /** What a vault may still take. */
  allowance({ asset, vault_id }: Intent): Promise<bigint> {
    const { address } = this.allowlist.token(this.chain, asset);
    const { spender } = this.allowlist.vaultOf(this.chain, asset, vault_id);
    const args = [this.allowlist.account, spender] as const;
    return this.providers.client.readContract({ abi: erc20Abi, address, functionName: 'allowance', args });
  }

  /** An approval moves nothing, and yet is of no more than may follow it. @throws NotAllowed beyond the limits */
  requireWithin({ step, asset, units }: Intent, now: number): void {
    const kind = limitOf(step) ?? 'vault';
    const moved = this.journal.sent(this.chain, asset, kind, now - DAY_MS);
    this.allowlist.requireWithin(this.chain, asset, kind, units, moved);
  }
}
