import type { Hex } from 'viem';
import type { Logger } from 'pino';
import type { Allowlist } from './allowlist.js';
import { decimalsOf } from './balances.js';
import { amountOf, type Call, callOf, type Intent, isSame, limitOf } from './contracts.js';
import type { Job, Journal, NewAttempt, Transaction } from './journal.js';
import type { Meters } from './meters.js';
import { NotAllowed, NotNow, textOf } from './problem.js';
import type { Providers, Receipt } from './providers.js';
import { CHAIN_IDS, type ChainName, type Settings } from './settings.js';
import type { Signer } from './signer.js';

const DAY_MS = 86_400_000;
const GWEI = 1_000_000_000;
/** Nodes take a replacement that pays an eighth more. */
const [RISE, OF] = [1_130n, 1_000n];

/** Sends the transactions of a chain's account, one at a time, and follows each to its end. */
export class Sender {
  private isVerified = false;

  constructor(
    readonly chain: ChainName,
    readonly providers: Providers,
    private readonly allowlist: Allowlist,
    private readonly signer: Signer,
    private readonly journal: Journal,
    private readonly settings: Pick<Settings, 'STUCK_SECONDS'> & { dryRun: boolean },
    private readonly meters: Meters,
    private readonly log: Logger,
  ) {}

  /** The finalized block of a chain that is the one it should be. @throws NotNow */
  async finalized(): Promise<number> {
    if (!this.isVerified) await this.verify();
    const block = await this.providers.finalized();
    this.meters.finalized.set({ chain: this.chain }, block);
    return block;
  }

  /** Follows the transaction under way. @returns whether none is under way any more */
  async settle(finalized: number, now: number): Promise<boolean> {
    const pending = this.journal.inFlight(this.chain);
    if (!pending) return true;
    const included = await this.findReceipt(pending, finalized);
    if (included) {
      const { hash, blockNumber, blockHash } = included;
      const isFinal = blockNumber <= finalized && (await this.providers.blockHash(blockNumber)) === blockHash;
      if (isFinal) this.end(pending, included);
      else this.log.debug({ job: pending.job_id, hash, block: blockNumber }, 'waiting for finality');
      return isFinal;
    }
    if ((await this.providers.nonce(pending.account, finalized)) > pending.nonce)
      return this.giveWay(pending, finalized);
    await this.sendAgain(pending, now);
    return false;
  }

  /**
   * Builds, checks, simulates, signs, writes down and sends a transaction, in this order.
   * @throws NotAllowed, NotNow
   */
  async send(job: Job, intent: Intent, now: number): Promise<void> {
    const { chain, asset, units, step } = intent;
    const { account } = this.allowlist;
    const call = callOf(this.allowlist, intent);
    const limited = limitOf(step);
    // An allowance is taken back whatever the limits are.
    if (step !== 'approve' || units > 0n) this.requireWithin(intent, now);
    if (this.journal.inFlight(chain)) throw new NotNow(`a transaction on ${chain} is under way`);
    const finalized = await this.finalized();
    const nonce = await this.providers.nonce(account, 'latest');
    // Somebody else used the account: until that is final the nonce may be free again.
    if (nonce !== (await this.providers.nonce(account, finalized)))
      throw new NotNow(`the account has a transaction on ${chain} that is not final`);
    await this.providers.simulate(account, call);
    const gas = await this.gasOf(call);
    if (this.settings.dryRun) {
      this.log.info({ job: job.id, ...shown(intent), to: call.to }, 'dry run: would send');
      throw new NotNow('it is a dry run');
    }
    const { vaultId: vault_id, wallet } = intent;
    const facts = { job_id: job.id, step, vault_id, chain, account, nonce, target: call.to, data: call.data };
    const amounts = { gas: String(gas), asset, units: String(units), limited, wallet };
    const fees = await this.feesOf(null);
    const attempt = await this.sign({ ...facts, gas: amounts.gas }, fees);
    const transaction = this.journal.prepare({ ...facts, ...amounts, since_block: finalized }, attempt, now);
    this.log.info({ job: job.id, ...shown(intent), nonce, hash: attempt.hash }, 'sending');
    await this.transmit(transaction);
  }

