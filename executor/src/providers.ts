import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Address,
  createClient,
  type Hex,
  hexToBigInt,
  hexToNumber,
  http,
  numberToHex,
  RpcRequestError,
} from 'viem';
import { boundedFetch } from './bounded.js';
import { NotNow, textOf } from './problem.js';
import type { Call, ReceiptLog } from './contracts.js';

const TIMEOUT_MS = 10_000;
/** Once a majority has answered, the others have as long: a silent one would hold up every step. */
const GRACE_MS = 500;

export interface Receipt {
  hash: Hex;
  from: Address;
  blockNumber: number;
  blockHash: Hex;
  succeeded: boolean;
  logs: ReceiptLog[];
}
export interface TransferLog extends ReceiptLog {
  transactionHash: Hex;
  blockNumber: number;
}
export interface RawTransaction {
  hash: Hex;
  from: Address;
  nonce: number;
  to: Address | null;
  input: Hex;
}
/** What a provider says of a call: it succeeds, with the returned bytes, or it reverts with a reason. */
type CallResult = { returned: Hex } | { reverted: string };

type Request = (args: { method: string; params: unknown[] }) => Promise<unknown>;

/** The providers of a chain. What they say counts where a majority says the same: one of three may lie, lag or be silent. */
export class Providers {
  private readonly requests: Request[];
  private readonly quorum: number;

  /** @param fault is told of a provider, by its position, that failed or was outvoted */
  constructor(
    readonly chain: string,
    urls: readonly string[],
    private readonly fault: (provider: number, what: string) => void,
  ) {
    this.requests = urls.map(
      (url) =>
        createClient({ transport: http(url, { retryCount: 0, timeout: TIMEOUT_MS, fetchFn: boundedFetch }) })
          .request as Request,
    );
    this.quorum = Math.floor(urls.length / 2) + 1;
  }

  async chainId(): Promise<number> {
    return hexToNumber(await this.agreed('eth_chainId', [], (id) => id as Hex));
  }

  /** The highest block that a majority holds final, and whose hash it agrees on. */
  async finalized(): Promise<number> {
    const number = await this.reached('eth_getBlockByNumber', ['finalized', false], (block) =>
      hexToBigInt((block as { number: Hex }).number),
    );
    await this.blockHash(Number(number));
    return Number(number);
  }

  blockHash(number: number): Promise<Hex> {
    return this.agreed(
      'eth_getBlockByNumber',
      [numberToHex(number), false],
      (block) => (block as { hash: Hex }).hash,
    );
  }

  async nonce(account: Address, block: number | 'latest'): Promise<number> {
    const at = block === 'latest' ? block : numberToHex(block);
    return hexToNumber(await this.agreed('eth_getTransactionCount', [account, at], (count) => count as Hex));
  }

  /** null: a majority has it in no block. */
  receipt(hash: Hex): Promise<Receipt | null> {
    return this.agreed('eth_getTransactionReceipt', [hash], (value) => {
      const receipt = value as (Record<string, Hex> & { logs: ReceiptLog[] }) | null;
      if (!receipt?.['blockHash']) return null;
      return {
        hash,
        from: receipt['from'] as Address,
        blockNumber: hexToNumber(receipt['blockNumber']!),
        blockHash: receipt['blockHash'],
        succeeded: receipt['status'] === '0x1',
        logs: receipt.logs.map(({ address, topics, data }) => ({ address, topics, data })),
      };
    });
  }

  transfers(token: Address, to: Address, fromBlock: number, toBlock: number): Promise<TransferLog[]> {
    const topics = [TRANSFER, null, `0x${to.slice(2).toLowerCase().padStart(64, '0')}`];
    const filter = {
      address: token,
      topics,
      fromBlock: numberToHex(fromBlock),
      toBlock: numberToHex(toBlock),
    };
    return this.agreed('eth_getLogs', [filter], (logs) =>
      (logs as (ReceiptLog & { transactionHash: Hex; blockNumber: Hex })[]).map(
        ({ address, topics, data, transactionHash, blockNumber }) => ({
          ...{ address, topics, data, transactionHash },
          blockNumber: hexToNumber(blockNumber),
        }),
      ),
    );
  }

