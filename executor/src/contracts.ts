import {
  type Abi,
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseEventLogs,
  type Log,
} from 'viem';
import type { Allowlist, LimitKind, Vault } from './allowlist.js';
import { NotAllowed } from './problem.js';
import type { ChainName } from './settings.js';

/** `redeem`: from a vault. `approve`: lets a vault take the tokens. `deposit`: into a vault. `transfer`: to a wallet. */
export type Step = 'redeem' | 'approve' | 'deposit' | 'transfer';

/** What is to be done. Whom it concerns is looked up in the allowlist; a server's calldata plays no part. */
export interface Intent {
  step: Step;
  chain: ChainName;
  asset: string;
  /** In units of the token. */
  units: bigint;
  /** Of all but transfers. */
  vaultId: string | null;
  /** Of transfers. */
  wallet: Address | null;
}

export interface Call {
  to: Address;
  data: Hex;
}

type Args = (token: Address, units: bigint, account: Address) => readonly unknown[];
interface Kind {
  abi: Abi;
  redeem: [functionName: string, Args];
  deposit: [functionName: string, Args];
  /** The event, and which of its arguments is the account. */
  events: Record<'redeem' | 'deposit', [eventName: string, account: string]>;
}

/** How a kind of vault is called, and where its events name the account whose funds they move, and the amount. */
const KINDS: Record<Vault['kind'], Kind> = {
  erc4626: {
    abi: parseAbi([
      'function withdraw(uint256 assets, address receiver, address owner) returns (uint256)',
      'function deposit(uint256 assets, address receiver) returns (uint256)',
      'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 amount, uint256 shares)',
      'event Deposit(address indexed sender, address indexed owner, uint256 amount, uint256 shares)',
    ]),
    redeem: ['withdraw', (_, units, account) => [units, account, account]],
    deposit: ['deposit', (_, units, account) => [units, account]],
    events: { redeem: ['Withdraw', 'owner'], deposit: ['Deposit', 'owner'] },
  },
  'aave-v3': {
    abi: parseAbi([
      'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
      'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
      'event Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)',
      'event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)',
    ]),
    redeem: ['withdraw', (token, units, account) => [token, units, account]],
    deposit: ['supply', (token, units, account) => [token, units, account, 0]],
    events: { redeem: ['Withdraw', 'user'], deposit: ['Supply', 'onBehalfOf'] },
  },
  'compound-v3': {
    abi: parseAbi([
      'function withdraw(address asset, uint256 amount)',
      'function supply(address asset, uint256 amount)',
      'event Withdraw(address indexed src, address indexed to, uint256 amount)',
      'event Supply(address indexed from, address indexed dst, uint256 amount)',
    ]),
    redeem: ['withdraw', (token, units) => [token, units]],
    deposit: ['supply', (token, units) => [token, units]],
    events: { redeem: ['Withdraw', 'src'], deposit: ['Supply', 'dst'] },
  },
};

/** Which limits count a step; null: an approval moves nothing. */
export const limitOf = (step: Step): LimitKind | null =>
  step === 'approve' ? null : step === 'transfer' ? 'payout' : 'vault';

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** @throws NotAllowed for a vault or token that is not listed */
export function callOf(allowlist: Allowlist, { step, chain, asset, units, vaultId, wallet }: Intent): Call {
  const { account } = allowlist;
  const { address: token } = allowlist.token(chain, asset);
  if (step === 'transfer') {
    if (wallet === null || vaultId !== null) throw new NotAllowed('a transfer goes to a wallet');
    return {
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [wallet, units] }),
    };
  }
  const vault = listedVault(allowlist, chain, asset, vaultId);
  if (step === 'approve') {
    const args = [vault.spender, units] as const;
    return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) };
  }
  const {
    abi,
    [step]: [functionName, argsOf],
  } = KINDS[vault.kind];
  const args = argsOf(token, units, account);
  return { to: vault.address, data: encodeFunctionData({ abi: abi, functionName, args }) };
}

function listedVault(allowlist: Allowlist, chain: ChainName, asset: string, id: string | null): Vault {
  const vault = id === null ? undefined : allowlist.vault(id);
  if (!vault || vault.chain !== chain || vault.asset !== asset)
    throw new NotAllowed(`${id} is no vault of ${asset} on ${chain} in the allowlist`);
  return vault;
}

/** A log of a receipt. */
export type ReceiptLog = Pick<Log, 'address' | 'topics' | 'data'>;

export interface TokenTransfer {
  from: Address;
  to: Address;
  value: bigint;
}

export const transfersIn = (logs: readonly ReceiptLog[], token: Address): TokenTransfer[] =>
  parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: ofContract(logs, token) }).map(
    ({ args }) => args,
  );

/**
 * What a transaction did, by the events of its receipt: of a redemption what the account received, and at most what the vault says that it paid out; of
 * a deposit what the vault took in for the account; of a transfer what the wallet received.
 * @returns 0n where the events say nothing of it
 */
export function amountOf(
  allowlist: Allowlist,
  { step, chain, asset, units, vaultId, wallet }: Intent,
  logs: readonly ReceiptLog[],
): bigint {
  if (step === 'approve') return units;
  const { account } = allowlist;
  const { address: token } = allowlist.token(chain, asset);
  const transfers = transfersIn(logs, token);
  if (step === 'transfer') return netOf(transfers, wallet!);
  const vault = listedVault(allowlist, chain, asset, vaultId);
  const { abi, events } = KINDS[vault.kind];
  const [eventName, owner] = events[step];
  const found = parseEventLogs({ abi: abi, eventName, logs: ofContract(logs, vault.address) });
  const entries = found.map(({ args }) => args as unknown as Record<string, Address> & { amount: bigint });
  const entered = entries
    .filter((entry) => isSame(entry[owner]!, account) && isSame(entry['reserve'] ?? token, token))
    .reduce((sum, entry) => sum + entry.amount, 0n);
  if (step === 'deposit') return entered;
  const received = netOf(transfers, account);
  return received < entered ? received : entered;
}

/** What a holder received, less what it sent. */
export function netOf(transfers: readonly TokenTransfer[], holder: Address): bigint {
  return transfers.reduce((sum, { from, to, value }) => {
    const received = isSame(to, holder) ? value : 0n;
    return sum + received - (isSame(from, holder) ? value : 0n);
  }, 0n);
}

const ofContract = (logs: readonly ReceiptLog[], contract: Address): Log[] =>
  logs.filter(({ address }) => isSame(address, contract)) as Log[];
