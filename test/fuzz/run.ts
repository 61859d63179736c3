import fc from 'fast-check';
import { type Contract, CONTRACTS } from '../../src/config/environment.js';
import { PublishedDocument } from '../support/published-document.js';
import { PATH, RUNS, SEED } from '../support/runs.js';
import { type Operation, operationsOf } from './operation.js';

export { RUNS, SEED } from '../support/runs.js';

/** An `operationId`: nothing else is repeated. */
const { FUZZ_ONLY, FUZZ_RUNS } = process.env;

/** Whether a repeated run is about this operation. */
export const isAsked = ({ operationId }: { operationId: string }): boolean =>
  FUZZ_ONLY === undefined || FUZZ_ONLY === operationId;

/**
 * Of what both contracts document alike, a short run asks every other operation in each: the same code answers. What one documents in its own way it is
 * asked, and a long run asks everything of both.
 */
export function shareOf(contract: Contract, operations: readonly Operation[]): Operation[] {
  const asked = operations.filter(isAsked);
  if (FUZZ_RUNS !== undefined || FUZZ_ONLY !== undefined) return asked;
  const others = CONTRACTS.filter((one) => one !== contract);
  const elsewhere = new Set(
    others
      .flatMap((one) => operationsOf(new PublishedDocument(one).content))
      .map((one) => JSON.stringify(one)),
  );
  const alike = asked.filter((operation) => elsewhere.has(JSON.stringify(operation)));
  const turn = CONTRACTS.indexOf(contract);
  const left = alike.toSorted(byName).filter((_, index) => index % CONTRACTS.length !== turn);
  return asked.filter((operation) => !left.includes(operation));
}

const byName = (one: Operation, other: Operation): number =>
  one.operationId < other.operationId ? -1 : Number(one.operationId > other.operationId);

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