  /** Transactions of an account in a block. */
  transactionsOf(account: Address, block: number): Promise<RawTransaction[]> {
    return this.agreed('eth_getBlockByNumber', [numberToHex(block), true], (value) =>
      (value as { transactions: Record<string, Hex>[] }).transactions
        .filter(({ from }) => from?.toLowerCase() === account.toLowerCase())
        .map(({ hash, from, nonce, to, input }) => ({
          ...{ hash: hash!, from: from!, nonce: hexToNumber(nonce!), to: to ?? null, input: input! },
        })),
    );
  }

  /** @throws NotNow with the reason, if a majority says that it reverts */
  async simulate(from: Address, call: Call): Promise<void> {
    const isDone = await this.agreed(
      'eth_call',
      [{ from, ...call }, 'latest'],
      (_, reverted) => reverted === null,
      true,
    );
    if (!isDone) throw new NotNow(`the call reverts: ${await this.reasonOf(from, call)}`);
  }

  /** @returns the bytes; null: it reverts */
  read(call: Call): Promise<Hex | null> {
    return this.agreed(
      'eth_call',
      [call, 'latest'],
      (returned, reverted) => (reverted === null ? (returned as Hex) : null),
      true,
    );
  }

  /** The highest estimate: the others come from a state in which less is to be done. */
  async gas(from: Address, call: Call): Promise<bigint> {
    const values = await this.answers('eth_estimateGas', [{ from, ...call }], (gas) =>
      hexToBigInt(gas as Hex),
    );
    return values.reduce((most, gas) => (gas > most ? gas : most), 0n);
  }

  /** Median of what the next blocks cost, and of the usual tip. */
  async fees(): Promise<{ baseFee: bigint; tip: bigint }> {
    const bases = await this.answers('eth_getBlockByNumber', ['latest', false], (block) =>
      hexToBigInt((block as { baseFeePerGas: Hex }).baseFeePerGas),
    );
    const tips = await this.answers('eth_maxPriorityFeePerGas', [], (tip) => hexToBigInt(tip as Hex));
    return { baseFee: median(bases), tip: median(tips) };
  }

  /** To all of them. That one refuses it says little: it may know the transaction already. @returns what they said, for the log */
  async broadcast(raw: Hex): Promise<string[]> {
    const sent = await this.settled(
      this.requests.map((request) => request({ method: 'eth_sendRawTransaction', params: [raw] })),
      () => true,
    );
    return sent.map((result) => (result.status === 'fulfilled' ? 'accepted' : detailsOf(result.reason)));
  }

  private async reasonOf(from: Address, call: Call): Promise<string> {
    const results = await Promise.allSettled(
      this.requests.map((request) => request({ method: 'eth_call', params: [{ from, ...call }, 'latest'] })),
    );
    const failed = results.find((result) => result.status === 'rejected');
    return failed ? detailsOf(failed.reason) : 'no reason given';
  }

