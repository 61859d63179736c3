import { describe, expect, it } from '@jest/globals';
import type { ChainReceipt, ReceiptLook } from '../../markets/chain/chain-pass.js';
import type { Hex } from '../../markets/chain/chain-provider.js';
import type { ChainLog } from '../../markets/chain/receipt.js';
import { isUnexplained, moveFindings, type ReportedTransaction } from './move-finding.js';

const [TOKEN, ACCOUNT, VAULT, OTHER, POOL] = ['a', '1', '2', '3', '4'].map(
  (digit) => `0x${digit.repeat(40)}`,
) as [Hex, Hex, Hex, Hex, Hex];
const word = (hex: string): Hex => `0x${hex.padStart(64, '0')}`;
const of = (amount: bigint): string => amount.toString(16).padStart(64, '0');
const log = (address: Hex, topic: string, topics: Hex[], data: string): ChainLog => ({
  address,
  topics: [topic as Hex, ...topics.map((topic) => word(topic.slice(2)))],
  data: `0x${data}`,
});
const transfer = (from: Hex, to: Hex, amount: bigint): ChainLog =>
  log(TOKEN, '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', [from, to], of(amount));
const WITHDRAW = '0xfbde797d201c681b91056529119e0b02407c7bb96a4a2c75c01fc9667232c8db';
const DEPOSIT = '0xdcbc1c05240f31ff3ad067ef1ee35ce4997762752e3a095284754544f4c709d7';
/** Of an ERC-4626 vault, with what its token says. */
const paidOut = (amount: bigint, to: Hex = ACCOUNT, owner: Hex = ACCOUNT, vault: Hex = VAULT): ChainLog[] => [
  transfer(vault, to, amount),
  log(vault, WITHDRAW, [owner, to, owner], of(amount) + of(1n)),
];
const takenIn = (amount: bigint, owner: Hex = ACCOUNT): ChainLog[] => [
  transfer(ACCOUNT, POOL, amount),
  log(POOL, DEPOSIT, [ACCOUNT, owner], of(amount) + of(1n)),
];

const receipt = (logs: ChainLog[]): ReceiptLook => ({
  txHash: word('1'),
  block: { number: 7n, hash: word('7') },
  finalized: true,
  succeeded: true,
  logs,
});
const redeemed = (amount: bigint, orderId = 'one') => ({
  orderId,
  step: 'redeemed' as const,
  vaultId: 'vault',
  amount,
  isConfirmed: false,
});
const settled = (amount: bigint, orderId = 'one') => ({
  orderId,
  step: 'settled' as const,
  vaultId: 'pool',
  amount,
  isConfirmed: false,
});
const confirmed = <Report extends object>(report: Report): Report => ({ ...report, isConfirmed: true });
const transaction = (over: Partial<ReportedTransaction> = {}): ReportedTransaction => ({
  reports: [redeemed(100n)],
  transfers: 0n,
  paidFrom: new Map(),
  contracts: new Map([
    ['vault', { standard: 'erc4626', address: VAULT, token: TOKEN }],
    ['pool', { standard: 'erc4626', address: POOL, token: TOKEN }],
  ]),
  token: { address: TOKEN, decimals: 6 },
  accounts: new Set([ACCOUNT]),
  ...over,
});
const find = (logs: ChainLog[], over: Partial<ReportedTransaction> = {}): string[] | undefined =>
  moveFindings(receipt(logs), transaction(over), { ageMs: 0, notFoundMs: 1 })?.map(
    ({ status, reason, foundAmount }) => `${status} ${reason} ${foundAmount}`,
  );

