import type { Vault } from '../../kernel/catalogue/vault.js';

/** Cost of moving funds between two chains, in either direction. */
export interface BridgeCost {
  between: readonly [string, string];
  /** Micro-units. */
  cost: bigint;
}

/**
 * Cost of a move, whatever its amount: `exit_cost + entry_cost`, and `bridge_cost` where the chains differ. Cash has no chain and needs no bridge.
 * @returns micro-units
 * @throws RangeError when the settings, which are validated for each pair in use, lack a cost for the two chains
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
