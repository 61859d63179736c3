import { describe, expect, it } from '@jest/globals';
import { decodeFunctionData, parseAbi } from 'viem/utils';
import { loadSettings } from '../../../config/settings.js';
import type { MoveOrder } from '../allocation/move-order.js';
import { callsOf } from './order-calls.js';

const settings = loadSettings({ CONTRACT: 'partner', DATABASE_URL: 'postgres://localhost/none' });
const ACCOUNT = `0x${'ab'.repeat(20)}` as const;
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const ABI = parseAbi([
  'function approve(address, uint256)',
  'function withdraw(uint256, address, address)',
  'function deposit(uint256, address)',
  'function withdraw(address, uint256, address)',
  'function supply(address, uint256, address, uint16)',
  'function withdraw(address, uint256)',
  'function supply(address, uint256)',
]);

/** Calls of a move, as [step, contract, function, arguments]. */
async function calls(from: string, to: string, of: Partial<MoveOrder> = {}): Promise<unknown[]> {
  const order = { status: 'requested', endedAt: null, amount: 1_500_000_001n, ...of } as MoveOrder;
  const encodedCalls = await callsOf({ ...order, fromVaultId: from, toVaultId: to }, ACCOUNT, settings);
  return encodedCalls.map(({ step, to: contract, data, units }) => {
    const { functionName, args } = decodeFunctionData({ abi: ABI, data });
    return [step, contract, units, functionName, ...args.map((arg) => String(arg).toLowerCase())];
  });
}

const [AAVE, COMET, SPARK] = ['vlt_aave_v3_usdc', 'vlt_compound_v3_usdc', 'vlt_spark_savings_usdc'];
const contractOf = (id: string): string =>
  settings.vaults.find((vault) => vault.id === id)?.onChain?.address ?? '';
const UNITS = '1500000001';
const token = USDC.toLowerCase();

describe('the calls of a move', () => {
  it('The calls of a move withdraw from Aave v3 and deposit into an ERC-4626 vault', async () => {
    const [pool, vault] = [contractOf(AAVE), contractOf(SPARK)];
    expect(await calls(AAVE, SPARK)).toEqual([
      ['withdraw', pool, UNITS, 'withdraw', token, UNITS, ACCOUNT],
      ['approve', token, UNITS, 'approve', vault.toLowerCase(), UNITS],
      ['deposit', vault, UNITS, 'deposit', UNITS, ACCOUNT],
    ]);
  });

  it('The calls of a move withdraw from an ERC-4626 vault and supply to Compound v3', async () => {
    const [vault, comet] = [contractOf(SPARK), contractOf(COMET)];
    expect(await calls(SPARK, COMET)).toEqual([
      ['withdraw', vault, UNITS, 'withdraw', UNITS, ACCOUNT, ACCOUNT],
      ['approve', token, UNITS, 'approve', comet.toLowerCase(), UNITS],
      ['deposit', comet, UNITS, 'supply', token, UNITS],
    ]);
  });

  it('The calls of a move withdraw from Compound v3 and supply to Aave v3', async () => {
    const [comet, pool] = [contractOf(COMET), contractOf(AAVE)];
    expect(await calls(COMET, AAVE)).toEqual([
      ['withdraw', comet, UNITS, 'withdraw', token, UNITS],
      ['approve', token, UNITS, 'approve', pool.toLowerCase(), UNITS],
      ['deposit', pool, UNITS, 'supply', token, UNITS, ACCOUNT, '0'],
    ]);
  });

  it.each([
    ['include only the deposit once the funds are redeemed', AAVE, SPARK, { status: 'arriving' }, 2],
    ['are empty between idle vaults', 'vlt_idle_usdc', 'vlt_idle_usdc', {}, 0],
    ['include no deposit into a vault that pays out by a queue', AAVE, 'vlt_maple_syrup_usdc', {}, 1],
    ['are empty once the move has ended', AAVE, SPARK, { status: 'settled', endedAt: new Date() }, 0],
  ] as const)('The calls of a move %s', async (_, from, to, of, count) => {
    expect(await calls(from, to, of as Partial<MoveOrder>)).toHaveLength(count);
  });
});
