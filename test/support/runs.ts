/** `FUZZ_RUNS` multiplies the cases of generated tests; `FUZZ_SEED` and `FUZZ_PATH` repeat the case that a failure names. */
const { FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;

export const RUNS = Number(FUZZ_RUNS ?? 1);

/** The seed is fixed in short runs, so that two versions of the program are compared on the same cases; a long run has a new seed. */
export const SEED = Number(FUZZ_SEED ?? (FUZZ_RUNS === undefined ? 20_260_131 : Date.now() % 2 ** 31));

/** The path of fast-check: the first case to try for the seed. */
export const PATH = FUZZ_PATH === undefined ? {} : { path: FUZZ_PATH };
