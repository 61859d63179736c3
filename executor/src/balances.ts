import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Address, type Hex, parseAbi } from 'viem';
import type { Allowlist, Vault } from './allowlist.js';
import type { Intent } from './contracts.js';
import { NotNow } from './problem.js';
import type { Providers } from './providers.js';
import type { Sender } from './sender.js';

const ERC4626 = parseAbi(['function maxWithdraw(address owner) view returns (uint256)']);
const AAVE = parseAbi(['function getReserveData(address asset) view']);
/** Place of the aToken among the words that `getReserveData` of Aave v3 returns. */
const ATOKEN = 8;

export async function balanceOf(providers: Providers, token: Address, holder: Address): Promise<bigint> {
  return (
    (await number(
      providers,
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
    )) ?? 0n
  );
}

export async function allowanceOf(
  providers: Providers,
  token: Address,
  owner: Address,
  spender: Address,
): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] });
  const allowance = await number(providers, token, data);
  if (allowance === null) throw new NotNow(`the token ${token} has no allowances`);
  return allowance;
}

export const decimalsOf = (providers: Providers, token: Address): Promise<bigint | null> =>
  number(providers, token, encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }));

/** What a vault would pay to the account; null: it does not say. */
async function availableIn(
  providers: Providers,
  { kind, address }: Vault,
  token: Address,
  account: Address,
): Promise<bigint | null> {
  if (kind === 'erc4626')
    return number(
      providers,
      address,
      encodeFunctionData({ abi: ERC4626, functionName: 'maxWithdraw', args: [account] }),
    );
  if (kind === 'compound-v3')
    return number(
      providers,
      address,
      encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
    );
  const data = encodeFunctionData({ abi: AAVE, functionName: 'getReserveData', args: [token] });
  const reserve = await providers.read({ to: address, data });
  const word = reserve?.slice(2 + 64 * ATOKEN, 2 + 64 * (ATOKEN + 1)) ?? '';
  if (word.length < 64) return null;
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] });
  return number(providers, `0x${word.slice(24)}`, balance);
}

/**
 * A redemption as it is possible now. The books may expect a little more than the vault has: then it is all that the vault has.
 * @throws NotAllowed, NotNow
 */
export async function redemption(
  allowlist: Allowlist,
  sender: Sender,
  intent: Intent,
  now: number,
): Promise<Intent> {
  try {
    await sender.tryOut(intent, now);
    return intent;
  } catch (error) {
    if (!(error instanceof NotNow)) throw error;
    const token = allowlist.token(intent.chain, intent.asset).address;
    const available = await availableIn(
      sender.providers,
      allowlist.vault(intent.vaultId!)!,
      token,
      allowlist.account,
    );
    if (available === null || available >= intent.units || available < allowlist.leastOf(intent.units))
      throw error;
    const reduced = { ...intent, units: available };
    await sender.tryOut(reduced, now);
    return reduced;
  }
}

async function number(providers: Providers, to: Address, data: Hex): Promise<bigint | null> {
  const returned = await providers.read({ to, data });
  if (returned === null || returned.length < 66) return null;
  return decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: returned });
}
