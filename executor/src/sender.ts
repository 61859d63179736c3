import { erc20Abi, type Hex, isAddressEqual, keccak256 } from 'viem';
import type { Logger } from 'pino';
import { Account } from './account.js';
import type { Allowlist } from './allowlist.js';
import { amountOf, type Call, callOf, type Intent, limitOf } from './contracts.js';
import type { Journal } from './journal.js';
import type { Meters } from './meters.js';
import { NotAllowed, NotNow, requireObstacle, textOf } from './problem.js';
import type { Providers } from './providers.js';
import type { Job, NewAttempt, Transaction } from './records.js';
import { CHAIN_IDS, type ChainName, type Settings } from './settings.js';
import type { Signer } from './signer.js';

const GWEI = 1_000_000_000;
/** Nodes take a replacement that pays an eighth more. */
const [RISE, OF] = [1_130n, 1_000n];

type Fees = Pick<NewAttempt, 'max_fee' | 'priority_fee'>;

/** Sends the transactions of a chain's account, one at a time, and follows each to its end. */
export class Sender {
  readonly account: Account;
  private isVerified = false;

  constructor(
    readonly chain: ChainName,
    readonly providers: Providers,
    private readonly allowlist: Allowlist,
    private readonly signer: Signer,
    private readonly journal: Journal,
    private readonly settings: Pick<Settings, 'STUCK_SECONDS'>,
    private readonly meters: Meters,
    private readonly log: Logger,
  ) {
    this.account = new Account(chain, providers, allowlist, journal);
  }

  /** The finalized block of a chain that is the one it should be. @throws NotNow */
  async finalized(): Promise<number> {
    if (!this.isVerified) await this.verify();
    const block = await this.providers.finalized();
    this.meters.finalized.set({ chain: this.chain }, block);
    return block;
  }

  /** Follows the transaction under way. */
  async settle(finalized: number, now: number): Promise<void> {
    const pending = this.journal.inFlight(this.chain);
    if (!pending) return;
    const { id, job_id: job, step, nonce, account } = pending;
    const receipt = await this.receiptOf(pending, finalized);
    if (receipt) {
      const { transactionHash: hash, blockNumber, blockHash, status, logs } = receipt;
      if (blockNumber > finalized || (await this.providers.blockHash(blockNumber)) !== blockHash)
        return this.log.debug({ job, hash, block: Number(blockNumber) }, 'waiting for finality');
      const intent = { ...pending, units: BigInt(pending.units) };
      const result = status === 'success' ? 'final' : 'reverted';
      const amount = result === 'final' ? amountOf(this.allowlist, intent, logs) : null;
      this.journal.end(id, result, hash, amount);
      this.meters.transactions.inc({ chain: this.chain, step, result });
      if (result === 'final') this.log.info({ job, step, hash, amount: String(amount) }, 'final');
      else this.log.error({ job, step, hash }, 'a transaction was reverted');
    } else if ((await this.providers.nonce(account, finalized)) > nonce) {
      // The nonce is used up, and not by any of our attempts: it is built anew, with proof alone.
      const hash = (await this.userOf(pending, finalized))?.hash;
      if (hash === undefined || this.journal.attempts(id).some((attempt) => attempt.hash === hash))
        throw new NotNow(`providers do not show which transaction used the nonce ${nonce}`);
      this.log.error({ job, nonce, hash }, 'somebody else used the account: the transaction is built anew');
      this.journal.end(id, 'void', hash, null);
      this.meters.transactions.inc({ chain: this.chain, step, result: 'void' });
    } else await this.sendAgain(pending, now);
  }

  /**
   * Builds, checks, simulates, signs, writes down and sends a transaction, in this order.
   * @throws NotAllowed, NotNow
   */
  async send(job: Job, intent: Intent, now: number): Promise<void> {
    const { chain, step, units } = intent;
    const { account } = this.allowlist;
    const { to, data } = callOf(this.allowlist, intent);
    // An allowance is taken back whatever the limits are.
    if (step !== 'approve' || units > 0n) this.account.requireWithin(intent, now);
    if (this.journal.inFlight(chain)) throw new NotNow(`a transaction on ${chain} is under way`);
    const finalized = await this.finalized();
    const nonce = await this.providers.nonce(account);
    // Somebody else used the account: until that is final the nonce may be free again.
    if (nonce !== (await this.providers.nonce(account, finalized)))
      throw new NotNow(`the account has a transaction on ${chain} that is not final`);
    await this.providers.client.call({ account, to, data });
    const gas = String(await this.gasOf({ to, data }));
    const call = { chain, account, nonce, target: to, data, gas };
    const attempt = await this.sign(call, await this.feesOf());
    const shown = { ...intent, units: String(units) };
    const record = { ...call, ...shown, job_id: job.id, limited: limitOf(step), since_block: finalized };
    const transaction = this.journal.prepare(record, attempt, now);
    this.log.info({ job: job.id, ...shown, nonce, hash: attempt.hash }, 'sending');
    await this.transmit(transaction);
  }

  private async verify(): Promise<void> {
    const { client } = this.providers;
    const [id, expected] = [await client.getChainId(), CHAIN_IDS[this.chain]];
    if (id !== expected)
      throw new NotNow(`RPC_URL_${this.chain.toUpperCase()} leads to chain ${id}, not ${expected}`);
    for (const [asset, token] of Object.entries(this.allowlist.chains.get(this.chain)!.tokens)) {
      const { address, decimals } = token;
      if ((await client.readContract({ abi: erc20Abi, address, functionName: 'decimals' })) !== decimals)
        throw new NotNow(`the token ${address} has other decimals than the allowlist says of ${asset}`);
    }
    this.isVerified = true;
  }

