import { decodeFunctionData, parseAbi } from 'viem/utils';
import type { Hex } from '../../../src/domain/markets/chain/chain-provider.js';
import type { Anvil } from './anvil.js';

const METHODS = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function withdraw(uint256 amount, address receiver, address owner)',
  'function deposit(uint256 amount, address receiver)',
  'function withdraw(address asset, uint256 amount, address to)',
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount)',
  'function supply(address asset, uint256 amount)',
]);

/** A transaction of an account, decoded. */
export interface AccountCall {
  hash: Hex;
  to: Hex;
  value: bigint;
  method: 'transfer' | 'approve' | 'withdraw' | 'deposit' | 'supply';
  amount: bigint;
  /** All addresses among its arguments, in lower case. */
  parties: Hex[];
}

/** Every transaction of an account in the blocks after one, up to another. @throws Error for calldata of another method */
export async function callsOf(
  anvil: Anvil,
  account: Hex,
  after: number,
  upTo: number,
): Promise<AccountCall[]> {
  const calls: AccountCall[] = [];
  for (let number = after + 1; number <= upTo; number++) {
    const block = (await anvil.rpc('eth_getBlockByNumber', `0x${number.toString(16)}`, true)) as {
      transactions: { hash: Hex; from: Hex; to: Hex; input: Hex; value: Hex }[];
    };
    for (const { hash, from, to, input, value } of block.transactions) {
      if (from.toLowerCase() !== account.toLowerCase()) continue;
      const { functionName: method, args: given } = decodeFunctionData({ abi: METHODS, data: input });
      const args: readonly unknown[] = given;
      calls.push({
        ...{ hash, to: to.toLowerCase() as Hex, value: BigInt(value), method },
        amount: args.find((arg): arg is bigint => typeof arg === 'bigint')!,
        parties: args
          .filter((arg): arg is Hex => typeof arg === 'string')
          .map((address) => address.toLowerCase() as Hex),
      });
    }
  }
  return calls;
}
