import { keccak_256 } from '@noble/hashes/sha3.js';

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
