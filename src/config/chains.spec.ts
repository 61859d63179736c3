import { describe, expect, it } from '@jest/globals';
import { type TokenContract, tokenProblems } from './chains.js';
import { readConstants } from './constants.js';

const USDC: TokenContract = {
  asset: 'USDC',
  chain: 'ethereum',
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  decimals: 6,
};

describe('the smart contracts of assets', () => {
  const problems = (...tokens: Partial<TokenContract>[]): string[] =>
    tokenProblems(
      tokens.map((one) => ({ ...USDC, ...one })),
      ['USDC', 'USDT0'],
    ).map(({ path, reason }) => `${path.join('.')}: ${reason}`);

  it('must have a listed asset, one per asset and chain, and an address with its EIP-55 checksum', () => {
    expect(problems({}, { chain: 'base' }, { asset: 'USDT0' })).toEqual([]);
    expect(problems({ asset: 'DAI' })).toEqual(['tokens.0.asset: assets lists only USDC, USDT0']);
    expect(problems({}, {})).toEqual(['tokens.1.chain: tokens[0] is USDC on it already']);
    const checksum = 'tokens.0.address: it must be the address of a contract, with its checksum (EIP-55)';
    for (const address of [USDC.address.toLowerCase(), USDC.address.replace('A0b', 'A1b')])
      expect(problems({ address })).toEqual([checksum]);
  });

  it('are configured for the live contract, and none for the sandbox', () => {
    expect(readConstants('partner').tokens.map(({ asset, chain }) => `${asset} ${chain}`)).toEqual([
      'USDC ethereum',
      'USDT0 arbitrum',
      'USDT0 plasma',
    ]);
    expect(readConstants('sandbox').tokens).toEqual([]);
  });
});
