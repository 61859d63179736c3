import type * as z from 'zod';
import { CHAIN } from './bridge-costs.js';
import { checksummedAddress } from './checksummed-address.js';
import type { Problem } from './config-files.js';
import { form, text, whole } from './setting-kinds.js';

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
      problem('address', address, 'allowed is the address of a contract, with its checksum (EIP-55)');
    const namesake = known.get(`${asset} ${chain}`);
    if (namesake === undefined) known.set(`${asset} ${chain}`, index);
    else problem('chain', chain, `tokens[${namesake}] is ${asset} on it already`);
  }
  return problems;
}
