import { describe, expect, it } from '@jest/globals';
import type { BridgeCostEntry } from '../../../config/chains.js';
import { idleVault } from '../../../config/vault-catalogue.js';
import { vaultOf } from '../../../../test/support/vault.js';
import { withGas } from '../../markets/hours/market-view.js';
import { moveCost } from './routing-constants.js';

const vault = (chain: string, entryCost: bigint, exitCost: bigint) => ({ chain, entryCost, exitCost });
const BRIDGES: BridgeCostEntry[] = [
  { between: ['ethereum', 'arbitrum'], cost: 700_000n },
  { between: ['arbitrum', 'plasma'], cost: 300_000n },
];

describe('the cost of a move', () => {
  it('The cost of a move is the exit cost plus the entry cost on one chain', () => {
    expect(moveCost(vault('ethereum', 1n, 20n), vault('ethereum', 300n, 4_000n), BRIDGES)).toBe(320n);
  });

  it.each([
    ['ethereum', 'arbitrum', 700_002n],
    ['arbitrum', 'ethereum', 700_002n],
    ['plasma', 'arbitrum', 300_002n],
  ])('The cost of a move includes the bridge from %s to %s', (from, to, cost) => {
    expect(moveCost(vault(from, 1n, 1n), vault(to, 1n, 1n), BRIDGES)).toBe(cost);
  });

  it('The cost of a move causes an error without a bridge cost for its chains', () => {
    expect(() => moveCost(vault('ethereum', 1n, 1n), vault('plasma', 1n, 1n), BRIDGES)).toThrow(
      'bridge_costs names no cost between ethereum and plasma.',
    );
  });

  it('The cost of a move follows the median base fee of a day if the catalogue has the gas of the vault', () => {
    const gas = { entry: 240_000, exit: 120_000, tokenPrice: 3_500_000_000n };
    const vault = vaultOf({ id: 'vlt_one', gas, entryCost: 7n, exitCost: 8n });
    expect(withGas(vault, [9e9, 1.2e9, 1e9])).toMatchObject({ entryCost: 1_008_000n, exitCost: 504_000n });
    expect(withGas(vault, [])).toBe(vault);
    expect(withGas({ ...vault, gas: null }, [1e9])).toMatchObject({ entryCost: 7n, exitCost: 8n });
  });

  it('The cost of a move excludes the idle vault, which has no entry or exit cost', () => {
    const idle = idleVault('USDC');
    expect(moveCost(idle, vault('plasma', 3n, 1n), BRIDGES)).toBe(3n);
    expect(moveCost(vault('plasma', 3n, 1n), idle, BRIDGES)).toBe(1n);
  });
});
