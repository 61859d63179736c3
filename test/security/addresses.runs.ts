/**
 * `FUZZ_RUNS` multiplies the cases of the generated tests. One that failed is repeated with the seed and the path that its message names:
 * `FUZZ_SEED=... FUZZ_PATH=... npm test -- <its file>`.
 */
const { FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;

/** The same in every short run, so that a change is judged by what it changed; another one in every long run. */
const SEED = Number(FUZZ_SEED ?? (FUZZ_RUNS === undefined ? 20_260_131 : Date.now() % 2 ** 31));

const TIMES = Number(FUZZ_RUNS ?? 1);

/** How long a test may take. */
export const PATIENCE_MS = 30_000 * TIMES;

/** What fast-check is told about a property that takes `cases` values in a short run. */
export const runs = (cases: number): { numRuns: number; seed: number; path?: string } => ({
  numRuns: cases * TIMES,
  seed: SEED,
  ...(FUZZ_PATH !== undefined && { path: FUZZ_PATH }),
});
