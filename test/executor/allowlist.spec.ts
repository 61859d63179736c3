import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeFunctionData, erc20Abi } from 'viem';
import { stringify } from 'yaml';
import { Allowlist } from '../../executor/src/allowlist.js';
import { callOf, type Intent } from '../../executor/src/contracts.js';
import { ConfigError, NotAllowed } from '../../executor/src/problem.js';
import { emptyFolder } from '../support/configuration.js';

const [ACCOUNT, TOKEN, VAULT, OTHER] = [
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2',
  '0x28B3a8fb53B741A8Fd78c0fb9A6B2393d896a43d',
] as const;
const usual = (): any => ({
  account: ACCOUNT,
  chains: {
    ethereum: {
      max_fee_gwei: 50,
      tokens: {
        USDC: {
          address: TOKEN,
          decimals: 6,
          vault_limits: { transaction: 1000, day: 2500 },
          payout_limits: { transaction: 100, day: 250.5 },
        },
      },
      vaults: { vlt_a: { kind: 'aave-v3', asset: 'USDC', address: VAULT } },
    },
  },
});
const read = (change: (content: any) => void = () => undefined): Allowlist => {
  const [content, path] = [usual(), join(emptyFolder(), 'allowlist.yaml')];
  change(content);
  writeFileSync(path, stringify(content));
  return Allowlist.read(path);
};
const problemOf = (change: (content: any) => void): string => {
  try {
    read(change);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};
const intent: Intent = {
  step: 'redeem',
  chain: 'ethereum',
  asset: 'USDC',
  units: 5n,
  vault_id: 'vlt_a',
  wallet: null,
};

describe('the allowlist', () => {
  it.each<[string, (content: any) => void, string]>([
    [
      'an address in one letter case',
      (list) => (list.account = ACCOUNT.toLowerCase()),
      'account: it must be an address with its checksum',
    ],
    [
      'a key that it does not know',
      (list) => (list.chains.ethereum.max_fee = 1),
      'Unrecognized key: "max_fee"',
    ],
    ['a chain that is not served', (list) => (list.chains.solana = list.chains.ethereum), 'solana'],
    [
      'a vault of a token that is not listed',
      (list) => (list.chains.ethereum.vaults.vlt_a.asset = 'DAI'),
      'DAI is no token there',
    ],
    [
      'one vault on two chains',
      (list) => (list.chains.base = list.chains.ethereum),
      'vlt_a is on two chains',
    ],
    ['no limits', (list) => delete list.chains.ethereum.tokens.USDC.payout_limits, 'payout_limits'],
    ['no vault', (list) => (list.chains.ethereum.vaults = {}), 'it lists no vault'],
  ])('The allowlist is refused with %s', (_, change, problem) => {
    expect(problemOf(change)).toContain(problem);
  });

  it('The allowlist bounds each transaction, and the sum of a day, by kind', () => {
    const list = read();
    const require =
      (kind: 'vault' | 'payout', units: bigint, moved = 0n) =>
      () =>
        list.requireWithin('ethereum', 'USDC', kind, units, moved);
    expect(require('vault', 1_000_000_000n, 1_500_000_000n)).not.toThrow();
    expect(require('vault', 1_000_000_001n)).toThrow(NotAllowed);
    expect(require('vault', 1_000_000_000n, 1_500_000_001n)).toThrow('more than 2500 USDC in a day');
    expect(require('payout', 100_000_000n, 150_500_000n)).not.toThrow();
    expect(require('payout', 100_000_001n)).toThrow('more than 100 USDC in a transaction');
    expect(require('payout', 0n)).toThrow('not above 0');
    expect(() => list.requireWithin('base', 'USDC', 'payout', 1n, 0n)).toThrow(
      'USDC on base is not in the allowlist',
    );
    expect(list.payable(1_000_000n)).toBe(1_250_000n);
    expect(list.leastOf(1_000_000n)).toBe(999_000n);
  });

  it('The allowlist alone decides whom a call concerns', () => {
    const list = read((content) => (content.chains.ethereum.vaults.vlt_a.spender = OTHER));
    expect(callOf(list, intent).to).toBe(VAULT);
    const { to, data } = callOf(list, { ...intent, step: 'approve' });
    expect([to, decodeFunctionData({ abi: erc20Abi, data }).args]).toEqual([TOKEN, [OTHER, 5n]]);
    const pay = callOf(list, { ...intent, step: 'transfer', vault_id: null, wallet: OTHER });
    expect([pay.to, decodeFunctionData({ abi: erc20Abi, data: pay.data }).args]).toEqual([
      TOKEN,
      [OTHER, 5n],
    ]);
    for (const wrong of [
      { ...intent, vault_id: 'vlt_b' },
      { ...intent, asset: 'DAI' },
      { ...intent, chain: 'base' as const },
      { ...intent, step: 'transfer' as const },
      { ...intent, step: 'transfer' as const, vault_id: null },
    ])
      expect(() => callOf(list, wrong)).toThrow(NotAllowed);
  });
});
