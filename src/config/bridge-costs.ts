import type * as z from 'zod';
import type { Problem } from './config-files.js';
import { money, pair } from './setting-kinds.js';

export const CHAIN = /^(?=.{2,32}$)[a-z0-9]+(-[a-z0-9]+)*$/;

/** Cost of moving funds between two chains, in either direction; micro-units. */
export const bridgeCost = {
  between: pair(CHAIN, 'a list of two different chains in lower case, such as [ethereum, arbitrum]'),
  cost: money(),
};
export type BridgeCostEntry = z.infer<z.ZodObject<typeof bridgeCost>>;

interface Settled {
  asset: string;
  chain: string;
}

/** Problems between bridges and vaults: funds of an asset must be able to move between all of its chains. */
export function bridgeProblems(bridges: readonly BridgeCostEntry[], vaults: readonly Settled[]): Problem[] {
  const problems: Problem[] = [];
  const known = new Map<string, number>();
  for (const [index, { between }] of bridges.entries()) {
    const namesake = known.get(pairOf(between));
    const path = ['bridgeCosts', String(index), 'between'];
    if (namesake === undefined) known.set(pairOf(between), index);
    else problems.push({ path, value: between, reason: `bridge_costs[${namesake}] is of the same chains` });
  }
  const missing = new Map<string, string>();
  for (const vault of vaults) {
    for (const other of vaults) {
      const pair = pairOf([vault.chain, other.chain]);
      if (vault.asset === other.asset && vault.chain < other.chain && !known.has(pair))
        missing.set(pair, vault.asset);
    }
  }
  for (const [pair, asset] of missing)
    problems.push({
      path: ['bridgeCosts'],
      value: bridges.map(({ between }) => between),
      reason: `allowed is a list with a cost between each two chains of an asset's vaults: vaults of ${asset} are on ${pair}`,
    });
  return problems;
}

const pairOf = (chains: readonly string[]): string => chains.toSorted().join(' and ');
