import { encodeFunctionData, parseAbi } from 'viem/utils';
import type { Hex } from '../../../src/domain/markets/chain/chain-provider.js';
import { A, B, type C } from '../moves.js';
import type { Sent } from './moved-funds.js';

const ABI = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function deposit(uint256 assets, address receiver) returns (uint256)',
  'function withdraw(uint256 assets, address receiver, address owner) returns (uint256)',
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function supply(address asset, uint256 amount)',
  'function withdraw(address asset, uint256 amount, address to) returns (uint256)',
  'function withdraw(address asset, uint256 amount)',
]);

const call = (functionName: any, args: any): Hex => encodeFunctionData({ abi: ABI, functionName, args });

/** Calls of a custody account whose funds are in an ERC-4626 vault, a market of Aave's and one of Compound's. */
export class CustodyCalls {
  constructor(
    private readonly account: Hex,
    private readonly token: Hex,
    private readonly contracts: Record<typeof A | typeof B | typeof C, Hex>,
  ) {}

  transfer(to: Hex, amount: bigint): Sent {
    return { to: this.token, data: call('transfer', [to, amount]) };
  }

  /** What moves cash of the account into a vault. */
  enter(vaultId: string, amount: bigint): Sent[] {
    const { account, token } = this;
    const to = this.contracts[vaultId as typeof A];
    const data =
      vaultId === A
        ? call('deposit', [amount, account])
        : call('supply', vaultId === B ? [token, amount, account, 0] : [token, amount]);
    return [
      { to: token, data: call('approve', [to, amount]) },
      { to, data },
    ];
  }

  /** What takes funds of the account out of a vault. @param receiver default: the account; Compound's market pays no other */
  leave(vaultId: string, amount: bigint, receiver: Hex = this.account): Sent {
    const { account, token } = this;
    const to = this.contracts[vaultId as typeof A];
    const args =
      vaultId === A
        ? [amount, receiver, account]
        : vaultId === B
          ? [token, amount, receiver]
          : [token, amount];
    return { to, data: call('withdraw', args) };
  }
}
