import { JsonSource } from '../../kernel/json-source.js';
import { ChainFaults, type FaultCount, ProviderFault } from './chain-faults.js';
import { ChainPass } from './chain-pass.js';
import { type Block, ChainProvider, resultOf, toBlock, toHexNumber, toQuantity } from './chain-provider.js';
import { majority, type Vote, votesOf } from './vote.js';

/** How far ahead of this machine's clock a chain may be. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Public providers accept messages of 40 calls, and answer within seconds. Ethereum's finalized block is a quarter of an hour old, Arbitrum's half an hour. */
const CHAIN_READING = {
  timeoutMs: 10_000,
  maxBytes: 8_000_000,
  batchCalls: 40,
  /** Lag of a provider's finalized block behind another provider's, beyond which it is left out. */
  maxLagSeconds: 1_800,
  /** Age of the finalized block, beyond which it is ignored. */
  maxAgeMinutes: 120,
};
export type ChainReading = typeof CHAIN_READING;

export interface ChainsOptions {
  rpcUrls: Readonly<Record<string, readonly string[]>>;
  /** Expected chain ids, which providers must report. */
  chainIds: Readonly<Record<string, number>>;
  constants?: ChainReading;
  now: () => Date;
  /** Receives a sentence for the log for each provider that is dropped. Must not throw. */
  onTrouble: (sentence: string) => void;
}

/** Chains that this deployment reads, each through its providers. No request is made before a pass is opened. */
export class Chains {
  private readonly faults: ChainFaults;
  private readonly source: JsonSource;
  private readonly constants: ChainReading;
  /** Of each chain that can be read. */
  readonly providers: ReadonlyMap<string, readonly ChainProvider[]>;

  constructor(private readonly options: ChainsOptions) {
    const { rpcUrls, constants = CHAIN_READING } = options;
    this.constants = constants;
    this.faults = new ChainFaults(options.onTrouble);
    this.source = new JsonSource(constants.maxBytes);
    this.providers = new Map(
      Object.entries(rpcUrls)
        .filter(([, urls]) => urls.length > 0)
        .map(([chain, urls]) => [
          chain,
          urls.map((url, index) => new ChainProvider(url, index + 1, this.source, constants, options.now)),
        ]),
    );
  }

  get counts(): readonly FaultCount[] {
    return this.faults.counts;
  }

  /** Closes all connections; open passes have no provider any more. */
  async close(): Promise<void> {
    await this.source.close();
  }

  /**
   * Opens a pass: asks every provider for its finalized block, drops those that lag, fail or stand alone with theirs, and pins the highest block that
   * all the others have. Call it outside any transaction, as everything asked of the pass.
   * @returns null when the chain has no reliable provider: none answers, or there is a tie between two blocks
   */
  async pass(chain: string): Promise<ChainPass | null> {
    const votes = await this.each(chain, this.providers.get(chain) ?? [], (provider) =>
      this.finalized(chain, provider),
    );
    const newest = votes.reduce((at, { value }) => Math.max(at, value.at.getTime()), 0);
    const oldest = newest - this.constants.maxLagSeconds * 1000;
    const [current, lagging] = partition(votes, ({ value }) => value.at.getTime() >= oldest);
    for (const { voter, value } of lagging)
      this.faults.add(
        chain,
        voter.name,
        new ProviderFault(
          'lagging',
          `its finalized block ${value.number} is far behind that of another provider`,
        ),
      );
    return this.agreed(chain, current);
  }

  /** Pass at the highest block that all these have. Repeated without dissenters, whose height must not count. */
  private async agreed(
    chain: string,
    current: readonly Vote<ChainProvider, Block>[],
  ): Promise<ChainPass | null> {
    if (current.length === 0) return null;
    const lowest = current.reduce(
      (low, { value }) => (value.number < low.number ? value : low),
      current[0]!.value,
    );
    const votes = await this.each(
      chain,
      current.map(({ voter }) => voter),
      async (provider) => {
        const finalized = current.find(({ voter }) => voter === provider)!.value;
        if (finalized.number === lowest.number) return finalized;
        return toBlock(await provider.ask('eth_getBlockByNumber', toHexNumber(lowest.number), false));
      },
    );
    const { value: block, dissenters } = majority(votes, ({ hash, at }) => `${hash} ${at.getTime()}`);
    for (const provider of dissenters)
      this.faults.add(
        chain,
        provider.name,
        new ProviderFault(
          'other_hash',
          `its block at height ${lowest.number} differs from that of the other providers`,
        ),
      );
    if (block === null) return null;
    const agreed = current.filter(
      ({ voter }) => votes.some((vote) => vote.voter === voter) && !dissenters.includes(voter),
    );
    if (dissenters.length > 0) return this.agreed(chain, agreed);
    return new ChainPass(
      chain,
      block,
      agreed.map(({ voter }) => voter),
      this.faults,
    );
  }

  private async finalized(chain: string, provider: ChainProvider): Promise<Block> {
    const [id, finalized] = await provider.send([
      { method: 'eth_chainId', params: [] },
      { method: 'eth_getBlockByNumber', params: ['finalized', false] },
    ]);
    const { chainIds, now } = this.options;
    const chainId = toQuantity(resultOf(id!));
    if (chainId !== BigInt(chainIds[chain] ?? chainId))
      throw new ProviderFault('wrong_chain', `it serves chain ${chainId} instead of ${chainIds[chain]}`);
    const block = toBlock(resultOf(finalized!));
    const ageMs = now().getTime() - block.at.getTime();
    if (ageMs < -CLOCK_SKEW_MS)
      throw new ProviderFault('ahead', `its finalized block ${block.number} is in the future`);
    if (ageMs > this.constants.maxAgeMinutes * 60_000)
      throw new ProviderFault(
        'lagging',
        `its finalized block ${block.number} is too old: ${block.at.toISOString()}`,
      );
    return block;
  }

  private each<T>(
    chain: string,
    providers: readonly ChainProvider[],
    work: (provider: ChainProvider) => Promise<T>,
  ): Promise<Vote<ChainProvider, T>[]> {
    return votesOf(providers, work, (provider, error) => {
      if (!(error instanceof ProviderFault)) throw error;
      this.faults.add(chain, provider.name, error);
    });
  }
}

function partition<T>(values: readonly T[], test: (value: T) => boolean): [T[], T[]] {
  return [values.filter(test), values.filter((value) => !test(value))];
}
