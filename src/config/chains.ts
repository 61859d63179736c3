import { keccak_256 } from '@noble/hashes/sha3.js';
import type * as z from 'zod';
import type { Problem } from './config-files.js';
import { areDifferent, form, listed, money, pair, ruled, text, whole } from './setting-kinds.js';

/** Readable chains with their ids (https://chainlist.org); the setting of each is `RPC_URL_` and its name. */
export const CHAIN_IDS = { ethereum: 1, arbitrum: 42161, base: 8453, plasma: 9745 } as const;

export type ReadableChain = keyof typeof CHAIN_IDS;

/** Pages that show a transaction to people, by chain, without the hash at their end. */
export const EXPLORERS: ReadonlyMap<string | null, string> = new Map(
  Object.entries({
    ethereum: 'https://etherscan.io/tx/',
    arbitrum: 'https://arbiscan.io/tx/',
    base: 'https://basescan.org/tx/',
    plasma: 'https://plasmascan.to/tx/',
  } satisfies Record<ReadableChain, string>),
);

export const READABLE_CHAINS = Object.keys(CHAIN_IDS) as ReadableChain[];

export const CHAIN = /^(?=.{2,32}$)[a-z0-9]+(-[a-z0-9]+)*$/;

/** Cost of moving funds between two chains, in either direction; micro-units. */
export const bridgeCost = {
  between: pair(CHAIN, 'a list of two different chains in lower case, such as [ethereum, arbitrum]'),
  cost: money(),
};
export type BridgeCostEntry = z.infer<z.ZodObject<typeof bridgeCost>>;

interface ReportedSettlement {
  asset: string;
  chain: string;
}

/** Problems between bridges and vaults: funds of an asset must be able to move between all of its chains. */
export function bridgeProblems(
  bridges: readonly BridgeCostEntry[],
  vaults: readonly ReportedSettlement[],
): Problem[] {
  const problems: Problem[] = [];
  const known = new Map<string, number>();
  for (const [index, { between }] of bridges.entries()) {
    const namesake = known.get(pairOf(between));
    const path = ['bridgeCosts', String(index), 'between'];
    if (namesake === undefined) known.set(pairOf(between), index);
    else problems.push({ path, value: between, reason: `bridge_costs[${namesake}] is of the same chains` });
  }
  const missing = new Map<string, string>();
  for (const vault of vaults) {
    for (const other of vaults) {
      const pair = pairOf([vault.chain, other.chain]);
      if (vault.asset === other.asset && vault.chain < other.chain && !known.has(pair))
        missing.set(pair, vault.asset);
    }
  }
  for (const [pair, asset] of missing)
    problems.push({
      path: ['bridgeCosts'],
      value: bridges.map(({ between }) => between),
      reason: `it must be a list with a cost between each two chains of an asset's vaults: vaults of ${asset} are on ${pair}`,
    });
  return problems;
}

const pairOf = (chains: readonly string[]): string => chains.toSorted().join(' and ');

/** Amounts have 6 decimals: a token with fewer could not transfer all of them. */
const LEAST_DECIMALS = 6;

/** Token contract of an asset on a chain: reported transfers are looked up in its event logs. */
export const tokenContract = {
  asset: text(1, 12),
  chain: form(CHAIN, 'the name of a chain in lower case, such as ethereum'),
  address: form(/^0x[0-9a-fA-F]{40}$/, 'the address of a contract, with its checksum (EIP-55)'),
  decimals: whole(LEAST_DECIMALS, 36),
};
export type TokenContract = z.infer<z.ZodObject<typeof tokenContract>>;

/** Problems between contracts that are each well-formed. */
export function tokenProblems(tokens: readonly TokenContract[], assets: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const known = new Map<string, number>();
  for (const [index, { asset, chain, address }] of tokens.entries()) {
    const problem = (key: keyof TokenContract, value: unknown, reason: string): void =>
      void problems.push({ path: ['tokens', String(index), key], value, reason });
    if (!assets.includes(asset)) problem('asset', asset, `assets lists only ${assets.join(', ')}`);
    // Only a checksum reveals a wrong digit, and an address in one letter case has none.
    if (checksummedAddress(address) !== address)
      problem('address', address, 'it must be the address of a contract, with its checksum (EIP-55)');
    const namesake = known.get(`${asset} ${chain}`);
    if (namesake === undefined) known.set(`${asset} ${chain}`, index);
    else problem('chain', chain, `tokens[${namesake}] is ${asset} on it already`);
  }
  return problems;
}

const SHAPE = /^0x[0-9a-fA-F]{40}$/;

/**
 * Checksummed (EIP-55) form of a wallet or contract address: 20 bytes in hexadecimal after `0x`. All lower or all upper case has no checksum and is
 * accepted; mixed case must have a valid one, because a wrong checksum means a mistyped address.
 * @returns null for anything else
 */
export function checksummedAddress(address: string): string | null {
  if (!SHAPE.test(address)) return null;
  const digits = address.slice(2);
  const checksummed = `0x${withChecksum(digits.toLowerCase())}`;
  const carriesChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return carriesChecksum && checksummed !== address ? null : checksummed;
}

/** Every account is asked about each token and vault of its chain. */
export const MOST_ACCOUNTS = 20;

/** Accounts that hold funds, by chain, in lower case. */
export type CustodyAccounts = Partial<Record<ReadableChain, readonly `0x${string}`[]>>;

export const inLowerCase = (accounts: readonly string[]): `0x${string}`[] =>
  accounts.map((account) => account.toLowerCase() as `0x${string}`);

/** Whether these are accounts of a chain: at least one, each an address and there once. */
const areAccounts = (accounts: readonly string[]): boolean =>
  accounts.length > 0 &&
  accounts.length <= MOST_ACCOUNTS &&
  accounts.every((account) => checksummedAddress(account) !== null) &&
  areDifferent(inLowerCase(accounts));

/** Accounts of a chain, in lower case. */
export const accountList = () =>
  ruled(
    `up to ${MOST_ACCOUNTS} different addresses, separated by commas, in lower case or with their checksum (EIP-55)`,
    (error) => listed.refine(areAccounts, { error, abort: true }).transform(inLowerCase),
  );

/** EIP-55: a letter is upper case when the corresponding nibble of the keccak-256 of the lower-case digits is 8 or more. */
function withChecksum(digits: string): string {
  const hash = keccak_256(new TextEncoder().encode(digits));
  return [...digits]
    .map((digit, index) => {
      const byte = hash[index >> 1]!;
      const nibble = index % 2 === 0 ? byte >> 4 : byte & 15;
      return nibble >= 8 ? digit.toUpperCase() : digit;
    })
    .join('');
}
