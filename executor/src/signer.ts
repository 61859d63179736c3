import { readFileSync } from 'node:fs';
import {
  type Address,
  createClient,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializedEIP1559,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { isSame } from './contracts.js';
import { decryptKeystore } from './keystore.js';
import { ConfigError } from './problem.js';
import type { Settings } from './settings.js';

/** A transaction of the type 2 (EIP-1559), of no native tokens. */
export interface TransactionFields {
  chainId: number;
  nonce: number;
  to: Address;
  data: Hex;
  gas: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** Signs; or, with `send`, signs and sends at once, so that nobody knows the hash before. */
export type Signer =
  | { account: Address | null; sign: (transaction: TransactionFields) => Promise<{ raw: Hex; hash: Hex }> }
  | { account: null; send: (from: Address, transaction: TransactionFields) => Promise<Hex> };

/** @throws ConfigError for a key that cannot be read, or is of another account */
export function signerOf(settings: Settings, account: Address): Signer {
  if (settings.SIGNER_URL !== undefined)
    return remoteSigner(settings.SIGNER_URL, settings.SIGNER_METHOD, account);
  const local = privateKeyToAccount(
    (settings.INSECURE_RAW_KEY_FOR_TESTS as Hex | undefined) ?? keyOf(settings),
  );
  if (!isSame(local.address, account))
    throw new ConfigError([`The key is of the account ${local.address}, and the allowlist says ${account}.`]);
  return {
    account: local.address,
    sign: async (transaction) => {
      const raw = await local.signTransaction({ type: 'eip1559', ...transaction });
      return { raw, hash: keccak256(raw) };
    },
  };
}

function keyOf({ KEYSTORE: path = '', KEYSTORE_PASSWORD: password = '' }: Settings): Hex {
  try {
    return decryptKeystore(readFileSync(path, 'utf8'), password);
  } catch (error) {
    throw new ConfigError([`KEYSTORE is ${path}: ${(error as Error).message}.`]);
  }
}

function remoteSigner(url: string, method: Settings['SIGNER_METHOD'], account: Address): Signer {
  const { request } = createClient({ transport: http(url, { retryCount: 0, timeout: 60_000 }) });
  const call = (
    from: Address,
    { chainId, nonce, to, data, gas, ...fees }: TransactionFields,
  ): Promise<unknown> =>
    (request as (args: { method: string; params: unknown[] }) => Promise<unknown>)({
      method,
      params: [
        {
          ...{ from, to, data, value: '0x0', type: '0x2' },
          ...{ chainId: numberToHex(chainId), nonce: numberToHex(nonce), gas: numberToHex(gas) },
          maxFeePerGas: numberToHex(fees.maxFeePerGas),
          maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
        },
      ],
    });
  if (method === 'eth_sendTransaction')
    return { account: null, send: async (from, unsigned) => (await call(from, unsigned)) as Hex };
  return {
    account: null,
    sign: async (unsigned) => {
      const answer = (await call(account, unsigned)) as Hex | { raw: Hex };
      const raw = typeof answer === 'string' ? answer : answer.raw;
      await requireSigned(raw, unsigned, account);
      return { raw, hash: keccak256(raw) };
    },
  };
}

/** A signer that was taken over must not have another transaction sent by us. */
async function requireSigned(raw: Hex, asked: TransactionFields, account: Address): Promise<void> {
  const { to, data, value = 0n, ...signed } = parseTransaction(raw as TransactionSerializedEIP1559);
  const sender = await recoverTransactionAddress({
    serializedTransaction: raw as TransactionSerializedEIP1559,
  });
  const isAsked =
    isSame(to ?? '', asked.to) &&
    isSame(data ?? '0x', asked.data) &&
    value === 0n &&
    isSame(sender, account) &&
    (['chainId', 'gas', 'maxFeePerGas'] as const).every(
      (name) => BigInt(signed[name] ?? 0) === BigInt(asked[name]),
    ) &&
    (signed.nonce ?? 0) === asked.nonce &&
    (signed.maxPriorityFeePerGas ?? 0n) === asked.maxPriorityFeePerGas;
  if (!isAsked) throw new Error('the signer signed another transaction than was asked of it');
}
