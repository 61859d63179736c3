import { addHours } from '../../src/domain/kernel/clock.js';
import type { FeedSource } from '../../src/domain/kernel/catalogue/catalogue.js';
import type { Observation, PricedShare } from '../../src/domain/markets/vaults/feed.js';
import { initialState, nextHour, type VaultState } from '../../src/domain/markets/vaults/vault-state.js';

export const START = new Date('2026-03-01T00:00:00.000Z');

export const observed = (apy: number | null, over: Partial<Observation> = {}): Observation => ({
  apy,
  tvl: 1_000_000n,
  assets: 2_000_000n,
  liquidity: 1_000_000n,
  observedAt: START,
  ...over,
});

/** A share price in a block of its own. */
export const priced = (value: bigint, over: Partial<PricedShare> = {}): { price: PricedShare } => ({
  price: { source: 'one', value, blockNumber: value, blockHash: '0x', blockAt: START, ...over },
});

export const times = <T>(count: number, look: T): T[] => Array.from({ length: count }, () => look);

/** State of a vault after an observation in each hour from `START` on; undefined: none. */
export const afterHours = (
  looks: readonly (Observation | undefined)[],
  feed: FeedSource['kind'],
): VaultState =>
  looks.reduce<VaultState>(
    (state, look, hour) => nextHour(state, addHours(START, hour), look, feed).state,
    initialState('vlt_x'),
  );
