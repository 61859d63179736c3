import type { DomainSettings } from '../../../config/domain-settings.js';
import type { ChainSource } from '../../../config/vault-catalogue.js';
import { tokenUnits } from '../../kernel/money.js';
import { encode } from '../../markets/chain/contract-call.js';
import type { Hex } from '../../markets/chain/chain-provider.js';
import type { MoveOrder } from '../allocation/move-order.js';
import { tokenOf } from '../settlements/settlement.service.js';

/** Contract call that executes a step of an order. */
export interface OrderCall {
  step: 'withdraw' | 'approve' | 'deposit';
  chain: string;
  to: Hex;
  data: Hex;
  /** Amount in the smallest units of the token. */
  units: string;
}

interface CallInputs {
  token: Hex;
  amount: bigint;
  /** Account whose funds are moved, with the checksum that the encoding requires. */
  account: Hex;
}

/** A function of a smart contract, and its arguments. */
type Call = [signature: string, args: (inputs: CallInputs) => readonly unknown[]];

/** Calls of the vaults whose contracts are known. */
export const STANDARDS: Record<ChainSource['standard'], Record<'withdraw' | 'deposit', Call>> = {
  erc4626: {
    withdraw: [
      'function withdraw(uint256 assets, address receiver, address owner) returns (uint256)',
      ({ amount, account }) => [amount, account, account],
    ],
    deposit: [
      'function deposit(uint256 assets, address receiver) returns (uint256)',
      ({ amount, account }) => [amount, account],
    ],
  },
  'aave-v3': {
    withdraw: [
      'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
      ({ token, amount, account }) => [token, amount, account],
    ],
    deposit: [
      'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
      ({ token, amount, account }) => [token, amount, account, 0],
    ],
  },
  'compound-v3': {
    withdraw: ['function withdraw(address asset, uint256 amount)', ({ token, amount }) => [token, amount]],
    deposit: ['function supply(address asset, uint256 amount)', ({ token, amount }) => [token, amount]],
  },
};

/** Calls that the account still has to send for an order, in order; none for a vault whose contract is unknown, or that pays out by a queue. */
export async function callsOf(
  order: MoveOrder,
  account: Hex,
  settings: DomainSettings,
): Promise<OrderCall[]> {
  if (order.endedAt !== null) return [];
  const [source, target] = [order.fromVaultId, order.toVaultId].map((id) => contractOf(id, settings));
  const calls: Promise<OrderCall>[] = [];
  const send = (step: OrderCall['step'], contract: Contract, to: Hex, [signature, args]: Call): void => {
    const { chain, token, decimals } = contract;
    const amount = tokenUnits(order.amount, decimals);
    const call = { signature, args: args({ token, amount, account }) };
    calls.push(encode(call).then((data) => ({ step, chain, to, data, units: amount.toString() })));
  };
  if (source && order.status !== 'arriving')
    send('withdraw', source, source.address, STANDARDS[source.standard].withdraw);
  if (target) {
    const { address, standard, token } = target;
    const approve = 'function approve(address spender, uint256 amount) returns (bool)';
    send('approve', target, token, [approve, ({ amount }) => [address, amount]]);
    send('deposit', target, address, STANDARDS[standard].deposit);
  }
  return Promise.all(calls);
}

type Contract = NonNullable<ReturnType<typeof contractOf>>;

/** Contract of a vault; null: unknown, or it pays out through a queue. */
export function contractOf(vaultId: string, { vaults, tokens }: DomainSettings) {
  const vault = vaults.find(({ id }) => id === vaultId);
  if (!vault?.onChain || vault.chain === null || vault.exitDelayHours > 0) return null;
  const { asset, chain, onChain } = vault;
  const token = tokenOf({ tokens }, asset, chain);
  return token && { ...onChain, chain, token: token.address as Hex, decimals: token.decimals };
}
