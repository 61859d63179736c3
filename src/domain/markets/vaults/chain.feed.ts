import type { Chains } from '../chain/chains.js';
import type { Block } from '../chain/chain-provider.js';
import type { ContractCall } from '../chain/contract-call.js';
import type { VaultFeed, Observation } from './feed.js';
import { type FollowedVault, isFollowed, SHARE_READERS, sourceOf } from './share-readers.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';

/** Reads calls at one block; null when no provider answers. undefined for a single call: providers disagree. */
export type ReadCalls = (calls: readonly ContractCall[]) => Promise<unknown[] | null>;

/** Feed of share prices, read for each chain at one finalized block. Values on which providers disagree are dropped. */
export class ChainFeed implements VaultFeed {
  /** @param onTrouble receives a sentence for the log for each vault that could not be read; must not throw */
  constructor(
    private readonly chains: Chains,
    private readonly onTrouble: (message: string) => void,
  ) {}

  /** Never rejects because of a provider. It observes the present, whatever hour is asked for. */
  async observe(vaults: readonly Vault[], _hour: Date): Promise<Map<string, Observation>> {
    const groups = Map.groupBy(vaults.filter(isFollowed), ({ chain }) => chain!);
    const seen = await Promise.all(Array.from(groups, ([chain, group]) => this.observeChain(chain, group)));
    return new Map(seen.flatMap((one) => [...one]));
  }

  private async observeChain(
    chain: string,
    vaults: readonly FollowedVault[],
  ): Promise<Map<string, Observation>> {
    const pass = await this.chains.pass(chain);
    if (pass === null) {
      this.onTrouble(
        `${chain}: no reliable provider; ${vaults.map(({ id }) => id).join(', ')} were not read.`,
      );
      return new Map();
    }
    const seen = await sharesAt(pass.block, vaults, (calls) => pass.readAgreed(calls));
    for (const { id } of vaults.filter((vault) => !seen?.has(vault.id)))
      this.onTrouble(
        `${id}: its contract has no share price at block ${pass.block.number} that providers agree on.`,
      );
    const baseFee = vaults.some(({ gas }) => gas) ? await pass.baseFee() : null;
    return new Map([...(seen ?? [])].map(([id, one]) => [id, baseFee === null ? one : { ...one, baseFee }]));
  }
}

/** Prices and TVL at a block, in two rounds, because some calls need the result of another. @returns null when no provider answers */
export async function sharesAt(
  block: Block,
  vaults: readonly FollowedVault[],
  read: ReadCalls,
): Promise<Map<string, Observation> | null> {
  const first = await each(vaults, ({ feed }) => SHARE_READERS[feed.standard].first(feed), read);
  if (first === null) return null;
  const second = await each(
    vaults,
    ({ feed }, index) => SHARE_READERS[feed.standard].second(feed, first[index]!),
    read,
  );
  if (second === null) return null;
  return new Map(
    vaults.flatMap((vault, index): [string, Observation][] => {
      const { price, ...depth } = SHARE_READERS[vault.feed.standard].share(
        first[index]!,
        second[index]!,
        block.at,
      );
      if (price === null) return [];
      return [
        [
          vault.id,
          {
            apy: null,
            ...depth,
            observedAt: block.at,
            price: {
              source: sourceOf(vault),
              value: price,
              blockNumber: block.number,
              blockHash: block.hash,
              blockAt: block.at,
            },
          },
        ],
      ];
    }),
  );
}

async function each(
  vaults: readonly FollowedVault[],
  callsOf: (vault: FollowedVault, index: number) => readonly ContractCall[],
  read: ReadCalls,
): Promise<unknown[][] | null> {
  const calls = vaults.map(callsOf);
  const answers = await read(calls.flat());
  if (answers === null) return null;
  let from = 0;
  return calls.map(({ length }) => answers.slice(from, (from += length)));
}