  /** The value that a majority says. @throws NotNow */
  private async agreed<T>(
    method: string,
    params: unknown[],
    read: (value: unknown, reverted: string | null) => T,
    mayRevert = false,
  ): Promise<T> {
    const votes = new Map<string, { value: T; voters: number[] }>();
    let decided: string | null = null;
    const vote = async (request: Request, at: number): Promise<T> => {
      const result = await this.ask(request, method, params, mayRevert).catch((error: unknown) => {
        this.fault(at, `${method}: ${detailsOf(error)}`);
        throw error;
      });
      const value = 'returned' in result ? read(result.returned, null) : read(null, result.reverted);
      const key = JSON.stringify(value)?.toLowerCase() ?? '';
      const same = votes.get(key) ?? { value, voters: [] };
      votes.set(key, same);
      same.voters.push(at);
      if (decided !== null && key !== decided) this.fault(at, `${method}: it disagrees with the others`);
      if (decided !== null || same.voters.length < this.quorum) throw new Outvoted();
      decided = key;
      for (const [other, { voters }] of votes)
        if (other !== key)
          voters.forEach((voter) => this.fault(voter, `${method}: it disagrees with the others`));
      return value;
    };
    try {
      // Ends at the majority: the others may never answer.
      return await Promise.any(this.requests.map(vote));
    } catch (error) {
      const most = Math.max(0, ...[...votes.values()].map(({ voters }) => voters.length));
      const failure = (error as AggregateError).errors.find(
        (reason) => !(reason instanceof Outvoted),
      ) as unknown;
      const why = failure === undefined ? '' : `; ${detailsOf(failure)}`;
      throw new NotNow(
        `${method} on ${this.chain}: ${most} of ${this.requests.length} providers agree, and ${this.quorum} have to${why}`,
      );
    }
  }

  /** The highest value that a majority has reached. */
  private async reached(
    method: string,
    params: unknown[],
    read: (value: unknown) => bigint,
  ): Promise<bigint> {
    const values = await this.answers(method, params, read);
    return values.toSorted((a, b) => (a > b ? -1 : 1))[this.quorum - 1]!;
  }

  /** What at least a majority answers. @throws NotNow */
  private async answers<T>(method: string, params: unknown[], read: (value: unknown) => T): Promise<T[]> {
    const results = await this.settled(
      this.requests.map(async (request) => read(await request({ method, params }))),
      ({ status }) => status === 'fulfilled',
    );
    const values = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.flatMap((result, at) =>
      result.status === 'rejected' ? [[at, result.reason] as const] : [],
    );
    for (const [at, reason] of failed) this.fault(at, `${method}: ${detailsOf(reason)}`);
    if (values.length >= this.quorum) return values;
    throw new NotNow(
      `${method} on ${this.chain}: ${values.length} of ${this.requests.length} providers answer: ${detailsOf(failed[0]?.[1])}`,
    );
  }

  /** What came of each, at the latest a moment after a majority has answered. */
  private async settled<T>(
    work: readonly Promise<T>[],
    isAnswer: (result: PromiseSettledResult<T>) => boolean,
  ): Promise<PromiseSettledResult<T>[]> {
    const results: (PromiseSettledResult<T> | undefined)[] = work.map(() => undefined);
    const majority = Promise.withResolvers<void>();
    const settling = work.map(async (promise, at) => {
      [results[at]] = await Promise.allSettled([promise]);
      if (results.filter((result) => result && isAnswer(result)).length >= this.quorum) majority.resolve();
    });
    await Promise.race([Promise.all(settling), majority.promise.then(() => sleep(GRACE_MS))]);
    return results.map((result) => result ?? { status: 'rejected', reason: 'no answer yet' });
  }

  private async ask(
    request: Request,
    method: string,
    params: unknown[],
    mayRevert: boolean,
  ): Promise<{ returned: unknown } | Exclude<CallResult, { returned: Hex }>> {
    try {
      return { returned: await request({ method, params }) };
    } catch (error) {
      if (mayRevert && isRevert(error)) return { reverted: detailsOf(error) };
      throw error;
    }
  }
}

class Outvoted extends Error {}

/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const detailsOf = (error: unknown): string => {
  const details = (error as { details?: unknown } | undefined)?.details;
  return textOf(typeof details === 'string' ? new Error(details) : error);
};

/** An answer of the chain, and not of a provider that is in trouble: 3 is geth's code for it. */
const isRevert = (error: unknown): boolean => {
  const cause = error instanceof RpcRequestError ? error : (error as { cause?: unknown }).cause;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return code === 3 || /revert|insufficient|exceeds/i.test(detailsOf(error));
};

const median = (values: readonly bigint[]): bigint =>
  values.toSorted((a, b) => (a < b ? -1 : 1))[values.length >> 1]!;
