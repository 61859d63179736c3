import { type Contract, CONTRACTS } from '../../src/config/environment.js';

/** `npm run test:long` asks everything of both contracts. */
export const LONG = process.env['LONG'] === '1';

/**
 * Contracts that a suite of a shared mechanism runs against: both in the long form. In `npm test` it is the one named, since the same code serves both,
 * and `test/conformance` holds the rules that a caller sees in each of them.
 */
export const eitherContract = (short: Contract): readonly Contract[] => (LONG ? CONTRACTS : [short]);