  /** Simulates what would be the first transaction of a job. @throws NotAllowed, NotNow */
  async tryOut(intent: Intent, now: number): Promise<void> {
    const call = callOf(this.allowlist, intent);
    this.requireWithin(intent, now);
    await this.providers.simulate(this.allowlist.account, call);
  }

  /** An approval moves nothing, and yet is of no more than may follow it. */
  private requireWithin({ step, chain, asset, units }: Intent, now: number): void {
    const kind = limitOf(step) ?? 'vault';
    const moved = this.journal.moved(chain, asset, kind, now - DAY_MS);
    this.allowlist.requireWithin(chain, asset, kind, units, moved);
  }

  private async verify(): Promise<void> {
    const [id, expected] = [await this.providers.chainId(), CHAIN_IDS[this.chain]];
    if (id !== expected)
      throw new NotNow(`RPC_URL_${this.chain.toUpperCase()} leads to chain ${id}, not ${expected}`);
    for (const [asset, { address, decimals }] of Object.entries(
      this.allowlist.chains.get(this.chain)!.tokens,
    ))
      if ((await decimalsOf(this.providers, address)) !== BigInt(decimals))
        throw new NotNow(`the token ${address} has other decimals than the allowlist says of ${asset}`);
    this.isVerified = true;
  }

  private async findReceipt(pending: Transaction, finalized: number): Promise<Receipt | null> {
    for (const { hash, number } of this.journal.attempts(pending.id)) {
      const known = hash ?? (await this.hashByNonce(pending, finalized));
      if (known === null) continue;
      if (hash === null) this.journal.setAttemptHash(pending.id, number, known);
      const receipt = await this.providers.receipt(known);
      if (receipt) return receipt;
    }
    return null;
  }

  private end(transaction: Transaction, { hash, succeeded, logs }: Receipt): void {
    const { id, job_id: job, step } = transaction;
    const intent = intentOf(transaction);
    const amount = succeeded ? amountOf(this.allowlist, intent, logs) : null;
    this.journal.end(id, succeeded ? 'final' : 'reverted', hash, amount);
    this.meters.transactions.inc({ chain: this.chain, step, result: succeeded ? 'final' : 'reverted' });
    if (succeeded) this.log.info({ job, step, hash, amount: String(amount) }, 'final');
    else this.log.error({ job, step, hash }, 'a transaction was reverted');
  }

  /** The nonce is used up, and not by any of our attempts: it is built anew, with proof alone. */
  private async giveWay(pending: Transaction, finalized: number): Promise<boolean> {
    const used = await this.userOf(pending, finalized);
    const { job_id: job, nonce } = pending;
    const hashes = this.journal.attempts(pending.id).map(({ hash }) => hash);
    if (used === null || hashes.includes(used.hash))
      throw new NotNow(`providers do not show which transaction used the nonce ${nonce}`);
    this.log.error(
      { job, nonce, hash: used.hash },
      'somebody else used the account: the transaction is built anew',
    );
    this.journal.end(pending.id, 'void', used.hash, null);
    this.meters.transactions.inc({ chain: this.chain, step: pending.step, result: 'void' });
    return true;
  }

  /** Of a signer that only sends, the transaction with our nonce, if it is ours. */
  private async hashByNonce(pending: Transaction, finalized: number): Promise<Hex | null> {
    if ((await this.providers.nonce(pending.account, finalized)) <= pending.nonce) return null;
    const used = await this.userOf(pending, finalized);
    const isOurs = used !== null && isSame(used.to ?? '', pending.target) && isSame(used.input, pending.data);
    return isOurs ? used.hash : null;
  }

