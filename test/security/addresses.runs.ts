import { PATH, RUNS, SEED } from '../support/runs.js';

/** The timeout of a test. */
export const PATIENCE_MS = 30_000 * RUNS;

/** Parameters of fast-check for a property that tries `cases` values in a short run. */
export const runs = (cases: number): { numRuns: number; seed: number; path?: string } => ({
  numRuns: cases * RUNS,
  seed: SEED,
  ...PATH,
});
