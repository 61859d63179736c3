import { ProviderFault } from './chain-faults.js';
import { type Hex, toHash, toQuantity } from './chain-provider.js';

export interface ChainLog {
  address: Hex;
  /** Event signature and indexed arguments, 32 bytes each, in lower case. */
  topics: readonly Hex[];
  data: Hex;
}

export interface RawReceipt {
  txHash: Hex;
  blockHash: Hex;
  blockNumber: bigint;
  succeeded: boolean;
  logs: readonly ChainLog[];
}

export interface TokenTransfer {
  /** Token contract, sender and recipient; in lower case. */
  token: Hex;
  from: Hex;
  to: Hex;
  /** In the token's smallest unit: micro-units for USDC, USDT and USDT0, which have 6 decimals. */
  amount: bigint;
}

/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const WORD = /^0x[0-9a-f]{64}$/;

/** ERC-20 transfers among logs, in order. ERC-721 transfers, whose third argument is indexed, are skipped. */
export function tokenTransfers(logs: readonly ChainLog[]): TokenTransfer[] {
  return logs.flatMap(({ address, topics, data }) => {
    const [event, from, to, ...more] = topics;
    if (event !== TRANSFER || !from || !to || more.length > 0 || !WORD.test(data)) return [];
    return [{ token: address, from: addressIn(from), to: addressIn(to), amount: BigInt(data) }];
  });
}

const addressIn = (topic: Hex): Hex => `0x${topic.slice(-40)}`;

/** @returns null when the provider has the transaction in no block @throws ProviderFault */
export function toReceipt(value: unknown, txHash: Hex): RawReceipt | null {
  if (value === null) return null;
  const receipt = value as Record<string, unknown>;
  if (typeof value !== 'object' || receipt['transactionHash'] !== txHash || !Array.isArray(receipt['logs']))
    throw new ProviderFault('malformed', 'an invalid receipt');
  if (receipt['blockHash'] === null) return null;
  return {
    txHash,
    blockHash: toHash(receipt['blockHash']),
    blockNumber: toQuantity(receipt['blockNumber']),
    succeeded: toQuantity(receipt['status']) === 1n,
    logs: receipt['logs'].map(toLog),
  };
}

function toLog(value: unknown): ChainLog {
  const { address, topics, data } = (value ?? {}) as Record<string, unknown>;
  if (!Array.isArray(topics)) throw new ProviderFault('malformed', 'an invalid log');
  return { address: lower(address), topics: topics.map(lower), data: lower(data) };
}

function lower(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value))
    throw new ProviderFault('malformed', 'an invalid log');
  return value.toLowerCase() as Hex;
}

/** Digest for comparison: receipts with the same content have the same one. */
export const digestOf = ({ blockHash, succeeded, logs }: RawReceipt): string =>
  JSON.stringify([blockHash, succeeded, logs.map(({ address, topics, data }) => [address, topics, data])]);
