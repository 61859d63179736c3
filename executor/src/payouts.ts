import { type Address, isAddress } from 'viem';
import type { Intent, Step } from './contracts.js';
import { finalRedemptions, grown, isIdle, Jobs } from './jobs.js';
import type { Facts, Job, Transaction } from './journal.js';
import { NotAllowed } from './problem.js';
import type { Payout } from './server.js';
import type { ChainName } from './settings.js';

/** Withdrawals: out of vaults, and to a wallet what came of it. */
export class Payouts extends Jobs<Payout> {
  protected readonly kind = 'payout';
  protected readonly noun = 'withdrawal';
  protected readonly verb = 'pay';
  protected readonly fixed = ['asset', 'wallet'];

  protected read(id: string) {
    return this.tools.server.payout(id);
  }

  protected take(id: string) {
    return this.tools.server.takePayout(id);
  }

  protected factsOf({ asset, wallet, amount }: Payout): Facts {
    return { asset, wallet, amount: String(amount) };
  }

  protected async tryOut(payout: Payout, now: number): Promise<Intent> {
    const { asset, amount } = payout;
    const chain = this.chainOf(payout);
    const scale = this.tools.allowlist.scale(chain, asset);
    const units = amount * scale;
    const wallet = this.payableWallet(payout, chain, units);
    const transfer: Intent = { step: 'transfer', chain, asset, units, vaultId: null, wallet };
    const { account } = this.senderOf(chain);
    account.requireWithin(transfer, now);
    const { parts, cash } = byVault(payout);
    for (const [vaultId, part] of parts) {
      const redemption: Intent = { ...transfer, step: 'redeem', units: part * scale, vaultId, wallet: null };
      await account.redeemable(redemption, now);
    }
    await account.requireCash({ ...transfer, units: cash * scale });
    return transfer;
  }

  /** Each vault's part is redeemed, then the wallet is paid what came of it. */
  protected async next(job: Job, payout: Payout, sent: readonly Transaction[], now: number): Promise<Intent> {
    const { chain, asset, facts } = job;
    const { account } = this.senderOf(chain);
    const scale = this.tools.allowlist.scale(chain, asset);
    // As when it was taken, and within its amount: a server may change both meanwhile.
    const most = grown(BigInt(facts['amount']!));
    if (payout.amount > most) throw new NotAllowed('the server asks for more than was taken');
    const requireTaken = (units: bigint): void => {
      if (units > most * scale) throw new NotAllowed(`${units} units are more than was taken`);
    };
    const redeemed = finalRedemptions(sent);
    const received = redeemed.reduce((sum, { amount }) => sum + BigInt(amount!), 0n);
    const base = { chain, asset, wallet: null, vaultId: null };
    const { parts, cash } = byVault(payout);
    for (const [vaultId, part] of parts) {
      if (redeemed.some((entry) => entry.vault_id === vaultId)) continue;
      requireTaken(received + part * scale);
      return account.redeemable({ ...base, step: 'redeem', units: part * scale, vaultId }, now);
    }
    const total = received + cash * scale;
    requireTaken(total);
    const wallet = this.payableWallet(payout, chain, total);
    const transfer: Intent = { ...base, step: 'transfer', units: total - (total % scale), wallet };
    await account.requireCash(transfer);
    return transfer;
  }

  protected reportedStep(): Step {
    return 'transfer';
  }

  protected isAsReported(_: Job, { status }: Payout): boolean {
    return status === 'taken';
  }

  /** What was redeemed has to be paid. */
  protected isBound(sent: readonly Transaction[]): boolean {
    return finalRedemptions(sent).length > 0;
  }

  /** @throws NotAllowed where its funds are not on one chain that is served */
  private chainOf({ asset, parts }: Payout): ChainName {
    const { allowlist } = this.tools;
    const vaults = parts
      .filter(({ vaultId }) => !isIdle(vaultId))
      .map((part) => allowlist.vault(part.vaultId));
    const chains = new Set(vaults.map(({ chain }) => chain));
    // The books do not know on which chain cash is.
    const [chain, ...others] = chains.size > 0 ? chains : allowlist.chainsOf(asset);
    if (chain === undefined) throw new NotAllowed(`${asset} is on no chain of the allowlist`);
    if (others.length > 0)
      throw new NotAllowed('its parts are on several chains, or may be, and the executor does not bridge');
    return chain;
  }

  /**
   * The wallet that may be paid: one from which the executor saw deposits on the chain, of about as much, or one that an operator approved.
   * @throws NotAllowed
   */
  private payableWallet(payout: Payout, chain: ChainName, units: bigint): Address {
    const { allowlist, journal } = this.tools;
    const { id, wallet, asset, amount } = payout;
    if (wallet === null) throw new NotAllowed('no wallet is known: the end-user has none, or several');
    if (!isAddress(wallet)) throw new NotAllowed('its wallet is no address');
    const approval = journal.approval(id);
    const isApproved =
      approval?.wallet === wallet && approval.asset === asset && amount <= grown(BigInt(approval.amount));
    if (isApproved) return wallet;
    const waiting = `it waits for \`approve ${approvalOf(id, this.factsOf(payout))}\``;
    const deposited = journal.deposited(chain, asset, wallet);
    if (deposited === 0n) throw new NotAllowed(`no deposit from ${wallet} was seen on ${chain}: ${waiting}`);
    if (units + journal.sent(chain, asset, wallet) > allowlist.payable(deposited))
      throw new NotAllowed(`${wallet} was paid more than it deposited on ${chain}: ${waiting}`);
    return wallet;
  }
}

/** What an operator types to approve a payment: all of it, so that no later answer of the server changes what that allows. */
export const approvalOf = (id: string, { wallet, amount, asset }: Facts): string =>
  `${id} ${wallet} ${Number(amount) / 1_000_000} ${asset}`;

/** Amounts by vault, and in cash. @throws NotAllowed for parts of more than the whole */
function byVault({ parts, amount: whole }: Payout): { parts: Map<string, bigint>; cash: bigint } {
  if (parts.reduce((sum, { amount }) => sum + amount, 0n) > whole)
    throw new NotAllowed('its parts are more than its amount');
  const sums = new Map<string, bigint>();
  for (const { vaultId, amount } of parts) {
    const name = isIdle(vaultId) ? '' : vaultId;
    sums.set(name, (sums.get(name) ?? 0n) + amount);
  }
  const cash = sums.get('') ?? 0n;
  sums.delete('');
  return { parts: sums, cash };
}
