import {
  type Abi,
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  isAddressEqual,
  type Log,
  parseAbi,
  parseEventLogs,
  type PublicClient,
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
  vault_id: string | null;
  /** Of transfers. */
  wallet: Address | null;
}

export interface Call {
  to: Address;
  data: Hex;
}

/** A log of a receipt. */
export type ReceiptLog = Pick<Log, 'address' | 'topics' | 'data'>;

type Args = (token: Address, units: bigint, account: Address) => readonly unknown[];
interface Kind {
  abi: Abi;
  redeem: [functionName: string, Args];
  deposit: [functionName: string, Args];
  /** The event, and which of its arguments is the account whose funds it moves. */
  events: Record<'redeem' | 'deposit', [eventName: string, account: string]>;
  /** What the vault would pay to an account. */
  available: (client: PublicClient, vault: Address, token: Address, account: Address) => Promise<bigint>;
}

export const balanceOf = (client: PublicClient, token: Address, holder: Address): Promise<bigint> =>
  client.readContract({ abi: erc20Abi, address: token, functionName: 'balanceOf', args: [holder] });

const MAX_WITHDRAW = parseAbi(['function maxWithdraw(address owner) view returns (uint256)']);
/** The first words of what it returns: configuration, five rates and indexes, time, id, aToken. */
const RESERVE = parseAbi([
  'function getReserveData(address) view returns (uint256, uint256, uint256, uint256, uint256, uint256, uint256, uint256, address)',
]);

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
    available: (client, address, _, owner) =>
      client.readContract({ abi: MAX_WITHDRAW, address, functionName: 'maxWithdraw', args: [owner] }),
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
    available: async (client, address, token, account) => {
      const call = { abi: RESERVE, address, functionName: 'getReserveData', args: [token] } as const;
      const aToken = (await client.readContract(call))[8];
      return balanceOf(client, aToken, account);
    },
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
    available: (client, market, _, account) => balanceOf(client, market, account),
  },
};

/** Which limits count a step; null: an approval moves nothing. */
export const limitOf = (step: Step): LimitKind | null =>
  step === 'approve' ? null : step === 'transfer' ? 'payout' : 'vault';

/** @throws NotAllowed for a vault or token that is not listed */
export function callOf(allowlist: Allowlist, { step, chain, asset, units, vault_id, wallet }: Intent): Call {
  const { address: token } = allowlist.token(chain, asset);
  if (step === 'transfer') {
    if (wallet === null || vault_id !== null) throw new NotAllowed('a transfer goes to a wallet');
    const args = [wallet, units] as const;
    return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }) };
  }
  const { address, spender, kind } = allowlist.vaultOf(chain, asset, vault_id);
  if (step === 'approve') {
    const args = [spender, units] as const;
    return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) };
  }
  const { abi, [step]: call } = KINDS[kind];
  const [functionName, argsOf] = call;
  const args = argsOf(token, units, allowlist.account);
  return { to: address, data: encodeFunctionData({ abi, functionName, args }) };
}

/** What a vault would pay to the account now. */
export const availableIn = (
  client: PublicClient,
  { kind, address }: Vault,
  token: Address,
  account: Address,
) => KINDS[kind].available(client, address, token, account);

/**
 * What a transaction did, by the events of its receipt: of a redemption what the account received, and at most what the vault says that it paid out; of
 * a deposit what the vault took in for the account; of a transfer what the wallet received.
 * @returns 0n where the events say nothing of it
 */
export function amountOf(
  allowlist: Allowlist,
  { step, chain, asset, units, vault_id, wallet }: Intent,
  logs: readonly ReceiptLog[],
): bigint {
  if (step === 'approve') return units;
  const { account } = allowlist;
  const { address: token } = allowlist.token(chain, asset);
  if (step === 'transfer') return receivedBy(wallet!, token, logs);
  const { kind, address } = allowlist.vaultOf(chain, asset, vault_id);
  const [eventName, owner] = KINDS[kind].events[step];
  const events = parseEventLogs({ abi: KINDS[kind].abi, eventName, logs: ofContract(logs, address) });
  const entered = events
    .map(({ args }) => args as unknown as Record<string, Address> & { amount: bigint })
    .filter((args) => isAddressEqual(args[owner]!, account))
    .filter((args) => isAddressEqual(args['reserve'] ?? token, token))
    .reduce((sum, { amount }) => sum + amount, 0n);
  if (step === 'deposit') return entered;
  const received = receivedBy(account, token, logs);
  return received < entered ? received : entered;
}

/** What a holder received of a token, less what it sent. */
function receivedBy(holder: Address, token: Address, logs: readonly ReceiptLog[]): bigint {
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: ofContract(logs, token) });
  return transfers.reduce((sum, { args: { from, to, value } }) => {
    const received = isAddressEqual(to, holder) ? value : 0n;
    return sum + received - (isAddressEqual(from, holder) ? value : 0n);
  }, 0n);
}

const ofContract = (logs: readonly ReceiptLog[], contract: Address): Log[] =>
  logs.filter(({ address }) => isAddressEqual(address, contract)) as Log[];
