import { readFileSync } from 'node:fs';
import {
  type Address,
  createClient,
  formatTransactionRequest,
  type Hex,
  http,
  isAddressEqual,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializableEIP1559 as Unsigned,
  type TransactionSerializedEIP1559,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { decryptKeystore } from './keystore.js';
import { ConfigError } from './problem.js';
import type { Settings } from './settings.js';

/** Signs; or, with `send`, signs and sends at once, so that nobody knows the hash before. */
export type Signer =
  { sign: (transaction: Unsigned) => Promise<Hex> } | { send: (transaction: Unsigned) => Promise<Hex> };

/** @throws ConfigError for a key that cannot be read, or is of another account */
export function signerOf(settings: Settings, account: Address): Signer {
  if (settings.SIGNER_URL !== undefined)
    return remoteSigner(settings.SIGNER_URL, settings.SIGNER_METHOD, account);
  const key = (settings.INSECURE_RAW_KEY_FOR_TESTS as Hex | undefined) ?? keyOf(settings);
  const local = privateKeyToAccount(key);
  if (!isAddressEqual(local.address, account))
    throw new ConfigError([`The key is of the account ${local.address}, and the allowlist says ${account}.`]);
  return { sign: (transaction) => local.signTransaction(transaction) };
}

function keyOf({ KEYSTORE: path = '', KEYSTORE_PASSWORD: password = '' }: Settings): Hex {
  try {
    return decryptKeystore(readFileSync(path, 'utf8'), password);
  } catch (error) {
    throw new ConfigError([`KEYSTORE is ${path}: ${(error as Error).message}.`]);
  }
}

function remoteSigner(url: string, method: Settings['SIGNER_METHOD'], account: Address): Signer {
  const client = createClient({ transport: http(url, { retryCount: 0, timeout: 60_000 }) });
  const request = client.request as (question: { method: string; params: unknown[] }) => Promise<unknown>;
  const ask = async (unsigned: Unsigned): Promise<Hex | { raw: Hex }> => {
    const { chainId, ...rest } = unsigned;
    const fields = formatTransactionRequest({ ...rest, from: account, value: 0n });
    return (await request({ method, params: [{ ...fields, chainId: numberToHex(chainId) }] })) as Hex;
  };
  if (method === 'eth_sendTransaction') return { send: async (unsigned) => (await ask(unsigned)) as Hex };
  return {
    sign: async (unsigned) => {
      const answer = await ask(unsigned);
      const raw = typeof answer === 'string' ? answer : answer.raw;
      await requireSigned(raw as TransactionSerializedEIP1559, unsigned, account);
      return raw;
    },
  };
}

/** A signer that was taken over must not have another transaction sent by us. */
async function requireSigned(
  raw: TransactionSerializedEIP1559,
  asked: Unsigned,
  account: Address,
): Promise<void> {
  const signed = { ...parseTransaction(raw), r: undefined, s: undefined, v: undefined, yParity: undefined };
  const sender = await recoverTransactionAddress({ serializedTransaction: raw });
  const isAsked = keccak256(serializeTransaction(signed)) === keccak256(serializeTransaction(asked));
  if (!isAsked || !isAddressEqual(sender, account))
    throw new Error('the signer signed another transaction than was asked of it');
}