describe('the finding on a reported move', () => {
  it.each<[string, string[], ChainLog[], Partial<ReportedTransaction>?]>(
    // prettier-ignore
    [
      ['what the vault paid to the account', ['confirmed null 100'], paidOut(100n)],
      ['more than was reported', ['mismatch wrong_amount 103'], paidOut(103n)],
      ['a part that went on to another account', ['mismatch wrong_amount 97'], [...paidOut(100n), transfer(ACCOUNT, OTHER, 3n)]],
      ['a payment to another account', ['mismatch wrong_account 0'], paidOut(100n, OTHER)],
      ['a payment of another owner', ['mismatch wrong_account 0'], paidOut(100n, OTHER, OTHER)],
      ['the amount from somebody else', ['mismatch no_vault_entry 100'], [transfer(OTHER, ACCOUNT, 100n)]],
      ['an event of another contract', ['mismatch no_vault_entry 100'], paidOut(100n, ACCOUNT, ACCOUNT, OTHER)],
      ['nothing', ['mismatch no_transfer 0'], []],
      ['a transfer between custody accounts beside it', ['confirmed null 100'], [...paidOut(100n), transfer(ACCOUNT, OTHER, 50n)], { accounts: new Set([ACCOUNT, OTHER]) }],
      ['the moves of a batch together', ['confirmed null 60', 'confirmed null 40'], paidOut(100n), { reports: [redeemed(60n), redeemed(40n, 'two')] }],
      ['less than a batch reported, divided', ['mismatch wrong_amount 54', 'mismatch wrong_amount 36'], paidOut(90n), { reports: [redeemed(60n), redeemed(40n, 'two')] }],
      ['both steps of a move', ['confirmed null 100', 'confirmed null 100'], [...paidOut(100n), ...takenIn(100n)], { reports: [redeemed(100n), settled(100n)] }],
      ['less than arrived, the rest kept', ['confirmed null 100', 'mismatch wrong_amount 97'], [...paidOut(100n), ...takenIn(97n)], { reports: [redeemed(100n), settled(100n)] }],
      ["the hash of another's transaction", ['confirmed null 100', 'mismatch wrong_amount 0'], paidOut(100n), { reports: [confirmed(redeemed(100n)), redeemed(100n, 'two')] }],
      ["the hash of another's arrival", ['mismatch wrong_amount 0', 'confirmed null 100'], takenIn(100n), { reports: [redeemed(100n, 'two'), confirmed(settled(100n))] }],
      ['a deposit that names the hash of a confirmed withdrawal', ['confirmed null 100'], paidOut(100n), { reports: [confirmed(redeemed(100n))], transfers: 100n }],
      ['an arrival by the transaction of a confirmed withdrawal', ['confirmed null 100', 'confirmed null 60'], [...paidOut(100n), ...takenIn(60n)], { reports: [confirmed(redeemed(100n)), settled(60n)] }],
      ['an arrival for another owner', ['mismatch no_vault_entry 0'], takenIn(100n, OTHER), { reports: [settled(100n)] }],
      ['more left the account than arrived', ['mismatch wrong_amount 97'], [...takenIn(100n), transfer(ACCOUNT, OTHER, 3n)], { reports: [settled(100n)] }],
      ['a withdrawal that the vault pays with it', ['confirmed null 100'], [...paidOut(150n), transfer(ACCOUNT, OTHER, 50n)], { transfers: -50n, paidFrom: new Map([['vault', 50n]]) }],
      ['a withdrawal that is paid out of what was redeemed', ['confirmed null 100'], [...paidOut(100n), transfer(ACCOUNT, OTHER, 50n)], { transfers: -50n }],
      ['a deposit that was received and allocated', ['confirmed null 100'], [transfer(OTHER, ACCOUNT, 100n), ...takenIn(100n)], { reports: [settled(100n)], transfers: 100n }],
      ['a remainder below a micro-unit of a token with 18 decimals', ['confirmed null 100'], paidOut(100n * 10n ** 12n + 5n), { token: { address: TOKEN, decimals: 18 } }],
    ],
  )('The finding on a reported move with %s', (_, expected, logs, over = {}) => {
    expect(find(logs, over)).toEqual(expected);
  });

  it('The finding on a reported move is made at a finalized block; a transaction that is absent for long is not found', () => {
    const ages = { ageMs: 5, notFoundMs: 5 };
    const final = receipt([]) as Exclude<ReceiptLook, string>;
    expect(moveFindings({ ...final, finalized: false }, transaction(), ages)).toEqual([
      { status: 'seen', reason: null, block: 7n, foundAmount: null },
    ]);
    expect(moveFindings({ ...final, succeeded: false }, transaction(), ages)).toEqual([
      { status: 'mismatch', reason: 'transaction_failed', block: 7n, foundAmount: 0n },
    ]);
    expect(moveFindings('absent', transaction(), ages)).toMatchObject([{ status: 'not_found' }]);
    expect(moveFindings('absent', transaction(), { ...ages, ageMs: 4 })).toMatchObject([
      { status: 'unchecked', reason: 'not_in_a_block' },
    ]);
    expect(moveFindings('disputed', transaction(), ages)).toBeNull();
  });

  it('The finding on a payment out of several vaults is their sum, since its cost is divided over them: what the account keeps is unexplained', () => {
    const paidFrom = new Map([
      ['vault', 100n],
      ['pool', 49n],
    ]);
    const payment = transaction({ reports: [], transfers: -149n, paidFrom });
    const both = (first: bigint): ChainReceipt =>
      receipt([
        ...paidOut(first),
        ...paidOut(50n, ACCOUNT, ACCOUNT, POOL),
        transfer(ACCOUNT, OTHER, 149n),
      ]) as ChainReceipt;
    expect(isUnexplained(both(99n), payment)).toBe(false);
    expect(isUnexplained(both(102n), payment)).toBe(true);
    const ofAccount = receipt([transfer(ACCOUNT, OTHER, 149n)]) as ChainReceipt;
    expect(isUnexplained(ofAccount, payment)).toBe(false);
  });
});
