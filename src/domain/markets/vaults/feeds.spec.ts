import { vaultOf } from '../../../../test/support/vault.js';
import { describe, expect, it } from '@jest/globals';
import { readConstants } from '../../../config/constants.js';
import type { Feed, Observation } from './feed.js';
import { CompositeFeed, type FeedKind } from './feeds.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';

const HOUR = new Date('2026-03-01T10:00:00Z');
const SEEN: Observation = { apy: 0.05, tvl: 1n, assets: null, liquidity: null, observedAt: HOUR };

const vault = (id: string, kind: 'simulated' | 'defillama'): Vault =>
  vaultOf({ id, feed: kind === 'defillama' ? { kind, pool: 'p', apr: false, tvl: null } : { kind } });

/** Feed that observes every vault asked for, and records the requests. */
class SeeingFeed implements Feed {
  readonly asked: { ids: string[]; hour: Date }[] = [];

  async observe(vaults: readonly Vault[], hour: Date): Promise<Map<string, Observation>> {
    this.asked.push({ ids: vaults.map((one) => one.id), hour });
    return new Map(vaults.map((one) => [one.id, SEEN]));
  }
}

const failing = (error: Error): Feed => ({ observe: () => Promise.reject(error) });

function observe(
  feeds: Partial<Record<FeedKind, Feed>>,
  vaults: readonly Vault[],
): Promise<{ seen: Map<string, Observation>; troubles: string[] }> {
  const troubles: string[] = [];
  return new CompositeFeed(feeds, (message) => troubles.push(message))
    .observe(vaults, HOUR)
    .then((seen) => ({ seen, troubles }));
}

const VAULTS = [vault('vlt_a', 'simulated'), vault('vlt_b', 'defillama'), vault('vlt_c', 'simulated')];

describe('a composite feed', () => {
  it('calls each kind of feed once, with its own vaults', async () => {
    const [simulated, defillama] = [new SeeingFeed(), new SeeingFeed()];
    const { seen, troubles } = await observe({ simulated, defillama }, VAULTS);
    expect(simulated.asked).toEqual([{ ids: ['vlt_a', 'vlt_c'], hour: HOUR }]);
    expect(defillama.asked).toEqual([{ ids: ['vlt_b'], hour: HOUR }]);
    expect([...seen.keys()].sort()).toEqual(['vlt_a', 'vlt_b', 'vlt_c']);
    expect(troubles).toEqual([]);
  });

  it('calls no feed without vaults', async () => {
    const defillama = new SeeingFeed();
    expect((await observe({ defillama }, [])).seen).toEqual(new Map());
    expect(defillama.asked).toEqual([]);
  });

  it.each([
    ['rejects', failing(new Error('out of order'))],
    [
      'throws',
      {
        observe: () => {
          throw new Error('out of order');
        },
      },
    ],
  ])('keeps the observations of other feeds when one %s', async (_name, defillama) => {
    const { seen, troubles } = await observe({ simulated: new SeeingFeed(), defillama }, VAULTS);
    expect([...seen.keys()]).toEqual(['vlt_a', 'vlt_c']);
    expect(troubles).toEqual(['The feed of kind defillama failed: out of order.']);
  });

  it('logs the vaults without a feed', async () => {
    const { seen, troubles } = await observe({ defillama: new SeeingFeed() }, VAULTS);
    expect([...seen.keys()]).toEqual(['vlt_b']);
    expect(troubles).toEqual(['No feed of kind simulated for vlt_a, vlt_c.']);
  });

  it('ignores observations of another feed’s vaults', async () => {
    const meddling: Feed = { observe: async () => new Map([['vlt_b', SEEN]]) };
    const { seen } = await observe({ simulated: meddling, defillama: failing(new Error('x')) }, VAULTS);
    expect(seen).toEqual(new Map());
  });
});

it('the vaults of the configuration have the type that a feed expects', () => {
  const vaults: Vault[] = readConstants('partner').vaults;
  expect(vaults.length).toBeGreaterThan(0);
});
