import { describe, it } from '@jest/globals';
import { type Contract, CONTRACTS } from '../../src/config/environment.js';

/** Whether the run is the long form: `npm run test:long`, or paths were named. */
export const LONG = process.env['LONG'] === '1';

/** Tests of the long form alone, in a suite whose other tests run each time. */
export const longIt = LONG ? it : it.skip;
export const longDescribe = LONG ? describe : describe.skip;

/**
 * Contracts that a suite of a shared mechanism runs against: both in the long form. In `npm test` it is the one named, since the same code serves both,
 * and `test/conformance` holds the rules that a caller sees in each of them.
 */
export const eitherContract = (short: Contract): readonly Contract[] => (LONG ? CONTRACTS : [short]);
