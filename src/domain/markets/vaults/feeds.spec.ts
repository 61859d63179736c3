import { describe, expect, it } from '@jest/globals';
import { observed, priced, START } from '../../../../test/support/observed.js';
import { vaultOf } from '../../../../test/support/vault.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';
import type { VaultFeed } from './feed.js';
import { CompositeFeed, type FeedKind } from './feeds.js';

const SEEN = observed(0.05);
const SECOND = { kind: 'defillama', pool: 'p', apr: false, tvl: null } as const;
const vault = (id: string, kind: 'simulated' | 'defillama'): Vault =>
  vaultOf({ id, feed: kind === 'defillama' ? SECOND : { kind } });
const VAULTS = [vault('vlt_a', 'simulated'), vault('vlt_b', 'defillama'), vault('vlt_c', 'simulated')];

/** Observes every vault asked for. */
const seeing: VaultFeed = { observe: async (vaults) => new Map(vaults.map(({ id }) => [id, SEEN])) };
const rejecting: VaultFeed = { observe: () => Promise.reject(new Error('out of order')) };
const throwing: VaultFeed = {
  observe: () => {
    throw new Error('out of order');
  },
};
/** Observes a vault of another feed. */
const meddling: VaultFeed = { observe: async () => new Map([['vlt_b', SEEN]]) };

const FAILED = 'The feed of kind defillama failed: out of order.';

describe('feeds of several kinds', () => {
  it.each<[string, Partial<Record<FeedKind, VaultFeed>>, string[], string[]]>([
    ['observe the vaults of each', { simulated: seeing, defillama: seeing }, ['vlt_a', 'vlt_b', 'vlt_c'], []],
    [
      'do without one that rejects',
      { simulated: seeing, defillama: rejecting },
      ['vlt_a', 'vlt_c'],
      [FAILED],
    ],
    ['do without one that throws', { simulated: seeing, defillama: throwing }, ['vlt_a', 'vlt_c'], [FAILED]],
    [
      'log the vaults without a feed',
      { defillama: seeing },
      ['vlt_b'],
      ['No feed of kind simulated for vlt_a, vlt_c.'],
    ],
    [
      'ignore what one observes of another’s vaults',
      { simulated: meddling, defillama: rejecting },
      [],
      [FAILED],
    ],
  ])('Feeds of several kinds %s', async (_, feeds, observations, logged) => {
    const troubles: string[] = [];
    const composite = new CompositeFeed(feeds, (message) => troubles.push(message));
    expect([...(await composite.observe(VAULTS, START)).keys()]).toEqual(observations);
    expect(troubles).toEqual(logged);
  });

  it.each([
    ['is observed beside its second source', SECOND, 0.07],
    ['has nothing beside it without one, whatever the other feed observes', null, undefined],
  ])('A vault followed on its chain %s', async (_, secondSource, otherApy) => {
    const followed = vaultOf({
      id: 'vlt_d',
      feed: {
        kind: 'chain',
        standard: 'erc4626',
        address: '0xa',
        reserve: null,
        holder: null,
        secondSource,
      },
    });
    const observation = observed(0.05, { ...priced(1n), tvl: null });
    const composite = new CompositeFeed(
      {
        chain: { observe: async () => new Map([['vlt_d', observation]]) },
        defillama: { observe: async () => new Map([['vlt_d', observed(0.07, { tvl: 9n })]]) },
      },
      () => undefined,
    );
    const merged = (await composite.observe([...VAULTS, followed], START)).get('vlt_d')!;
    expect([merged.apy, merged.price!.otherApy]).toEqual([0.05, otherApy]);
    expect(merged.tvl).toBe(secondSource && 9n);
  });
});
