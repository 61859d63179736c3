import { describe, expect, it } from '@jest/globals';
import { idleVault } from '../../../config/vault-catalogue.js';
import { BEGIN, catalogueOf, readingsOfAll, type Recorded } from '../../../../test/support/recorded.js';
import { rulesOf } from './backtest.js';
import { RecordedMarket } from './recorded-market.js';
import { type Routed, route } from './router.js';

const DAY = 24;
const HOURS = 30 * DAY;
const UNIT = 1_000_000n;
const LENDING: Recorded = { vault: { id: 'vlt_lending', dilution: 'pool' }, apy: () => 0.04 };

const routed = (
  recorded: readonly Recorded[],
  amounts: readonly number[],
  readings = readingsOfAll(recorded, HOURS),
): Promise<Routed> => {
  const catalogue = catalogueOf(recorded);
  const { asset, constants, vaults } = catalogue;
  const idle = idleVault(asset);
  const market = new RecordedMarket({ from: BEGIN, hours: HOURS, vaults, idle, constants, readings });
  const micro = amounts.map((amount) => BigInt(amount) * UNIT);
  return route(market, micro, rulesOf(catalogue));
};

describe('attacks by readings alone', () => {
  it.each([
    [10_000, 0.04],
    [1_000_000, 0.04],
    [1_000_000, 0.038],
    [8_000_000, 0.04],
  ])('a spike of an hour to 20 %% moves nobody: %i beside a level of %d', async (amount, level) => {
    const apy = (at: number): number => (at === 300 ? 0.2 : level);
    const spike: Recorded = { vault: { id: 'vlt_spike', dilution: 'pool' }, apy };
    expect((await routed([LENDING, spike], [amount])).steps).toEqual([]);
  });
});
