import type { DomainSettings } from '../../../config/domain-settings.js';
import type { ChainSource, Vault } from '../../../config/vault-catalogue.js';
import { type ContractCall, encoded } from '../../markets/chain/contract-call.js';
import type { Hex } from '../../markets/chain/chain-provider.js';
import type { MoveOrder } from '../allocation/move-order.js';
import { tokenOf } from '../settlements/settlement.js';

/** Contract call that executes a step of an order. */
export interface OrderCall {
  step: 'withdraw' | 'approve' | 'deposit';
  chain: string;
  to: Hex;
  data: Hex;
  /** Amount in the smallest units of the token. */
  units: string;
}

interface Asked {
  token: Hex;
  amount: bigint;
  /** Account whose funds are moved, with its checksum, which the encoding asks for. */
  account: Hex;
}

interface Standard {
  withdraw: (vault: Hex, asked: Asked) => ContractCall;
  deposit: (vault: Hex, asked: Asked) => ContractCall;
}

const STANDARDS: Record<ChainSource['standard'], Standard> = {
  erc4626: {
    withdraw: (to, { amount, account }) => ({
      to,
      signature: 'function withdraw(uint256 assets, address receiver, address owner) returns (uint256)',
      args: [amount, account, account],
    }),
    deposit: (to, { amount, account }) => ({
      to,
      signature: 'function deposit(uint256 assets, address receiver) returns (uint256)',
      args: [amount, account],
    }),
  },
  'aave-v3': {
    withdraw: (to, { token, amount, account }) => ({
      to,
      signature: 'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
      args: [token, amount, account],
    }),
    deposit: (to, { token, amount, account }) => ({
      to,
      signature: 'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
      args: [token, amount, account, 0],
    }),
  },
  'compound-v3': {
    withdraw: (to, { token, amount }) => ({
      to,
      signature: 'function withdraw(address asset, uint256 amount)',
      args: [token, amount],
    }),
    deposit: (to, { token, amount }) => ({
      to,
      signature: 'function supply(address asset, uint256 amount)',
      args: [token, amount],
    }),
  },
};

/** Smallest units of a token per micro-unit: amounts of the books have six decimals. */
const BOOKED_DECIMALS = 6;

/** Calls that the account still has to send for an order, in order; none of a vault whose contract is unknown, or that pays out by a queue. */
export async function callsOf(
  order: MoveOrder,
  account: Hex,
  settings: DomainSettings,
): Promise<OrderCall[]> {
  if (order.endedAt !== null) return [];
  const leaves = settings.vaults.find(({ id }) => id === order.fromVaultId);
  const enters = settings.vaults.find(({ id }) => id === order.toVaultId);
  const calls: Promise<OrderCall>[] = [];
  const source = order.status === 'arriving' ? null : contractOf(leaves, settings);
  const target = contractOf(enters, settings);
  const send = (step: OrderCall['step'], contract: Contract, call: (asked: Asked) => ContractCall): void => {
    const { chain, token, decimals } = contract;
    const amount = order.amount * 10n ** BigInt(decimals - BOOKED_DECIMALS);
    const { to, ...of } = call({ token, amount, account });
    calls.push(encoded(of).then((data) => ({ step, chain, to, data, units: amount.toString() })));
  };
  if (source) send('withdraw', source, (asked) => source.standard.withdraw(source.address, asked));
  if (target) {
    send('approve', target, ({ token, amount }) => ({
      to: token,
      signature: 'function approve(address spender, uint256 amount) returns (bool)',
      args: [target.address, amount],
    }));
    send('deposit', target, (asked) => target.standard.deposit(target.address, asked));
  }
  return Promise.all(calls);
}

interface Contract {
  chain: string;
  address: Hex;
  standard: Standard;
  token: Hex;
  decimals: number;
}

function contractOf(vault: Vault | undefined, settings: DomainSettings): Contract | null {
  if (!vault?.onChain || vault.chain === null || vault.exitDelayHours > 0) return null;
  const token = tokenOf(settings, vault.asset, vault.chain);
  if (token === null) return null;
  const { address, standard } = vault.onChain;
  return {
    chain: vault.chain,
    address,
    standard: STANDARDS[standard],
    token: token.address as Hex,
    decimals: token.decimals,
  };
}
