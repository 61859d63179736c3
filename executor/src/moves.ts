import * as z from 'zod';
import type { Intent } from './contracts.js';
import { finalRedemptions, grown, isIdle, Jobs, type Operations } from './jobs.js';
import { NotAllowed, NotNow } from './problem.js';
import type { Facts, Job, Transaction } from './records.js';
import { exact, PAGE, rowsOf, WORD, WORK } from './server.js';

const MOVE = z
  .object({
    ...{ ...WORK, urgent: z.boolean(), taken_at: z.string().nullable() },
    ...{ from_vault_id: WORD, to_vault_id: WORD, position_id: WORD.nullable() },
  })
  .transform(exact);
type Move = z.infer<typeof MOVE>;

/** Orders: out of a vault, and into another. */
export class Moves extends Jobs<Move> {
  protected readonly kind = 'move';
  protected readonly fixed = ['asset', 'from', 'to', 'positionId'];
  protected readonly form = MOVE;
  protected readonly operations: Operations = {
    read: this.executor.readMove,
    take: (id, key) => this.executor.takeMove(id, {}, key),
    fail: this.executor.reportMoveFailed,
    report: ({ id }, step, body, key) =>
      step === 'redeem'
        ? this.executor.reportMoveRedeemed(id, body, key)
        : this.executor.reportMoveSettled(id, body, key),
  };

  /** Received deposits whose order nobody took are among them. */
  async list(): Promise<Move[]> {
    const requested = await rowsOf(MOVE, this.executor.listMoves({ status: 'requested', limit: PAGE }));
    const arriving = await rowsOf(MOVE, this.executor.listMoves({ status: 'arriving', limit: PAGE }));
    return [...requested, ...arriving.filter(({ taken_at }) => taken_at === null)];
  }

  protected factsOf({ asset, urgent, amount, ...move }: Move): Facts {
    const { from_vault_id: from, to_vault_id: to, position_id: positionId } = move;
    return { asset, from, to, positionId, urgent: String(urgent), amount: String(amount) };
  }

  protected async tryOut({ amount, asset, ...move }: Move, now: number): Promise<Intent> {
    const { allowlist, journal } = this.tools;
    const { from_vault_id: from, to_vault_id: to, position_id: positionId } = move;
    const vaults = [from, to].filter((id) => !isIdle(id)).map((id) => allowlist.vault(id));
    const foreign = vaults.find((vault) => vault.asset !== asset);
    if (foreign)
      throw new NotAllowed(`${foreign.id} is a vault of ${foreign.asset}, and the order is of ${asset}`);
    const [vault, other = vault] = vaults;
    if (!vault) throw new NotAllowed('it is between no vaults');
    const { chain, id: vault_id } = vault;
    if (other!.chain !== chain)
      throw new NotAllowed('its vaults are on different chains, and the executor does not bridge');
    const units = amount * allowlist.scale(chain, asset);
    const intent: Intent = { step: 'redeem', chain, asset, units, vault_id, wallet: null };
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
    const vault_id = step === 'redeem' ? move.from_vault_id : move.to_vault_id;
    const intent: Intent = { step, chain, asset, units, vault_id, wallet: null };
    if (step === 'redeem') return account.redeemable(intent, now);
    await this.depositable(intent, now);
    const allowed = await account.allowance(intent);
    if (allowed === units) return intent;
    // Two that took each other's allowance back would do so for as long as the vault is paused.
    if (allowed > 0n && (journal.approverOf(vault_id) ?? id) !== id)
      throw new NotNow('another order has an allowance for this vault, and goes first');
    // Exactly what is deposited. An allowance of another amount is taken back first: some tokens insist.
    return { ...intent, step: 'approve', units: allowed === 0n ? units : 0n };
  }

  protected reportedStep({ status, facts }: Job) {
    return status === 'taken' && !isIdle(facts['from']!) ? 'redeem' : 'deposit';
  }

  protected isAsReported(job: Job, { status, from_vault_id }: Move): boolean {
    return (this.reportedStep(job) === 'redeem') === (status === 'redeeming' && !isIdle(from_vault_id));
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
