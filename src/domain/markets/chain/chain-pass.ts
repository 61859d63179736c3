import { type ChainFaults, ProviderFault } from './chain-faults.js';
import {
  type Block,
  type ChainProvider,
  type Hex,
  resultOf,
  type RpcAnswer,
  toBlock,
  toHexNumber,
  toQuantity,
} from './chain-provider.js';
import { median } from '../signals/statistics.js';
import { type ContractCall, readState } from './contract-call.js';
import { type ChainLog, digestOf, type RawReceipt, toReceipt } from './receipt.js';
import { majority, type Vote, votesOf } from './vote.js';

/** Blocks of an hour on Ethereum. */
const FEE_BLOCKS = 300n;
/** Wei for a unit of gas, 1,000 times the highest base fee that Ethereum has had: more is an error of the node. */
const MAX_FEE = 1e16;

export interface ChainReceipt {
  txHash: Hex;
  block: { number: bigint; hash: Hex };
  /** Whether that block belongs to the finalized chain of the pass, so that no reorganisation can remove it. */
  finalized: boolean;
  /** False when it was reverted and had no effect. */
  succeeded: boolean;
  /** In the order of emission; empty for a reverted transaction. */
  logs: readonly ChainLog[];
}

/** `absent`: no provider has it in a block. `disputed`: providers contradict each other, or know nothing of it or its block; ask again later. */
export type ReceiptLook = ChainReceipt | 'absent' | 'disputed';

/** Consistent read of a chain at one finalized block that providers agree on. A failing provider is dropped until the next pass. */
export class ChainPass {
  constructor(
    readonly chain: string,
    /** Finalized block that all its providers have. */
    readonly block: Block,
    /** Agreeing providers in the order of the setting. The first one is pinned. */
    private providers: readonly ChainProvider[],
    private readonly faults: ChainFaults,
  ) {}

  /** The pinned provider, by position and host; null once all were dropped. */
  get provider(): string | null {
    return this.providers[0]?.name ?? null;
  }

  /**
   * Contract state from the pinned provider.
   * @param at default: the block of the pass; an earlier one needs a provider with archived state
   * @returns decoded result of each call: a bigint for numbers, text for addresses; null for a failed call or a missing contract. null for all when
   * no provider is left
   */
  async read(calls: readonly ContractCall[], at: Block = this.block): Promise<unknown[] | null> {
    return this.askFirst((provider) => readState(provider, at, calls));
  }

  /** Contract state from every provider of the pass, by majority. A call without majority is undefined. */
  async readAgreed(calls: readonly ContractCall[]): Promise<unknown[] | null> {
    const votes = await this.askAll((provider) => readState(provider, this.block, calls));
    if (votes.length === 0) return null;
    const dissenters = new Set<ChainProvider>();
    const results = calls.map((_, index) => {
      const callVotes = votes.map(({ voter, value }) => ({ voter, value: value[index] }));
      const { value, dissenters: callDissenters } = majority(callVotes, keyOf);
      callDissenters.forEach((voter) => dissenters.add(voter));
      return callDissenters.length === callVotes.length ? undefined : value;
    });
    const fault = new ProviderFault(
      'other_answer',
      `its answer at block ${this.block.number} differs from that of the other providers`,
    );
    for (const provider of dissenters) this.drop(provider, fault);
    return results;
  }

  /** Block at a height, up to that of the pass. @returns null when no provider is left */
  async blockAt(number: bigint): Promise<Block | null> {
    return this.askFirst(async (provider) =>
      toBlock(await provider.ask('eth_getBlockByNumber', toHexNumber(number), false)),
    );
  }

  /** Median base fee of the hour before its block, wei for a unit of gas; null when it is not known, or the chain has none. */
  async baseFee(): Promise<number | null> {
    return this.askFirst(async (provider) => {
      const params = [toHexNumber(FEE_BLOCKS), toHexNumber(this.block.number), []];
      const [answer] = await provider.send([{ method: 'eth_feeHistory', params }]);
      const history = answer!.ok ? (answer!.result as { baseFeePerGas?: unknown } | null) : null;
      const fees = history?.baseFeePerGas;
      const fee = median((Array.isArray(fees) ? fees : []).map((quantity) => Number(toQuantity(quantity))));
      return fee === null || fee === 0 || fee > MAX_FEE ? null : fee;
    });
  }

  /**
   * Looks transactions up at every provider of the pass. A finalized one is only believed when the block that it names is at its height and lists it.
   * @returns null when no provider is left
   */
  async receipts(txHashes: readonly Hex[]): Promise<Map<Hex, ReceiptLook> | null> {
    if (txHashes.length === 0) return new Map();
    const requests = txHashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
    const votes = await this.askAll(async (provider) =>
      readAnswers(await provider.send(requests), (receipt, index) => toReceipt(receipt, txHashes[index]!)),
    );
    if (votes.length === 0) return null;
    const raw = new Map(txHashes.map((hash, index) => [hash, this.receiptOf(votes, index)]));
    return this.confirmed(raw);
  }

