import { describe, expect, it } from '@jest/globals';
import type { ChainSource } from '../../kernel/catalogue/catalogue.js';
import { encode } from '../chain/contract-call.js';
import { SHARE_READERS } from './share-readers.js';

const [ADDRESS, HOLDER] = [`0x${'1a'.repeat(20)}`, `0x${'2b'.repeat(20)}`] as const;
const AT = new Date('2026-03-01T00:00:00.000Z');
const HUGE = 2n ** 256n - 1n;
const FEED = { address: ADDRESS, reserve: ADDRESS, holder: HOLDER } as ChainSource;
const totals = { baseSupplyIndex: 10n ** 15n, lastAccrualTime: AT.getTime() / 1000 };
const { erc4626, 'aave-v3': aave, 'compound-v3': compound } = SHARE_READERS;

describe('the readings of a vault’s contract', () => {
  it.each(
    // prettier-ignore
    [
      ['ERC-4626 have bad news as it is', erc4626.share([6, 0n], [0n, 0n, 1n], AT), { price: 0n, tvl: 0n, assets: 0n, liquidity: 0n }],
      ['ERC-4626 have no liquidity, whatever the assets', erc4626.share([6, null], [5n, 0n, 100n], AT), { price: 5n, assets: null, liquidity: 0n }],
      ['ERC-4626 have no absurd amount', erc4626.share([6, HUGE], [5n, HUGE, HUGE], AT), { price: 5n, tvl: null, assets: null, liquidity: null }],
      ['ERC-4626 have no price with absurd decimals', erc4626.share([255, 9n], [5n, null, null], AT), { price: null }],
      ['ERC-4626 have nothing of failed calls', erc4626.share([null, null], [5n, undefined, null], AT), { price: null, tvl: null, assets: null, liquidity: null }],
      ['Aave have bad news as it is', aave.share([7n, {}], [0n, 0n], AT), { price: 7n, tvl: 0n, assets: 0n, liquidity: 0n }],
      ['Aave have no absurd amount', aave.share([7n, {}], [HUGE, HUGE], AT), { price: 7n, tvl: null, assets: null, liquidity: null }],
      ['Aave have no price of a reserve that does not exist', aave.share([0n, {}], [1n, 1n], AT), { price: null }],
      ['Compound have bad news as it is', compound.share([totals, 1n, ADDRESS], [0n, 0n, 0n], AT), { price: 10n ** 27n, tvl: 0n, assets: 0n, liquidity: 0n }],
      ['Compound have no absurd amount', compound.share([totals, 1n, ADDRESS], [0n, HUGE, HUGE], AT), { tvl: null, assets: null, liquidity: null }],
      ['Compound have no price by an index of a later time', compound.share([{ ...totals, lastAccrualTime: AT.getTime() }, 1n, ADDRESS], [1n, 5n, 5n], AT), { price: null }],
      ['Compound have no price without a rate', compound.share([totals, 1n, ADDRESS], [null, 5n, 5n], AT), { price: null }],
    ],
  )('The readings of %s', (_, share, expected) => expect(share).toMatchObject(expected));

  it('The readings of a vault’s contract are asked with encodable numbers, whatever the contract says', async () => {
    for (const call of erc4626.second(FEED, [255, HUGE, HUGE])) expect(await encode(call)).toMatch(/^0x/);
  });
});
