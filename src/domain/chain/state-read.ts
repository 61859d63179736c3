import { ProviderFault } from './chain-faults.js';
import {
  type Block,
  type ChainProvider,
  type Hex,
  resultOf,
  type RpcAnswer,
  toBlock,
  toHexNumber,
} from './chain-provider.js';
import {
  aggregated,
  type ContractCall,
  decoded,
  disaggregated,
  encoded,
  MULTICALL,
} from './contract-call.js';

/** Calls in one Multicall: each takes gas, of which providers allow a call some tens of millions. */
const CALLS_TOGETHER = 50;
/** What providers answer that know no block by hash. */
const INVALID_PARAMS = [-32602, -32600];
/** A contract that refuses: EIP-1474 has no code for it, most clients have 3. */
const REVERTED = 3;
const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;

/**
 * What contracts say at one block, from one provider: by Multicall3 where the chain has it, else by a batch.
 *
 * @returns what each call returned, decoded; null for one that failed, or of a contract that is not there
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
    const [together] = await callAt(provider, block, [{ to: MULTICALL, data: await aggregated(calls) }]);
    const results = together === null ? null : await disaggregated(calls, together!);
    if (results !== null) return results;
  }
  const requests = await Promise.all(calls.map(async (call) => ({ to: call.to, data: await encoded(call) })));
  const answers = await callAt(provider, block, requests);
  return Promise.all(
    answers.map(async (data, index) => (data === null ? null : decoded(calls[index]!, data))),
  );
}

/** @returns what each returned, in bytes; null for one that reverted */
async function callAt(
  provider: ChainProvider,
  block: Block,
  calls: readonly { to: Hex; data: Hex }[],
): Promise<(Hex | null)[]> {
  const asked = (at: unknown) => calls.map((call) => ({ method: 'eth_call', params: [call, at] }));
  if (provider.readsByHash) {
    const answers = await provider.send(asked({ blockHash: block.hash, requireCanonical: true }));
    if (!answers.some((answer) => !answer.ok && INVALID_PARAMS.includes(answer.code)))
      return answers.map(returned);
    provider.readsByHash = false;
  }
  // By number, and then whether it was of that block.
  const number = toHexNumber(block.number);
  const answers = await provider.send([
    ...asked(number),
    { method: 'eth_getBlockByNumber', params: [number, false] },
  ]);
  if (toBlock(resultOf(answers.pop()!)).hash !== block.hash)
    throw new ProviderFault('other_hash', `another block at height ${block.number}`);
  return answers.map(returned);
}

function returned(answer: RpcAnswer): Hex | null {
  if (!answer.ok && (answer.code === REVERTED || /revert/i.test(answer.message))) return null;
  const result = resultOf(answer);
  if (typeof result !== 'string' || !HEX.test(result))
    throw new ProviderFault('malformed', 'bytes that are none');
  return result as Hex;
}
