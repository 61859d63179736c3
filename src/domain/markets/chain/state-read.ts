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

/** Calls in one Multicall: providers limit the gas of a call to some tens of millions. */
const CALLS_TOGETHER = 50;
/** Error codes of providers that cannot read by block hash. */
const INVALID_PARAMS = [-32602, -32600];
/** Code of a reverted call: EIP-1474 defines none, most clients use 3. */
const REVERTED = 3;
const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;

/**
 * Contract state at one block from one provider: by Multicall3 where the chain has it, otherwise by a batch.
 * @returns decoded result of each call; null for a failed call or a missing contract
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

/** @returns raw result of each call; null for a reverted one */
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
  // Read by number; afterwards the block at that height is compared.
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
  if (typeof result !== 'string' || !HEX.test(result)) throw new ProviderFault('malformed', 'invalid bytes');
  return result as Hex;
}
