import type { BacktestCatalogue } from '../../src/config/backtest-catalogue.js';
import { readConstants } from '../../src/config/constants.js';
import { addHours } from '../../src/domain/kernel/clock.js';
import type { Vault } from '../../src/domain/kernel/catalogue/catalogue.js';
import type { VaultReading } from '../../src/cli/backtest/readings.js';
import { HISTORY_HOURS } from '../../src/cli/backtest/recorded-market.js';
import { vaultOf } from './vault.js';

export const BEGIN = new Date('2026-03-01T00:00:00.000Z');

/** What a vault of a test is made of: its APY by hours since the beginning, and its deposits. */
export interface RecordedYields {
  vault: Partial<Vault> & { id: string };
  apy: (at: number) => number;
  assets?: number;
}

export const catalogueOf = (recorded: readonly RecordedYields[]): BacktestCatalogue => ({
  asset: 'USDC',
  constants: readConstants('sandbox').constants,
  vaults: recorded.map(({ vault }, place) =>
    vaultOf({
      chain: 'ethereum',
      riskTier: 'low',
      entryCost: 1_000_000n,
      exitCost: 1_000_000n,
      exitDelayHours: 0,
      dilution: 'none',
      capacity: null,
      lendingBaseline: place === 0,
      ...vault,
    }),
  ),
  bridgeCosts: [],
  feeds: new Map(),
});

/** A reading an hour, from the history's beginning on. */
export const readingsOfAll = (
  recorded: readonly RecordedYields[],
  hours: number,
): Map<string, VaultReading[]> =>
  new Map(
    recorded.map(({ vault, apy, assets = 1e9 }) => [
      vault.id,
      Array.from({ length: HISTORY_HOURS + hours + 1 }, (_, index) => {
        const at = index - HISTORY_HOURS;
        return { at: addHours(BEGIN, at), apy: apy(at), price: null, assets, liquidity: assets };
      }),
    ]),
  );
