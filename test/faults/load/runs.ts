/** `FAULT_RUNS` is the number of seeds of a run, `FAULT_SEED` the first; with `FAULT_RUNS=1` they repeat one failed run. */
const { FAULT_RUNS, FAULT_SEED } = process.env;

export const SEED = Number(FAULT_SEED ?? 1);

/** @param short the number of seeds in a short run */
export const runs = (short = 1): number => Number(FAULT_RUNS ?? short);

/** The seeds of a run, for `it.each`. */
export const seeds = (short = 1): [number][] =>
  Array.from({ length: runs(short) }, (_, run): [number] => [SEED + run]);
