import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { DURATIONS } from './slowest.reporter.mjs';

/**
 * Files in the order of what they took when it was last recorded, longest first, so that no worker is left alone with a long one at the end. Jest's own order
 * knows durations of earlier runs on the same machine alone, and a clean checkout has none.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const recorded = JSON.parse(readFileSync(DURATIONS, 'utf8'));
    const seconds = ({ path, context }) => recorded[relative(context.config.rootDir, path)] ?? 0;
    return super.sort(tests).toSorted((one, other) => seconds(other) - seconds(one));
  }
}
