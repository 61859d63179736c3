import type { Intent, Step } from './contracts.js';
import { finalRedemptions, grown, isIdle, Jobs } from './jobs.js';
import type { Facts, Job, Transaction } from './journal.js';
import { NotAllowed, NotNow } from './problem.js';
import type { Move } from './server.js';

/** Orders: out of a vault, and into another. */
export class Moves extends Jobs<Move> {
  protected readonly kind = 'move';
  protected readonly noun = 'order';
  protected readonly verb = 'send';
  protected readonly fixed = ['asset', 'from', 'to', 'positionId'];

  protected read(id: string) {
    return this.tools.server.move(id);
  }

  protected take(id: string) {
    return this.tools.server.takeMove(id);
  }

  protected factsOf({ asset, from, to, positionId, urgent, amount }: Move): Facts {
    return { asset, from, to, positionId, urgent: String(urgent), amount: String(amount) };
  }

  protected async tryOut({ amount, asset, from, to, positionId }: Move, now: number): Promise<Intent> {
    const { allowlist, journal } = this.tools;
    const vaults = [from, to].filter((id) => !isIdle(id)).map((id) => allowlist.vault(id));
    const foreign = vaults.find((vault) => vault.asset !== asset);
    if (foreign)
      throw new NotAllowed(`${foreign.id} is a vault of ${foreign.asset}, and the order is of ${asset}`);
    const [vault, other = vault] = vaults;
    if (!vault) throw new NotAllowed('it is between no vaults');
    const { chain, id: vaultId } = vault;
    if (other!.chain !== chain)
      throw new NotAllowed('its vaults are on different chains, and the executor does not bridge');
    const units = amount * allowlist.scale(chain, asset);
    const intent: Intent = { step: 'redeem', chain, asset, units, vaultId, wallet: null };
    if (!isIdle(from)) return this.senderOf(chain).account.redeemable(intent, now);
    const received = positionId === null ? undefined : journal.depositChain(positionId);
    if (received !== undefined && received !== chain)
      throw new NotAllowed(`it was received on ${received}, and the executor does not bridge to ${chain}`);
    return this.depositable({ ...intent, step: 'deposit' }, now);
  }

  protected async next(job: Job, move: Move, sent: readonly Transaction[], now: number): Promise<Intent> {
    const { journal, allowlist } = this.tools;
    const { id, chain, asset, facts } = job;
    const { account } = this.senderOf(chain);
    const scale = allowlist.scale(chain, asset);
    const units = move.amount * scale;
    const [redeemed] = finalRedemptions(sent);
    // Other money is not part of the order.
    const most = redeemed ? BigInt(redeemed.amount!) : grown(BigInt(facts['amount']!) * scale);
    if (units > most) throw new NotAllowed(`the server asks for ${units} units, and the order has ${most}`);
    const step = this.reportedStep(job);
    const vaultId = step === 'redeem' ? move.from : move.to;
    const intent: Intent = { step, chain, asset, units, vaultId, wallet: null };
    if (step === 'redeem') return account.redeemable(intent, now);
    await this.depositable(intent, now);
    const allowed = await account.allowance(intent);
    if (allowed === units) return intent;
    // Two that took each other's allowance back would do so for as long as the vault is paused.
    if (allowed > 0n && (journal.approverOf(vaultId) ?? id) !== id)
      throw new NotNow('another order has an allowance for this vault, and goes first');
    // Exactly what is deposited. An allowance of another amount is taken back first: some tokens insist.
    return { ...intent, step: 'approve', units: allowed === 0n ? units : 0n };
  }

  protected reportedStep({ status, facts }: Job): Step {
    return status === 'taken' && !isIdle(facts['from']!) ? 'redeem' : 'deposit';
  }

  protected isAsReported(job: Job, { status, from }: Move): boolean {
    return (this.reportedStep(job) === 'redeem') === (status === 'redeeming' && !isIdle(from));
  }

  /** Redeemed funds stay in cash, until the server decides anew. */
  protected isBound(): boolean {
    return false;
  }

  /** Before there is an allowance, only the approval can be simulated. */
  private async depositable(intent: Intent, now: number): Promise<Intent> {
    const { account } = this.senderOf(intent.chain);
    await account.requireCash(intent);
    await account.tryOut({ ...intent, step: 'approve' }, now);
    return intent;
  }
}
