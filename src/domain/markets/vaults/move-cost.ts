import type { Vault } from '../../kernel/catalogue/catalogue.js';
import { median } from '../signals/statistics.js';

export interface BridgeCost {
  between: readonly [string, string];
  cost: bigint;
}

const WEI_PER_TOKEN = 1e18;

/**
 * The vault with costs by the median base fee of a day, where the catalogue has its gas and the fee is known.
 * @param baseFees wei for a unit of gas
 */
export function withGas(vault: Vault, baseFees: readonly number[]): Vault {
  const fee = median(baseFees);
  const { gas } = vault;
  if (fee === null || gas === null) return vault;
  const cost = (units: number): bigint =>
    BigInt(Math.ceil((units * fee * Number(gas.tokenPrice)) / WEI_PER_TOKEN));
  return { ...vault, entryCost: cost(gas.entry), exitCost: cost(gas.exit) };
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
