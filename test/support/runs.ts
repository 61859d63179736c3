/** `FUZZ_RUNS` multiplies the cases of generated tests; `FUZZ_SEED` and `FUZZ_PATH` repeat the one that a failure names. */
const { FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;

export const RUNS = Number(FUZZ_RUNS ?? 1);

/** The same in every short run, so that a change is judged by what it changed; another one in every long run. */
export const SEED = Number(FUZZ_SEED ?? (FUZZ_RUNS === undefined ? 20_260_131 : Date.now() % 2 ** 31));

/** For fast-check: where in a seed's values to begin. */
export const PATH = FUZZ_PATH === undefined ? {} : { path: FUZZ_PATH };
