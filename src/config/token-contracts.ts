import { CHAIN } from './bridge-costs.js';
import { checksummedAddress } from './checksummed-address.js';
import type { Problem } from './config-files.js';
import { Form, Text, Whole } from './field-rules.js';

/** Money has 6 decimals here: of a token with fewer there would be amounts that it cannot move. */
const LEAST_DECIMALS = 6;

/** The contract that an asset is on a chain: transfers that are reported are looked for in what it says. */
export class TokenContract {
  @Text(1, 12) asset: string;
  @Form(CHAIN, 'the name of a chain in lower case, such as ethereum') chain: string;
  @Form(/^0x[0-9a-fA-F]{40}$/, 'the address of a contract, with its checksum (EIP-55)') address: string;
  @Whole(LEAST_DECIMALS, 36) decimals: number;
}

/** What is wrong between contracts that are each well-formed. */
export function tokenProblems(tokens: readonly TokenContract[], assets: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const known = new Map<string, number>();
  for (const [index, { asset, chain, address }] of tokens.entries()) {
    const problem = (key: keyof TokenContract, value: unknown, reason: string): void =>
      void problems.push({ path: ['tokens', String(index), key], value, reason });
    if (!assets.includes(asset)) problem('asset', asset, `assets lists only ${assets.join(', ')}`);
    // A digit that is wrong is noticed by the checksum alone: all of one letter case has none.
    if (checksummedAddress(address) !== address)
      problem('address', address, 'allowed is the address of a contract, with its checksum (EIP-55)');
    const namesake = known.get(`${asset} ${chain}`);
    if (namesake === undefined) known.set(`${asset} ${chain}`, index);
    else problem('chain', chain, `tokens[${namesake}] is ${asset} on it already`);
  }
  return problems;
}
