import type { Abi, AbiFunction } from 'viem';
import type { Hex } from './chain-provider.js';

export interface ContractCall {
  to: Hex;
  /** Solidity signature, with its return types. */
  signature: string;
  args?: readonly unknown[];
}

/** Multicall3, at the same address on nearly every chain (https://www.multicall3.com). */
export const MULTICALL: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';

const AGGREGATE =
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) view returns ((bool success, bytes returnData)[])';

/** Encoding is loaded lazily: a deployment without RPC URLs never pays for it. */
const viem = () => import('viem/utils');

export async function encoded({ signature, args = [] }: Omit<ContractCall, 'to'>): Promise<Hex> {
  const { encodeFunctionData } = await viem();
  return encodeFunctionData({ ...(await functionOf(signature)), args: [...args] });
}

/** @returns decoded result: a bigint for numbers, text for addresses; null when it is empty or of another type */
export async function decoded({ signature }: Omit<ContractCall, 'to'>, data: Hex): Promise<unknown> {
  if (data === '0x') return null;
  const { decodeFunctionResult } = await viem();
  const called = await functionOf(signature);
  try {
    return decodeFunctionResult({ ...called, data });
  } catch {
    return null;
  }
}

async function functionOf(signature: string): Promise<{ abi: Abi; functionName: string }> {
  const { parseAbi } = await viem();
  const abi = parseAbi([signature]) as Abi;
  return { abi, functionName: (abi[0] as AbiFunction).name };
}

export async function aggregated(calls: readonly ContractCall[]): Promise<Hex> {
  const targets = await Promise.all(
    calls.map(async (call) => ({ target: call.to, allowFailure: true, callData: await encoded(call) })),
  );
  return encoded({ signature: AGGREGATE, args: [targets] });
}

/** @returns result of each call, null for a failed one; null for all when the answer is malformed */
export async function disaggregated(calls: readonly ContractCall[], data: Hex): Promise<unknown[] | null> {
  const results = await decoded({ signature: AGGREGATE }, data);
  if (!Array.isArray(results) || results.length !== calls.length) return null;
  return Promise.all(
    (results as { success: boolean; returnData: Hex }[]).map(async ({ success, returnData }, index) =>
      success ? decoded(calls[index]!, returnData) : null,
    ),
  );
}
