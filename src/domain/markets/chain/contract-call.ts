import type { Abi, AbiFunction } from 'viem';
import {
  type Block,
  type ChainProvider,
  type Hex,
  nullForFault,
  toBlock,
  toHexNumber,
} from './chain-provider.js';
import { ProviderFault } from './chain-faults.js';

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
const WORD = 32;

/** Encoding is loaded lazily: a deployment without RPC URLs never pays for it. */
const viem = () => import('viem/utils');

export async function encode({ signature, args = [] }: Omit<ContractCall, 'to'>): Promise<Hex> {
  const { encodeFunctionData } = await viem();
  return encodeFunctionData({ ...(await parseFunction(signature)), args: [...args] });
}

/** @returns decoded result: a bigint for numbers, text for addresses; null when it is empty or of another type */
export async function decode({ signature }: Omit<ContractCall, 'to'>, data: Hex): Promise<unknown> {
  if (data === '0x') return null;
  const { decodeFunctionResult } = await viem();
  const called = await parseFunction(signature);
  try {
    return decodeFunctionResult({ ...called, data });
  } catch {
    return null;
  }
}

async function parseFunction(signature: string): Promise<{ abi: Abi; functionName: string }> {
  const { parseAbi } = await viem();
  const abi = parseAbi([signature]) as Abi;
  return { abi, functionName: (abi[0] as AbiFunction).name };
}

export async function encodeAggregate(calls: readonly ContractCall[]): Promise<Hex> {
  const targets = await Promise.all(
    calls.map(async (call) => ({ target: call.to, allowFailure: true, callData: await encode(call) })),
  );
  return encode({ signature: AGGREGATE, args: [targets] });
}

/** @returns result of each call, null for a failed one; null for all when the answer is malformed */
export async function decodeAggregate(calls: readonly ContractCall[], data: Hex): Promise<unknown[] | null> {
  const results = parseResults(data, calls.length);
  if (results === null) return null;
  return Promise.all(
    results.map(async (result, index) => (result === null ? null : decode(calls[index]!, result))),
  );
}

/**
 * Results of `aggregate3`, null for a failed call or one that is too long; null for all when they are not as many, or malformed. Viem would copy
 * every byte of each, although results may overlap.
 */
function parseResults(data: Hex, count: number): (Hex | null)[] | null {
  const bytes = (from: number, length: number): string => data.slice(2 + 2 * from, 2 + 2 * (from + length));
  // A truncated word is not a number.
  const word = (at: number): number => Number(`0x${bytes(at, WORD).padEnd(2 * WORD, '-')}`);
  const list = word(0) + WORD;
  if (word(list - WORD) !== count) return null;
  const results: (Hex | null)[] = [];
  for (let index = 0; index < count; index++) {
    const result = list + word(list + index * WORD);
    const [success, begin] = [word(result), result + word(result + WORD) + WORD];
    const length = word(begin - WORD);
    if ((success !== 0 && success !== 1) || !(2 + 2 * (begin + length) <= data.length)) return null;
    results.push(success === 1 && length <= MAX_RESULT_BYTES ? `0x${bytes(begin, length)}` : null);
  }
  return results;
}

/** Calls in one Multicall: providers limit the gas of a call to some tens of millions. */
const CALLS_TOGETHER = 50;
interface Call {
  to: Hex;
  data: Hex;
}
const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;
/** Bytes of a result: the longest type, of 15 words, takes 608 bytes of a Multicall. Decoding a longer one can cost seconds. */
const MAX_RESULT_BYTES = 640;
const MAX_CHARACTERS = CALLS_TOGETHER * 2 * MAX_RESULT_BYTES;

/**
 * Contract state at one block from one provider: by Multicall3 where the chain has it, else by a batch; null for a failed call.
 * @throws ProviderFault
 */
export async function readState(
  provider: ChainProvider,
  block: Block,
  calls: readonly ContractCall[],
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (let from = 0; from < calls.length; from += CALLS_TOGETHER)
    results.push(...(await readSome(provider, block, calls.slice(from, from + CALLS_TOGETHER))));
  return results;
}

async function readSome(
  provider: ChainProvider,
  block: Block,
  calls: readonly ContractCall[],
): Promise<unknown[]> {
  if (calls.length > 1) {
    const [together] = await callAt(provider, block, [{ to: MULTICALL, data: await encodeAggregate(calls) }]);
    const results = together === null ? null : await decodeAggregate(calls, together!);
    if (results !== null) return results;
  }
  const requests = await Promise.all(calls.map(async (call) => ({ to: call.to, data: await encode(call) })));
  const answers = await callAt(provider, block, requests);
  return Promise.all(
    answers.map(async (data, index) => (data === null ? null : decode(calls[index]!, data))),
  );
}

/** Raw result of each call at a block; null for one that failed by itself. By block hash (EIP-1898) where the node supports it, else by number. */
async function callAt(
  provider: ChainProvider,
  block: Block,
  calls: readonly Call[],
): Promise<(Hex | null)[]> {
  if (provider.takes('hashes')) {
    const at = { blockHash: block.hash, requireCanonical: true };
    const results = await sendCalls(provider, at, calls).catch(nullForFault);
    if (results !== null) return results;
  }
  // Read by number; afterwards the block at that height is compared.
  const number = toHexNumber(block.number);
  const results = await sendCalls(provider, number, calls);
  if (toBlock(await provider.ask('eth_getBlockByNumber', number, false)).hash !== block.hash)
    throw new ProviderFault('other_hash', `its block at height ${block.number} differs from the pinned one`);
  provider.refuse('hashes');
  return results;
}

/** Each client has its own codes and messages for a failed call. This call cannot revert. */
const CONTROL: Call = { to: `0x${'0'.repeat(40)}`, data: '0x' };

async function sendCalls(
  provider: ChainProvider,
  at: unknown,
  calls: readonly Call[],
): Promise<(Hex | null)[]> {
  const answers = await provider.send(calls.map((call) => ({ method: 'eth_call', params: [call, at] })));
  if (answers.some(({ ok }) => !ok)) await provider.ask('eth_call', CONTROL, at);
  return answers.map((answer) => {
    if (!answer.ok) return null;
    const { result } = answer;
    if (typeof result !== 'string' || result.length > MAX_CHARACTERS || !HEX.test(result))
      throw new ProviderFault('malformed', 'invalid bytes');
    return result as Hex;
  });
}
