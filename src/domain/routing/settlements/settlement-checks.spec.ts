import { describe, expect, it } from '@jest/globals';
import type { ReceiptLook } from '../../markets/chain/chain-pass.js';
import type { Hex } from '../../markets/chain/chain-provider.js';
import type { ChainLog } from '../../markets/chain/receipt.js';
import { type ChainFinding, findingOf, type ReportToCheck } from './settlement-checks.js';

const HOUR_MS = 3_600_000;
const TOKEN = `0x${'a'.repeat(40)}` as const;
const [MINE, ALSO_MINE, VAULT] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [Hex, Hex, Hex];
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const word = (hex: string): Hex => `0x${hex.padStart(64, '0')}`;
const transfer = (from: Hex, to: Hex, amount: bigint, token: Hex = TOKEN): ChainLog => ({
  address: token,
  topics: [TRANSFER, word(from.slice(2)), word(to.slice(2))],
  data: word(amount.toString(16)),
});
const receipt = (logs: ChainLog[], over: object = {}): ReceiptLook => ({
  txHash: word('1'),
  block: { number: 7n, hash: word('7') },
  finalized: true,
  succeeded: true,
  logs,
  ...over,
});

describe('the finding on a reported transfer', () => {
  const reported = (over: Partial<ReportToCheck> = {}): ReportToCheck => ({
    type: 'deposit',
    amount: 100n,
    token: { asset: 'USDC', chain: 'ethereum', address: TOKEN, decimals: 6 },
    wallets: [MINE.toUpperCase().replace('0X', '0x'), ALSO_MINE],
    ageMs: HOUR_MS,
    ...over,
  });
  const find = (look: ReceiptLook, over?: Partial<ReportToCheck>): ChainFinding | null =>
    findingOf(look, reported(over), 24 * HOUR_MS);
  const short = (finding: ChainFinding | null): string =>
    finding ? `${finding.status} ${finding.reason} ${finding.foundAmount}` : 'nothing';

  it.each<[string, string, ChainLog[], Partial<ReportToCheck>?]>(
    // prettier-ignore
    [
      ['the amount, from a wallet of the user', 'confirmed null 100', [transfer(MINE, VAULT, 100n)]],
      ['several token transfers with that sum', 'confirmed null 100', [transfer(MINE, VAULT, 70n), transfer(ALSO_MINE, VAULT, 30n)]],
      ['more than the amount, with the excess returned', 'confirmed null 100', [transfer(MINE, VAULT, 110n), transfer(VAULT, MINE, 10n)]],
      ['more than the amount', 'mismatch wrong_amount 101', [transfer(MINE, VAULT, 101n)]],
      ['a token transfer between wallets of the user', 'mismatch wrong_amount 0', [transfer(MINE, ALSO_MINE, 100n)]],
      ['a token transfer to the user instead of from it', 'mismatch wrong_amount -100', [transfer(VAULT, MINE, 100n)]],
      ["a token transfer from an unknown wallet", 'mismatch wrong_wallet 0', [transfer(VAULT, TOKEN, 100n)]],
      ['a transfer of another token', 'mismatch no_transfer 0', [transfer(MINE, VAULT, 100n, VAULT)]],
      ['nothing', 'mismatch no_transfer 0', []],
      ['a withdrawal, to a wallet of the user', 'confirmed null 100', [transfer(VAULT, MINE, 100n)], { type: 'withdrawal' }],
      [
        'an excess in the last decimal of a token with 18',
        'mismatch wrong_amount 100',
        [transfer(MINE, VAULT, 100n * 10n ** 12n + 1n)],
        { token: { asset: 'USDC', chain: 'bsc', address: TOKEN, decimals: 18 } },
      ],
      ['a user without wallets', 'unchecked no_wallet null', [transfer(MINE, VAULT, 100n)], { wallets: [] }],
    ],
  )('%s: %s', (_, expected, logs, over = {}) => {
    expect(short(find(receipt(logs), over))).toBe(expected);
  });

  it('The finding on a reported transfer is made at a finalized block; a transaction that is absent after 24 hours is not_found', () => {
    const wrong = [transfer(MINE, VAULT, 1n)];
    expect(find(receipt(wrong, { finalized: false }))).toEqual({
      status: 'seen',
      reason: null,
      block: 7n,
      foundAmount: null,
    });
    expect(short(find(receipt([], { succeeded: false })))).toBe('mismatch transaction_failed 0');
    expect(short(find('absent', { ageMs: 24 * HOUR_MS - 1 }))).toBe('unchecked not_in_a_block null');
    expect(short(find('absent', { ageMs: 24 * HOUR_MS }))).toBe('not_found null null');
    expect(find('disputed')).toBeNull();
  });
});
