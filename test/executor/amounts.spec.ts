import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, encodeEventTopics, erc20Abi, parseAbi, type Address, type Hex } from 'viem';
import { Allowlist, type Vault } from '../../executor/src/allowlist.js';
import { amountOf, type Intent, type ReceiptLog } from '../../executor/src/contracts.js';

const [ACCOUNT, TOKEN, OTHER, VAULT] = ['1', '2', '3', '4'].map((digit) => `0x${digit.repeat(40)}`) as [
  Address,
  Address,
  Address,
  Address,
];
const EVENTS = parseAbi([
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
]);
const AAVE = parseAbi([
  'event Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)',
  'event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)',
]);
const COMET = parseAbi([
  'event Withdraw(address indexed src, address indexed to, uint256 amount)',
  'event Supply(address indexed from, address indexed dst, uint256 amount)',
]);
const numbers = (...values: bigint[]): Hex =>
  encodeAbiParameters(
    values.map(() => ({ type: 'uint256' })),
    values,
  );
const transfer = (from: Address, to: Address, value: bigint, token = TOKEN): ReceiptLog => ({
  address: token,
  topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }) as [Hex],
  data: numbers(value),
});
const event = (abi: any, eventName: string, args: object, data: Hex, address = VAULT): ReceiptLog => ({
  address,
  topics: encodeEventTopics({ abi, eventName, args }) as [Hex],
  data,
});
const listOf = (kind: Vault['kind']): Allowlist => {
  const limits = { transaction: 1, day: 1 };
  const token = { address: TOKEN, decimals: 6, vault_limits: limits, payout_limits: limits };
  const vaults = { vlt_a: { kind, asset: 'USDC', address: VAULT } };
  const ethereum = { max_fee_gwei: 1, max_gas: 1, tokens: { USDC: token }, vaults };
  return new Allowlist({ account: ACCOUNT, max_gain: 0, max_shortfall: 0, chains: { ethereum } });
};
const amount = (
  kind: Vault['kind'],
  step: Intent['step'],
  logs: ReceiptLog[],
  wallet: Address | null = null,
): bigint => {
  const vault_id = step === 'transfer' ? null : 'vlt_a';
  return amountOf(
    listOf(kind),
    { step, chain: 'ethereum', asset: 'USDC', units: 7n, vault_id, wallet },
    logs,
  );
};
const redeemed = (assets: bigint, owner = ACCOUNT, vault = VAULT): ReceiptLog =>
  event(EVENTS, 'Withdraw', { sender: ACCOUNT, receiver: ACCOUNT, owner }, numbers(assets, 99n), vault);

describe('the amounts of a receipt', () => {
  it('The amounts of a receipt of an ERC-4626 vault are what its events say for the account, and at most what arrived', () => {
    expect(amount('erc4626', 'redeem', [transfer(VAULT, ACCOUNT, 100n), redeemed(100n)])).toBe(100n);
    expect(
      amount('erc4626', 'redeem', [
        transfer(VAULT, ACCOUNT, 100n),
        transfer(ACCOUNT, OTHER, 3n),
        redeemed(100n),
      ]),
    ).toBe(97n);
    expect(amount('erc4626', 'redeem', [transfer(VAULT, ACCOUNT, 120n), redeemed(100n)])).toBe(100n);
    expect(amount('erc4626', 'redeem', [transfer(VAULT, ACCOUNT, 100n), redeemed(100n, OTHER)])).toBe(0n);
    expect(
      amount('erc4626', 'redeem', [transfer(VAULT, ACCOUNT, 100n), redeemed(100n, ACCOUNT, OTHER)]),
    ).toBe(0n);
    expect(amount('erc4626', 'redeem', [transfer(VAULT, ACCOUNT, 100n, OTHER), redeemed(100n)])).toBe(0n);
    const deposit = event(EVENTS, 'Deposit', { sender: ACCOUNT, owner: ACCOUNT }, numbers(80n, 5n));
    expect(amount('erc4626', 'deposit', [transfer(ACCOUNT, VAULT, 80n), deposit])).toBe(80n);
  });

  it('The amounts of a receipt of Aave v3 are those of the reserve and the account', () => {
    const out = (reserve: Address, user: Address): ReceiptLog =>
      event(AAVE, 'Withdraw', { reserve, user, to: ACCOUNT }, numbers(50n));
    expect(amount('aave-v3', 'redeem', [transfer(OTHER, ACCOUNT, 50n), out(TOKEN, ACCOUNT)])).toBe(50n);
    expect(amount('aave-v3', 'redeem', [transfer(OTHER, ACCOUNT, 50n), out(OTHER, ACCOUNT)])).toBe(0n);
    const data = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [OTHER, 40n]);
    const into = event(AAVE, 'Supply', { reserve: TOKEN, onBehalfOf: ACCOUNT, referralCode: 0 }, data);
    expect(amount('aave-v3', 'deposit', [into])).toBe(40n);
  });

  it('The amounts of a receipt of Compound v3, and of a transfer to a wallet, are net', () => {
    const out = event(COMET, 'Withdraw', { src: ACCOUNT, to: ACCOUNT }, numbers(30n));
    const into = event(COMET, 'Supply', { from: ACCOUNT, dst: ACCOUNT }, numbers(20n));
    expect(amount('compound-v3', 'redeem', [transfer(VAULT, ACCOUNT, 30n), out])).toBe(30n);
    expect(amount('compound-v3', 'deposit', [into])).toBe(20n);
    expect(
      amount('erc4626', 'transfer', [transfer(ACCOUNT, OTHER, 9n), transfer(OTHER, ACCOUNT, 2n)], OTHER),
    ).toBe(7n);
    expect(amount('erc4626', 'transfer', [], OTHER)).toBe(0n);
  });
});
