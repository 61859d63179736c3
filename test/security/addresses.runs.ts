import { PATH, RUNS, SEED } from '../support/runs.js';

/** How long a test may take. */
export const PATIENCE_MS = 30_000 * RUNS;

/** What fast-check is told about a property that takes `cases` values in a short run. */
export const runs = (cases: number): { numRuns: number; seed: number; path?: string } => ({
  numRuns: cases * RUNS,
  seed: SEED,
  ...PATH,
});