  private receiptOf(
    votes: readonly Vote<ChainProvider, (RawReceipt | null | undefined)[]>[],
    index: number,
  ): RawReceipt | 'absent' | 'disputed' {
    const receiptVotes = votesAt(votes, index);
    if (receiptVotes.length === 0) return 'disputed';
    const presentVotes = receiptVotes.filter(
      (vote): vote is Vote<ChainProvider, RawReceipt> => vote.value !== null,
    );
    const [first] = presentVotes;
    if (!first) return 'absent';
    // Before finality providers may legitimately be on different blocks.
    if (presentVotes.some(({ value }) => value.blockNumber > this.block.number)) return first.value;
    for (const { voter, value } of receiptVotes)
      if (value === null)
        this.drop(voter, new ProviderFault('missing_receipt', `it lacks transaction ${first.value.txHash}`));
    const { value, dissenters } = majority(presentVotes, digestOf);
    const fault = new ProviderFault(
      'other_answer',
      `its receipt of ${first.value.txHash} differs from that of the other providers`,
    );
    for (const provider of dissenters) this.drop(provider, fault);
    return value ?? 'disputed';
  }

  private async confirmed(
    raw: ReadonlyMap<Hex, RawReceipt | 'absent' | 'disputed'>,
  ): Promise<Map<Hex, ReceiptLook> | null> {
    const receipts = [...raw.values()].filter((receipt) => typeof receipt === 'object');
    const heights = [...new Set(receipts.map(({ blockNumber }) => blockNumber))].filter(
      (number) => number <= this.block.number,
    );
    const blocks = await this.blocksWithTransactions(heights);
    if (blocks === null) return null;
    return new Map(
      [...raw].map(([hash, receipt]): [Hex, ReceiptLook] => {
        if (typeof receipt === 'string') return [hash, receipt];
        const { txHash, blockHash, blockNumber, succeeded, logs } = receipt;
        const finalized = blockNumber <= this.block.number;
        const block = blocks.get(blockNumber);
        if (finalized && (block?.hash !== blockHash || !block.transactions.has(txHash)))
          return [hash, 'disputed'];
        return [
          hash,
          { txHash, block: { number: blockNumber, hash: blockHash }, finalized, succeeded, logs },
        ];
      }),
    );
  }

  private async blocksWithTransactions(
    heights: readonly bigint[],
  ): Promise<Map<bigint, { hash: Hex; transactions: ReadonlySet<unknown> }> | null> {
    if (heights.length === 0) return new Map();
    const requests = heights.map((number) => ({
      method: 'eth_getBlockByNumber',
      params: [toHexNumber(number), false],
    }));
    const votes = await this.askAll(async (provider) =>
      readAnswers(await provider.send(requests), (result) => {
        const { hash } = toBlock(result);
        const { transactions } = result as { transactions?: unknown };
        const listed: unknown[] = Array.isArray(transactions) ? transactions : [];
        return { hash, transactions: new Set(listed.filter((listing) => typeof listing === 'string')) };
      }),
    );
    if (votes.length === 0) return null;
    return new Map(
      heights.flatMap((number, index) => {
        const { value, dissenters } = majority(votesAt(votes, index), ({ hash, transactions }) =>
          JSON.stringify([hash, ...transactions]),
        );
        for (const provider of dissenters)
          this.drop(
            provider,
            new ProviderFault(
              'other_hash',
              `its block at height ${number} differs from that of the other providers`,
            ),
          );
        return value === null ? [] : [[number, value] as const];
      }),
    );
  }

  private async askFirst<T>(work: (provider: ChainProvider) => Promise<T>): Promise<T | null> {
    for (let provider = this.providers[0]; provider; provider = this.providers[0]) {
      try {
        return await work(provider);
      } catch (error) {
        this.drop(provider, error);
      }
    }
    return null;
  }

  private askAll<T>(work: (provider: ChainProvider) => Promise<T>): Promise<Vote<ChainProvider, T>[]> {
    return votesOf(this.providers, work, (provider, error) => this.drop(provider, error));
  }

  /** @throws errors that are not the provider's fault */
  private drop(provider: ChainProvider, error: unknown): void {
    if (!(error instanceof ProviderFault)) throw error;
    if (!this.providers.includes(provider)) return;
    this.providers = this.providers.filter((candidate) => candidate !== provider);
    this.faults.add(this.chain, provider.name, error);
  }
}

/** Results by `read`; undefined where a node answers with an error, such as for pruned data. @throws ProviderFault when every answer is an error */
function readAnswers<T>(
  answers: readonly RpcAnswer[],
  read: (result: unknown, index: number) => T,
): (T | undefined)[] {
  if (answers.every(({ ok }) => !ok)) resultOf(answers[0]!);
  return answers.map((answer, index) => (answer.ok ? read(answer.result, index) : undefined));
}

/** Votes on the question at an index; a provider without an answer abstains. */
const votesAt = <T>(
  votes: readonly Vote<ChainProvider, readonly (T | undefined)[]>[],
  index: number,
): Vote<ChainProvider, T>[] =>
  votes.flatMap(({ voter, value: { [index]: value } }) => (value === undefined ? [] : [{ voter, value }]));

const keyOf = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item)) ?? 'undefined';
