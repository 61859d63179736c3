import type { VaultFeed, Observation } from './feed.js';
import type { FeedSource, Vault } from '../../kernel/catalogue/catalogue.js';

export type FeedKind = FeedSource['kind'];

/**
 * Dispatches vaults to the feed of their kind, concurrently: trouble with one feed does not affect the vaults of another. A vault followed on its
 * chain is also requested from its second source, whose answer is recorded beside the observation and never replaces it.
 */
export class CompositeFeed implements VaultFeed {
  /** @param onTrouble receives a sentence for the log for a feed that failed or is missing; must not throw */
  constructor(
    private readonly feeds: Partial<Record<FeedKind, VaultFeed>>,
    private readonly onTrouble: (message: string) => void,
  ) {}

  /** Never rejects. An observation of a vault that was not asked for is dropped. */
  async observe(vaults: readonly Vault[], hour: Date): Promise<Map<string, Observation>> {
    const groups = Map.groupBy(
      [...vaults, ...vaults.flatMap((vault) => secondSourceOf(vault) ?? [])],
      kindOf,
    );
    const observations = new Map(
      await Promise.all(
        Array.from(
          groups,
          async ([kind, group]) => [kind, await this.observeKind(kind, group, hour)] as const,
        ),
      ),
    );
    const observationOf = (vault: Vault | null) => vault && observations.get(kindOf(vault))?.get(vault.id);
    return new Map(
      vaults.flatMap((vault): [string, Observation][] => {
        const observation = observationOf(vault);
        return observation
          ? [[vault.id, withSecondSource(observation, observationOf(secondSourceOf(vault)))]]
          : [];
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.feeds).map(async (feed) => feed.close?.()));
  }

  private async observeKind(
    kind: FeedKind,
    vaults: readonly Vault[],
    hour: Date,
  ): Promise<ReadonlyMap<string, Observation>> {
    const feed = this.feeds[kind];
    if (feed === undefined) {
      this.onTrouble(`No feed of kind ${kind} for ${vaults.map((vault) => vault.id).join(', ')}.`);
      return new Map();
    }
    try {
      return await feed.observe(vaults, hour);
    } catch (error) {
      this.onTrouble(`The feed of kind ${kind} failed: ${(error as Error).message}.`);
      return new Map();
    }
  }
}

const kindOf = ({ feed }: Vault): FeedKind => feed.kind;

/** The vault as its second source knows it; null: it has none. */
const secondSourceOf = (vault: Vault): Vault | null =>
  vault.feed.kind === 'chain' && vault.feed.secondSource !== null
    ? { ...vault, feed: vault.feed.secondSource }
    : null;

const withSecondSource = (observation: Observation, other: Observation | null | undefined): Observation =>
  observation.price === undefined || !other
    ? observation
    : {
        ...observation,
        ...(other.rewardApy !== undefined && { rewardApy: other.rewardApy }),
        tvl: observation.tvl ?? other.tvl,
        assets: observation.assets ?? other.assets,
        liquidity: observation.liquidity ?? other.liquidity,
        price: { ...observation.price, otherApy: other.apy },
      };

const MAX_MESSAGES = 50;

/** Complaints of feeds since the last call, for the log. */
export class FeedTroubles {
  private messages: string[] = [];

  readonly report = (message: string): void => {
    if (this.messages.length < MAX_MESSAGES) this.messages.push(message);
  };

  take(): string[] {
    return this.messages.splice(0);
  }
}
