import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Address,
  createClient,
  createPublicClient,
  custom,
  formatTransactionReceipt,
  type Hex,
  hexToBigInt,
  http,
  type PublicClient,
  type RpcBlock,
  stringify,
  type TransactionReceipt,
} from 'viem';
import { boundedFetch } from './bounded.js';
import type { Call } from './contracts.js';
import { NotNow, textOf } from './problem.js';

const TIMEOUT_MS = 10_000;
/** Once a majority has answered, the others have as long: a silent one would hold up every step. */
const GRACE_MS = 500;

interface Question {
  method: string;
  params?: unknown;
}
type Request = (question: Question) => Promise<unknown>;
/** What a provider says: equal answers have equal keys. `NotNow`: the call reverts. */
interface Answer<T> {
  key: string;
  value: T | NotNow;
}

/** The providers of a chain. What they say counts where a majority says the same: one of three may lie, lag or be silent. */
export class Providers {
  /** Asks all of them, and has what a majority answers. A call that a majority reverts is `NotNow`. */
  readonly client: PublicClient;
  private readonly requests: Request[];
  private readonly quorum: number;

  /** @param fault is told of a provider, by its position, that failed or was outvoted */
  constructor(
    readonly chain: string,
    urls: readonly string[],
    private readonly fault: (provider: number, what: string) => void,
  ) {
    const options = { retryCount: 0, timeout: TIMEOUT_MS, fetchFn: boundedFetch };
    this.requests = urls.map((url) => createClient({ transport: http(url, options) }).request as Request);
    this.quorum = Math.floor(urls.length / 2) + 1;
    const request = ({ method, params = [] }: Question) => this.ask({ method, params }, votedOf);
    // A contract sends nobody to another host (EIP-3668).
    this.client = createPublicClient({ ccipRead: false, transport: custom({ request }, { retryCount: 0 }) });
  }

  /** The highest block that a majority holds final, and whose hash it agrees on. */
  async finalized(): Promise<number> {
    const question = { method: 'eth_getBlockByNumber', params: ['finalized', false] };
    const number = await this.ask(
      question,
      (block) => hexToBigInt((block as RpcBlock).number!),
      (numbers) => numbers.at(-this.quorum)!,
    );
    await this.blockHash(number);
    return Number(number);
  }

  async blockHash(blockNumber: bigint): Promise<Hex> {
    return (await this.client.getBlock({ blockNumber })).hash;
  }

  nonce(address: Address, block?: number): Promise<number> {
    return this.client.getTransactionCount(
      block === undefined ? { address } : { address, blockNumber: BigInt(block) },
    );
  }

  /** null: a majority has it in no block. */
  async receipt(hash: Hex): Promise<TransactionReceipt | null> {
    const receipt = await this.client.request({ method: 'eth_getTransactionReceipt', params: [hash] });
    return receipt?.blockHash ? formatTransactionReceipt(receipt) : null;
  }

  /** The highest estimate: the others come from a state in which less is to be done. */
  gas(from: Address, call: Call): Promise<bigint> {
    return this.ask({ method: 'eth_estimateGas', params: [{ from, ...call }] }, quantityOf, (values) =>
      values.at(-1)!,
    );
  }

