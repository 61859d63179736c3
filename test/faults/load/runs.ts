/** `FAULT_RUNS` makes a run longer; `FAULT_SEED` is its first seed, and with `FAULT_RUNS=1` the only one: so one that failed is repeated. */
const { FAULT_RUNS, FAULT_SEED } = process.env;

export const SEED = Number(FAULT_SEED ?? 1);

/** @param short how many there are in a short run */
export const runs = (short = 1): number => Number(FAULT_RUNS ?? short);

/** The seeds of a run, for `it.each`. */
export const seeds = (short = 1): [number][] =>
  Array.from({ length: runs(short) }, (_, run): [number] => [SEED + run]);
