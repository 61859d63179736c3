import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { DURATIONS } from './slowest.reporter.mjs';

/**
 * Test files by their recorded duration, longest first, so that no worker is left alone with a long one at the end. Jest's own order uses durations
 * of earlier runs on the same machine, which a clean checkout does not have.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const recorded = JSON.parse(readFileSync(DURATIONS, 'utf8'));
    const seconds = ({ path, context }) => recorded[relative(context.config.rootDir, path)] ?? 0;
    return super.sort(tests).toSorted((one, other) => seconds(other) - seconds(one));
  }
}