  /** Median of what the next blocks cost, and of the usual tip. */
  async fees(): Promise<{ baseFee: bigint; tip: bigint }> {
    const median = (values: readonly bigint[]): bigint => values[values.length >> 1]!;
    const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] };
    const baseFee = await this.ask(latest, (block) => quantityOf((block as RpcBlock).baseFeePerGas), median);
    return {
      baseFee,
      tip: await this.ask({ method: 'eth_maxPriorityFeePerGas', params: [] }, quantityOf, median),
    };
  }

  /** To all of them. That one refuses it says little: it may know the transaction already. @returns what they said, for the log */
  async broadcast(raw: Hex): Promise<string[]> {
    const answers = this.requests.map(() => 'no answer yet');
    const sending = this.requests.map(async (request, at) => {
      const sent = request({ method: 'eth_sendRawTransaction', params: [raw] });
      answers[at] = await sent.then(() => 'accepted', detailsOf);
    });
    await Promise.race([Promise.all(sending), sleep(GRACE_MS)]);
    return answers;
  }

  /**
   * Asks all of them. Without `pick` it ends at a majority for one answer; with it a moment after a majority has answered anything, and `pick` has the
   * answers in ascending order.
   * @throws NotNow
   */
  private async ask<T>(
    question: Question,
    read: (answer: unknown) => T,
    pick?: (ascending: readonly T[]) => T,
  ): Promise<T> {
    const { method } = question;
    const answers = new Map<number, Answer<T>>();
    const failures: string[] = [];
    const enough = Promise.withResolvers<void>();
    const all = this.requests.map(async (request, at) => {
      try {
        answers.set(at, await answerOf(request, question, read));
        if (this.chosen(answers, pick)) enough.resolve();
      } catch (error) {
        failures.push(detailsOf(error));
        this.fault(at, `${method}: ${detailsOf(error)}`);
      }
    });
    await Promise.race([Promise.all(all), enough.promise.then(() => pick && sleep(GRACE_MS))]);
    const chosen = this.chosen(answers, pick);
    if (!chosen)
      throw new NotNow(
        `${method} on ${this.chain}: ${answers.size} of ${this.requests.length} providers answer, and ${this.quorum} have to agree; ${failures[0] ?? 'they disagree'}`,
      );
    if (!pick)
      void Promise.all(all).then(() => {
        for (const [at, { key }] of answers)
          if (key !== chosen.key) this.fault(at, `${method}: it disagrees with the others`);
      });
    if (chosen.value instanceof NotNow) throw chosen.value;
    return chosen.value;
  }

  private chosen<T>(
    answers: ReadonlyMap<number, Answer<T>>,
    pick?: (ascending: readonly T[]) => T,
  ): Answer<T> | undefined {
    const list = [...answers.values()];
    if (!pick) return list.find(({ key }) => list.filter((other) => other.key === key).length >= this.quorum);
    if (list.length < this.quorum) return undefined;
    return { key: '', value: pick(list.map(({ value }) => value as T).toSorted((a, b) => (a < b ? -1 : 1))) };
  }
}

async function answerOf<T>(
  request: Request,
  question: Question,
  read: (answer: unknown) => T,
): Promise<Answer<T>> {
  try {
    const value = read(await request(question));
    return { key: stringify(value).toLowerCase(), value };
  } catch (error) {
    if (question.method !== 'eth_call' || !isRevert(error)) throw error;
    return { key: 'it reverts', value: new NotNow(`the call reverts: ${detailsOf(error)}`) };
  }
}

/** What of an answer is voted on, and read, in this order: providers differ in the rest. */
const FIELDS = [
  ...['hash', 'number', 'transactions', 'nonce', 'from', 'to', 'input'],
  ...['transactionHash', 'blockHash', 'blockNumber', 'status', 'logs', 'address', 'topics', 'data'],
];

function votedOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) return answer.map(votedOf);
  const record = answer as Record<string, unknown>;
  const names = FIELDS.filter((name) => record[name] !== undefined && record[name] !== null);
  return Object.fromEntries(names.map((name) => [name, votedOf(record[name])]));
}

const quantityOf = (value: unknown): bigint => hexToBigInt(value as Hex);

const detailsOf = (error: unknown): string => {
  const details = (error as { details?: unknown } | undefined)?.details;
  return textOf(typeof details === 'string' ? new Error(details) : error);
};

/** An answer of the chain, and not of a provider that is in trouble: 3 is geth's code for it. */
const isRevert = (error: unknown): boolean => {
  const codes = [error, (error as Error).cause].map(
    (cause) => (cause as { code?: unknown } | undefined)?.code,
  );
  return codes.includes(3) || /revert|insufficient|exceeds/i.test(detailsOf(error));
};
