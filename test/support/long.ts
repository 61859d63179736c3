import { type Contract, CONTRACTS } from '../../src/config/deployments.js';

/** Whether the run is the long form: `npm run test:long`, or a run of named paths. */
export const LONG = process.env['LONG'] === '1';

/**
 * Contracts that a suite on a shared mechanism runs against: both in the long form, the named one in `npm test`, since the same code serves both.
 * `test/conformance` has the rules that callers see in each.
 */
export const eitherContract = (short: Contract): readonly Contract[] => (LONG ? CONTRACTS : [short]);