  /** Of the attempt that is in a block. The hash of one whose signer only sends is that of the transaction with our nonce, if it is ours. */
  private async receiptOf(pending: Transaction, finalized: number) {
    for (const { hash, number } of this.journal.attempts(pending.id)) {
      const known = hash ?? (await this.ownUserOf(pending, finalized));
      if (known === null) continue;
      if (hash === null) this.journal.setAttemptHash(pending.id, number, known);
      const receipt = await this.providers.receipt(known);
      if (receipt) return receipt;
    }
    return null;
  }

  private async ownUserOf(pending: Transaction, finalized: number): Promise<Hex | null> {
    if ((await this.providers.nonce(pending.account, finalized)) <= pending.nonce) return null;
    const used = await this.userOf(pending, finalized);
    const isOurs = used?.to && isAddressEqual(used.to, pending.target) && used.input === pending.data;
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
    const block = { blockNumber: BigInt(high), includeTransactions: true } as const;
    const { transactions } = await this.providers.client.getBlock(block);
    return transactions.find((entry) => entry.nonce === nonce && isAddressEqual(entry.from, account));
  }

  /** Providers forget transactions, and a reorganisation takes them back. One that waits too long pays more, within the bound. */
  private async sendAgain(pending: Transaction, now: number): Promise<void> {
    const { id, nonce, job_id: job } = pending;
    const [latest] = this.journal.attempts(id);
    if (latest && now - latest.at >= this.settings.STUCK_SECONDS * 1000) {
      try {
        const fees = await this.feesOf(latest);
        this.log.warn({ job, nonce, ...fees }, 'it is stuck: sent with a higher fee');
        this.journal.addAttempt(id, await this.sign(pending, fees), now);
      } catch (error) {
        this.log.error({ job, nonce }, `it is stuck: ${requireObstacle(error).message}`);
      }
    }
    await this.transmit(pending);
  }

  private async transmit(transaction: Transaction): Promise<void> {
    const { id, job_id: job } = transaction;
    const [attempt] = this.journal.attempts(id);
    if (!attempt) return;
    const { number, hash, raw, ...fees } = attempt;
    if (raw !== null) {
      const answers = await this.providers.broadcast(raw);
      this.log.debug({ job, hash, answers }, 'sent');
    } else if (hash === null && 'send' in this.signer) {
      // It has the same nonce each time, so that one of them is included at most.
      try {
        const sent = await this.signer.send(this.unsigned(transaction, fees));
        this.journal.setAttemptHash(id, number, sent);
      } catch (error) {
        this.log.warn({ job }, `the signer did not send: ${textOf(error)}`);
      }
    }
  }

  private async sign(call: Parameters<typeof this.unsigned>[0], fees: Fees): Promise<NewAttempt> {
    const unsigned = this.unsigned(call, fees);
    if ('send' in this.signer) return { hash: null, raw: null, ...fees };
    const raw = await this.signer.sign(unsigned);
    return { hash: keccak256(raw), raw, ...fees };
  }

  private unsigned(
    { account, nonce, target, data, gas }: Pick<Transaction, 'account' | 'nonce' | 'target' | 'data' | 'gas'>,
    { max_fee, priority_fee }: Fees,
  ) {
    // Another account has nonces of its own: the same request of it would be a second transaction.
    if (!isAddressEqual(account, this.allowlist.account))
      throw new NotNow(
        `the transaction under way is of ${account}: put that account back until it has ended`,
      );
    const prices = { maxFeePerGas: BigInt(max_fee), maxPriorityFeePerGas: BigInt(priority_fee) };
    const chainId = CHAIN_IDS[this.chain];
    return { type: 'eip1559' as const, chainId, nonce, to: target, data, gas: BigInt(gas), ...prices };
  }

  private async gasOf(call: Call): Promise<bigint> {
    const gas = ((await this.providers.gas(this.allowlist.account, call)) * 5n) / 4n;
    const most = this.allowlist.chains.get(this.chain)!.max_gas;
    if (gas > BigInt(most)) throw new NotAllowed(`it needs ${gas} gas: max_gas of ${this.chain} is ${most}`);
    return gas;
  }

  /** @param before of the attempt that is replaced @throws NotNow beyond the bound */
  private async feesOf(before?: Fees): Promise<Fees> {
    const { baseFee, tip } = await this.providers.fees();
    const gwei = this.allowlist.chains.get(this.chain)!.max_fee_gwei;
    const most = BigInt(Math.round(gwei * GWEI));
    const least = { maxFee: raised(before?.max_fee), tip: raised(before?.priority_fee) };
    const needed = before ? highest(least.maxFee, least.tip) : baseFee + tip;
    if (needed > most) {
      const what = before ? 'a higher fee is beyond the bound' : 'gas costs too much';
      throw new NotNow(`${what}: max_fee_gwei of ${this.chain} is ${gwei}`);
    }
    const within = (fee: bigint): string => String(fee > most ? most : fee);
    return {
      max_fee: within(highest(2n * baseFee + tip, least.maxFee)),
      priority_fee: within(highest(tip, least.tip)),
    };
  }
}

const raised = (fee?: string): bigint => (fee === undefined ? 0n : (BigInt(fee) * RISE) / OF + 1n);
const highest = (one: bigint, other: bigint): bigint => (one > other ? one : other);
