import { type Address, getAddress, isAddress } from 'viem';
import * as z from 'zod';
import type { Intent } from './contracts.js';
import { finalRedemptions, grown, isIdle, Jobs, type Operations } from './jobs.js';
import { NotAllowed } from './problem.js';
import type { Facts, Job, Transaction } from './records.js';
import { AMOUNT, exact, PAGE, rowsOf, WORD, WORK } from './server.js';
import type { ChainName } from './settings.js';

const PAYOUT = z
  .object({
    ...WORK,
    wallet: WORD.transform((text) => (isAddress(text) ? getAddress(text) : text)).nullable(),
    parts: z.array(z.object({ vault_id: WORD, ...AMOUNT }).transform(exact)),
  })
  .transform(exact);
type Payout = z.infer<typeof PAYOUT>;

/** Withdrawals: out of vaults, and to a wallet what came of it. */
export class Payouts extends Jobs<Payout> {
  protected readonly kind = 'payout';
  protected readonly fixed = ['asset', 'wallet'];
  protected readonly form = PAYOUT;
  protected readonly operations: Operations = {
    read: this.executor.readWithdrawal,
    take: this.executor.takeWithdrawal,
    fail: this.executor.reportWithdrawalFailed,
    report: ({ id, chain }, _, body, key) => this.executor.reportWithdrawalPaid(id, { ...body, chain }, key),
  };

  list(): Promise<Payout[]> {
    return rowsOf(PAYOUT, this.executor.listWithdrawals({ status: 'requested', limit: PAGE }));
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
    const transfer: Intent = { step: 'transfer', chain, asset, units, vault_id: null, wallet };
    const { account } = this.senderOf(chain);
    account.requireWithin(transfer, now);
    const { redemptions, cash } = amountsOf(payout);
    for (const [vault_id, part] of redemptions) {
      const redemption: Intent = { ...transfer, step: 'redeem', units: part * scale, vault_id, wallet: null };
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
    const base = { chain, asset, wallet: null, vault_id: null };
    const { redemptions, cash } = amountsOf(payout);
    for (const [vault_id, part] of redemptions) {
      if (redeemed.some((entry) => entry.vault_id === vault_id)) continue;
      requireTaken(received + part * scale);
      return account.redeemable({ ...base, step: 'redeem', units: part * scale, vault_id }, now);
    }
    const total = received + cash * scale;
    requireTaken(total);
    const wallet = this.payableWallet(payout, chain, total);
    const transfer: Intent = { ...base, step: 'transfer', units: total - (total % scale), wallet };
    await account.requireCash(transfer);
    return transfer;
  }

  protected reportedStep() {
    return 'transfer' as const;
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
    const vaults = parts.map(({ vault_id }) => vault_id).filter((id) => !isIdle(id));
    const chains = new Set(vaults.map((id) => allowlist.vault(id).chain));
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
    const approved = JSON.parse(journal.fact(approvalNameOf(id)) ?? '{}') as Facts;
    const isOfWallet = approved['wallet'] === wallet && approved['asset'] === asset;
    if (isOfWallet && amount <= grown(BigInt(approved['amount']!))) return wallet;
    const waiting = `it waits for \`approve ${approvalOf(id, this.factsOf(payout))}\``;
    const deposited = journal.deposited(chain, asset, wallet);
    if (deposited === 0n) throw new NotAllowed(`no deposit from ${wallet} was seen on ${chain}: ${waiting}`);
    if (units + journal.sent(chain, asset, wallet) > allowlist.payable(deposited))
      throw new NotAllowed(`${wallet} was paid more than it deposited on ${chain}: ${waiting}`);
    return wallet;
  }
}

/** The fact of the journal that a payment is approved: its wallet, asset and amount. */
export const approvalNameOf = (id: string): string => `approval ${id}`;

/** What an operator types to approve a payment: all of it, so that no later answer of the server changes what that allows. */
export const approvalOf = (id: string, { wallet, amount, asset }: Facts): string =>
  `${id} ${wallet} ${Number(amount) / 1_000_000} ${asset}`;

type Part = Pick<Payout['parts'][number], 'vault_id' | 'amount'>;
const sumOf = (parts: readonly Part[]): bigint => parts.reduce((sum, { amount }) => sum + amount, 0n);

/** What is redeemed from each vault, and what is paid from cash. @throws NotAllowed for parts of more than the whole */
function amountsOf({ parts, amount }: Payout): { redemptions: [vault_id: string, bigint][]; cash: bigint } {
  if (sumOf(parts) > amount) throw new NotAllowed('its parts are more than its amount');
  const { vault = [], idle = [] } = Object.groupBy(parts, (part) =>
    isIdle(part.vault_id) ? 'idle' : 'vault',
  );
  const byVault = Map.groupBy(vault, (part) => part.vault_id);
  return { redemptions: [...byVault].map(([id, list]) => [id, sumOf(list)]), cash: sumOf(idle) };
}