  /** The final transaction that used a nonce: the first block after which the account has a higher one has it. */
  private async userOf({ account, nonce, since_block }: Transaction, finalized: number) {
    let [low, high] = [since_block, finalized];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((await this.providers.nonce(account, middle)) > nonce) high = middle;
      else low = middle;
    }
    const transactions = await this.providers.transactionsOf(account, high);
    return transactions.find((entry) => entry.nonce === nonce) ?? null;
  }

  /** Providers forget transactions, and a reorganisation takes them back. One that waits too long pays more, within the bound. */
  private async sendAgain(pending: Transaction, now: number): Promise<void> {
    const [latest] = this.journal.attempts(pending.id);
    if (latest && now - latest.at >= this.settings.STUCK_SECONDS * 1000) {
      try {
        const fees = await this.feesOf(latest);
        this.log.warn(
          { job: pending.job_id, nonce: pending.nonce, max_fee: String(fees.maxFee) },
          'it is stuck: sent with a higher fee',
        );
        this.journal.addAttempt(pending.id, await this.sign(pending, fees), now);
      } catch (error) {
        if (!(error instanceof NotAllowed)) throw error;
        this.log.error({ job: pending.job_id, nonce: pending.nonce }, `it is stuck: ${error.message}`);
      }
    }
    await this.transmit(pending);
  }

  private async transmit(transaction: Transaction): Promise<void> {
    const [attempt] = this.journal.attempts(transaction.id);
    if (!attempt) return;
    if (attempt.raw !== null) {
      const answers = await this.providers.broadcast(attempt.raw);
      this.log.debug({ job: transaction.job_id, hash: attempt.hash, answers }, 'sent');
    } else if (attempt.hash === null && 'send' in this.signer) {
      // It has the same nonce each time, so that one of them is included at most.
      const fees = { maxFee: BigInt(attempt.max_fee), tip: BigInt(attempt.priority_fee) };
      const sent = await this.signer
        .send(transaction.account, unsignedOf(transaction, fees))
        .catch((error: unknown) => {
          this.log.warn({ job: transaction.job_id }, `the signer did not send: ${textOf(error)}`);
          return null;
        });
      if (sent) this.journal.setAttemptHash(transaction.id, attempt.number, sent);
    }
  }

  private async sign(
    transaction: Omit<Parameters<typeof unsignedOf>[0], 'chain'> & { chain: ChainName },
    fees: Fees,
  ): Promise<NewAttempt> {
    const asked = { max_fee: String(fees.maxFee), priority_fee: String(fees.tip) };
    if ('send' in this.signer) return { hash: null, raw: null, ...asked };
    return { ...(await this.signer.sign(unsignedOf(transaction, fees))), ...asked };
  }

  private async gasOf(call: Call): Promise<bigint> {
    const gas = ((await this.providers.gas(this.allowlist.account, call)) * 5n) / 4n;
    const most = this.allowlist.chains.get(this.chain)!.max_gas;
    if (gas > BigInt(most)) throw new NotAllowed(`it needs ${gas} gas: max_gas of ${this.chain} is ${most}`);
    return gas;
  }

  /** @param before of the attempt that is replaced @throws NotNow, or NotAllowed for a replacement beyond the bound */
  private async feesOf(before: { max_fee: string; priority_fee: string } | null): Promise<Fees> {
    const { baseFee, tip } = await this.providers.fees();
    const most = BigInt(Math.round(this.allowlist.chains.get(this.chain)!.max_fee_gwei * GWEI));
    const least = before
      ? { maxFee: raised(before.max_fee), tip: raised(before.priority_fee) }
      : { maxFee: 0n, tip: 0n };
    const wanted = { maxFee: higher(2n * baseFee + tip, least.maxFee), tip: higher(tip, least.tip) };
    const bound = `max_fee_gwei of ${this.chain} is ${Number(most) / GWEI}`;
    if (before === null && baseFee + tip > most) throw new NotNow(`gas costs too much: ${bound}`);
    if (least.maxFee > most || least.tip > most)
      throw new NotAllowed(`a higher fee is beyond the bound: ${bound}`);
    return {
      maxFee: wanted.maxFee > most ? most : wanted.maxFee,
      tip: wanted.tip > most ? most : wanted.tip,
    };
  }
}

interface Fees {
  maxFee: bigint;
  tip: bigint;
}

const raised = (fee: string): bigint => (BigInt(fee) * RISE) / OF + 1n;
const higher = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const shown = ({ units, ...intent }: Intent) => ({ ...intent, units: String(units) });

const unsignedOf = (
  { chain, nonce, target, data, gas }: Pick<Transaction, 'chain' | 'nonce' | 'target' | 'data' | 'gas'>,
  { maxFee, tip }: Fees,
) => ({
  ...{ chainId: CHAIN_IDS[chain], nonce, to: target, data, gas: BigInt(gas) },
  ...{ maxFeePerGas: maxFee, maxPriorityFeePerGas: tip },
});

export const intentOf = ({ step, chain, asset, units, vault_id, wallet }: Transaction): Intent => ({
  ...{ step, chain, asset, units: BigInt(units), vaultId: vault_id, wallet },
});
