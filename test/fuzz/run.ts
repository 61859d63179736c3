import fc from 'fast-check';
import { PATH, RUNS, SEED } from '../support/runs.js';

export { RUNS, SEED } from '../support/runs.js';

/** An `operationId`: nothing else is repeated. */
const { FUZZ_ONLY } = process.env;

/** Whether a repeated run is about this operation. */
export const isAsked = ({ operationId }: { operationId: string }): boolean =>
  FUZZ_ONLY === undefined || FUZZ_ONLY === operationId;

/**
 * Tries so many values.
 *
 * @param name of what is tried; an `operationId` can be repeated alone
 * @param part of a run that is done in several: each tries other values
 * @throws Error that says how to see the failure again
 */
export async function tryAll<Given>(
  name: string,
  cases: number,
  values: fc.Arbitrary<Given>,
  holds: (value: Given) => Promise<void>,
  part = 0,
): Promise<void> {
  await fc.assert(fc.asyncProperty(values, holds), {
    numRuns: cases,
    seed: seedOf(name, SEED + part),
    ...PATH,
    includeErrorInReport: true,
    // What a request changed stays changed: a smaller one meets another world, and a few tries are enough.
    interruptAfterTimeLimit: 60_000 + 100 * cases,
    asyncReporter: async (details) => {
      if (!details.failed) return;
      const again = `FUZZ_SEED=${SEED + part} FUZZ_PATH=${details.counterexamplePath} FUZZ_ONLY=${name} npm test -- test/fuzz`;
      throw new Error(`${name}: ${await fc.asyncDefaultReportMessage(details)}\n\nAgain: ${again}`);
    },
  });
}

/** Another one for each name: what two operations record only once is not the same of both. */
const seedOf = (name: string, seed: number): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, seed);

/** Picks from a list that is too long for a short run: each `size` of it, another part for another seed. */
export function some<Item>(items: readonly Item[], size: number, offset = 0): readonly Item[] {
  const wanted = Math.min(items.length, size * RUNS);
  const first = (SEED + offset * 7919) % items.length;
  const step = items.length / wanted;
  return Array.from({ length: wanted }, (_, n) => items[(first + Math.floor(n * step)) % items.length]!);
}

/** One after another, whatever becomes of the others. @throws Error with all that failed */
export async function each<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  for (const [index, item] of items.entries()) {
    await work(item, index).catch((error: unknown) => failures.push((error as Error).message));
  }
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}
