import type { Vault } from './vault.js';

/** What it costs to take funds from one chain to another, in either direction. */
export interface BridgeCost {
  between: readonly [string, string];
  /** Micro-units. */
  cost: bigint;
}

/**
 * What a move costs, however much moves: `exit_cost + entry_cost + bridge_cost` where the chains differ. A vault of no chain, which cash is, has no bridge.
 *
 * @returns micro-units
 * @throws RangeError where the settings, which are read with a cost for each pair in use, have none for the two chains
 */
export function moveCost(
  from: Pick<Vault, 'chain' | 'exitCost'>,
  to: Pick<Vault, 'chain' | 'entryCost'>,
  bridgeCosts: readonly BridgeCost[],
): bigint {
  return from.exitCost + to.entryCost + bridgeCost(from.chain, to.chain, bridgeCosts);
}

function bridgeCost(from: string | null, to: string | null, bridgeCosts: readonly BridgeCost[]): bigint {
  if (from === null || to === null || from === to) return 0n;
  const bridge = bridgeCosts.find(({ between }) => between.includes(from) && between.includes(to));
  if (!bridge) throw new RangeError(`bridge_costs names no cost between ${from} and ${to}.`);
  return bridge.cost;
}
